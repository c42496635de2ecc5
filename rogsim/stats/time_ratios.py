"""How much longer one program takes than another: ratios of times, with intervals that assume no distribution.

Times on a shared machine have long tails, so medians are compared, and no interval rests on a normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, ndtri

from rogsim.stats.estimates import CONFIDENCE

FEWEST_PAIRS = 6  # with fewer, no 95% interval exists without assuming a distribution
DRIFT = 0.05  # by which times can differ between occasions on a shared machine although nothing changed


@dataclass(frozen=True)
class TimeRatio:
    """The time after a change as a multiple of the time before it, with its 95% interval.

    Attributes
    ----------
    low
        End of the interval; 0 if there are too few measurements for an interval.
    high
        The other end; infinity if there are too few.
    drift
        How far from 1 a ratio may be without a change, as a share.
    """

    value: float
    low: float
    high: float
    drift: float = 0.0

    @property
    def verdict(self) -> str:
        """Return "faster" or "slower" if the whole interval exceeds the drift, otherwise "no clear difference"."""
        if self.high < 1 / (1 + self.drift):
            return "faster"
        return "slower" if self.low > 1 + self.drift else "no clear difference"


def paired_ratio(before: Sequence[float], after: Sequence[float]) -> TimeRatio:
    """Compare times that were measured in pairs, one right after the other.

    The estimate is the median of the ratios of the pairs, and the interval goes from one of the sorted ratios to
    another: the sign test's interval for a median.

    Parameters
    ----------
    before, after
        Times of the pairs, above 0, in any one unit.
    """
    ratios = np.sort(np.array(after, dtype=np.float64) / np.array(before, dtype=np.float64))
    count, cut = len(ratios), 0
    while cut < count // 2 and bdtr(cut, count, 0.5) <= (1 - CONFIDENCE) / 2:
        cut += 1
    return _ratio(ratios, cut)


def unpaired_ratio(before: Sequence[float], after: Sequence[float]) -> TimeRatio:
    """Compare times that were measured at different occasions.

    The estimate is the median of the ratios of all pairs (Hodges and Lehmann), the interval that of the Mann-Whitney
    test in its normal approximation. A machine that was slower on one of the occasions counts as a difference, so the
    verdict allows for DRIFT.

    Parameters
    ----------
    before, after
        Times, above 0, in any one unit; their numbers may differ.

    References
    ----------
    Hodges and Lehmann 1963, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34.
    """
    ratios = np.sort(np.divide.outer(np.array(after, dtype=np.float64), np.array(before, dtype=np.float64)).ravel())
    first, second = len(before), len(after)
    spread = math.sqrt(first * second * (first + second + 1) / 12)
    cut = math.floor(first * second / 2 - float(ndtri(0.5 + CONFIDENCE / 2)) * spread)
    return _ratio(ratios, max(cut, 0) if min(first, second) >= FEWEST_PAIRS else 0, DRIFT)


def _ratio(ratios: np.ndarray, cut: int, drift: float = 0.0) -> TimeRatio:
    """Return the median of sorted ratios, between the `cut`-th from below and from above; no interval if it is 0."""
    ends = (float(ratios[cut - 1]), float(ratios[-cut])) if cut else (0.0, math.inf)
    return TimeRatio(float(np.median(ratios)), *ends, drift)
