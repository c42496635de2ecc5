"""`rogsim check-bot`: each kind of fault is found and told in plain words, and good bots pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rogsim.base.errors import RogsimError
from rogsim.experiments.bot_check import BotReport, check_bot, report_lines
from rogsim.game import compiler
from tests.command_line import rogsim_command

pytestmark = pytest.mark.usefixtures("dice_race")

BOTS = """
import os
import random

import numpy as np


class Good:
    def choose(self, observation, actions):
        return observation["random"].choice(actions)


class Illegal:
    def choose(self, observation, actions):
        return 17 if observation["turns"] > 2 else 0


class Raising:
    def choose(self, observation, actions):
        return actions[0]["nothing"]


class Needy:
    def __init__(self, name):
        pass

    def choose(self, observation, actions):
        return 0


class Free:
    "Draws from a chance that nobody seeded."

    def choose(self, observation, actions):
        return random.choice(actions)


class Remembering:
    "Does something else in every other game."

    games = 0

    def __init__(self):
        Remembering.games += 1

    def choose(self, observation, actions):
        return Remembering.games // 2 % 2


class Sets:
    "Goes through a set of words, whose order differs between processes."

    def choose(self, observation, actions):
        turns = observation["turns"] + 3
        return int(next(iter({f"word {n} {turns}" for n in range(64)})).split()[1]) % 2


class Crashing:
    def choose(self, observation, actions):
        os._exit(3)


def steady(setup, race, menu, memory):
    return 1


def wrong(setup, race, menu, memory):
    return race.nowhere


def beyond(setup, race, menu, memory):
    return (race.position[3 + race.players] + race.turns) % 2


def rounding(setup, race, menu, memory):
    "Whole numbers of 8 bits wrap around only in Python."
    return 0 if np.int8(100) + np.int8(100) > 0 else 1
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a file of bots in it."""
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(name: str, **how: Any) -> BotReport:
    return check_bot(f"bots.py:{name}", "dice-race", **how)


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        pytest.param("Good", 9, marks=pytest.mark.once_uncompiled),  # a Python object
        ("steady", 3 if compiler.ENABLED else 9),
    ],
)
def test_a_good_bot_passes(name: str, elsewhere: int) -> None:
    """Nothing is found, and the report counts what was played."""
    report = checked(name, games=3)
    assert report.findings == []
    assert (report.tables, report.games, report.in_second_process) == (6, 18, elsewhere)
    lines = report_lines(report)
    assert lines[0] == f"bots.py:{name}: nothing wrong found."
    assert "18 games at 6 tables" in lines[1]
    assert lines[3].endswith(f" {report.audit.checked:,} of them repeated with hidden information dealt anew.")
    assert report.audit.checked > 0


@pytest.mark.once_uncompiled  # they are Python objects
@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("name", "kind", "what"),
    [
        (
            "Illegal",
            "illegal choice",
            "it answered place 17 of a menu of 2 in deal 0, turn 5 (2 players, against random)",
        ),
        ("Raising", "raises an error", "it raised KeyError: 'nothing' in deal 0, turn 1 (2 players, against random)"),
        ("Free", "not deterministic", " was asked the same question twice and chose differently "),
        (
            "Remembering",
            "not deterministic",
            " goes differently on its own than after other games: does it remember them?",
        ),
        (
            "Sets",
            "not deterministic",
            " comes out differently in another process: does it depend on the order of a set?",
        ),
        ("Crashing", "crashes", "its process ended with exit code 3 at the table of 2 players, against random"),
        ("Needy", "cannot be loaded", 'bot "bots.py:Needy" could not be created: it raised TypeError'),
        ("absent", "cannot be loaded", 'has no function, class or object "absent"'),
    ],
)
def test_each_fault_is_found_and_reported(name: str, kind: str, what: str) -> None:
    """The first finding names the kind and the place; the report shows it in one line."""
    report = checked(name, games=8)
    assert report.findings[0][0] == kind
    assert what in report.findings[0][1]
    lines = report_lines(report)
    assert lines[:2] == [f"bots.py:{name}: found problems.", f"- {kind}: {report.findings[0][1]}"]
    assert all("\n" not in line for line in lines)


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
@pytest.mark.usefixtures("bots")
def test_what_does_not_compile_is_reported_with_its_line() -> None:
    """The finding quotes the line of the user's file."""
    line = BOTS.splitlines().index("    return race.nowhere") + 1
    kind, what = checked("wrong").findings[0]
    assert kind == "cannot be loaded"
    assert what.endswith(f'does not compile: there is no field "nowhere" at bots.py, line {line}')


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
@pytest.mark.usefixtures("bots")
def test_a_bot_that_reads_beyond_an_array_is_found() -> None:
    """Its compiled code checks every index, as Python does."""
    kind, what = checked("beyond", games=1).findings[0]
    assert kind == "raises an error"
    assert "IndexError: index is out of bounds" in what


@pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled")
@pytest.mark.usefixtures("bots")
def test_a_bot_that_plays_otherwise_uncompiled_is_found() -> None:
    """Compiled and uncompiled play are distinguished by the rows of the same game."""
    kind, what = checked("rounding", games=1).findings[0]
    assert kind == "not deterministic"
    assert "comes out differently uncompiled: does it read or write beyond an array?" in what


@pytest.mark.parametrize(("how", "message"), [({"games": 0}, "--games: 0"), ({"limit": 0.0}, "--limit: 0")])
def test_a_check_that_makes_no_sense_is_refused(how: dict[str, Any], message: str) -> None:
    """Games and limit must be above 0."""
    with pytest.raises(RogsimError, match=message):
        check_bot("runner", "dice-race", **how)


@pytest.mark.once_uncompiled
@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("name", "code", "said"), [("walker", 0, "nothing wrong"), ("bots.py:Raising", 1, "found problems")]
)
def test_the_command_prints_the_report_and_its_exit_code_says_the_same(name: str, code: int, said: str) -> None:
    """The exit code is 0 for a good bot and 1 for a bad one; names of built-in bots work, too."""
    ended = rogsim_command("check-bot", name, "--game", "dice-race", "--games", "1")
    assert ended.code == code
    assert ended.out.startswith(f"{name}: {said}")
