"""Intervals that hold for several correlated effects at once: what may be quoted of the largest, or of named, levels.

An individual interval misses the true value more often than promised if the level was selected for its size.
Simultaneous intervals hold for whichever level is selected. Their width follows from the largest of several correlated
normal variables. The probability that it exceeds a bound is found by importance sampling over the union of the events,
which is accurate in the far tail, too (Naiman and Priebe 2001, "Computing scan statistic p values using importance
sampling", Journal of Computational and Graphical Statistics 10).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.claims import Contrast
from rogsim.stats.estimates import CONFIDENCE, Estimate, wilson
from rogsim.stats.normal_draws import SEED, symmetric_root
from rogsim.stats.special_functions import log_ndtr, ndtri, ndtri_exp, stdtr, stdtrit

DRAWS = 4_000
STEP = 1e-5  # standard errors: how closely a bound is found
FARTHEST = 37.0  # standard errors: beyond this, probabilities underflow to 0


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


class Effects(Protocol):
    """The effects of one question, such as those of a claim."""

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """Return the effects with their individual intervals."""

    @property
    def covariance(self) -> Floats | None:
        """Return their covariance, float64[k, k], in the square of their unit; None if it is not known."""


class SimultaneousIntervals:
    """The effects of a question with intervals that hold for all of them at once.

    Attributes
    ----------
    contrasts
        The effects.
    known
        Indices of the effects that have an interval.
    correlation : float64[k, k]
        Correlation of these effects.
    """

    def __init__(self, claim: Effects) -> None:
        """Take the effects that have an interval; the others get none."""
        self.contrasts = claim.contrasts
        self.known = [place for place, contrast in enumerate(claim.contrasts) if not math.isnan(contrast.effect.low)]
        self.correlation = _correlation(claim.covariance, self.known)

    def intervals(self, alpha: float) -> tuple[Estimate, ...]:
        """Return every effect with its simultaneous interval: all hold together with probability 1 - alpha."""
        reach = quantile(self.correlation, alpha)
        return tuple(interval(contrast, reach) for contrast in self.contrasts)

    def one_sided(self, alpha: float) -> tuple[Estimate, ...]:
        """Return every effect between its individual one-sided bounds at alpha.

        They may show that it is within a margin. If all effects must be, no adjustment for their number is needed.

        References
        ----------
        Berger 1982, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24.
        """
        reach = -float(ndtri(alpha))
        return tuple(interval(contrast, reach, narrow=True) for contrast in self.contrasts)

    def p_beyond(self, margin: float) -> float:
        """Return the p-value of no effect being larger than the margin; nan if no effect has an interval."""
        known = [self.contrasts[place] for place in self.known]

        def excludes(reach: float) -> bool:
            return any(beyond(interval(contrast, reach), margin) for contrast in known)

        if not known:
            return math.nan
        if not excludes(0.0):
            return 1.0
        low, high = 0.0, FARTHEST
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (middle, high) if excludes(middle) else (low, middle)
        return exceedance(self.correlation, low)


def within(effect: Estimate, margin: float) -> bool:
    """Return whether an interval lies within ±margin; False for nan."""
    return -margin < effect.low and effect.high < margin


def beyond(effect: Estimate, margin: float) -> bool:
    """Return whether an interval lies beyond the margin, on either side; False for nan."""
    return effect.low > margin or effect.high < -margin


def interval(contrast: Contrast, reach: float, narrow: bool = False) -> Estimate:
    """Return an effect with an interval of another width.

    The interval that came with the effect is scaled by the ratio of Student's quantiles with the blocks behind the
    effect; for a share, each end is the wider one of this and of Wilson's interval.

    Parameters
    ----------
    reach
        Half width in standard errors of a normal variable.
    narrow
        Start from the 90% interval, not the 95% one.
    """
    given, confidence = (contrast.effect90, 0.90) if narrow else (contrast.effect, CONFIDENCE)
    value, fair = given.value, contrast.fair
    student = _student(reach, contrast.blocks)
    ratio = student / _student_of(0.5 + confidence / 2, contrast.blocks)
    low, high = value - (value - given.low) * ratio, value + (given.high - value) * ratio
    if not math.isnan(fair):
        share, games = value / 100 + fair, given.effective
        if games > 0 and math.isfinite(games):
            ends = [100 * (end - fair) for end in wilson(min(max(share, 0.0), 1.0), games, student)]
            low, high = min(low, ends[0]), max(high, ends[1])
        low, high = max(low, -100 * fair), min(high, 100 * (1 - fair))
    return Estimate(value, low, high, given.n, given.effective)


def _student(reach: float, blocks: float) -> float:
    """Return Student's quantile with the same tail probability as a normal variable beyond `reach`."""
    if not 2 <= blocks < math.inf:
        return reach
    return -_student_of(math.exp(log_ndtr(-reach)), blocks)


def _student_of(probability: float, blocks: float) -> float:
    degrees = blocks - 1 if 2 <= blocks < math.inf else math.inf
    if math.isinf(degrees):
        return float(ndtri_exp(math.log(probability)))
    found = float(stdtrit(degrees, probability))
    # In the far tail scipy's inverse fails before its distribution function does.
    return found if math.isfinite(found) and stdtr(degrees, found) > 0 else -math.inf


def _correlation(covariance: Floats | None, known: Sequence[int]) -> Floats:
    """Return the correlation of some effects; without a covariance they count as independent, which is conservative."""
    found = np.eye(len(known))
    if covariance is None:
        return found
    kept = covariance[np.ix_(known, known)]
    errors = np.sqrt(np.maximum(np.diag(kept), 0.0))
    sure = np.flatnonzero((errors > 0) & ~np.isnan(kept).any(axis=1))
    found[np.ix_(sure, sure)] = kept[np.ix_(sure, sure)] / np.outer(errors[sure], errors[sure])
    return np.clip(found, -1.0, 1.0)


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
