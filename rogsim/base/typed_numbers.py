"""Numbers as people type them. Python would also take 1_000, digits of other scripts, and words such as nan."""

from __future__ import annotations

import re

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
