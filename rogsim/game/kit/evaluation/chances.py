"""A seat's chance to win, by a conditional logit (McFadden 1974).

Each seat has a value, the sum of its features times their weights, and wins with a probability proportional to its
exponential. The weights depend on the moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.kit import calls
from rogsim.game.kit.evaluation.contract import Evaluation
from rogsim.game.kit.evaluation.describing import copy_weights, describe, first_weight, place
from rogsim.game.kit.menus import at


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
