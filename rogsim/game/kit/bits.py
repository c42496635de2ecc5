"""Sets, several small numbers and short lists as bits and bytes, which are read, compared and written at once.

A set of cards, tiles or regions is a mask: a number with one bit for each member. A loop over a short list of bytes in
a record takes longer for two reasons. What it writes might overlap what it reads next, so compiled code goes item by
item. And the processor waits when it reads several bytes together that were just written one by one; so what reads a
list as a block needs a writer that does the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.compiler import inlined
from rogsim.game.rules import BLOCK

FIRST_OF_TWO = 0x5555555555555555  # the lower bit of each pair


@inlined
def bit(index: int) -> Any:
    """Return the mask with one bit set, as 64 bits whatever the width of the index."""
    return np.int64(1) << np.int64(index)


@inlined
def has(mask: int, index: int) -> bool:
    """Return whether a bit of a mask is set."""
    return (np.int64(mask) >> np.int64(index)) & 1 == 1


@inlined
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


def size(mask: int) -> int:
    """Return how many members a mask has."""
    return int(mask).bit_count()


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _trailing_zeros(_: Any, mask: Any) -> Any:
    """Return the number of zeros below the lowest bit; the processor has an instruction for it."""
    return types.int64(types.int64), lambda _, lines, __, args: lines.cttz(args[0], ir.Constant(ir.IntType(1), 1))


def _compiled_lowest(mask: Any) -> Any:
    return lambda mask: _trailing_zeros(np.int64(mask))


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _ones(_: Any, mask: Any) -> Any:
    """Return the number of bits that are set; the processor has an instruction for it."""
    return types.int64(types.int64), lambda _, lines, __, args: lines.ctpop(args[0])


def _compiled_size(mask: Any) -> Any:
    return lambda mask: _ones(np.int64(mask))


overload(size, strict=False)(_compiled_size)
overload(lowest, strict=False)(_compiled_lowest)


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


def packed(numbers: Any) -> int:
    """Return the bytes of an array in a record as one number, the first in the lowest bits."""
    return sum((int(number) & ALL_BITS) << BYTE_BITS * place for place, number in enumerate(numbers))


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _load(_: Any, numbers: Any) -> Any:
    """Load the bytes of an array together."""

    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, lines, arguments[0])
        kind = ir.IntType(BYTE_BITS * signature.args[0].nitems)
        loaded = lines.load(lines.bitcast(array.data, kind.as_pointer()), typ=kind)
        loaded.align = 1
        return lines.zext(loaded, ir.IntType(64))

    return types.int64(numbers), generate


def _compiled_packed(numbers: Any) -> Any:
    return lambda numbers: _load(numbers)


overload(packed, strict=False)(_compiled_packed)


@inlined
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


BYTE, PLACE, BIT = ir.IntType(8), ir.IntType(32), ir.IntType(1)
END = -1  # in every place after the last item


def take_out(items: Any, item: int) -> None:
    """Take an item that is in a list once out of it; the later ones move up, and END fills the last place."""
    place = items.tolist().index(item)
    items[place:] = [*items[place + 1 :], END]


def write_each(actions: Any, place: int, items: Any, first: int) -> None:
    """Write `first` + item for each place of a list, used or not, among the actions of a menu, from a place on."""
    actions[int(place) : int(place) + len(items)] = [first + int(item) for item in items]


def places_of(actions: Any, place: int, action: int) -> int:
    """Return the mask of the next BLOCK places of a menu that hold an action, whether in use or not."""
    return sum(int(actions[int(place) + i] == action) << i for i in range(BLOCK))


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _take_out(_: Any, items: Any, item: Any) -> Any:
    """Choose for each place between its item and the next one."""

    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        count = signature.args[0].nitems
        memory = block(context, lines, signature.args[0], arguments[0])
        held = lines.load(memory)
        held.align = 1
        following = ir.Constant(ir.VectorType(PLACE, count), list(range(1, count + 1)))
        later = lines.shuffle_vector(held, ir.Constant(held.type, [END] * count), following)
        found = lines.icmp_signed("==", held, everywhere(lines, lines.trunc(arguments[1], BYTE), count))
        place = lines.cttz(lines.zext(lines.bitcast(found, ir.IntType(count)), ir.IntType(64)), BIT(0))
        places = ir.Constant(held.type, list(range(count)))
        before = lines.icmp_signed("<", places, everywhere(lines, lines.trunc(place, BYTE), count))
        lines.store(lines.select(before, held, later), memory).align = 1
        return context.get_dummy_value()

    return types.void(items, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _write_each(_: Any, actions: Any, place: Any, items: Any, first: Any) -> Any:
    """Widen the items, add, and write them."""

    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        wide, count = ir.IntType(signature.args[0].dtype.bitwidth), signature.args[2].nitems
        held = lines.load(block(context, lines, signature.args[2], arguments[2]))
        held.align = 1
        widened = lines.sext(held, ir.VectorType(wide, count))
        summed = lines.add(widened, everywhere(lines, lines.trunc(arguments[3], wide), count))
        menu = context.make_array(signature.args[0])(context, lines, arguments[0])
        begin = lines.gep(menu.data, [arguments[1]])
        lines.store(summed, lines.bitcast(begin, summed.type.as_pointer())).align = 1
        return context.get_dummy_value()

    return types.void(actions, types.int64, items, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _places_of(_: Any, actions: Any, place: Any, action: Any) -> Any:
    """Compare a block at once."""

    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(signature.args[0].dtype.bitwidth)
        menu = context.make_array(signature.args[0])(context, lines, arguments[0])
        begin = lines.gep(menu.data, [arguments[1]])
        held = lines.load(lines.bitcast(begin, ir.VectorType(wide, BLOCK).as_pointer()))
        held.align = wide.width // BYTE.width
        found = lines.icmp_signed("==", held, everywhere(lines, lines.trunc(arguments[2], wide), BLOCK))
        return lines.zext(lines.bitcast(found, ir.IntType(BLOCK)), ir.IntType(64))

    return types.int64(actions, types.int64, types.int64), generate


def block(context: Any, lines: Any, kind: Any, items: Any, begin: int = 0, length: int = 0) -> Any:
    """Return the address of a list in a record as one block, or of a part of it."""
    data = context.make_array(kind)(context, lines, items).data
    return lines.bitcast(lines.gep(data, [PLACE(begin)]), ir.VectorType(BYTE, length or kind.nitems).as_pointer())


def everywhere(lines: Any, value: Any, count: int) -> Any:
    """Return a block that holds a value in each place."""
    one = lines.insert_element(ir.Constant(ir.VectorType(value.type, count), ir.Undefined), value, PLACE(0))
    return lines.shuffle_vector(one, one, ir.Constant(ir.VectorType(PLACE, count), [0] * count))


def _compiled_take_out(items: Any, item: Any) -> Any:
    return lambda items, item: _take_out(items, item)


def _compiled_write_each(actions: Any, place: Any, items: Any, first: Any) -> Any:
    return lambda actions, place, items, first: _write_each(actions, place, items, first)


def _compiled_places_of(actions: Any, place: Any, action: Any) -> Any:
    return lambda actions, place, action: _places_of(actions, place, action)


overload(places_of, strict=False)(_compiled_places_of)
overload(take_out, strict=False)(_compiled_take_out)
overload(write_each, strict=False)(_compiled_write_each)


MASK = ir.IntType(64)


def places_below(items: Any, limits: Any) -> int:
    """Return the mask of the places whose item is less than the limit at the same place of another list."""
    return sum(int(item < limit) << place for place, (item, limit) in enumerate(zip(items, limits, strict=True)))


def places_above(items: Any, limit: int) -> int:
    """Return the mask of the places whose item is more than a number, from -128 to 127."""
    return sum(int(item > limit) << place for place, item in enumerate(items.flat))


def places_equal(items: Any, number: int) -> int:
    """Return the mask of the places whose item is a number, from -128 to 127."""
    return sum(int(item == number) << place for place, item in enumerate(items.flat))


def _blocks(size: int) -> list[tuple[int, int]]:
    """Return where the blocks that cover a list begin, and their length, which the processor has; two may overlap."""
    length = 1 << size.bit_length() - 1
    return [(0, length)] if size == length else [(0, length), (size - length, length)]


def _mask(context: Any, lines: Any, lists: Any, compare: Any) -> Any:
    """Return the mask of the places of lists that pass a comparison; `lists` are their types and values."""
    mask = MASK(0)
    for begin, length in _blocks(lists[0][0].nitems):
        blocks = [lines.load(block(context, lines, kind, items, begin, length)) for kind, items in lists]
        for held in blocks:
            held.align = 1
        found = lines.zext(lines.bitcast(compare(*blocks), ir.IntType(length)), MASK)
        mask = lines.or_(mask, lines.shl(found, MASK(begin)))
    return mask


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _below(_: Any, items: Any, limits: Any) -> Any:
    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        lists = list(zip(signature.args, arguments, strict=True))
        return _mask(context, lines, lists, lambda held, most: lines.icmp_signed("<", held, most))

    return types.int64(items, limits), generate


def _with_number(sign: str) -> Any:
    """Return an intrinsic that compares all items with one number."""

    @intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
    def compared(_: Any, items: Any, number: Any) -> Any:
        def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
            number = lines.trunc(arguments[1], ir.IntType(8))

            def compare(held: Any) -> Any:
                return lines.icmp_signed(sign, held, everywhere(lines, number, held.type.count))

            return _mask(context, lines, [(signature.args[0], arguments[0])], compare)

        return types.int64(items, types.int64), generate

    return compared


_above, _equal = _with_number(">"), _with_number("==")


def _compiled_below(items: Any, limits: Any) -> Any:
    return lambda items, limits: _below(items, limits)


def _compiled_above(items: Any, limit: Any) -> Any:
    return lambda items, limit: _above(items, limit)


def _compiled_equal(items: Any, number: Any) -> Any:
    return lambda items, number: _equal(items, number)


overload(places_equal, strict=False)(_compiled_equal)
overload(places_below, strict=False)(_compiled_below)
overload(places_above, strict=False)(_compiled_above)
