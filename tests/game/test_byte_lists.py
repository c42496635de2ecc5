"""Lists of bytes that are read and written as one block, against the plain way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import kernel, records
from rogsim.game.kit.bits import END, places_of, take_out, write_each
from rogsim.game.kit.search.lines import place_on_menu
from rogsim.game.rules import BLOCK, menu_of

SIZES = (4, 9, 12)
LISTS = {size: np.dtype([("before", "i1"), ("items", "i1", (size,)), ("after", "i1")], align=True) for size in SIZES}
MENU = menu_of(32)


def list_of(size: int, items: list[int]) -> Any:
    """A record with a list, and a number on either side that nothing may change."""
    holders = records(LISTS[size], 1)
    holders[0].before, holders[0].after = 77, 88
    holders[0].items[:] = items + [END] * (size - len(items))
    return holders


@kernel
def taken_out(holders: Any, item: int) -> None:
    """Call the compiled version."""
    take_out(holders[0].items, item)


@kernel
def written(holders: Any, menus: Any, place: int, first: int) -> None:
    """Call the compiled version."""
    write_each(menus[0].actions, place, holders[0].items, first)


@kernel
def found(menus: Any, place: int, action: int) -> int:
    """Call the compiled version."""
    return places_of(menus[0].actions, place, action)


@kernel
def place_found(menus: Any, action: int) -> int:
    """Call the compiled version."""
    return place_on_menu(menus[0], action)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_taken_out_is_gone_and_the_others_stay_in_order(size: int) -> None:
    """For every place in lists of every length."""
    for length in range(1, size + 1):
        items = [(7 * item + 3) % 65 for item in range(length)]
        for item in items:
            holders = list_of(size, items)
            taken_out(holders, item)
            left = [other for other in items if other != item]
            assert holders[0].items.tolist() == left + [END] * (size - len(left))
            assert (holders[0].before, holders[0].after) == (77, 88)


@pytest.mark.parametrize("size", SIZES)
def test_every_item_is_written_and_nothing_else(size: int) -> None:
    """At every place of a menu; unused places give one less than the first action."""
    holders = list_of(size, [0, 64, 127, 3][: size - 1])
    for place in range(32 - size + 1):
        menus = records(MENU, 1)
        written(holders, menus, place, 300)
        actions = menus[0].actions.tolist()
        assert actions[place : place + size] == [300 + item for item in holders[0].items.tolist()]
        assert actions[:place] == [0] * place
        assert actions[place + size :] == [0] * (len(actions) - place - size)


def test_an_action_is_found_at_every_place_of_a_menu_and_not_beyond_its_end() -> None:
    """In the first block and in the next one; what an earlier menu left behind the last action does not count."""
    menus = records(MENU, 1)
    actions = [300 + 7 * place for place in range(32)]
    menus[0].actions[:] = actions
    for count in (1, BLOCK - 1, BLOCK, BLOCK + 1, 32):
        menus[0].count = count
        for place, action in enumerate(actions):
            assert found(menus, place // BLOCK * BLOCK, action) == 1 << place % BLOCK
            assert place_found(menus, action) == (place if place < count else -1)
        assert place_found(menus, 299) == -1
