"""The journal: what happened automatically after an action, for traces.

A record of the state, usually the one that holds what nobody knows, has the fields `journal` (i2, as many as may happen
after one action) and `journal_size`. `apply` begins with an empty journal. A game numbers its own kinds of entry.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined

# An entry is one number: kind, seat and value with 4, 3 and 8 bits.
SEAT_SHIFT, VALUE_SHIFT = 4, 7
KINDS, SEATS = 16, 8


@inlined
def note(holder: Any, kind: int, seat: int, value: int) -> None:
    """Add an entry to a journal: a kind up to 15, a seat up to 7, a value up to 255."""
    holder.journal[holder.journal_size] = kind | (int(seat) << SEAT_SHIFT) | (int(value) << VALUE_SHIFT)
    holder.journal_size += 1


def entries(holder: Any) -> list[tuple[int, int, int]]:
    """Return the entries of a journal in order, each as its kind, seat and value."""
    noted = holder.journal[: int(holder.journal_size)].tolist()
    return [(entry % KINDS, entry >> SEAT_SHIFT & SEATS - 1, entry >> VALUE_SHIFT) for entry in noted]
