"""Whole numbers, whichever library they come from."""

from __future__ import annotations

from operator import index
from typing import Any


def as_whole(value: Any) -> int | None:
    """Return a whole number of Python, numpy or another library as an `int`, an array without dimensions included.

    None for anything else, also for True and False.
    """
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        return None
