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
# What a player can hold of each resource; more than can be given away counts as that.
HELD = np.indices((SIDE,) * len(RESOURCES)).reshape(len(RESOURCES), -1).T


def _trades(give: int) -> tuple[list[int], list[int]]:
    """Return how many sets of so many resources each holding contains, and their actions, holding by holding."""
    sets = HELD[HELD.sum(axis=1) == give]
    contained = (sets <= HELD[:, None]).all(axis=2)
    actions = act.TRADE + sets @ (SIDE * SIDE, SIDE, 1, 0)
    return contained.sum(axis=1).tolist(), actions[contained.nonzero()[1]].tolist()


_COUNTS, _ACTIONS = zip(*(_trades(give) for give in range(LEAST_GIVEN, SIDE)), strict=True)
STARTS = np.cumsum([0, *(count for counts in _COUNTS for count in counts)])  # of each holding, size after size
TRADES = np.array([action for actions in _ACTIONS for action in actions] + [0] * BLOCK, np.int16)


@part
def list_sets(held: Any, give: int, menu: Any) -> int:
    """Fill the menu with the trades of so many resources, in blocks, which is faster; return their number."""
    holding = give - LEAST_GIVEN
    for resource in range(len(RESOURCES)):
        holding = holding * SIDE + min(int(held[resource]), MAX_GIVEN)
    first = STARTS[at(holding)]
    count = STARTS[at(holding + 1)] - first
    done = 0
    while True:  # at least one block: with fewer ways to go on, the processor guesses better
        for i in range(BLOCK):
            menu.actions[at(done + i)] = TRADES[at(first + done + i)]
        done += BLOCK
        if done >= count:
            return count
