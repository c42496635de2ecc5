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


def _trades(give: int) -> list[tuple[int, ...]]:
    """Return the trades of `give` resources that each holding allows."""
    sets = HOLDINGS[HOLDINGS.sum(axis=1) == give]
    sets = sets[np.lexsort(sets.T[::-1])]  # in the order of their actions
    actions = act.TRADE + sets @ (SIDE * SIDE, SIDE, 1, 0)
    return [tuple(actions[row].tolist()) for row in (sets <= HOLDINGS[:, None]).all(axis=2)]


_ALLOWED = [trades for give in range(LEAST_GIVEN, SIDE) for trades in _trades(give)]
MOST = -(-max(map(len, _ALLOWED)) // BLOCK) * BLOCK  # of one holding, as whole blocks
# Where each list of trades begins: listed once, because many holdings allow the same, so that all stay at hand.
_FIRST = dict(zip(_LISTS := dict.fromkeys(_ALLOWED), np.cumsum([0, *map(len, _LISTS)]).tolist(), strict=False))
TRADES = np.array([action for trades in _FIRST for action in trades] + [0] * MOST, np.int16)
# Of each holding, size after size: where its trades begin, and in the lowest bits how many they are.
RANGES = np.array([(_FIRST[trades] << COUNT_BITS) + len(trades) for trades in _ALLOWED], np.int32)


@part
def list_sets(holding: int, food: int, give: int, menu: Any) -> int:
    """Fill the menu with the trades of `give` resources; return their number."""
    found = int(RANGES[at(((give - LEAST_GIVEN) * HELD + min(food, MAX_GIVEN)) * HELD ** len(PRODUCED) + holding)])
    first, count = found >> COUNT_BITS, found & (1 << COUNT_BITS) - 1
    for i in range(BLOCK):  # there are hardly ever more: a fixed number becomes one block, and no loop
        menu.actions[at(i)] = TRADES[at(first + i)]
    for i in range(BLOCK, count):
        menu.actions[at(i)] = TRADES[at(first + i)]
    return count
