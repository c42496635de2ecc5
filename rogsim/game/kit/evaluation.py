"""`Evaluation`: how a game describes its positions by numbers, and each seat's chance to win, from learned weights.

The chance is that of a conditional logit (McFadden 1974): each seat has a value, the sum of its features times their
weights, and wins with a probability proportional to its exponential. The weights depend on the moment. Compiled code
finds the functions of an evaluation by the type of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, note_sources, part
from rogsim.game.kit import calls
from rogsim.game.kit.bots import names_of
from rogsim.game.kit.calls import found_by
from rogsim.game.kit.menus import at


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


of_the_evaluation = found_by(evaluation_of, "position", inline=False)


@of_the_evaluation
def first_weight(seats: int, position: Any) -> int:
    """Return the place of the first weight for a number of seats."""
    raise NotImplementedError


@of_the_evaluation
def copy_weights(weights: Any, seats: int, position: Any) -> None:
    """Copy the weights that describing a position needs."""


@of_the_evaluation
def describe(tables: Any, state: Any, viewer: int, position: Any) -> None:
    """Fill in the features of all seats."""


@of_the_evaluation
def place(tables: Any, state: Any, position: Any) -> float:
    """Return where a position is between the moments."""
    raise NotImplementedError


@of_the_evaluation
def kind(action: int, position: Any) -> int:
    """Return the kind of an action."""
    raise NotImplementedError


def sheet_of(evaluation: Evaluation, scores: np.dtype[Any], most_seats: int) -> np.dtype[Any]:
    """Return the dtype of the memory for evaluating positions."""
    moments, features = len(evaluation.moments), len(evaluation.features)
    return np.dtype(
        [
            ("position", evaluation.position),
            ("sets", "f8", (moments, features)),  # the weights for the number of players
            ("weights", "f8", (features,)),  # as mixed for `moment`
            ("moment", "f8"),  # 1 + the place between the moments that they were mixed for; 0 at first
            ("scores", scores, (most_seats,)),
            ("values", "f8", (most_seats,)),  # of the seats, in log odds
        ],
        align=True,
    )


@kernel
def take_weights(weights: Any, seats: int, sheet: Any) -> None:
    """Copy the weights for a number of seats to the sheet.

    Parameters
    ----------
    weights : float64[n]
        All weights of a bot.
    seats
        The number of seats.
    sheet
        Record of the dtype `sheet_of`.
    """
    copy_weights(weights, seats, sheet.position)
    at_weight = first_weight(seats, sheet.position)
    for moment in range(sheet.sets.shape[0]):
        for i in range(sheet.sets.shape[1]):
            sheet.sets[moment, i] = weights[at_weight]
            at_weight += 1
    sheet.moment = 0.0


@kernel
def chance_to_win(tables: Any, state: Any, seat: int, sheet: Any) -> float:
    """Return a seat's chance to win, as it sees the game between two turns; its win share when the game is over.

    Parameters
    ----------
    tables, state
        Records of the game; hidden information in the state is not used.
    seat
        The seat that evaluates.
    sheet
        Record of the dtype `sheet_of`, with the weights taken.
    """
    if calls.is_over(state):
        calls.score(tables, state, sheet.scores)
        return float(sheet.scores[seat].win_share)
    weigh_moment(place(tables, state, sheet.position), sheet)
    describe(tables, state, seat, sheet.position)
    note_values(calls.seats(state), sheet)
    mine, total = sheet.values[seat], 0.0
    for other in range(calls.seats(state)):
        total += np.exp(sheet.values[other] - mine)
    return 1.0 / total


@part
def weigh_moment(place: float, sheet: Any) -> None:
    """Interpolate the weights between the two moments around a place."""
    if sheet.moment == place + 1.0:
        return
    sheet.moment = place + 1.0
    before = min(int(place), sheet.sets.shape[0] - 2)
    share = place - float(before)
    for i in range(len(sheet.weights)):
        early, late = sheet.sets[before, i], sheet.sets[before + 1, i]
        sheet.weights[i] = early + share * (late - early)


@part
def note_values(seats: int, sheet: Any) -> None:
    """Note the value of each described seat, in log odds; four in a pass, because each addition waits for the last."""
    weights, features, last = sheet.weights, sheet.position.seats, seats - 1
    for first in range(0, seats, 4):
        second, third, fourth = min(first + 1, last), min(first + 2, last), min(first + 3, last)
        one, two, three, four = 0.0, 0.0, 0.0, 0.0
        for i in range(len(weights)):
            weight = weights[i]
            one += weight * features[at(first), i]
            two += weight * features[at(second), i]
            three += weight * features[at(third), i]
            four += weight * features[at(fourth), i]
        values = sheet.values
        values[at(first)], values[at(second)], values[at(third)], values[at(fourth)] = one, two, three, four
