"""The columns that a manifest lists, and what they must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from rogsim.base.validation import not_allowed, show
from rogsim.simulation.chunks import TABLES

NAMES = "name"  # the type of a column of names
NUMBERS = {
    text
    for kind in ("b1", *(f"{letter}{size}" for letter in "iu" for size in (1, 2, 4, 8)), "f2", "f4", "f8")
    for text in (kind, np.dtype(kind).name, np.dtype(kind).str)
}
NEEDED = {
    "seats": ("players", "game", "block", "seat", "bot", "points", "win_share"),
    "games": ("players", "game", "block", "turns", "decisions"),
}
# The table of the columns in each list of `factors`.
FACTORS: Mapping[Literal["seat", "game"], str] = {"seat": "seats", "game": "games"}


def checked_column(row: list[str]) -> list[str]:
    """Return an entry of `columns`; ValueError if its table or its type is unknown."""
    if row[0] not in TABLES:
        raise ValueError(not_allowed(row[0], f"a column is of {' or '.join(TABLES)}"))
    if row[2] != NAMES and row[2] not in NUMBERS:
        rule = f'the type of a column is "{NAMES}" or one of numpy\'s numbers, such as "i2" or "f4"'
        raise ValueError(f"{show(row[1])}: {not_allowed(row[2], rule)}")
    return row


def check_columns(columns: Sequence[Sequence[str]], factors: Mapping[Literal["seat", "game"], Sequence[str]]) -> None:
    """Check that columns are listed once, that none is missing, and that factors are columns; ValueError if not."""
    listed = Counter((table, name) for table, name, *_ in columns)
    if twice := [name for (_, name), count in listed.items() if count > 1]:
        raise ValueError(f'key "columns": {show(twice[0])} is listed twice')
    for table, needed in NEEDED.items():
        if missing := [name for name in needed if (table, name) not in listed]:
            raise ValueError(f'key "columns": {show(missing[0])} of {table} is missing')
    for key, names in factors.items():
        if unknown := [name for name in names if (FACTORS[key], name) not in listed]:
            rule = f"must be a column of {FACTORS[key]}"
            raise ValueError(f'key "factors.{key}": {not_allowed(unknown[0], rule)}')
