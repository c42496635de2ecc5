"""Which bytes of a short list pass a test, all at once, against the plain way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.bits import places_above, places_below, places_equal
from rogsim.game.rng import below

SIZES = (1, 3, 4, 9, 12, 30)
# Between the lists are numbers that would pass every test.
LISTS = {
    size: np.dtype([("items", "i1", (size,)), ("after", "i1", (16,)), ("limits", "i1", (size,)), ("last", "i1", (16,))])
    for size in SIZES
}


@kernel
def masks(holders: Any, limit: int) -> tuple[int, int, int]:
    """Call the compiled versions."""
    items = holders[0].items
    return places_below(items, holders[0].limits), places_above(items, limit), places_equal(items, limit)


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
        larger = sum((item > limit) << place for place, item in enumerate(items))
        assert masks(holders, limit) == (smaller, larger, sum((item == limit) << i for i, item in enumerate(items)))


@kernel
def marked(holders: Any, number: int) -> int:
    """Call the compiled version for rows of two."""
    return places_equal(holders[0].rows, number)


def test_rows_of_a_list_count_one_after_the_other() -> None:
    """As many as the shore of River of Gold has spaces, with two markers on each."""
    holders = records(np.dtype([("rows", "i1", (30, 2)), ("after", "i1", (8,))]), 1)
    for row in range(30):
        holders[0].rows[row] = row % 4, -(row % 3)
    numbers = [number for row in holders[0].rows.tolist() for number in row]
    for number in (-2, -1, 0, 3, 5):
        assert marked(holders, number) == sum((item == number) << place for place, item in enumerate(numbers))
