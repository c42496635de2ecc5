"""`Evaluation`: how a game describes its positions, so that what they are worth can be learned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rogsim.game.compiler import note_sources, part
from rogsim.game.kit.weight_names import names_of


@part
def copy_nothing(weights: Any, seats: int, position: Any) -> None:
    """Copy nothing: the features depend on no weights."""


@part
def one_kind(action: int, position: Any) -> int:
    """Return the same kind for all actions."""
    return 0


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How a game describes a position by numbers. All functions are compiled (`rogsim.game.compiler`).

    For each number of players there is a set of weights: for each moment, one for each feature.

    Attributes
    ----------
    position : dtype
        The memory for describing a position; no two evaluations share it. Its field `seats` is float64[seats,
        features].
    player_counts, moments, features
        The numbers of players; the times with weights of their own, from first to last; what is known of a seat.
    first_weight(seats, position) -> int
        The place of the first weight for a number of seats, among all weights of a bot.
    describe(tables, state, viewer, position)
        Fills `position.seats` with the features of all seats, from what the viewing seat can see between two turns.
    place(tables, state, position) -> float
        Where a position is between the moments: 0 is the first of them, 1 the second, and so on.
    copy_weights(weights, seats, position)
        Copies to the position what describing one needs of a bot's weights, if anything.
    kind(action, position) -> int
        The kind of an action, from 0 to 7. Where turns are taken at random a kind is drawn first, so that many similar
        actions do not crowd out a single other one.
    """

    position: np.dtype[Any]
    player_counts: tuple[int, ...]
    moments: tuple[str, ...]
    features: tuple[str, ...]
    first_weight: Callable[[int, Any], int]
    describe: Callable[[Any, Any, int, Any], None]
    place: Callable[[Any, Any, Any], float]
    copy_weights: Callable[[Any, int, Any], None] = copy_nothing
    kind: Callable[[int, Any], int] = one_kind

    def __post_init__(self) -> None:
        """Let compiled code find these functions by the dtype of a position."""
        _EVALUATIONS[self.position] = self
        note_sources(self.position, vars(self).values())

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all weights, in order."""
        return names_of(self.player_counts, self.moments, self.features)

    @property
    def set_size(self) -> int:
        """Return how many weights there are for one number of players."""
        return len(self.moments) * len(self.features)


_EVALUATIONS: dict[np.dtype[Any], Evaluation] = {}


def evaluation_of(position: np.dtype[Any]) -> Evaluation:
    """Return the evaluation that has this dtype of positions."""
    return _EVALUATIONS[position]
