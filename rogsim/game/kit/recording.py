"""Recording games as traces: a game is set up and its actions are applied again, one by one, and described."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rogsim.game.compiler import records
from rogsim.game.rules import Rules

Step = dict[str, Any]


class Recorder(ABC):
    """Records games, one after the other, on a state of its own.

    A game derives its own recorder, which says what its steps and states look like in a trace.

    Attributes
    ----------
    format
        The name of the trace format: `"<id of the game>-trace/1"`.
    setup, tables
        What `GameSpec.prepare` returned, and the tables in it.
    state
        The game that is being recorded: a record of `Rules.state`.
    steps
        The steps since the last turn was over, or since the game began.
    turns
        The turns that are over, as `end_turn` describes them.
    """

    format: ClassVar[str]

    def __init__(self, rules: Rules, setup: Any) -> None:
        """Prepare to record games of these rules and this set-up."""
        self.rules, self.setup, self.tables = rules, setup, rules.tables_of(setup)
        self.state = records(rules.state, 1)[0]
        self.steps: list[Step] = []
        self.turns: list[Step] = []

    def trace(self, seed: int, deal: int, names: Sequence[str], actions: Sequence[int]) -> dict[str, Any]:
        """Return a finished game as a trace, given all its actions in order; `names` are those of the bots by seat."""
        self.begin(seed, deal)
        for action in actions:
            self.take(action)
        return {**self.head(seed, deal, names), **self.body()}

    def begin(self, seed: int, deal: int) -> None:
        """Set a game up, to its first decision."""
        self.state = records(self.rules.state, 1)[0]
        self.rules.begin(self.tables, self.state, seed, deal)
        self.steps, self.turns = [], []

    def legal(self) -> list[int]:
        """Return the legal actions of the actor."""
        menu = records(self.rules.menu, 1)[0]
        self.rules.legal(self.tables, self.state, menu)
        actions: list[int] = menu.actions[: int(menu.count)].tolist()
        return actions

    def apply(self, action: int) -> None:
        """Carry an action out without recording anything."""
        self.rules.apply(self.tables, self.state, action)

    def scores(self) -> Any:
        """Return the final scoring of every seat, records of `Rules.scores`, as if the game ended now."""
        scores = records(self.rules.scores, self.rules.most_seats)
        self.rules.score(self.tables, self.state, scores)
        return scores[: self.rules.seats(self.state)]

    def end_turn(self, seat: int, **after: Any) -> None:
        """Make the steps so far the turn of a seat; `after` says what the game looks like then."""
        self.turns.append({"seat": seat, "steps": self.steps, **after})
        self.steps = []

    def head(self, seed: int, deal: int, names: Sequence[str]) -> dict[str, Any]:
        """Return the beginning of a trace: which game it is, who plays, and with which changed parameters, if any."""
        change: Mapping[str, Any] = self.setup.change
        return {
            "format": self.format,
            "players": len(names),
            "seed": seed,
            "game": deal,
            "bots": list(names),
            **({"change": dict(change)} if change else {}),
        }

    @abstractmethod
    def take(self, action: int) -> None:
        """Apply an action and record it with everything that follows automatically."""

    @abstractmethod
    def body(self) -> dict[str, Any]:
        """Return the rest of the trace of the finished game: its set-up, its turns, its end."""


def winners_of(scores: Any) -> list[int]:
    """Return the seats that win, given the final scoring of every seat."""
    return [seat for seat, score in enumerate(scores) if score.win_share > 0]
