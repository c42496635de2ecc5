"""Differences that go one way: the end of an interval that lies away from 0, where few blocks differ.

If a change gives a few more games to one seat and takes none away, their number is a count: its spread grows with its
true value, and the spread of those found says too little about larger values. So the end away from 0 is at least that
of Wilson's interval, as if each block differed by one size in one direction, or not at all. If blocks differ in both
directions, or many do, the usual interval reaches as far.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import Estimate, wilson


def sizes_of(by_block: Floats, unit: Floats | float) -> Floats:
    """Return by how much a block that differs does so, float64[k]: large differences count for more.

    Parameters
    ----------
    by_block : float64[blocks, k]
        What each block adds to each difference.
    unit : float64[k]
        Difference of one more block, which stands for those that are still to be seen.
    """
    return np.asarray((unit**2 + np.square(by_block).sum(axis=0)) / (unit + np.abs(by_block).sum(axis=0)))


def outward(found: Estimate, size: float, blocks: float, quantile: float) -> Estimate:
    """Return a difference whose interval reaches away from 0 at least as far as Wilson's.

    Parameters
    ----------
    found
        The difference with its usual interval.
    size
        By how much a block that differs does so, in the unit of the difference.
    blocks
        Number of blocks behind it.
    quantile
        Half width of the interval in standard errors.
    """
    if math.isnan(found.low) or not size > 0 or not blocks > 0:
        return found
    end = size * wilson(min(abs(found.value) / size, 1.0), blocks, quantile)[1]
    low = min(found.low, -end) if found.value <= 0 else found.low
    high = max(found.high, end) if found.value >= 0 else found.high
    return replace(found, low=low, high=high)
