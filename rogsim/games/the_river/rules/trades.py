"""Which sets of resources can be traded for food: looked up by what is held, because `legal` asks in every turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit.menus import at
from rogsim.game.rules import BLOCK
from rogsim.games.the_river.components.limits import LEAST_GIVEN, MAX_GIVEN
from rogsim.games.the_river.components.names import PRODUCED, RESOURCES
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.storage import HELD

SIDE = MAX_GIVEN + 1
COUNT_BITS = 8
# What a player can hold, food first, then as `holding_of` counts; more than can be given away counts as that.
HOLDINGS = np.indices((HELD,) * len(RESOURCES)).reshape(len(RESOURCES), -1)[[1, 2, 3, 0]].T


def _trades(give: int) -> tuple[list[int], list[int]]:
    """Return how many sets of so many resources each holding contains, and their actions, holding by holding."""
    sets = HOLDINGS[HOLDINGS.sum(axis=1) == give]
    sets = sets[np.lexsort(sets.T[::-1])]  # in the order of their actions
    contained = (sets <= HOLDINGS[:, None]).all(axis=2)
    actions = act.TRADE + sets @ (SIDE * SIDE, SIDE, 1, 0)
    return contained.sum(axis=1).tolist(), actions[contained.nonzero()[1]].tolist()


_COUNTS, _ACTIONS = zip(*(_trades(give) for give in range(LEAST_GIVEN, SIDE)), strict=True)
_SIZES = np.array(_COUNTS).ravel()
# Of each holding, size after size: where its trades begin, and in the lowest bits how many they are.
RANGES = ((np.cumsum(_SIZES) - _SIZES << COUNT_BITS) + _SIZES).astype(np.int32)
MOST = -(-int(_SIZES.max()) // BLOCK) * BLOCK  # of one holding, as whole blocks
TRADES = np.array([action for actions in _ACTIONS for action in actions] + [0] * MOST, np.int16)


@part
def list_sets(holding: int, food: int, give: int, menu: Any) -> int:
    """Fill the menu with the trades of so many resources, of a holding and some food; return their number."""
    found = int(RANGES[at(((give - LEAST_GIVEN) * HELD + min(food, MAX_GIVEN)) * HELD ** len(PRODUCED) + holding)])
    first = found >> COUNT_BITS
    for i in range(MOST):  # as many as there can be: a fixed number becomes a few blocks, without a branch
        menu.actions[at(i)] = TRADES[at(first + i)]
    return found & (1 << COUNT_BITS) - 1
