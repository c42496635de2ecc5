"""The columns that a game adds to the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column that a game adds to the results.

    `labels` turns integers into names when the results are written: code i is `labels[i]`, a negative code means
    "none" and becomes null; several codes may share a name. `members` describes a set: bit i of the unsigned number
    stands for `members[i]`, and the number is written as it is.
    """

    name: str
    dtype: str  # numpy's name for it: "i2", "f4", ...
    meaning: str
    unit: str = ""
    labels: tuple[str, ...] | None = None
    members: tuple[str, ...] | None = None


def row_dtype(columns: Sequence[Column]) -> np.dtype[Any]:
    """Return the structured dtype of one row of these columns."""
    return np.dtype([(column.name, column.dtype) for column in columns], align=True)
