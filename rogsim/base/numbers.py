"""Numbers as people type them, and whole numbers of any library."""

from __future__ import annotations

import re
from operator import index
from typing import Any

WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def read_whole_number(text: str) -> int:
    """Return a whole number, which may have spaces around it; ValueError if the text is none."""
    if not WHOLE.fullmatch(text.strip(" ")):
        raise ValueError("not a whole number")
    return int(text)


def read_number(text: str) -> float:
    """Return a number, which may have spaces around it; ValueError if the text is none."""
    if not NUMBER.fullmatch(text.strip(" ")):
        raise ValueError("not a number")
    return float(text)


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
