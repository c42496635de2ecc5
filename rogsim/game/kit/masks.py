"""Cards, tiles or regions as numbers: masks, which are sets with one bit for each member, and lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rogsim.game.compiler import inlined


@inlined
def bit(index: int) -> Any:
    """Return the mask with one bit set, as 64 bits whatever the width of the index."""
    return np.int64(1) << np.int64(index)


@inlined
def has(mask: int, index: int) -> bool:
    """Return whether a bit of a mask is set."""
    return (np.int64(mask) >> np.int64(index)) & 1 == 1


def members(mask: Any, names: Sequence[str]) -> list[str]:
    """Return the names of the members of a mask, in the order of their bits."""
    mask = int(mask)
    return [name for index, name in enumerate(names) if mask >> index & 1] if mask else []


def mask_of(found: Sequence[str], names: Sequence[str]) -> int:
    """Return the mask of members, given their names."""
    return sum(1 << names.index(name) for name in found)


def named(names: Sequence[str], numbers: Any) -> list[str]:
    """Return the names for an array of numbers."""
    return [names[number] for number in numbers.tolist()]
