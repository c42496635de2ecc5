"""The points after every turn of a game, kept beside it, and what they tell of the lead."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, part
from rogsim.games.river_of_gold.components.names import CUSTOMERS, MAX_SEATS, NONE, RIVER_SPACES, TILES_PER_ERA

# More than there can be: a turn delivers, builds or sails on. Each delivery is to another customer; each building and
# each journey, of 14 turns at the most, takes a tile; and at the end each ship may be amid a journey.
MOST_TURNS = len(CUSTOMERS) + RIVER_SPACES * (sum(TILES_PER_ERA) + 2 * MAX_SEATS)

# All seats stand in one number, as most turns score nothing: then it is the number before.
POINTS_BITS = 16
POINTS_FIELD = (1 << POINTS_BITS) - 1


@part
def note_points(game: Any, history: Any, turn: int) -> None:
    """Keep the points of all seats after a turn."""
    points = 0
    for seat in range(MAX_SEATS):
        points |= int(game.players[seat].points) << (POINTS_BITS * seat)
    history[turn] = points


@inlined
def points_of(points: int, seat: int) -> int:
    """Return the points of one seat out of those of all."""
    return int(points) >> (POINTS_BITS * int(seat)) & POINTS_FIELD


@part
def points_at(history: Any, turns: int, seat: int, percent: int) -> int:
    """Return a seat's points after the turn with which so much of the game was over."""
    return points_of(history[(turns * percent + 99) // 100 - 1], seat)


@part
def lead_of(history: Any, turns: int, seats: int, winner: int) -> tuple[int, int, int]:
    """Return how often the lead changed, since which turn the winner was not behind again, and how far it ever was.

    Only a seat that leads alone can take the lead, and the first to do so changes nothing. The turn is 0 if the winner
    never was behind, and -1 if it still was after the last one.
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
            own = points_of(points, seat)
            if own >= best:
                first, best, alone = seat, own, own > best
        if alone and first != leader:
            changes += leader != NONE
            leader = first
        gap = best - points_of(points, winner)
        if behind > 0 and gap == 0:
            since = turn + 1
        behind = gap
        most_behind = max(most_behind, gap)
    return changes, since if behind == 0 else -1, most_behind
