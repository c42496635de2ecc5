"""Ratios of block sums with their covariance, and joint tests of several of them.

Tests of many levels have two steps: one joint test of all levels, then each level separately with p-values adjusted for
their number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.stats.blocks import Floats, Sums
from rogsim.stats.estimates import CONFIDENCE, FEWEST_TOLD, Estimate, effective_games, wilson
from rogsim.stats.normal_draws import normal_draws
from rogsim.stats.special_functions import fdtrc, ndtr, stdtr, stdtrit

FEWEST_BLOCKS = 30  # a level in fewer blocks gets no test: its variance is not known well enough
NEGLIGIBLE = 0.1  # share of the variance of a difference: a term with less need not be known well
DRAWS = 20_000  # simulated series; a 95% quantile is then accurate to about 1% of its value
ALONE = 1e-9  # an eigenvalue this small relative to the largest is 0: the estimates determine each other
EQUIVALENCE = 0.90  # confidence of the interval that lies within the margin if both one-sided tests at 5% reject


@dataclass(frozen=True)
class JointTest:
    """A test of several estimates at once.

    Attributes
    ----------
    statistic
        F, or chi-squared divided by its degrees of freedom.
    df
        Degrees of freedom of the effects.
    blocks
        Number of blocks behind the test.
    p
        nan if there are too few blocks for a test.
    """

    statistic: float
    df: int
    blocks: int
    p: float


@dataclass(frozen=True)
class Means:
    """Several shares or means with their covariance.

    Attributes
    ----------
    value : float64[k]
        nan where there are no rows.
    covariance : float64[k, k]
        Covariance of the estimates.
    rows : float64[k]
        Rows behind each.
    blocks : float64[k]
        Blocks behind each.
    told : float64[k]
        Blocks that tell something about each: those in which what is averaged is not 0. By default `blocks`.
    size : float64[k]
        Root mean square of what is averaged in these blocks; by default 0.
    """

    value: Floats
    covariance: Floats
    rows: Floats
    blocks: Floats
    told: Floats = field(default_factory=lambda: np.array(np.inf))
    size: Floats = field(default_factory=lambda: np.array(0.0))

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        object.__setattr__(self, "told", np.minimum(self.told, self.blocks))
        object.__setattr__(self, "size", self.size + np.zeros(len(self.value)))

    def combined(self, matrix: NDArray[np.floating[Any]]) -> Means:
        """Return linear combinations, one for each row of a matrix float64[m, k].

        A combination of a missing value is nan. It has the rows and blocks of its scarcest term. The same holds for the
        blocks that tell something, but for terms that matter little: with one more block in which it is not 0, such a
        term still has less than NEGLIGIBLE of the variance. So a level that never has any of what others often have
        differs from them for certain.
        """
        missing = np.isnan(self.value)
        used = matrix != 0
        value: Floats = np.asarray(matrix @ np.where(missing, 0.0, self.value), dtype=np.float64)
        value[(used & missing).any(axis=1)] = np.nan
        covariance = matrix @ np.where(np.isnan(self.covariance), 0.0, self.covariance) @ matrix.T
        if np.isnan(self.covariance[~missing][:, ~missing]).any():
            covariance = np.full_like(covariance, np.nan)
        rows, blocks = (np.where(used, kind, np.inf).min(axis=1) for kind in (self.rows, self.blocks))
        size = np.where(used, self.size, 0.0).max(axis=1, initial=0.0)
        with np.errstate(invalid="ignore"):
            terms = matrix**2 * (np.diag(self.covariance) + (size[:, None] / np.maximum(self.rows, 1.0)) ** 2)
            matters = used & ~(terms < NEGLIGIBLE * terms.sum(axis=1, keepdims=True))
        told = np.where(matters, self.told, np.inf).min(axis=1)
        return Means(value, np.asarray(covariance, dtype=np.float64), rows, blocks, told, size)

    def picked(self, places: Sequence[int] | slice) -> Means:
        """Return the means at these places."""
        covariance = self.covariance[places][:, places]
        kinds = (self.rows, self.blocks, self.told, self.size)
        return Means(self.value[places], covariance, *(kind[places] for kind in kinds))

    @property
    def errors(self) -> Floats:
        """Return the standard errors, float64[k]."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def estimate(self, place: int, scale: float = 1.0, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of the means with Student's interval, the blocks as clusters.

        Parameters
        ----------
        scale
            Factor for value and interval, 100 for percentage points.
        """
        value, reach = float(self.value[place]), self.quantile(place, confidence) * float(self.errors[place])
        blocks = float(self.blocks[place])
        return _scaled(value, value - reach, value + reach, self.rows[place], blocks, scale)

    def share(self, place: int, quantile: float | None = None) -> Estimate:
        """Return a share with Wilson's interval on the effective number of independent games.

        Parameters
        ----------
        quantile
            Half width of the interval in standard errors, by default Student's for 95%.
        """
        value = float(self.value[place])
        effective, quantile = self.effective(place), quantile or self.quantile(place)
        if math.isnan(effective) or math.isnan(quantile):
            return _scaled(value, math.nan, math.nan, self.rows[place], math.nan, 1.0)
        return _scaled(value, *wilson(value, effective, quantile), self.rows[place], effective, 1.0)

    def effective(self, place: int) -> float:
        """Return the number of independent games with as much information about a share; nan with a single block."""
        value, variance = float(self.value[place]), float(self.covariance[place, place])
        if self.blocks[place] < 2 or math.isnan(variance) or math.isnan(value):
            return math.nan
        return effective_games(value, variance, float(self.rows[place]), float(self.blocks[place]))

    def quantile(self, place: int, confidence: float = CONFIDENCE) -> float:
        """Return Student's two-sided quantile for the blocks behind one of the means."""
        blocks = self.blocks[place]
        return float(stdtrit(blocks - 1, 0.5 + confidence / 2)) if blocks > 1 else math.nan

    def p_values(self) -> Floats:
        """Return the two-sided p of each mean being 0 by Student's t, float64[k]; nan where `known` has no interval."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(self.value) / self.errors
        p = 2 * stdtr(np.maximum(self.told - 1, 1), -t)
        return np.where(self.told < FEWEST_TOLD, np.nan, p)

    def known(self, place: int, scale: float = 1.0) -> Estimate:
        """Return one of the means with Student's interval, with degrees of freedom from the blocks that tell something.

        If fewer than FEWEST_TOLD do there is no interval. A mean of what is mostly 0 is skewed: its interval is
        reliable if the blocks are more than 25 times the square of the skewness (Cochran 1977, "Sampling Techniques",
        2.15), which for rare events means 25 blocks in which they occur.
        """
        found, told = self.estimate(place, scale), float(self.told[place])
        ends = (math.nan, math.nan)
        if told >= FEWEST_TOLD:
            reach = float(stdtrit(told - 1, 0.5 + CONFIDENCE / 2)) * scale * float(self.errors[place])
            ends = found.value - reach, found.value + reach
        return replace(found, low=ends[0], high=ends[1])

    def difference(self, first: int, second: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one share minus another, in percentage points, with an interval from the Wilson intervals of both.

        Shares of few games are not normal, so each end is computed from the ends of the two intervals that determine it
        (MOVER), with the correlation of the two shares. With fewer than FEWEST_BLOCKS blocks behind either share there
        is no interval.

        References
        ----------
        Zou and Donner 2008, "Construction of confidence limits about effect measures", Statistics in Medicine 27.
        """
        value = float(self.value[first] - self.value[second])
        blocks = min(self.blocks[first], self.blocks[second])
        rows, effective = min(self.rows[first], self.rows[second]), float(blocks)
        if math.isnan(value) or blocks < FEWEST_BLOCKS:
            return _scaled(value, math.nan, math.nan, rows, effective, 100)
        a, b = (self.share(place, self.quantile(place, confidence)) for place in (first, second))
        errors = self.errors[[first, second]]
        correlation = float(self.covariance[first, second] / errors.prod()) if errors.all() else 0.0
        down = joined(a.value - a.low, b.high - b.value, correlation)
        up = joined(a.high - a.value, b.value - b.low, correlation)
        return _scaled(value, value - down, value + up, rows, effective, 100)


def joined(first: float, second: float, correlation: float) -> float:
    """Return the distance of a difference's interval end from its value, given those of the two ends it is made of.

    It is nan if one of the two is.
    """
    square = first**2 + second**2 - 2 * correlation * first * second
    return 0.0 if square < 0 else math.sqrt(square)


def ratios(sums: Sums, top: Floats, bottom: Floats) -> Means:
    """Return ratios of linear combinations of block sums, with the variance of the ratio estimator.

    Parameters
    ----------
    top : float64[m, k]
        Weights of the k sums in each of m numerators.
    bottom : float64[m, k]
        Weights in each denominator.

    References
    ----------
    Cochran 1977, "Sampling Techniques", 6.3.
    """
    rows = bottom @ sums.total
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(rows > 0, (top @ sums.total) / rows, np.nan)
        slope = (top - np.nan_to_num(value)[:, None] * bottom) / rows[:, None]
    slope[rows <= 0] = 0.0
    covariance = slope @ sums.covariance @ slope.T
    blocks = np.minimum(np.minimum(np.abs(bottom) @ sums.present, float(sums.blocks)), np.maximum(rows, 0.0))
    told = np.abs(top) @ sums.present
    size = np.sqrt(((top @ sums.products) * top).sum(axis=1) / np.maximum(told, 1.0))
    return Means(value, _clean(covariance), rows, blocks, told, size)


def selector(places: Sequence[int], size: int) -> Floats:
    """Return a matrix that picks some of `size` sums, float64[len(places), size]."""
    matrix = np.zeros((len(places), size))
    matrix[np.arange(len(places)), list(places)] = 1.0
    return matrix


def wald(means: Means, blocks: int) -> JointTest:
    """Test that several means are 0, by Hotelling's T-squared statistic with the blocks as observations.

    Estimates that the others determine (the last of shares that add up to 1) take no degree of freedom. Estimates from
    fewer than FEWEST_BLOCKS blocks are left out.

    Parameters
    ----------
    blocks
        Number of all blocks, including those without a row of any level.
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
    """Return p-values adjusted by Holm's method, ignoring nan: at 5%, any wrong claim has at most 5% probability.

    statsmodels has it, too, but collects garbage at each call, which takes longer than everything else.

    Parameters
    ----------
    p : float64[tests, ...]
        Each column is a family by itself.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, axis=0)  # nan come last
    places = np.arange(len(values)).reshape(-1, *[1] * (values.ndim - 1))
    steps = np.take_along_axis(values, order, axis=0) * ((~np.isnan(values)).sum(axis=0) - places)
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, np.minimum(np.maximum.accumulate(steps), 1.0), axis=0)
    return adjusted


def benjamini_hochberg(p: Sequence[float] | Floats) -> Floats:
    """Return Benjamini and Hochberg's q-values, ignoring nan: about 5% of what is listed at 5% is chance."""
    from scipy.stats import false_discovery_control  # slower to load than `run` is to start

    values = np.asarray(p, dtype=np.float64)
    known = ~np.isnan(values)
    adjusted = np.full_like(values, np.nan)
    if known.any():
        adjusted[known] = false_discovery_control(values[known])
    return adjusted


def gap_band(covariance: Floats) -> float:
    """Return the gap between the best and the worst level that 95% of fair series stay below, in the levels' unit.

    It is nan for fewer than two levels, or if nothing varies.

    Parameters
    ----------
    covariance : float64[k, k]
        Covariance of the levels' estimates if all are fair.
    """
    if len(covariance) < 2 or np.isnan(covariance).any() or not covariance.any():
        return math.nan
    drawn = normal_draws(covariance, DRAWS)
    return float(np.quantile(drawn.max(axis=1) - drawn.min(axis=1), CONFIDENCE))


def simultaneous_quantiles(covariance: Floats, blocks: Floats) -> Floats:
    """Return half widths, in standard errors, with which all intervals hold together in 95% of series, float64[k].

    Each is Student's quantile at the two-sided probability that normal variables with this correlation require.

    Parameters
    ----------
    covariance : float64[k, k]
        Covariance of the estimates; those without variance do not count.
    blocks : float64[k]
        Blocks behind each.
    """
    errors = np.sqrt(np.diag(covariance))
    kept = np.flatnonzero(errors > 0)
    if len(kept) == 0:
        return np.full(len(covariance), math.nan)
    drawn = normal_draws(covariance[np.ix_(kept, kept)], DRAWS) / errors[kept]
    normal = float(np.quantile(np.abs(drawn).max(axis=1), CONFIDENCE))
    with np.errstate(invalid="ignore"):
        return np.asarray(stdtrit(np.where(blocks > 1, blocks - 1, np.nan), ndtr(normal)))


def _clean(covariance: Floats) -> Floats:
    """Return a symmetric covariance whose diagonal is at least 0."""
    covariance = (covariance + covariance.T) / 2
    np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
    return covariance


def _scaled(value: float, low: float, high: float, n: float, effective: float, scale: float) -> Estimate:
    return Estimate(value * scale, low * scale, high * scale, int(n) if math.isfinite(n) else 0, effective)


def scaled(estimate: Estimate, scale: float) -> Estimate:
    """Return an estimate multiplied by a factor, such as 100 for percentage points."""
    return _scaled(estimate.value, estimate.low, estimate.high, estimate.n, estimate.effective, scale)


def columns(name: str, estimate: Estimate) -> dict[str, float]:
    """Return an estimate as three columns of a frame: value, low end and high end."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def table(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame, with null for nan."""
    return pl.DataFrame(list(rows), infer_schema_length=None).fill_nan(None)
