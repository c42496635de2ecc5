"""Several small numbers as one: the bytes of a whole number, compared all at once.

The numbers are those of an array of bytes in a record, at most seven. A comparison needs the top bit of each byte, its
spare bit: so the numbers compared are at most 127.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.compiler import inlined

BYTE, SPARE, ALL_BITS = 8, 7, 255
ONES = (0, 0x01, 0x0101, 0x010101, 0x01010101, 0x0101010101, 0x010101010101)  # by number of bytes: a one in each


def packed(numbers: Any) -> int:
    """Return the bytes of an array in a record as one number, the first in the lowest bits."""
    return sum((int(number) & ALL_BITS) << BYTE * place for place, number in enumerate(numbers))


@intrinsic  # type: ignore[untyped-decorator] # numba is partly typed
def _load(_: Any, numbers: Any) -> Any:
    """Load the bytes of an array together."""

    def generate(context: Any, lines: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, lines, arguments[0])
        kind = ir.IntType(BYTE * signature.args[0].nitems)
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
