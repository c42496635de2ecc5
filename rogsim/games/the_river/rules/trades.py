"""Which sets of resources can be traded for food: looked up by what is held, because `legal` asks in every turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit.menus import at
from rogsim.game.rules import BLOCK
from rogsim.games.the_river.components.limits import LEAST_GIVEN, MAX_GIVEN
from rogsim.games.the_river.components.names import RESOURCES
from rogsim.games.the_river.rules import actions as act

SIDE = MAX_GIVEN + 1
COUNT_BITS = 8
# What a player can hold of each resource; more than can be given away counts as that.
HELD = np.indices((SIDE,) * len(RESOURCES)).reshape(len(RESOURCES), -1).T


def _trades(give: int) -> tuple[list[int], list[int]]:
    """Return how many sets of so many resources each holding contains, and their actions, holding by holding."""
    sets = HELD[HELD.sum(axis=1) == give]
    contained = (sets <= HELD[:, None]).all(axis=2)
    actions = act.TRADE + sets @ (SIDE * SIDE, SIDE, 1, 0)
    return contained.sum(axis=1).tolist(), actions[contained.nonzero()[1]].tolist()


_COUNTS, _ACTIONS = zip(*(_trades(give) for give in range(LEAST_GIVEN, SIDE)), strict=True)
_SIZES = np.array(_COUNTS).ravel()
# Of each holding, size after size: where its trades begin, and in the lowest bits how many they are.
RANGES = ((np.cumsum(_SIZES) - _SIZES << COUNT_BITS) + _SIZES).astype(np.int32)
TRADES = np.array([action for actions in _ACTIONS for action in actions] + [0] * BLOCK, np.int16)


@part
def list_sets(held: Any, give: int, menu: Any) -> int:
    """Fill the menu with the trades of so many resources; return their number."""
    holding = give - LEAST_GIVEN
    for resource in range(len(RESOURCES)):
        holding = holding * SIDE + min(int(held[resource]), MAX_GIVEN)
    found = int(RANGES[at(holding)])
    first, count = found >> COUNT_BITS, found & (1 << COUNT_BITS) - 1
    for i in range(BLOCK):  # most holdings have no more: a fixed number becomes one block
        menu.actions[at(i)] = TRADES[at(first + i)]
    for i in range(BLOCK, count):
        menu.actions[at(i)] = TRADES[at(first + i)]
    return count
