"""Every command that plays a foreign bot lets another process play it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.dice_process import scenario_text

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched")]

BOTS = """
import os


class Mine:
    def choose(self, observation, actions):
        if os.path.exists("tell"):
            raise ValueError(f"in process {os.getpid()}")
        return 0


def plain(setup, race, menu, memory):
    raise ValueError(f"in process {os.getpid()}")


WEIGHTS = [1.0]
"""
GAME = "--game dice-race --players 2"
COMMANDS = [
    "run x.toml --jobs 1",
    "run x.toml --backend threads",
    "run x.toml --until seat_share±5pp",
    "sweep x.toml --jobs 1",
    "compare x.toml --change head_start.2=1",
    "optimize x.toml",
    "settle x.toml --bots mine.py:Mine,walker,runner --first-look 60 --jobs 1",
    "tournament --game dice-race --players 2 --games 20 --bots mine.py:Mine,walker --jobs 1",
    f"trace {GAME} --bots mine.py:Mine --out t.jsonl",
    "bots --profile --game dice-race --bots mine.py:Mine --games 20 --jobs 1",
    "verify kept --bots-from .",
    f"tune mine.py:plain {GAME} --against walker --games 20 --generations 1 --held-out 100 --out w.toml",
    f"tune moody {GAME} --against mine.py:plain --games 20 --generations 1 --held-out 100 --out w.toml --jobs 1",
    "train learned.toml --against mine.py:plain --games 20 --generations 1 --held-out 20 --out w.toml --jobs 1",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_no_foreign_bot_plays_in_the_process_of_a_command(words: str, command: Run) -> None:
    """Its error tells another process, and the command ends with one line and exit code 2."""
    Path("mine.py").write_text(BOTS)
    scenario = scenario_text(40)
    Path("x.toml").write_text(scenario.replace('["runner"]', '["mine.py:Mine", "walker"]'))
    Path("learned.toml").write_text(scenario.replace('["runner"]', '["learned", "walker"]'))
    if words.startswith("verify"):
        assert command("run", "x.toml", "--out", "kept")[0] == 0
    Path("tell").touch()
    code, _, err = command(*words.split())
    assert code == 2, err
    last = err.splitlines()[-1]
    assert last.startswith("rogsim: error: ")
    found = re.search(r"ValueError: in process (\d+)", last)
    assert found, err
    assert int(found[1]) != os.getpid()
