"""Sets as bits, and short lists of small numbers.

A set of cards, tiles or regions is a mask: a number with one bit for each member.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba.extending import overload

from rogsim.game.compiler import callee, part
from rogsim.game.kit.menus import at
from rogsim.game.rules import BLOCK

FIRST_OF_TWO = 0x5555555555555555  # the lower bit of each pair


@part
def bit(index: int) -> Any:
    """Return the mask with one bit set, as 64 bits whatever the width of the index."""
    return np.int64(1) << np.int64(index)


@part
def has(mask: int, index: int) -> bool:
    """Return whether a bit of a mask is set."""
    return (np.int64(mask) >> np.int64(index)) & 1 == 1


@part
def doubled(mask: int) -> int:
    """Return the mask with two bits, side by side, for each of the lowest 32 bits of a mask."""
    mask = (int(mask) | int(mask) << 16) & 0x0000FFFF0000FFFF
    mask = (mask | mask << 8) & 0x00FF00FF00FF00FF
    mask = (mask | mask << 4) & 0x0F0F0F0F0F0F0F0F
    mask = (mask | mask << 2) & 0x3333333333333333
    mask = (mask | mask << 1) & FIRST_OF_TWO
    return mask | mask << 1


def lowest(mask: int) -> int:
    """Return the number of the lowest bit of a mask that is not empty: going from bit to bit needs no test of each."""
    return (int(mask) & -int(mask)).bit_length() - 1


def size(mask: Any) -> int:
    """Return how many members a mask has."""
    return int(mask).bit_count()


def _compiled_size(mask: Any) -> Any:
    def ones(mask: Any) -> Any:  # LLVM takes this for the processor's instruction
        pairs = np.int64(mask) - (np.int64(mask) >> 1 & FIRST_OF_TWO)
        fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
        return ((fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56

    return ones


def _compiled_lowest(mask: Any) -> Any:
    return lambda mask: size((np.int64(mask) & -np.int64(mask)) - 1)


overload(size, strict=False, jit_options=callee())(_compiled_size)
overload(lowest, strict=False, jit_options=callee())(_compiled_lowest)


def members(mask: Any, names: Sequence[str]) -> list[str]:
    """Return the names of the members of a mask, in the order of their bits."""
    rest, found = int(mask) & ((1 << len(names)) - 1), []
    while rest:
        found.append(names[(rest & -rest).bit_length() - 1])
        rest &= rest - 1
    return found


def mask_of(found: Sequence[str], names: Sequence[str]) -> int:
    """Return the mask of members, given their names."""
    return sum(1 << names.index(name) for name in found)


def named(names: Sequence[str], numbers: Any) -> list[str]:
    """Return the names for an array of numbers."""
    return [names[number] for number in numbers.tolist()]


# Several small numbers as one, compared all at once: the bytes of an array in a record, at most seven. A comparison
# needs the top bit of each byte, its spare bit, so the numbers compared are at most 127.
BYTE_BITS, SPARE, ALL_BITS = 8, 7, 255
ONES = (0, 0x01, 0x0101, 0x010101, 0x01010101, 0x0101010101, 0x010101010101)  # by number of bytes: a one in each


@part
def packed(numbers: Any) -> int:
    """Return the bytes of an array in a record as one number, the first in the lowest bits."""
    found = 0
    for place in range(len(numbers)):
        found |= (int(numbers[place]) & ALL_BITS) << BYTE_BITS * place
    return found


@part
def at_least(numbers: int, ones: int, least: int) -> int:
    """Return a mask of the spare bits of those packed numbers that are at least a given one.

    A spare bit is set before a subtraction that takes it if the number is too small.

    Parameters
    ----------
    numbers
        As `packed` returns them.
    ones
        The one of ONES for as many numbers.
    least
        At most 127. A negative number in `numbers` counts as more.
    """
    spare = ones << SPARE
    return ((numbers | spare) - ones * int(least)) & spare


END = -1  # in every place after the last item


@part
def take_out(items: Any, item: int) -> None:
    """Take an item that is in a list once out of it; the later ones move up, and END fills the last place."""
    found = False
    for place in range(len(items) - 1):
        found |= items[place] == item
        items[place] = items[place + 1] if found else items[place]
    items[len(items) - 1] = END


@part
def write_each(actions: Any, place: int, items: Any, first: int) -> None:
    """Write `first` + item for each place of a list, used or not, among the actions of a menu, from a place on."""
    for i in range(len(items)):
        actions[at(place + i)] = first + int(items[i])


@part
def places_of(actions: Any, place: int, action: int) -> int:
    """Return the mask of the next BLOCK places of a menu that hold an action, whether in use or not."""
    found = 0
    for i in range(BLOCK):
        found |= int(actions[at(place + i)] == action) << i
    return found


@part
def places_below(items: Any, limits: Any) -> int:
    """Return the mask of the places whose item is less than the limit at the same place of another list."""
    found = 0
    for place in range(len(items)):
        found |= int(items[place] < limits[place]) << place
    return found


@part
def places_above(items: Any, limit: int) -> int:
    """Return the mask of the places whose item is more than a number, from -128 to 127."""
    found = 0
    for place in range(items.size):
        found |= int(items.flat[place] > limit) << place
    return found


@part
def places_equal(items: Any, number: int) -> int:
    """Return the mask of the places whose item is a number, from -128 to 127."""
    found = 0
    for place in range(items.size):
        found |= int(items.flat[place] == number) << place
    return found
