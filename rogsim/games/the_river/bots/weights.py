"""The weights of the policy, in points unless noted otherwise: a set for each of 2, 3 and 4 players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rogsim.game.kit.bots import changed, names_of
from rogsim.games.the_river.components import names

# "Early" weights count in full at the beginning and not at all at the end of the game.
WEIGHTS = {
    "resource": 0.30,  # a resource in a warehouse
    "food": 0.70,  # food, in addition
    "open": 0.60,  # share of what a face-up card brings that counts before it is built
    "safe": 0.70,  # the same for a reserved card
    "far": 0.60,  # factor on that share for each resource that is missing
    "build": 2.50,  # a building, in addition to its points and its bonus token
    "reserve": 1.00,  # a reserved card, in addition
    "pioneer": 5.00,  # the fifth pioneer: early
    "finish": 0.30,  # a point of lead when the end is triggered
    "claim": 0.50,  # a tile, in addition to all that follows
    "symbol": 2.00,  # a production symbol: early
    "repeat": -0.30,  # each symbol of that resource already in sight: early, for each new symbol
    "warehouse": 1.20,  # a warehouse: early
    "spare": -0.10,  # each empty warehouse: early, for each new warehouse
    "settler": 3.00,  # a pioneer that settles, as a loss: early
    "pair": 1.50,  # factor on the points for two matching tiles, whose third can still come
    "triple": 1.00,  # factor on the points that the third tile adds
    "kin": 0.15,  # a tile of the same kind on the own board
    "meadow": 1.00,  # factor on the points of meadows
    "coming": 2.00,  # what a meadow still gains, in addition: early
    "pawn": 1.20,  # a place nearer to the pawn, if the next round is not the last
    "hold": 0.60,  # the pawn kept
    "swap": 0.80,  # factor on the points that a swap brings
    "trade": 2.00,  # the price of a trade
}
WEIGHT_COUNT = len(WEIGHTS)
RESOURCE, FOOD_MORE, OPEN, SAFE, FAR, BUILD, RESERVED, PIONEER, FINISH, CLAIMED, SYMBOL, REPEAT = range(12)
WAREHOUSE, SPARE, SETTLER, PAIR, TRIPLE, KIN, MEADOW, COMING, PAWN, HOLD, SWAPPED, TRADED = range(12, WEIGHT_COUNT)
UNKNOWN = -1.0e9  # until it is asked for

# A card that a player may build.
HOPE = np.dtype(
    [
        ("card", "i2"),
        ("short", "i2", (len(names.RESOURCES),)),  # lacking of each, negative if some is to spare; of food all there is
        ("spare", "i2"),  # what replaces any resource: food, and the discount on a reserved card
        ("missing", "i2"),  # resources, if nothing is spent; less than 0 if there is food to spare
        ("worths", "f8", (len(names.PRODUCED) * names.MAX_COST + 1,)),  # by the number of resources that are missing
    ],
    align=True,
)

# What all actions are compared by, noted once for each decision. The memory serves one set of weights and components.
MOMENT = np.dtype(
    [
        ("weights", "f8", (WEIGHT_COUNT,)),  # in use
        ("left", "f8"),  # how much of the game is left, from 1 to 0
        ("lead", "f8"),  # points ahead of the best other player, or UNKNOWN
        ("next_token", "f8"),  # what the next bonus token brings
        ("hopes", HOPE, (names.MAX_CARDS_UP + names.MAX_RESERVED,)),
        ("count", "i8"),  # of these
        ("hope", "f8"),  # what the best of them brings
        ("held", "f8"),  # the worth of all resources held
        ("trade_card", "i8"),  # that a trade makes possible, or NONE
        ("terrain", "i2", (names.SPOTS,)),  # masks, by spot
        ("same", "f8", (len(names.TERRAINS) + 1,)),  # own tiles, by terrain; the last entry is for none
        ("kinds", "f8", (len(names.TERRAINS) + 1,)),  # the worth of another tile of a kind to those on the board
        ("symbols", "f8", (len(names.PRODUCED),)),  # the worth of another symbol
        ("matching", "i8"),  # mask of the terrain that matches in the column of the next spot
        ("match", "f8"),  # the worth of such a match
        ("store", "f8"),  # the worth of another warehouse
        ("settler", "f8"),  # what a pioneer that settles on the next spot costs
        ("empty", "i1"),  # warehouses
        ("printed", "i1"),  # the resource printed on the next spot, or NONE
        ("printed_store", "i1"),  # the warehouses printed there
        ("board", "i8"),  # `terrain` as one number
        # by seat: the points that the best swap brings, and the board that it was found for
        ("swaps", np.dtype([("board", "i8"), ("points", "i8")]), (names.MAX_SEATS,)),
        ("two", "i2", (names.SPOTS,)),  # masks, by spot: with which terrain two tiles of the column match
        ("three", "i2", (names.SPOTS,)),  # and all three
        ("now", "i2", (names.SPOTS,)),  # points of the column now
    ],
    align=True,
)

NAMES = names_of(names.PLAYER_COUNTS, WEIGHTS)  # such as "4-resource"


def first_weight(players: int) -> int:
    """Return where the set of a player count begins."""
    return (players - names.PLAYER_COUNTS[0]) * WEIGHT_COUNT


def weights_with(**changes: float) -> NDArray[np.float64]:
    """Return the default weights with some changes, for all player counts; KeyError if there is none of a name."""
    return np.array([*changed(WEIGHTS, changes).values()] * len(names.PLAYER_COUNTS))
