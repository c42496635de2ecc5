"""What bots of any game may use: choosing at random, names for their weights, and notes as a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numba.extending
import numpy as np

from rogsim.game.records import as_records
from rogsim.game.rng import draw


def choose_at_random(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return a uniformly random place on the menu."""
    return draw(memory.stream, menu.count)


def names_of(*levels: Iterable[object]) -> tuple[str, ...]:
    """Return the names of all combinations, "4-early-build" and so on; the last level changes fastest.

    The place of a name is that of the weight in a bot's array: the combinations in order, as in nested loops.
    """
    return tuple("-".join(map(str, combination)) for combination in product(*levels))


def changed(weights: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    """Return weights with some changes; KeyError if there is no weight of a name."""
    for name in changes:
        if name not in weights:
            raise KeyError(f"no weight {name!r}: choose from {', '.join(weights)}")
    return {**weights, **changes}


def in_order_of(liked: Sequence[str], names: Iterable[str]) -> dict[str, float]:
    """Return a weight for each name, larger for those that are liked, and largest for the first of them.

    Raises
    ------
    KeyError
        If what is liked is not among the names.
    """
    return changed(dict.fromkeys(names, 1.0), {name: 2.0 + len(liked) - place for place, name in enumerate(liked)})


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
