"""Auditing a bot finds peeking, inconsistent, slow and hanging bots, and changes no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from rogsim.experiments.bot_check import CheckTable, Subject, TableResult, check_bot, play_table
from rogsim.game import compiler

pytestmark = pytest.mark.once_compiled  # the check of a bot plays uncompiled games of its own

BOTS = """
import random
import sys
import threading
import time

workspaces = []


def workspace():
    "Walk up the stack to the true game."
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "workspace"):
        frame = frame.f_back
    return frame.f_locals["self"].workspace


class Good:
    def __init__(self):
        self.seen = []

    def choose(self, observation, actions):
        self.seen = [observation]
        return observation['random'].choice(actions)


class Peeking:
    def choose(self, observation, actions):
        secret = workspace().game.secret
        return int(secret.deck[int(secret.deck_size) - observation['deck_left']]) % len(actions)


class Inconsistent:
    def choose(self, observation, actions):
        return random.randrange(len(actions))


class Slow:
    def choose(self, observation, actions):
        time.sleep(0.06 if observation['turn'] == 5 else 0)
        return 0


class Hanging:
    def choose(self, observation, actions):
        begun = time.monotonic()
        while observation['turn'] == 5:
            if time.monotonic() - begun < 4.5:  # spins only when the check is about to give up
                time.sleep(0.01)
        return 0


class Fickle:
    "Gives another answer to every question asked for the third time or more."

    asked = {}

    def choose(self, observation, actions):
        asked = Fickle.asked[observation['turn']] = Fickle.asked.get(observation['turn'], 0) + 1
        return 0 if asked < 3 else len(actions) - 1


class Locked:
    def __init__(self):
        self.lock = threading.Lock()

    def choose(self, observation, actions):
        return 0


def last(tables, view, menu, memory):
    memory.notes[0] += 1.0
    view.players[0].koku = 99
    return menu.count - 1
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(name: str, folder: Path, itself: bool = False) -> TableResult:
    """One table with two players and a draft, played in this process."""
    subject = Subject("river-of-gold", None, name, str(folder), 1, 1.0)
    return play_table(subject, CheckTable(2, 1, itself, 1))


@pytest.mark.parametrize("name", ["bots.py:Good", "bots.py:last", "builder", "random"])
@pytest.mark.parametrize("itself", [False, True])
def test_a_bot_that_plays_by_the_rules_passes(bots: Path, name: str, itself: bool) -> None:
    """Agents and compiled bots with notes and their own randomness play the same game when audited."""
    result = played(name, bots, itself)
    assert result.findings == []
    assert result.audit.questions > 20
    assert result.audit.checked == result.audit.questions // 5
    assert result.audit.uncopied == 0


def test_a_bot_that_looks_at_the_deck_is_found(bots: Path) -> None:
    """Its choice follows the card on top of the deck, which is dealt anew."""
    assert [kind for kind, _ in played("bots.py:Peeking", bots).findings] == ["uses hidden information"]


@pytest.mark.parametrize("name", ["bots.py:Inconsistent", "bots.py:Fickle"])
def test_a_bot_with_its_own_randomness_is_not_accused_of_peeking(bots: Path, name: str) -> None:
    """It answers the same question differently; the finding says so, and nothing about hidden information."""
    result = played(name, bots)
    assert [kind for kind, _ in result.findings] == ["not deterministic"]
    assert result.audit.inconsistent


def test_the_slowest_choice_is_reported(bots: Path) -> None:
    """The time is that of one slow choice, not a mean."""
    assert 0.06 <= played("bots.py:Slow", bots).audit.slowest < 30


def test_an_agent_that_cannot_be_copied_is_not_asked_again(bots: Path) -> None:
    """It is counted, so that the report can say what was not checked."""
    result = played("bots.py:Locked", bots)
    assert result.findings == []
    assert result.audit.checked == 0
    assert result.audit.uncopied == result.audit.questions // 5


@pytest.mark.skipif(not compiler.ENABLED, reason="24 tables take too long uncompiled")
@pytest.mark.usefixtures("bots")
def test_slow_and_endless_choices_end_the_check() -> None:
    """A choice above the limit is too slow; the check gives up on one that never returns."""
    ((kind, what),) = check_bot("bots.py:Slow", games=1, limit=0.05).findings
    assert kind == "too slow"
    assert what.endswith("s; the limit is 0.05 s")
    ((kind, what),) = check_bot("bots.py:Hanging", games=1, limit=0.05).findings
    assert kind == "too slow"
    assert what.startswith("the check gave up after 5 s on one choice: is this an endless loop?")


@pytest.mark.skipif(not compiler.ENABLED, reason="24 tables take too long uncompiled")
def test_a_built_in_bot_passes_the_whole_check() -> None:
    """All player counts and patron modes, against another and itself, compiled and not."""
    report = check_bot("random", games=1)
    assert report.findings == []
    assert report.unchecked == []
    assert (report.tables, report.games, report.in_second_process) == (24, 24, 4)
    assert report.audit.checked > 200
