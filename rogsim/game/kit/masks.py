"""Cards, tiles or regions as numbers: masks, which are sets with one bit for each member, and lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rogsim.game.compiler import inlined

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
    mask = (mask | mask << 16) & 0x0000FFFF0000FFFF
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
