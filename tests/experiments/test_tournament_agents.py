"""Tournaments of bots of the user's own that do the same compiled or not: Python objects, and one that cheats."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from rogsim.results.manifest import read_manifest
from rogsim.results.verify import status_of
from tests.command_line import Run

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race", "sketched")]

AGENTS = """
class Chancer:
    def choose(self, observation, actions):
        return observation["random"].choice(actions)


class Late:
    "Goes wrong once in a thousand choices."

    def choose(self, observation, actions):
        return 7 if observation["random"].random() < 0.001 else 0
"""


@pytest.fixture
def tournament(command: Run) -> Run:
    """Run `rogsim tournament` on the dice race in an empty folder: exit code, output, error output."""
    return partial(command, "tournament", "--game", "dice-race")


def test_python_objects_play_tournaments(tournament: Run) -> None:
    """In this process or in others, the files are the same."""
    Path("mine.py").write_text(AGENTS)
    for jobs in ("1", "2"):
        arguments = ["--players", "2", "--games", "40", "--jobs", jobs, "--out", f"t{jobs}"]
        assert tournament("--bots", "mine.py:Chancer,runner,walker", *arguments)[0] == 0
    for name in ("bots.csv", "pairs.csv", "ratings.csv"):
        assert Path("t1", name).read_text() == Path("t2", name).read_text()


def test_what_was_finished_before_a_bot_went_wrong_is_kept(tournament: Run) -> None:
    """Its games are results of their own, the folder is not made, and the error says where they are."""
    Path("mine.py").write_text(AGENTS)
    arguments = ["--bots", "mine.py:Late,runner", "--players", "2", "--jobs", "1", "--chunk", "10", "--out", "t"]
    code, out, err = tournament(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not Path("t").exists()
    (folder,) = Path("reports/games").iterdir()
    kept = status_of(folder).stored
    assert kept > 0
    assert err.endswith(f"; {kept:,} finished games are kept in {folder}\n")
    assert str(read_manifest(folder).sessions[-1].stopped_by).startswith('bot "mine.py:Late" answered place 7 of a')


def test_a_bot_that_breaks_the_rules_is_one_line(tournament: Run) -> None:
    """The fault names the bot, and no folder is left."""
    Path("cheat.py").write_text("def choose(setup, race, menu, memory):\n    return 7\n")
    code, out, err = tournament("--bots", "cheat.py:choose,runner", "--players", "2", "--out", "t")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'bot "cheat.py:choose" answered place 7 of a menu of 2' in err
    assert not Path("t").exists()
