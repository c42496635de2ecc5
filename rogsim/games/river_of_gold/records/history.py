"""The points after every turn of a game, and how the lead changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import inlined, kernel, part
from rogsim.games.river_of_gold.components.names import CUSTOMERS, MAX_SEATS, NONE, RIVER_SPACES, TILES_PER_ERA
from rogsim.games.river_of_gold.rules.phases import OVER

# An upper bound: a turn delivers, builds or sails. Each delivery is to another customer; each building, and
# each journey of at most 14 turns, takes a tile; and at the end each ship may be on a journey.
MOST_TURNS = len(CUSTOMERS) + RIVER_SPACES * (sum(TILES_PER_ERA) + 2 * MAX_SEATS)

# All seats share one number, because most turns score nothing: then the number does not change.
POINTS_BITS = 16
POINTS_FIELD = (1 << POINTS_BITS) - 1

# What the rows of a game need besides its last state.
HISTORY = np.dtype(
    [
        ("states", "i8"),  # seen so far: one more than decisions
        ("turn", "i8"),  # of the last state seen
        ("points", "i8", (MOST_TURNS,)),  # after each turn
    ],
    align=True,
)


@kernel
def note_state(tables: Any, game: Any, history: Any) -> None:
    """Record in a HISTORY that a game was begun, or that a decision was carried out."""
    if game.turn > history.turn:
        note_points(game, history.points, int(history.turn))
        history.turn = game.turn
    if game.phase == OVER:
        note_points(game, history.points, int(game.turn))
    history.states += 1


@part
def note_points(game: Any, history: Any, turn: int) -> None:
    """Record the points of all seats after a turn."""
    points = 0
    for seat in range(MAX_SEATS):
        points |= int(game.players[seat].points) << (POINTS_BITS * seat)
    history[turn] = points


@inlined
def points_of(points: int, seat: int) -> int:
    """Return the points of one seat from those of all."""
    return int(points) >> (POINTS_BITS * int(seat)) & POINTS_FIELD


@part
def points_at(history: Any, turns: int, seat: int, percent: int) -> int:
    """Return a seat's points after the turn that completed a percentage of the game."""
    return points_of(history[(turns * percent + 99) // 100 - 1], seat)


@part
def lead_of(history: Any, turns: int, seats: int, winner: int) -> tuple[int, int, int]:
    """Return how the lead changed during a game.

    Only a seat that leads alone takes the lead; the first to do so does not count as a change.

    Returns
    -------
    changes
        How often the lead passed to another seat.
    since
        The turn after which the winner was never behind again: 0 from the start, -1 if behind after the last turn.
    most_behind
        The largest number of points that the winner was behind.
    """
    leader, changes, since, behind, most_behind = NONE, 0, 0, 0, 0
    before = 0
    for turn in range(turns):
        points = int(history[turn])
        if points == before:
            continue
        before = points
        first, best, alone = 0, points_of(points, 0), True
        for seat in range(1, seats):
            reached = points_of(points, seat)
            if reached >= best:
                first, best, alone = seat, reached, reached > best
        if alone and first != leader:
            changes += leader != NONE
            leader = first
        gap = best - points_of(points, winner)
        if behind > 0 and gap == 0:
            since = turn + 1
        behind = gap
        most_behind = max(most_behind, gap)
    return changes, since if behind == 0 else -1, most_behind
