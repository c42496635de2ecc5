"""A game that was played, decision by decision: every position, who chose what, that in words, and the points."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.bots.loading import compile_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.kit.playing import actions_of
from rogsim.game.registry import get_game
from rogsim.game.rules import NO_ACTION, copy_of
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import Experiment
from rogsim.simulation.batch import plans
from rogsim.simulation.play import game_seconds, playing, where_bots_play
from rogsim.simulation.session import Session, Standing
from rogsim.simulation.traces import FORMAT_END
from rogsim.workbench.position import choice_of

Trace = Mapping[str, Any]
MOST_TRIES = 20_000  # to find the actions of a trace


@dataclass(frozen=True)
class Choice:
    """A decision: the position before it, the seat, what could be chosen, what was, and what came of it in words."""

    state: Any
    seat: int
    turn: int  # from 1
    legal: tuple[int, ...]
    taken: int
    told: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes
    ----------
    session
        The game at its end; its bots are those that may play on.
    names
        Who played at each seat.
    bots
        The bot of each seat; None if that is a person, or is not known.
    choices
        All decisions, in order.
    points
        The points of all seats before each decision, and at the end with final scoring.
    """

    session: Session
    names: Sequence[str]
    bots: Sequence[Bot | None]
    choices: Sequence[Choice]
    points: Sequence[tuple[int, ...]]

    @property
    def spec(self) -> GameSpec:
        """Return the game that was played."""
        return self.session.spec

    @property
    def setup(self) -> Any:
        """Return what its functions take as `setup`."""
        return self.session._setup

    @property
    def last(self) -> int:
        """Return the number of the last step: the position at the end."""
        return len(self.choices)

    @cached_property
    def turns(self) -> list[int]:
        """Return the first step of each turn."""
        return [next(steps) for _, steps in groupby(range(self.last), lambda step: self.choices[step].turn)]

    def state(self, step: int) -> Any:
        """Return the position after so many decisions."""
        return self.choices[step].state if step < self.last else self.session.state

    def turn_before(self, step: int) -> int:
        """Return the first step of the turn of a step; if it is that itself, of the turn before."""
        return max((first for first in self.turns if first < step), default=0)

    def turn_after(self, step: int) -> int:
        """Return the first step of the turn after that of a step."""
        return min((first for first in self.turns if first > step), default=self.last)

    def words(self, step: int, action: int) -> str:
        """Return a legal action of a decision in words."""
        return choice_of(self.spec, self.setup, self.choices[step].state, action).said

    @property
    def standing(self) -> tuple[Standing, ...]:
        """Return the final standing."""
        return self.session.score()


def play_game(experiment: Experiment, players: int, game: int) -> Played:
    """Play a game of an experiment, given its number in the plan: as in a run, with the same bots in its seats."""
    spec, setup, plan = experiment.spec, experiment.setups[players], plans(experiment)[players]
    games = plan.pick(np.array([game], np.int64))
    line_up = plan.line_ups[int(games.line_up[0])]
    bots = {name: compile_bot(spec, experiment.sources[name]) for name in dict.fromkeys(line_up)}
    seating = np.ascontiguousarray(games.seating)
    batch = Batch(experiment.scenario.seed, players, games.deals, seating, tuple(bots[name] for name in line_up))
    actions = where_bots_play(_actions, spec, setup, batch)
    names = [line_up[int(place)] for place in seating[0][:players]]
    session = Session(spec, setup, players, batch.seed, int(games.deals[0]), [None] * players)
    return follow(session, names, [bots[name] for name in names], actions)


def _actions(spec: GameSpec, setup: Any, batch: Batch) -> list[int]:
    with playing(batch, game_seconds()):
        return [int(action) for action in actions_of(spec.rules, setup, batch, spec.row_dtypes)]


def follow(session: Session, names: Sequence[str], bots: Sequence[Bot | None], actions: Sequence[int]) -> Played:
    """Carry all actions of a game out, and keep every position."""
    told = tell(session, names, actions)
    choices: list[Choice] = []
    points = [_points(session)]
    for action, sentences in zip(actions, told, strict=True):
        choices.append(Choice(session.state, session.actor, session.turn, session.legal, action, tuple(sentences)))
        session.apply(action)
        points.append(_points(session))
    points[-1] = tuple(standing.points for standing in session.score())
    return Played(session, tuple(names), tuple(bots), choices, points)


def tell(session: Session, names: Sequence[str], actions: Sequence[int]) -> list[list[str]]:
    """Return what came of each action, as the game tells it; nothing for what it does not tell."""
    rules, spec = session.spec.rules, session.spec
    if spec.narrator is None:
        return [[] for _ in actions]
    recorder = rules.recorder(rules, session._setup)
    recorder.begin(session.seed, session.deal)
    numbers: dict[int, int] = {}  # of the action that led to a step of the trace
    for number, action in enumerate(actions):
        recorder.take(action)
        steps = [step for turn in recorder.turns[-2:] for step in turn["steps"]] + recorder.steps
        for step in steps:
            numbers.setdefault(id(step), number)
    trace = {**recorder.head(session.seed, session.deal, names), **recorder.body()}
    found: list[list[str]] = [[] for _ in actions]
    for step, sentences in spec.narrator(trace).sentences():
        if id(step) in numbers:
            found[numbers[id(step)]] += sentences
    return found


def _points(session: Session) -> tuple[int, ...]:
    state, rules = session.state, session.spec.rules
    return tuple(int(rules.points(state, seat)) for seat in range(session.players))


def replay(trace: Trace) -> Played:
    """Return the game of a trace: the actions that lead to what it tells; RogsimError if the rules have none."""
    try:
        spec = get_game(str(trace["format"]).removesuffix(FORMAT_END))
        players, seed, deal = (trace[name] for name in ("players", "seed", "game"))
        names = [str(name) for name in trace["bots"]]
        change, problems = spec.check_change(trace.get("change", {}))
        if problems or players not in spec.players or len(names) != players:
            raise RogsimError("this trace is of a game that cannot be set up: its players or changes are not allowed")
        for options in (trace["options"],) if "options" in trace else ({}, *spec.samples):
            setup = spec.set_up(spec.read_options(options), players, *([change] if change else []))
            if (actions := _actions_of(spec, setup, trace)) is not None:
                session = Session(spec, setup, players, seed, deal, [None] * players)
                return follow(session, names, [_known(spec, name) for name in names], actions)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as fault:
        raise RogsimError(f"this trace is not complete: {type(fault).__name__} {fault}") from fault
    raise RogsimError("this trace cannot be watched: the rules that it was played by differ from those of this rogsim")


def _known(spec: GameSpec, name: str) -> Bot | None:
    return next((spec.ready_bot(info) for info in spec.bots if info.name == name), None)


def _actions_of(spec: GameSpec, setup: Any, trace: Trace) -> list[int] | None:
    """Return actions that record the steps of a trace; None if none do, or if they are not found soon.

    Not every action is a step of a trace, so what fits at first may turn out to be wrong later.
    """
    wanted = [step for turn in trace.get("turns", [trace]) for step in turn["steps"]]
    recorder = spec.rules.recorder(spec.rules, setup)
    recorder.begin(trace["seed"], trace["game"])
    path = [(NO_ACTION, _fitting(spec, recorder, wanted, 0))]
    tries = 0
    while path and (tries := tries + 1) < MOST_TRIES:
        found = next(path[-1][1], None)
        if found is None:
            path.pop()
            continue
        action, recorder, place = found
        path.append((action, _fitting(spec, recorder, wanted, place)))
        if spec.rules.is_over(recorder.state) and place == len(wanted):
            return [action for action, _ in path[1:]]
    return None


def _fitting(spec: GameSpec, recorder: Any, wanted: Sequence[Any], place: int) -> Iterator[tuple[int, Any, int]]:
    """Yield the actions that record the next steps, with the recorder and the place after each."""
    if spec.rules.is_over(recorder.state):
        return
    said = str(wanted[place : place + 1])

    def missing(action: int) -> int:
        words = spec.rules.action_to_dict(recorder.setup, recorder.state, action).values()
        return sum(str(word) not in said for word in words)

    for action in sorted(recorder.legal(), key=missing):
        tried = _copied(recorder)
        tried.take(action)
        steps = json.loads(json.dumps([step for turn in tried.turns for step in turn["steps"]] + tried.steps))
        if steps == wanted[place : place + len(steps)]:
            tried.steps, tried.turns = [], []
            yield action, tried, place + len(steps)


def _copied(recorder: Any) -> Any:
    """Return a recorder that can go on without changing this one."""
    found = copy.copy(recorder)
    shared = ("rules", "setup", "tables", "state")
    vars(found).update(copy.deepcopy({name: value for name, value in vars(recorder).items() if name not in shared}))
    found.state = copy_of(recorder.state)
    return found
