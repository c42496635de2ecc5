"""A menu with room behind it, in which a check sees whether the rules write beyond its end.

Compiled code does not notice the end of an array: it would overwrite other memory, and the process might be killed.
"""

from __future__ import annotations

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.conformance.faults import FaultyError
from rogsim.game.rules import Rules

ROOM = 2 * 2**16  # bytes behind a menu: enough for every action that an int16 can be
UNTOUCHED = 0x55  # fills them


class RoomyMenu:
    """A menu of a game.

    Attributes
    ----------
    array
        An array of one record of `Rules.menu`.
    """

    def __init__(self, rules: Rules) -> None:
        """Make an empty menu."""
        both = records(rules.menu, 2 + ROOM // rules.menu.itemsize)
        self.array, self._largest = both[:1], rules.largest_menu
        self._behind = both[1:].view(np.uint8)
        self._behind[:] = UNTOUCHED

    @property
    def actions(self) -> list[int]:
        """The listed actions."""
        listed: list[int] = self.array[0].actions[: int(self.array[0].count)].tolist()
        return listed

    def check(self) -> None:
        """The rules have listed no more than the menu holds; FaultyError otherwise."""
        count = int(self.array[0].count)
        if count > self._largest:
            raise FaultyError(f"legal lists {count} actions, and the menu of the rules holds only {self._largest}")
        if (self._behind != UNTOUCHED).any():
            raise FaultyError(f"legal writes beyond the end of the menu, which holds only {self._largest} actions")
