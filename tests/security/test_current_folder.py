"""Nothing that somebody put into the current folder decides what runs or what is drawn."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.dice_process import scenario_text, start_command

pytestmark = pytest.mark.once_uncompiled

ROOT = Path(__file__).parents[2]
# A trap takes the place of every module of Python and of every installed package, rogsim among them.
TRAPS = {
    name for name in (*sys.stdlib_module_names, *packages_distributions(), "rogsim", "tests") if name.isidentifier()
}
TRAP = """import os
with open({fired!r}, "a") as fired:
    fired.write({name!r} + " ")
os._exit(77)
"""
BOT = """class Mine:
    def choose(self, observation, actions):
        return 0
"""
PAIR = ("--game", "dice-race", "--players", "2")
SHORT = ("--generations", "1", "--games", "4", "--held-out", "4")
# What plays does so in two processes that it starts, because of the bot.
PLAYING = [
    ["run", "race.toml", "--games", "40", "--out", "rows"],
    ["sweep", "race.toml", "--games", "4"],
    ["compare", "race.toml", "--games", "4", "--change", "head_start.2=1"],
    ["optimize", "race.toml", "--games", "20", "--confirm", "10"],
    ["settle", "race.toml", "--bots", "walker,mine.py:Mine", "--games", "40", "--first-look", "20"],
    ["tournament", *PAIR, "--bots", "mine.py:Mine,runner", "--games", "4"],
    ["tune", "moody", *PAIR, *SHORT, "--against", "mine.py:Mine", "--out", "moody.toml"],
    ["train", "learned", *PAIR, *SHORT, "--against", "mine.py:Mine", "--out", "learned.toml"],
    ["bots", "--profile", *PAIR, "--bots", "mine.py:Mine,runner", "--games", "4", "--out", "profile"],
]
OTHER = [
    ["check-bot", "mine.py:Mine", "--game", "dice-race", "--games", "1"],
    ["trace", "--game", "dice-race", "--bots", "mine.py:Mine,runner", "--out", "trace.jsonl"],
    ["show", "trace.jsonl"],
    ["run", "race.toml", "--games", "40", "--bots", "runner", "--out", "compiled"],
    ["status", "compiled"],
    ["verify", "compiled"],
    ["seats", "compiled"],
    ["report", "compiled", "--out", "page"],
    ["scenario", "check", "race.toml"],
    ["scenario", "explain", "race.toml"],
    ["scenario", "new", "new", "--game", "dice-race"],
    ["scenario", "schema"],
    ["parameters", "--game", "dice-race"],
    ["games"],
    ["bots", "--game", "dice-race"],
]


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trap of each name, a scenario and a bot. What fires is named in `fired`, which is there then."""
    folder = tmp_path_factory.mktemp("trapped")
    for name in TRAPS:
        (folder / f"{name}.py").write_text(TRAP.format(fired=str(folder / "fired"), name=name))
    (folder / "mine.py").write_text(BOT)
    (folder / "race.toml").write_text(scenario_text(40).replace('["runner"]', '["runner", "mine.py:Mine"]'))
    return folder


def fired(folder: Path) -> str:
    """What has fired since this was last asked."""
    marks = folder / "fired"
    found = marks.read_text() if marks.exists() else ""
    marks.unlink(missing_ok=True)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("words", [*PLAYING, *OTHER], ids=lambda words: " ".join(words[:2]))
def test_no_command_runs_what_is_named_like_a_module(trapped: Path, words: list[str]) -> None:
    """Nor does any Python that it starts, for itself or through a library."""
    jobs = ("--jobs", "2") if words in PLAYING else ()
    with start_command(*words, *jobs, cwd=trapped) as command:
        out, err = command.communicate(timeout=120)
    assert fired(trapped) == ""
    assert command.returncode in (0, 1), out + err
