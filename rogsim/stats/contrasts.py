"""Ratios of block sums with their covariance, and what is asked of several of them at once.

Tests of many levels come in two steps: one test of all of them together, then each by itself with p-values adjusted
for their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import fdtrc, ndtr, stdtr, stdtrit

from rogsim.stats.blocks import Floats, Sums
from rogsim.stats.rates import CONFIDENCE, Estimate, wilson, worth

FEWEST_BLOCKS = 30  # a level in fewer blocks gets no test: its variance is not known well enough
DRAWS = 20_000  # simulated series; a 95% quantile is then good to about 1 % of itself
SEED = 20_240_229  # any fixed number: the same figures each time
ALONE = 1e-9  # an eigenvalue so small against the largest is 0: the estimates are bound to each other
EQUIVALENCE = 0.90  # of the interval that lies within the margin if both one-sided tests at 5% reject


@dataclass(frozen=True)
class JointTest:
    """A test of several estimates at once: F statistic, degrees of freedom, blocks behind it, p.

    p is nan if there are too few blocks for a test.
    """

    statistic: float
    df: int
    blocks: int
    p: float


@dataclass(frozen=True)
class Means:
    """Some shares or means that belong together.

    value: float64[k], nan where there are no rows. covariance: float64[k, k], of the estimates. rows, blocks:
    float64[k], behind each.
    """

    value: Floats
    covariance: Floats
    rows: Floats
    blocks: Floats

    def combined(self, matrix: NDArray[np.floating[Any]]) -> Means:
        """Return linear combinations, matrix float64[m, k]; nan where one needs a value that is not there.

        rows and blocks of a combination are those of its scarcest part.
        """
        missing = np.isnan(self.value)
        used = matrix != 0
        value: Floats = np.asarray(matrix @ np.where(missing, 0.0, self.value), dtype=np.float64)
        value[(used & missing).any(axis=1)] = np.nan
        covariance = matrix @ np.where(np.isnan(self.covariance), 0.0, self.covariance) @ matrix.T
        if np.isnan(self.covariance[~missing][:, ~missing]).any():
            covariance = np.full_like(covariance, np.nan)
        rows, blocks = (np.where(used, kind, np.inf).min(axis=1) for kind in (self.rows, self.blocks))
        return Means(value, np.asarray(covariance, dtype=np.float64), rows, blocks)

    def picked(self, places: Sequence[int] | slice) -> Means:
        """Return some of them."""
        return Means(self.value[places], self.covariance[places][:, places], self.rows[places], self.blocks[places])

    @property
    def errors(self) -> Floats:
        """Return the standard errors, float64[k]."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def estimate(self, place: int, scale: float = 1.0, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of them with Student's interval, the blocks as clusters; scale: 100 for percentage points."""
        value, reach = float(self.value[place]), self.quantile(place, confidence) * float(self.errors[place])
        blocks = float(self.blocks[place])
        return _scaled(value, value - reach, value + reach, self.rows[place], blocks, scale)

    def share(self, place: int, quantile: float | None = None) -> Estimate:
        """Return a share with Wilson's interval on as many independent games as the blocks are worth.

        quantile: how many standard errors the interval reaches, by default Student's 95% one.
        """
        value = float(self.value[place])
        effective, quantile = self.effective(place), quantile or self.quantile(place)
        if math.isnan(effective) or math.isnan(quantile):
            return _scaled(value, math.nan, math.nan, self.rows[place], math.nan, 1.0)
        return _scaled(value, *wilson(value, effective, quantile), self.rows[place], effective, 1.0)

    def effective(self, place: int) -> float:
        """Return how many independent games would tell as much about a share; nan with a single block."""
        value, variance = float(self.value[place]), float(self.covariance[place, place])
        if self.blocks[place] < 2 or math.isnan(variance) or math.isnan(value):
            return math.nan
        return worth(value, variance, float(self.rows[place]), float(self.blocks[place]))

    def quantile(self, place: int, confidence: float = CONFIDENCE) -> float:
        """Return Student's two-sided quantile for the blocks behind one of them."""
        blocks = self.blocks[place]
        return float(stdtrit(blocks - 1, 0.5 + confidence / 2)) if blocks > 1 else math.nan

    def p_values(self) -> Floats:
        """Return for each the two-sided p of being 0, by Student's t, float64[k]."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.value) / self.errors
        p = 2 * stdtr(np.maximum(self.blocks - 1, 1), -t)
        return np.where(self.blocks < FEWEST_BLOCKS, np.nan, p)

    def known(self, place: int, scale: float = 1.0) -> Estimate:
        """Return one of them as `estimate` does, without an interval if there are fewer than FEWEST_BLOCKS blocks."""
        found = self.estimate(place, scale)
        return found if self.blocks[place] >= FEWEST_BLOCKS else replace(found, low=math.nan, high=math.nan)

    def apart(self, first: int, second: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one share less another, in pp, with an interval made of Wilson's intervals of both.

        Thin shares are not normal, so each end is as far off as those ends of the two intervals that make it (MOVER:
        Zou and Donner 2008, "Construction of confidence limits about effect measures", Statistics in Medicine 27, with
        the correlation between the two). With fewer than FEWEST_BLOCKS blocks behind either there is no interval.
        """
        value = float(self.value[first] - self.value[second])
        blocks = min(self.blocks[first], self.blocks[second])
        rows, effective = min(self.rows[first], self.rows[second]), float(blocks)
        if math.isnan(value) or blocks < FEWEST_BLOCKS:
            return _scaled(value, math.nan, math.nan, rows, effective, 100)
        one, other = (self.share(place, self.quantile(place, confidence)) for place in (first, second))
        errors = self.errors[[first, second]]
        bound = float(self.covariance[first, second] / errors.prod()) if errors.all() else 0.0
        down = joined(one.value - one.low, other.high - other.value, bound)
        up = joined(one.high - one.value, other.value - other.low, bound)
        return _scaled(value, value - down, value + up, rows, effective, 100)


def joined(one: float, other: float, correlation: float) -> float:
    """Return how far the end of a difference is off, given how far the two ends that make it are."""
    return math.sqrt(max(0.0, one**2 + other**2 - 2 * correlation * one * other))


def ratios(sums: Sums, top: Floats, bottom: Floats) -> Means:
    """Return ratios of sums of block sums: `top` and `bottom` are float64[m, k], which sums to add up.

    The variance is that of the ratio estimator (Cochran 1977, "Sampling Techniques", 6.3), as in `rates`.
    """
    rows = bottom @ sums.total
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(rows > 0, (top @ sums.total) / rows, np.nan)
        slope = (top - np.nan_to_num(value)[:, None] * bottom) / rows[:, None]
    slope[rows <= 0] = 0.0
    covariance = slope @ sums.covariance @ slope.T
    blocks = np.minimum(np.minimum(np.abs(bottom) @ sums.present, float(sums.blocks)), np.maximum(rows, 0.0))
    return Means(value, _clean(covariance), rows, blocks)


def selector(places: Sequence[int], size: int) -> Floats:
    """Return a matrix that picks some of `size` sums, float64[len(places), size]."""
    matrix = np.zeros((len(places), size))
    matrix[np.arange(len(places)), list(places)] = 1.0
    return matrix


def wald(means: Means, blocks: int) -> JointTest:
    """Test that all of these are 0, by Hotelling's statistic with the blocks as observations.

    What is bound to the others (the last of shares that add up to 1) takes no degree of freedom. Estimates from
    fewer than FEWEST_BLOCKS blocks are left out.
    """
    kept = np.flatnonzero(~np.isnan(means.value) & (means.blocks >= FEWEST_BLOCKS) & (np.diag(means.covariance) > 0))
    if len(kept) == 0 or np.isnan(means.covariance).any():
        return JointTest(math.nan, 0, blocks, math.nan)
    errors = means.errors[kept]
    z = means.value[kept] / errors
    spread, axes = np.linalg.eigh(means.covariance[np.ix_(kept, kept)] / np.outer(errors, errors))
    free = spread > ALONE * spread[-1]
    df = int(free.sum())
    if blocks < FEWEST_BLOCKS + 2 * df:
        return JointTest(math.nan, df, blocks, math.nan)
    squares = float(((axes[:, free].T @ z) ** 2 / spread[free]).sum())
    statistic = squares * (blocks - df) / (df * (blocks - 1))
    return JointTest(statistic, df, blocks, float(fdtrc(df, blocks - df, statistic)))


def holm(p: Sequence[float] | Floats) -> Floats:
    """Return p-values adjusted by Holm's method, those that are nan left out: any wrong claim has at most 5%.

    (statsmodels has it too, but collects garbage at each call, which takes longer than all the rest.)
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)[: int((~np.isnan(values)).sum())]  # nan come last
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted = np.full_like(values, np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p: Sequence[float] | Floats) -> Floats:
    """Return Benjamini and Hochberg's q-values, those that are nan left out: of what is listed 5% may be chance."""
    from scipy.stats import false_discovery_control  # takes longer to load than `run` takes to start

    values = np.asarray(p, dtype=np.float64)
    known = ~np.isnan(values)
    adjusted = np.full_like(values, np.nan)
    if known.any():
        adjusted[known] = false_discovery_control(values[known])
    return adjusted


def gap_band(covariance: Floats) -> float:
    """Return the gap between best and worst that 95% of fair series stay below.

    covariance: float64[k, k], of the estimates if all are fair; nan for less than two, or if nothing varies.
    """
    if len(covariance) < 2 or np.isnan(covariance).any() or not covariance.any():
        return math.nan
    drawn = _draw(covariance)
    return float(np.quantile(drawn.max(axis=1) - drawn.min(axis=1), CONFIDENCE))


def simultaneous_quantiles(covariance: Floats, blocks: Floats) -> Floats:
    """Return how many standard errors intervals must reach for all of them to hold together in 95% of series.

    covariance: float64[k, k], of the estimates; those that have no variance do not count. blocks: float64[k], behind
    each. Each has Student's quantile at the two-sided probability that normal figures with this correlation need.
    """
    errors = np.sqrt(np.diag(covariance))
    kept = np.flatnonzero(errors > 0)
    if len(kept) == 0:
        return np.full(len(covariance), math.nan)
    drawn = _draw(covariance[np.ix_(kept, kept)]) / errors[kept]
    normal = float(np.quantile(np.abs(drawn).max(axis=1), CONFIDENCE))
    with np.errstate(invalid="ignore"):
        return np.asarray(stdtrit(np.where(blocks > 1, blocks - 1, np.nan), ndtr(normal)))


def _draw(covariance: Floats) -> Floats:
    """Return normal vectors around 0 with this covariance, float64[DRAWS, k]."""
    spread, axes = np.linalg.eigh(covariance)
    normal = np.random.default_rng(SEED).standard_normal((DRAWS, len(spread)))
    return normal @ (axes * np.sqrt(np.maximum(spread, 0.0))).T


def _clean(covariance: Floats) -> Floats:
    """Return a covariance with a diagonal of no less than 0."""
    covariance = (covariance + covariance.T) / 2
    np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
    return covariance


def _scaled(value: float, low: float, high: float, n: float, effective: float, scale: float) -> Estimate:
    return Estimate(value * scale, low * scale, high * scale, int(n) if math.isfinite(n) else 0, effective)


def scaled(estimate: Estimate, scale: float) -> Estimate:
    """Return an estimate in another unit, such as 100 for percentage points."""
    return _scaled(estimate.value, estimate.low, estimate.high, estimate.n, estimate.effective, scale)


def columns(name: str, estimate: Estimate) -> dict[str, float]:
    """Return an estimate as three columns of a frame: value, low, high."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def table(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame; what is not known (nan) is null."""
    return pl.DataFrame(list(rows), infer_schema_length=None).fill_nan(None)
