"""Which bytes of a short list pass a test, all at once, against the plain way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.byte_masks import places_above, places_below
from rogsim.game.rng import below

SIZES = (3, 4, 9, 12)
# Between the lists are numbers that would pass every test.
LISTS = {
    size: np.dtype([("items", "i1", (size,)), ("after", "i1", (16,)), ("limits", "i1", (size,)), ("last", "i1", (16,))])
    for size in SIZES
}


@kernel
def masks(holders: Any, limit: int) -> tuple[int, int]:
    """Call the compiled versions."""
    return places_below(holders[0].items, holders[0].limits), places_above(holders[0].items, limit)


@pytest.mark.parametrize("size", SIZES)
def test_masks_hold_the_places_that_pass(size: int) -> None:
    """Of lists of many numbers, with those at both ends of a byte."""
    numbers = [-128, -127, -1, 0, 1, 2, 126, 127]
    for case in range(60):
        holders = records(LISTS[size], 1)
        holder = holders[0]
        holder.after, holder.last = 127, 127
        for place in range(size):
            holder.items[place] = numbers[below(1, case * size + place, len(numbers))]
            holder.limits[place] = numbers[below(2, case * size + place, len(numbers))]
        limit = numbers[case % len(numbers)]
        items, limits = holder.items.tolist(), holder.limits.tolist()
        smaller = sum((item < most) << place for place, (item, most) in enumerate(zip(items, limits, strict=True)))
        assert masks(holders, limit) == (smaller, sum((item > limit) << place for place, item in enumerate(items)))
