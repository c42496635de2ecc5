"""Short lists of bytes in records, each read and written as one block.

A loop over such a list takes longer for two reasons. What it writes might overlap what it reads next, so compiled code
goes item by item. And the processor waits when it reads several bytes together that were just written one by one; so
what reads a list as a block needs a writer that does the same.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.rules import BLOCK

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
