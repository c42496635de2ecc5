"""Evaluating a position: a seat's chance to win, from the features of all seats and fitted weights.

The chance is a conditional logit (McFadden 1974): each seat has a value, the sum of its features times their weights,
and wins with a probability proportional to its exponential. The weights depend on the time left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.weight_names import names_of
from rogsim.games.river_of_gold.bots.features import FEATURE_COUNT, FEATURES, POSITION
from rogsim.games.river_of_gold.bots.position import describe
from rogsim.games.river_of_gold.bots.worth import time_left
from rogsim.games.river_of_gold.components.names import MAX_SEATS, NONE
from rogsim.games.river_of_gold.rules.phases import OVER
from rogsim.games.river_of_gold.rules.scoring import SCORE, score_game

MOMENTS = ("early", "middle", "late", "last")  # at the start, with half of the tiles left, with none; the last turns
LAST = MOMENTS.index("last")
PLAYER_COUNTS = (2, 3, 4)
SET = FEATURE_COUNT * len(MOMENTS)
NAMES = names_of(PLAYER_COUNTS, MOMENTS, FEATURES)

# Memory for an evaluation.
SHEET = np.dtype(
    [
        ("position", POSITION),
        ("weights", "f8", (FEATURE_COUNT,)),  # as mixed for `moment`
        (
            "moment",
            "f8",
        ),  # 2 + the time left that they were mixed for; 1 in the last turns, 0 at first
        ("scores", SCORE, (MAX_SEATS,)),
    ],
    align=True,
)


@kernel
def chance_to_win(tables: Any, game: Any, seat: int, memory: Any, sheet: Any) -> float:
    """Return a seat's chance to win, as it sees the game between two turns; its win share when the game is over.

    Parameters
    ----------
    tables, game
        TABLES and GAME records; hidden information in `game` is not used.
    seat
        The seat that evaluates.
    memory
        BOT_MEMORY record whose weights are those of `NAMES`, from the first place on.
    sheet
        SHEET record: memory for the computation, and the weights mixed by the last call.
    """
    if game.phase == OVER:
        score_game(tables, game, sheet.scores)
        return float(sheet.scores[seat].win_share)
    weigh_moment(tables, game, memory, sheet)
    describe(tables, game, seat, sheet.position)
    mine = seat_value(sheet, seat)
    total = 0.0
    for other in range(game.seats):
        total += np.exp(seat_value(sheet, other) - mine)
    return 1.0 / total


@part
def weigh_moment(tables: Any, game: Any, memory: Any, sheet: Any) -> None:
    """Interpolate the weights between the two moments around this one; the last turns have their own."""
    left = time_left(tables, game) if game.last_turns == NONE else -1.0
    if sheet.moment == left + 2.0:
        return
    sheet.moment = left + 2.0
    place = (1.0 - min(left, 1.0)) * (LAST - 1) if left >= 0.0 else float(LAST)
    before = min(int(place), LAST - 2) if left >= 0.0 else LAST - 1
    share = place - float(before)
    first = (int(game.seats) - PLAYER_COUNTS[0]) * SET + before * FEATURE_COUNT
    for i in range(FEATURE_COUNT):
        early, late = memory.weights[first + i], memory.weights[first + FEATURE_COUNT + i]
        sheet.weights[i] = early + share * (late - early)


@kernel
def seat_value(sheet: Any, seat: int) -> float:
    """Return the value of a described seat, in log odds."""
    value = 0.0
    for i in range(FEATURE_COUNT):
        value += sheet.weights[i] * sheet.position.seats[seat, i]
    return value
