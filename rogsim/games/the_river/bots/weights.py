"""The weights of the policy, in points unless noted otherwise: a set for each of 2, 3 and 4 players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rogsim.game.compiler import inlined
from rogsim.game.kit.weight_names import changed, names_of
from rogsim.games.the_river.components.names import PRODUCED, TERRAINS

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
# Notes on the moment, after the weights in use: how much of the game is left, what the next bonus token brings,
# the worth of all resources held, the card that a trade makes possible.
LEFT, NEXT_TOKEN, HELD, TRADE_CARD = range(WEIGHT_COUNT, WEIGHT_COUNT + 4)
COLLECTED = WEIGHT_COUNT + 4  # + terrain: own meadows that count it
SAME = COLLECTED + len(TERRAINS)  # + terrain: own tiles
WANTED = SAME + len(TERRAINS)  # + resource: own meadows for which another symbol scores
NOTE_COUNT = WANTED + len(PRODUCED)

PLAYER_COUNTS = (2, 3, 4)
NAMES = names_of(PLAYER_COUNTS, WEIGHTS)  # such as "4-resource"


@inlined
def first_weight(players: int) -> int:
    """Return where the set of a player count begins."""
    return (int(players) - PLAYER_COUNTS[0]) * WEIGHT_COUNT


def weights_with(**changes: float) -> NDArray[np.float64]:
    """Return the default weights with some changes, for all player counts; KeyError if there is none of a name."""
    return np.array([*changed(WEIGHTS, changes).values()] * len(PLAYER_COUNTS))
