"""Writing menus: for `legal` of any game."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import ENABLED, inlined

if ENABLED:

    @inlined
    def at(place: int) -> Any:
        """Return a place as an unsigned number: of a signed one, compiled code asks whether it counts from the end."""
        return np.uint64(place)

else:

    def at(place: int) -> Any:
        """Return a place as it is, because unsigned numbers are slow here; a negative one is an error."""
        place = int(place)
        if place < 0:
            raise IndexError(f"place {place} is negative")
        return place


@inlined
def list_row(menu: Any, count: int, rows: Any, row: int) -> int:
    """Add the actions of a prepared row, which ends with their number, to a menu; return the new count.

    The whole row is copied, as one block.
    """
    for i in range(rows.shape[1]):
        menu.actions[at(count + i)] = rows[at(row), i]
    return count + int(rows[at(row), -1])


@inlined
def list_if(legal_now: bool, menu: Any, count: int, action: int) -> int:
    """Add an action to a menu if it is legal; return the new count.

    It is written in any case: without a branch this takes half the time.
    """
    menu.actions[at(count)] = action
    return count + int(legal_now)
