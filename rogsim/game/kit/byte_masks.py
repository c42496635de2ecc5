"""Which bytes of a short list in a record pass a test: all are compared at once, and the answer is a mask of places."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.kit.byte_lists import everywhere

MASK = ir.IntType(64)


def places_below(items: Any, limits: Any) -> int:
    """Return the mask of the places whose item is less than the limit at the same place of another list."""
    return sum(int(item < limit) << place for place, (item, limit) in enumerate(zip(items, limits, strict=True)))


def places_above(items: Any, limit: int) -> int:
    """Return the mask of the places whose item is more than a number, from -128 to 127."""
    return sum(int(item > limit) << place for place, item in enumerate(items))


def _loaded(context: Any, lines: Any, kind: Any, items: Any) -> Any:
    """Return the bytes of a list, widened by zeros to a block that the processor has."""
    memory, size = context.make_array(kind)(context, lines, items).data, kind.nitems
    held = lines.load(lines.bitcast(memory, ir.IntType(8 * size).as_pointer()))
    held.align = 1
    places = 1 << (size - 1).bit_length()
    return lines.bitcast(lines.zext(held, ir.IntType(8 * places)), ir.VectorType(ir.IntType(8), places))


def _mask(lines: Any, found: Any, size: int) -> Any:
    """Return a block of answers as a mask of the places of a list of this size."""
    mask = lines.zext(lines.bitcast(found, ir.IntType(found.type.count)), MASK)
    return lines.and_(mask, MASK((1 << size) - 1))


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _below(_: Any, items: Any, limits: Any) -> Any:
    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        held, most = (_loaded(context, lines, *pair) for pair in zip(signature.args, arguments, strict=True))
        return _mask(lines, lines.icmp_signed("<", held, most), items.nitems)

    return types.int64(items, limits), generate


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _above(_: Any, items: Any, limit: Any) -> Any:
    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        held = _loaded(context, lines, signature.args[0], arguments[0])
        limits = everywhere(lines, lines.trunc(arguments[1], held.type.element), held.type.count)
        return _mask(lines, lines.icmp_signed(">", held, limits), items.nitems)

    return types.int64(items, types.int64), generate


def _compiled_below(items: Any, limits: Any) -> Any:
    return lambda items, limits: _below(items, limits)


def _compiled_above(items: Any, limit: Any) -> Any:
    return lambda items, limit: _above(items, limit)


overload(places_below, strict=False)(_compiled_below)
overload(places_above, strict=False)(_compiled_above)
