"""Records as bytes, to compare them."""

from __future__ import annotations

from typing import Any

import numpy as np


def packed(array: Any) -> bytes:
    """Return the values of a structured array as bytes, without the gaps between fields."""
    return np.asarray(array).astype(_without_gaps(array.dtype)).tobytes()


def _without_gaps(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.subdtype is not None:
        return np.dtype((_without_gaps(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None or dtype.fields is None:
        return dtype
    return np.dtype([(name, _without_gaps(dtype.fields[name][0])) for name in dtype.names])
