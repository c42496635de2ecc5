"""Bots of the user's own that crash, hang, print or write beyond arrays: a clear error, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import same_modules
from rogsim.game import compiler
from rogsim.results.verify import status_of
from rogsim.simulation.play import VARIABLE, read_seconds
from tests.command_line import Run
from tests.dice_process import start_command
from tests.faults.test_workers_end import is_running

pytestmark = pytest.mark.usefixtures("dice_race")
uncompiled = pytest.mark.skipif(compiler.ENABLED, reason="Python bots do the same, compiled or not")

BOTS = """
import ctypes
import os
import subprocess
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


class Quiet:
    def choose(self, observation, actions):
        return 0


class Locked:
    def choose(self, observation, actions):
        sum(range(10**13))


class Parent:
    def choose(self, observation, actions):
        if not os.path.exists("children"):
            with open("children", "w") as file:
                print(fork(), subprocess.Popen(["sleep", "100"]).pid, file=file)
                print(subprocess.Popen(["sleep", "100"], start_new_session=True).pid, file=file)
        return 0


def fork():
    child = os.fork()
    if child == 0:
        time.sleep(100)
    return child


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
    assert told.startswith(f'bot "{bot}", deal ')
    assert 'its process crashed (Segmentation fault). Examine it with "rogsim check-bot"' in told
    assert "\n" not in told
    kept = status_of(folder).stored
    assert not kept or told.endswith(f"; {kept} finished games are kept in {folder}")


@uncompiled
@pytest.mark.parametrize(("name", "how"), [("Endless", {"backend": "threads"}), ("Stuck", {"jobs": 2}), ("Locked", {})])
def test_a_game_without_end_is_given_up(
    tmp_path: Path, keys: dict[str, object], monkeypatch: pytest.MonkeyPatch, name: str, how: dict[str, Any]
) -> None:
    """After the time that the user set, in Python code as in compiled code that nobody can interrupt."""
    monkeypatch.setenv(VARIABLE, "0.5")
    bot = f"{tmp_path}/mine.py:{name}"
    rule = rf'^bot ".*:{name}", deal \d+ with 2 players: not finished after 0.5 s. Is there an endless loop\?'
    with pytest.raises(RogsimError, match=rule):
        rogsim.run(keys | {"bots": [bot]}, **{"jobs": 1, **how})


@uncompiled
@pytest.mark.parametrize("place", ["when loaded", "when created", "when asked"])
@pytest.mark.parametrize(
    ("does", "told"),
    [("os._exit(0)", "its process ended with exit code 0"), ("raise KeyboardInterrupt", "KeyboardInterrupt")],
)
def test_a_bot_cannot_end_the_command(
    tmp_path: Path, keys: dict[str, object], place: str, does: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither with one job nor on one core: it is an error of the bot, in one line."""
    lines = {"when loaded": "", "when created": "        ", "when asked": "        "}
    text = {name: f"{indent}{does if name == place else 'pass'}" for name, indent in lines.items()}
    (tmp_path / "mine.py").write_text(
        f"import os\n{text['when loaded']}\nclass Mine:\n    def __init__(self):\n{text['when created']}\n"
        f"    def choose(self, observation, actions):\n{text['when asked']}\n"
    )
    monkeypatch.setattr("rogsim.simulation.pool.cpu_count", lambda: 1)
    with pytest.raises(RogsimError) as end:
        rogsim.run(keys | {"bots": [f"{tmp_path}/mine.py:Mine"]})
    assert told in str(end.value)
    assert f'bot "{tmp_path}/mine.py:Mine"' in str(end.value)
    assert "\n" not in str(end.value)


NO_SEMAPHORES = """
import errno, _multiprocessing
def refuse(*_, **__):
    raise OSError(errno.ENOSYS, "no semaphores")
_multiprocessing.SemLock = refuse
import rogsim
from rogsim.game.registry import register
from tests.dice_game import GAME
register(GAME)
session = rogsim.run({keys!r}, jobs=2, chunk=20, backend="threads").manifest["sessions"][-1]
print((session["backend"], session["workers"]))
"""


@uncompiled
def test_no_semaphores_are_needed(tmp_path: Path, keys: dict[str, object]) -> None:
    """Without them, as without `/dev/shm`, joblib has one thread: another process plays, and the manifest says so."""
    program = NO_SEMAPHORES.format(keys=keys | {"bots": [f"{tmp_path}/mine.py:Quiet"]})
    ended = subprocess.run(
        [sys.executable, "-c", program], env=same_modules(), capture_output=True, text=True, timeout=60
    )
    assert ended.stdout == "('processes', 1)\n", ended.stderr
    assert ended.stderr == f"{tmp_path}/mine.py:Quiet: loaded\n"


@uncompiled
def test_what_a_bot_starts_does_not_hold_the_output_open(tmp_path: Path, keys: dict[str, object]) -> None:
    """Forked, started as a program, or even in a session of its own; the first two are ended with the run."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in keys.items()]
    (tmp_path / "x.toml").write_text("# Q?\n" + "\n".join(lines) + '\nbots = ["mine.py:Parent"]\n')
    with start_command("run", "x.toml", "--out", "out", "--jobs", "1", cwd=tmp_path) as process:
        _, err = process.communicate(timeout=60)  # comes back only when nobody holds the output any more
    assert (process.returncode, err) == (0, "mine.py:Parent: loaded\n")
    *ended, apart = map(int, (tmp_path / "children").read_text().split())
    os.kill(apart, signal.SIGKILL)
    assert not [pid for pid in ended if is_running(pid)]


@uncompiled
def test_what_bots_print_leaves_the_results_clean(tmp_path: Path, keys: dict[str, object]) -> None:
    """It goes to the error output with the bot's name; JSON on the standard output stays valid."""
    named = json.dumps(["mine.py:Talking", "mine.py:Loud"])
    (tmp_path / "x.toml").write_text(f'# Q?\ngame = "dice-race"\nplayers = [2]\ngames = 4\nseed = 1\nbots = {named}\n')
    with start_command("run", "x.toml", "--json", "--jobs", "1", "--out", "out", cwd=tmp_path) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    json.loads(out)
    assert "mine.py:Talking: my turn \\u001b[31m\n" in err
    assert "mine.py:Talking: half\n" in err
    assert "mine.py:Talking: loaded\n" in err
    assert "from below\n" in err


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
    with pytest.raises(RogsimError, match=r'^bot ".*:beyond" raised IndexError: index is out of bounds in deal 0 with'):
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
