"""What a bot remembers within a game as a record in its notes: no memory has to be allocated when it is asked."""

from __future__ import annotations

from typing import Any

import numba.extending
import numpy as np

from rogsim.game.records import as_records

BYTES = 8  # of one number of the notes


def noted(notes: Any, dtype: np.dtype[Any]) -> Any:
    """Return a record in a bot's notes, from the first one on: zeros when a game begins, then what the bot left there.

    Its size must be a multiple of 8 bytes, and at most that of all notes.
    """
    return as_records(notes[: dtype.itemsize // BYTES].view(dtype))[0]


def _compiled(notes: Any, dtype: Any) -> Any:
    numbers = dtype.dtype.size // BYTES
    return lambda notes, dtype: notes[:numbers].view(dtype)[0]


numba.extending.overload(noted, strict=False)(_compiled)
