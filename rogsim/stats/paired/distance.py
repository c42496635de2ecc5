"""How far a vector of differences is from 0: the root mean square, corrected for noise.

The squared length of an estimated vector is too large by the trace of its covariance, which is subtracted. The interval
contains all true lengths that the estimate does not reject; it comes from the noncentral chi-squared distribution of
the squared length (Johnson, Kotz and Balakrishnan 1995, "Continuous Univariate Distributions", volume 2, chapter 29).
The noise is assumed to be as strong in every direction as in the estimated one, and its trace then gives the degrees of
freedom. This is a good approximation for seats, whose shares are known about equally well.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import chndtr, ndtri, stdtrit

from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import CONFIDENCE, Estimate

CLEAR = 1e4  # squared standard errors: from here on the distribution is nearly normal


def distance(difference: Floats, covariance: Floats, blocks: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return the root mean square of some differences with its interval, in their unit.

    With a single block, or if a difference is nan, there is no interval. Differences without noise are not corrected.

    Parameters
    ----------
    difference : float64[k]
    covariance : float64[k, k]
        Covariance of the differences.
    blocks
        Number of blocks behind them.
    n
        Number of rows behind them.
    """
    size, squared = len(difference), float(difference @ difference)
    noise = float(np.trace(covariance))
    if blocks < 2 or not math.isfinite(noise) or not math.isfinite(squared):
        value = math.sqrt(squared / size)
        return Estimate(value, math.nan, math.nan, n, math.nan)
    value = math.sqrt(max(0.0, squared - noise) / size)
    along = float(difference @ covariance @ difference) / squared if squared > 0 else noise / size
    if along <= 1e-12 * max(squared, 1e-12):
        return Estimate(value, value, value, n, float(n))
    tail = (1 - confidence) / 2
    normal = -float(ndtri(tail))
    wider = (float(stdtrit(blocks - 1, 1 - tail)) / normal) ** 2  # few blocks: Student's t instead of normal
    scale, df = along * wider, noise / along
    if squared > CLEAR * scale:
        reach = normal * math.sqrt(scale / size)
        return Estimate(value, value - reach, value + reach, n, float(n))
    low, high = _noncentrality(squared / scale, df, 1 - tail), _noncentrality(max(squared / scale, df), df, tail)
    root = math.sqrt(scale / size)
    return Estimate(value, root * math.sqrt(low), max(value, root * math.sqrt(high)), n, float(n))


def direction(difference: Floats) -> Floats:
    """Return the gradient of the root mean square with respect to the differences, float64[k]; 0 at 0."""
    length = float(np.linalg.norm(difference))
    return difference / (length * math.sqrt(len(difference))) if length > 0 else np.zeros(len(difference))


def _noncentrality(found: float, df: float, probability: float) -> float:
    """Return the noncentrality for which a value is the quantile at this probability; 0 if there is none above 0."""

    def over(shift: float) -> float:
        return float(chndtr(found, df, shift)) - probability

    if over(0.0) <= 0:
        return 0.0
    upper = found + df + 10.0
    while over(upper) > 0:
        upper *= 2
    return float(brentq(over, 0.0, upper, rtol=1e-6))
