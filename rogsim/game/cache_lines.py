"""Records that fit the cache: what is used together lies on one cache line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

LINE = 64  # bytes of a cache line


def by_cache_lines(*groups: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return the dtype of a record in which each group of fields begins on a cache line.

    Its size is a power of two, so that compiled code finds one of several records by shifting, not by multiplying.

    Parameters
    ----------
    groups
        The fields of each group, as `numpy.dtype` takes them.
    """
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    end = 0
    for group in groups:
        kind: Any = np.dtype(list(group), align=True)
        first = -(-end // LINE) * LINE
        names += kind.names
        formats += [kind.fields[name][0] for name in kind.names]
        offsets += [first + kind.fields[name][1] for name in kind.names]
        end = first + kind.itemsize
    size = 1 << (end - 1).bit_length()
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size}, align=True)
