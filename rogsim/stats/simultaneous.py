"""The largest of several correlated normal variables, from which the width of simultaneous intervals follows.

The probability that it exceeds a bound is found by importance sampling over the union of the events, which is accurate
in the far tail, too (Naiman and Priebe 2001, "Computing scan statistic p values using importance sampling", Journal of
Computational and Graphical Statistics 10).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import cache, lru_cache

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.normal_draws import SEED, symmetric_root
from rogsim.stats.special_functions import log_ndtr, ndtri_exp

DRAWS = 4_000
STEP = 1e-5  # standard errors: how closely a bound is found


def exceedance(correlation: Floats, bound: float) -> float:
    """Return the probability that the largest |Z| of several standard normal variables exceeds a bound.

    Parameters
    ----------
    correlation : float64[k, k]
        Correlation of the variables.
    bound
        Bound in standard errors.

    References
    ----------
    Naiman and Priebe 2001, "Computing scan statistic p values using importance sampling", Journal of Computational and
    Graphical Statistics 10.
    """
    count = len(correlation)
    if count == 0 or math.isnan(bound):
        return math.nan
    return _Union(correlation).exceedance(bound)


def quantile(correlation: Floats, alpha: float) -> float:
    """Return the bound that the largest |Z| of several standard normal variables exceeds with probability alpha.

    Parameters
    ----------
    correlation : float64[k, k]
        Correlation of the variables.
    """
    count = len(correlation)
    if count == 0:
        return math.nan
    narrow, wide = (-float(ndtri_exp(math.log(alpha / 2 / number))) for number in (1, count))
    union = _Union(correlation)
    if count == 1 or union.exceedance(narrow) <= alpha:
        return narrow
    # By halving, because scipy.optimize takes as long to load as polars and this is all that `run` would need of it.
    steps = range(math.ceil((wide - narrow) / STEP) + 1_000)
    return narrow + STEP * bisect_left(steps, -alpha, key=lambda step: -union.exceedance(narrow + STEP * step))


class _Union:
    """The event that any of several variables exceeds a bound; what does not depend on the bound is computed once."""

    def __init__(self, correlation: Floats) -> None:
        self.count = len(correlation)
        if self.count == 1:
            return
        # [k, draws], which is fast to work on
        self._picked, spread = np.arange(DRAWS) % self.count, _spread(self.count)
        self._drawn = np.ascontiguousarray((spread @ symmetric_root(correlation)).T)
        self._weights = np.ascontiguousarray(correlation[self._picked].T)
        self._own = self._drawn[self._picked, _ROWS]

    def exceedance(self, bound: float) -> float:
        """Return the probability of the union."""
        single = 2 * math.exp(log_ndtr(-bound))
        if self.count == 1 or single == 0:
            return single
        tail = _tail(bound)
        drawn = self._weights * (tail - self._own)
        drawn += self._drawn
        drawn[self._picked, _ROWS] = tail
        beyond = np.add.reduce(np.abs(drawn, out=drawn) > bound, axis=0, dtype=np.int32).clip(1)
        return float(min(1.0, self.count * single * (1 / beyond).mean()))


_ROWS = np.arange(DRAWS)


@lru_cache(maxsize=128)
def _tail(bound: float) -> Floats:
    """Return, for each draw, the variable that is picked, which lies beyond the bound."""
    return np.asarray(-ndtri_exp(log_ndtr(-bound) + _log_depth()))


@cache
def _log_depth() -> Floats:
    """Return the logarithm of how deep in its tail the variable that is picked lies, the same for every bound."""
    return np.asarray(np.log(1 - np.random.default_rng(SEED).random(DRAWS)))


@cache
def _spread(count: int) -> Floats:
    """Return normal draws that serve for every bound, float64[draws, k]."""
    generator = np.random.default_rng(SEED)
    generator.random(DRAWS)  # those of `_log_depth`
    return generator.standard_normal((DRAWS, count))
