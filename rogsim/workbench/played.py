"""A game that was played, decision by decision: every position, who chose what, and the points on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rogsim.bots.loading import compile_bot
from rogsim.game.bot import Bot
from rogsim.scenario.model import Experiment
from rogsim.simulation.batch import plans
from rogsim.simulation.session import Session, Standing


@dataclass(frozen=True)
class Choice:
    """A decision: the position before it, the seat, what could be chosen, and what was."""

    state: Any
    seat: int
    turn: int  # from 1
    legal: tuple[int, ...]
    taken: int


@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes
    ----------
    session
        The game at its end.
    names
        The bot of each seat.
    choices
        All decisions, in order.
    points
        The points of all seats before each decision, and at the end without final scoring.
    """

    session: Session
    names: Sequence[str]
    choices: Sequence[Choice]
    points: Sequence[tuple[int, ...]]

    @property
    def spec(self) -> Any:
        """Return the game that was played."""
        return self.session.spec

    @property
    def last(self) -> int:
        """Return the number of the last step: the position at the end."""
        return len(self.choices)

    def state(self, step: int) -> Any:
        """Return the position after so many decisions."""
        return self.choices[step].state if step < self.last else self.session.state

    def turn_at(self, step: int) -> int:
        """Return the turn, from 1, of the decision with this number."""
        return self.choices[min(step, self.last - 1)].turn

    def first_step_of(self, turn: int) -> int:
        """Return the first decision of a turn; that of the end for a later one."""
        return next((step for step, choice in enumerate(self.choices) if choice.turn >= turn), self.last)

    def words(self, step: int) -> list[tuple[bool, Mapping[str, Any]]]:
        """Return the legal actions of a decision in words, each with whether it was taken."""
        choice, rules = self.choices[step], self.spec.rules
        return [
            (action == choice.taken, rules.action_to_dict(self.session._setup, choice.state, action))
            for action in choice.legal
        ]

    @property
    def standing(self) -> tuple[Standing, ...]:
        """Return the final standing."""
        return self.session.score()


def play_game(experiment: Experiment, players: int, game: int) -> Played:
    """Play a game of an experiment, given its number in the plan: as in a run, with the same bots in its seats."""
    plan = plans(experiment)[players]
    games = plan.pick(np.array([game], np.int64))
    line_up = plan.line_ups[int(games.line_up[0])]
    names = [line_up[int(place)] for place in games.seating[0][:players]]
    ready: dict[str, Bot] = {
        name: compile_bot(experiment.spec, experiment.sources[name]) for name in dict.fromkeys(names)
    }
    seed, deal = experiment.scenario.seed, int(games.deals[0])
    bots = [ready[name] for name in names]
    return follow(Session(experiment.spec, experiment.setups[players], players, seed, deal, bots), names)


def follow(session: Session, names: Sequence[str]) -> Played:
    """Let the bots of a session play to the end, and keep every position."""
    choices: list[Choice] = []
    points = [_points(session)]
    while not session.is_over:
        before = session.state, session.actor, session.turn, session.legal
        session.play_bots(1)
        choices.append(Choice(*before, session.taken[-1]))
        points.append(_points(session))
    return Played(session, tuple(names), choices, points)


def _points(session: Session) -> tuple[int, ...]:
    state, rules = session.state, session.spec.rules
    return tuple(int(rules.points(state, seat)) for seat in range(session.players))
