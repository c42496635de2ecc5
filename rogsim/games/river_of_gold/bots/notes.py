"""What a planning bot works out once for a whole decision: the same space or good comes up for several faces and ships.

A bot's room for notes holds a run of numbers for each kind of worth; what is worked out only when it is needed is nan
before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.worth import (
    customers_delivered,
    favor_worth,
    good_worth,
    influence_worth,
    koku_worth,
    rough_worth,
    tile_worth,
    time_left,
)
from rogsim.games.river_of_gold.names import GOODS, MAX_ROW, REGIONS, SHORE_SPACES
from rogsim.jit import kernel

ANY_GOOD = len(GOODS)
AMOUNTS = 5  # larger amounts of influence are not noted

# Where each run begins, and what is added to it. First come the weights of the moment, each at its number.
SHORE = w.WEIGHT_COUNT  # + shore space: touching it
ROYAL_SHORE = SHORE + SHORE_SPACES  # + shore space: touching it with the royal ship
INFLUENCE = ROYAL_SHORE + SHORE_SPACES  # + region * AMOUNTS + amount
TILE = INFLUENCE + REGIONS * AMOUNTS  # + place in the row: taking the tile, wherever it is built
OWNER = TILE + MAX_ROW  # + place in the row: the owner reward of that tile
GOOD = OWNER + MAX_ROW  # + good, one more of it; + ANY_GOOD, one more of the good wanted most
LENGTH = GOOD + len(GOODS) + 1


@kernel
def weigh_moment(tables: Any, view: Any, own: Any) -> None:
    """Note the weights as they count now: those of the beginning and of the end, mixed by the time left."""
    early, late = w.first_weight(view.seats, 0), w.first_weight(view.seats, 1)
    left = time_left(tables, view)
    for i in range(w.WEIGHT_COUNT):
        own.notes[i] = own.weights[late + i] + left * (own.weights[early + i] - own.weights[late + i])


@kernel
def take_notes(tables: Any, view: Any, seat: int, own: Any) -> None:
    """Begin the notes for a decision of a seat."""
    player = view.players[seat]
    for at in range(SHORE, TILE):
        own.notes[at] = np.nan
    best = 0.0
    for good in range(len(GOODS)):
        own.notes[GOOD + good] = good_worth(tables, player, good, own)
        best = max(best, own.notes[GOOD + good])
    own.notes[GOOD + ANY_GOOD] = best
    for place in range(view.row_length):
        tile = int(view.row[place])
        own.notes[TILE + place] = tile_worth(tables, view, seat, place, own)
        own.notes[OWNER + place] = rough_worth(tables, tables.tiles[tile].owner, player, own)


@kernel
def noted_influence(tables: Any, view: Any, seat: int, region: int, amount: int, own: Any) -> float:
    """Return what influence in a region is worth."""
    if amount >= AMOUNTS:
        return influence_worth(tables, view, seat, region, amount, own)
    at = INFLUENCE + int(region) * AMOUNTS + int(amount)
    if np.isnan(own.notes[at]):
        own.notes[at] = influence_worth(tables, view, seat, region, amount, own)
    return own.notes[at]


@kernel
def reward_worth(tables: Any, view: Any, seat: int, reward: Any, region: int, own: Any) -> float:
    """Return what a visitor or owner reward is worth to a seat."""
    player = view.players[seat]
    worth = float(reward.points)
    koku = float(reward.koku)
    if reward.koku_per_any > 0:
        for kind in range(len(player.owned)):
            koku += float(reward.koku_per[kind]) * float(player.owned[kind])
        koku += float(reward.koku_per_customer) * float(customers_delivered(player))
    if koku > 0.0:
        worth += koku_worth(tables, player, koku, own)
    for good in range(len(GOODS)):
        if reward.goods[good] > 0:
            worth += float(reward.goods[good]) * own.notes[GOOD + good]
    if reward.favor > 0:
        worth += favor_worth(player, float(reward.favor), own)
    if reward.any_good > 0:
        worth += float(reward.any_good) * own.notes[GOOD + ANY_GOOD]
    if reward.influence > 0:
        worth += noted_influence(tables, view, seat, region, reward.influence, own)
    if reward.draw > 0:
        worth += own.notes[w.CARD] * float(reward.draw)
    return worth
