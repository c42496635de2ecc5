"""Which bytes of a short list in a record pass a test: all are compared at once, and the answer is a mask of places."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.kit.byte_lists import block, everywhere

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
