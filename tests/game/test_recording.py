"""The recorder of the kit, on the dice race."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rogsim.game.kit.recording import Recorder
from tests.dice_game.spec import GAME, Options, prepare

pytestmark = pytest.mark.once_uncompiled

ROLL, WALK = 0, 1


class Rounds(Recorder):
    """The race in turns of several steps, with a standard head."""

    format = "rounds-trace/1"

    def take(self, action: int) -> None:
        seat = int(self.state.actor)
        self.steps.append({"action": action, "legal": self.legal()})
        self.apply(action)
        if seat == 1:
            self.end_turn(seat, position=self.state.position[:2].tolist())

    def body(self) -> dict[str, Any]:
        return {"turns": self.turns}


def recorder(change: dict[str, Any]) -> Rounds:
    """A recorder of races whose set-up tells the changed parameters."""
    parts = {name: getattr(GAME.rules, name) for name in ("state", "menu", "begin", "legal", "apply")}
    rules: Any = SimpleNamespace(tables_of=lambda setup: setup.tables, **parts)
    return Rounds(rules, SimpleNamespace(tables=prepare(Options(), 2), change=change))


def test_a_game_is_its_actions_applied_again() -> None:
    """A trace has the head of every game, and the steps of the actions, grouped as the game says."""
    trace = recorder({}).trace(5, 2, ["a", "b"], [WALK, WALK, WALK, WALK, WALK])
    assert trace == {
        "format": "rounds-trace/1",
        "players": 2,
        "seed": 5,
        "game": 2,
        "bots": ["a", "b"],
        "turns": [
            {"seat": 1, "steps": [{"action": WALK, "legal": [ROLL, WALK]}] * 2, "position": [3, 3]},
            {"seat": 1, "steps": [{"action": WALK, "legal": [ROLL, WALK]}] * 2, "position": [6, 6]},
        ],
    }


def test_changed_parameters_stand_in_the_head() -> None:
    """A change is between the bots and the rest, and only if there is one."""
    trace = recorder({"spaces.more": 1}).trace(0, 0, ["a", "b"], [])
    assert list(trace) == ["format", "players", "seed", "game", "bots", "change", "turns"]
    assert trace["change"] == {"spaces.more": 1}


def test_a_recorder_begins_every_game_anew() -> None:
    """Nothing of an earlier game is in a trace: not its turns, not its unfinished steps, not its state."""
    once = recorder({})
    actions = [ROLL, WALK, ROLL]
    first = once.trace(1, 0, ["a", "b"], actions)
    other = once.trace(1, 1, ["a", "b"], actions[:2])
    assert once.trace(1, 0, ["a", "b"], actions) == first
    assert recorder({}).trace(1, 1, ["a", "b"], actions[:2]) == other


def test_the_race_records_what_it_plays() -> None:
    """The rules' own recorder gives the trace of the race, as batches and sessions write it."""
    assert GAME.rules.trace(prepare(Options(), 2), 0, 3, ["a", "b"], [WALK, WALK]) == {
        "format": "dice-race-trace/1",
        "game": 3,
        "turns": [{"seat": 0, "do": "walk", "to": 3}, {"seat": 1, "do": "walk", "to": 3}],
    }
