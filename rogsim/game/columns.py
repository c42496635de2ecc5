"""The columns that a game adds to the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column that a game adds to the results.

    Attributes
    ----------
    labels
        Names for integers, applied when results are written: code i becomes `labels[i]`, a negative code null. Several
        codes may share a name.
    members
        For a set stored as an unsigned number: bit i stands for `members[i]`. The number is written unchanged.
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
