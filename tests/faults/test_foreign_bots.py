"""Bots of the user's own that crash, hang, print or write beyond arrays: a clear error, and nothing lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.game import compiler
from rogsim.results.verify import status_of
from rogsim.simulation.executors.foreign_bots import VARIABLE, read_seconds
from tests.command_line import Run
from tests.dice_process import start_command

pytestmark = pytest.mark.usefixtures("dice_race")
uncompiled = pytest.mark.skipif(compiler.ENABLED, reason="Python bots do the same, compiled or not")

BOTS = """
import ctypes
import os
import sys
import time


class Crashing:
    def choose(self, observation, actions):
        if observation["turns"] > 2 and observation["random"].random() < 0.01:
            ctypes.string_at(0)
        return 0


class Endless:
    def choose(self, observation, actions):
        while True:
            pass


class Stuck:
    def choose(self, observation, actions):
        ctypes.CDLL(None).sleep(100)
        return 0


print("loaded")


class Talking:
    def choose(self, observation, actions):
        print("my turn \\x1b[31m")
        sys.stdout.write("half")
        return 0


class Loud:
    def choose(self, observation, actions):
        os.write(1, b"from below\\n")
        return 0
"""


@pytest.fixture
def keys(tmp_path: Path) -> dict[str, object]:
    (tmp_path / "mine.py").write_text(BOTS)
    return {"game": "dice-race", "players": [2], "games": 400, "seed": 3}


@uncompiled
def test_a_crash_names_the_bot_and_the_games(tmp_path: Path, keys: dict[str, object]) -> None:
    """One line: which bot, which games, what kind of crash, how to find out more, and what is kept."""
    bot, folder = f"{tmp_path}/mine.py:Crashing", tmp_path / "out"
    with pytest.raises(RogsimError) as end:
        rogsim.run(keys | {"bots": [bot]}, out=folder, jobs=2, chunk=10, backend="processes")
    told = str(end.value)
    assert told.startswith(f'bot "{bot}", game ')
    assert 'its process crashed (Segmentation fault). Examine it with "rogsim check-bot"' in told
    assert "\n" not in told
    kept = status_of(folder).stored
    assert not kept or told.endswith(f"; {kept} finished games are kept in {folder}")


@uncompiled
@pytest.mark.parametrize(
    ("name", "backend"), [("Endless", "threads"), ("Endless", "processes"), ("Stuck", "processes")]
)
def test_a_game_without_end_is_given_up(
    tmp_path: Path, keys: dict[str, object], monkeypatch: pytest.MonkeyPatch, name: str, backend: str
) -> None:
    """After the time that the user set, in Python code as in compiled code that nobody can interrupt."""
    monkeypatch.setenv(VARIABLE, "0.5")
    bot = f"{tmp_path}/mine.py:{name}"
    rule = rf'^bot ".*:{name}", game \d+ with 2 players: not finished after 0.5 s. Is there an endless loop\?'
    with pytest.raises(RogsimError, match=rule):
        rogsim.run(keys | {"bots": [bot]}, jobs=2, backend=backend)


@uncompiled
def test_a_thread_that_cannot_be_stopped_ends_the_command(tmp_path: Path, keys: dict[str, object]) -> None:
    """With exit code 2 and the same line, where the user chose threads for such a bot."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in keys.items()]
    (tmp_path / "x.toml").write_text("# Q?\n" + "\n".join(lines) + '\nbots = ["mine.py:Stuck"]\n')
    arguments = ["run", "x.toml", "--backend", "threads", "--game-seconds", "0.3", "--out", "out"]
    with start_command(*arguments, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    line = r'rogsim: error: bot "mine.py:Stuck", game \d+ with 2 players: not finished after'
    assert re.match(line, err.splitlines()[-1])


@uncompiled
@pytest.mark.parametrize(("jobs", "bots"), [("1", ["Talking"]), ("2", ["Talking", "Loud"])])
def test_what_bots_print_leaves_the_results_clean(
    tmp_path: Path, keys: dict[str, object], jobs: str, bots: list[str]
) -> None:
    """It goes to the error output with the bot's name; JSON on the standard output stays valid.

    What C code writes is caught in worker processes: in the command's own it is out of reach.
    """
    named = json.dumps([f"mine.py:{name}" for name in bots])
    (tmp_path / "x.toml").write_text(f'# Q?\ngame = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = {named}\n')
    with start_command("run", "x.toml", "--json", "--jobs", jobs, "--out", "out", cwd=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    json.loads(out)
    assert "mine.py:Talking: my turn \\u001b[31m\n" in err
    assert "mine.py:Talking: half\n" in err
    assert "mine.py:Talking: loaded\n" in err
    assert ("from below\n" in err) == ("Loud" in bots)


WRITES = """
def beyond(setup, race, menu, memory):
    place = 1024 + race.turns
    memory.weights[place] = 1.0
    return 0


WEIGHTS = [1.0]
WEIGHT_NAMES = ["only"]
"""


@pytest.mark.skipif(not compiler.ENABLED, reason="uncompiled, Python checks every place itself")
def test_a_compiled_bot_cannot_write_beyond_its_arrays(tmp_path: Path, keys: dict[str, object]) -> None:
    """It is compiled with its places checked, and plays in a process of its own: an error names it."""
    (tmp_path / "mine.py").write_text(WRITES)
    bot = f"{tmp_path}/mine.py:beyond"
    with pytest.raises(RogsimError, match=r'^bot ".*:beyond" raised IndexError: index is out of bounds in game 0 with'):
        rogsim.run(keys | {"bots": [bot]}, jobs=1)


@pytest.mark.parametrize("text", ["0", "-1", "nan", "soon", ""])
def test_a_limit_must_be_a_number_of_seconds(text: str, command: Run) -> None:
    """Anything else is one line and exit code 2, before anything is played."""
    Path("x.toml").write_text('# Q?\ngame = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = ["runner"]\n')
    code, _, err = command("run", "x.toml", "--game-seconds", text)
    assert code == 2
    assert err.startswith("rogsim: error: --game-seconds: ")
    assert not Path("reports").exists()
    assert read_seconds("inf", "x") == float("inf")
