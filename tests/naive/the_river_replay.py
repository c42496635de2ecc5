"""Traces of The River against the slow rules, and random games of the slow rules as traces."""

import json
import random
from collections.abc import Callable
from typing import Any

from .basics import Facts, Mismatch, check_keys, compare
from .the_river import NaiveRiver
from .the_river_setup import random_setup, with_change

FORMAT = "the-river-trace/1"
TRACE_KEYS = {"format", "players", "seed", "game", "options", "bots", "change", "setup", "steps", "final"}
Player = Callable[[NaiveRiver, list[str], random.Random], str]


# ----------------------------------------------------------------------------------------------------- replay


def replay(trace: dict[str, Any], facts: Facts) -> None:
    """Replay a recorded game and raise Mismatch at the first deviation from the rules.

    `facts`: the components as published; the trace's own change is made to them here. Steps and seats are
    counted from 0 in the message, as in the trace.
    """
    check_keys(trace, TRACE_KEYS, "trace")
    compare(FORMAT, trace["format"], "format")
    compare({}, trace["options"], "options")
    compare(trace["players"], len(trace["bots"]), "number of bots")
    Replay(trace, with_change(facts, trace["change"])).run()


class Replay:
    """A recorded game beside one by the slow rules, which is given the recorded decisions and shuffles."""

    def __init__(self, trace: dict[str, Any], facts: Facts) -> None:
        self.trace = trace
        self.recorded: list[dict[str, Any]] = trace["steps"]
        self.compared = 0
        self.game = NaiveRiver(facts, trace["players"], trace["setup"], self._shuffled)

    def run(self) -> None:
        game = self.game
        while not game.over:
            self._compare_steps()
            self._follow(self._recorded_step())
        self._compare_steps()
        if len(self.recorded) > len(game.steps):
            raise Mismatch(f"step {len(game.steps)}: expected no more steps, found {_name(self._recorded_step())}")
        compare(game.final(), self.trace["final"], "final")

    def _follow(self, step: dict[str, Any]) -> None:
        """Check who decides what, between which actions, and take the recorded one."""
        game, where = self.game, f"step {self.compared}"
        if "event" in step:
            raise Mismatch(f"{where}: expected {game.kind} of seat {game.seat}, found {_name(step)}")
        check_keys(step, {"seat", "kind", "legal", "action", "state"}, where)
        if (game.kind, game.seat) != (step["kind"], step["seat"]):  # their types are compared with the whole step
            compare([game.kind, game.seat], [step["kind"], step["seat"]], f"{where}, kind and seat")
        legal = sorted(game.legal())
        if legal != sorted(step["legal"]):
            compare(legal, sorted(step["legal"]), f"{where}, {game.kind} of seat {game.seat}, legal")
        game.choose(step["action"], legal)

    def _compare_steps(self) -> None:
        """Compare every step that the slow rules have written since the last time."""
        for number in range(self.compared, len(self.game.steps)):
            ours, step = self.game.steps[number], self._recorded_step()
            if "event" in ours and "event" not in step:
                raise Mismatch(f"step {number}: expected {_name(ours)}, found {_name(step)}")
            if "legal" in step and "legal" in ours:  # any order, and already compared
                step = {**step, "legal": ours["legal"]}
            compare(ours, step, f"step {number} ({_name(ours)})")
            self.compared += 1

    def _recorded_step(self) -> dict[str, Any]:
        if self.compared == len(self.recorded):
            due = self.game.steps[self.compared :]
            expected = _name(due[0]) if due else f"{self.game.kind} of seat {self.game.seat}"
            raise Mismatch(f"step {self.compared}: expected {expected}, found the end of the trace")
        return self.recorded[self.compared]

    def _shuffled(self, removed: list[str]) -> list[str]:
        """Return the recorded new pile, after checking that it is one of the removed tiles."""
        self._compare_steps()
        step, where = self._recorded_step(), f"step {self.compared}"
        if step.get("event") != "reshuffle":
            raise Mismatch(f"{where}: expected reshuffle, found {_name(step)}")
        check_keys(step, {"event", "tiles"}, where)
        compare(sorted(removed), sorted(step["tiles"]), f"{where}, tiles of the reshuffle, sorted")
        return list(step["tiles"])


def _name(step: dict[str, Any]) -> str:
    """Say in a word or two which step this is."""
    return str(step["event"] if "event" in step else f"{step.get('action')!r} of seat {step.get('seat')}")


# ----------------------------------------------------------------------------------------------- random games


def any_action(game: NaiveRiver, legal: list[str], rng: random.Random) -> str:
    """Choose any legal action, all equally likely."""
    return rng.choice(legal)


def builder_action(game: NaiveRiver, legal: list[str], rng: random.Random) -> str:
    """Choose at random with a preference for constructing, so that tokens end the game; trade seldom."""
    for word, wanted in (("construct", 0.9), ("produce", 0.3)):
        preferred = [action for action in legal if action.startswith(word)]
        if preferred and rng.random() < wanted:
            return rng.choice(preferred)
    others = [action for action in legal if not action.startswith("trade")]
    return rng.choice(others if rng.random() < 0.9 else legal)


def claimer_action(game: NaiveRiver, legal: list[str], rng: random.Random) -> str:
    """Claim a tile whenever possible, so that boards fill and pioneers settle."""
    claims = [action for action in legal if action.startswith("claim")]
    return rng.choice(claims or legal)


def play_random(
    facts: Facts,
    players: int,
    rng: random.Random,
    *,
    choose: Player = any_action,
    change: dict[str, Any] | None = None,
    setup: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Play a random game by the slow rules and return its trace.

    `choose` picks among the legal actions; `change` names figures as in a trace; `setup` is drawn if not given.
    """
    changed = with_change(facts, change or {})
    setup = setup or random_setup(changed, players, rng)
    game = NaiveRiver(changed, players, setup, lambda removed: rng.sample(removed, len(removed)))
    while not game.over:
        legal = game.legal()
        game.choose(choose(game, legal, rng), legal)
    trace = {
        "format": FORMAT,
        "players": players,
        "seed": 0,
        "game": 0,
        "options": {},
        "bots": ["naive-random"] * players,
        "change": change or {},
        "setup": setup,
        "steps": game.steps,
        "final": game.final(),
    }
    # Through JSON, so that a trace in memory is the same as one read from a file.
    return json.loads(json.dumps(trace))
