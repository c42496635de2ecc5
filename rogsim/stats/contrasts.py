"""Ratios of block sums with their covariance, and tests of them.

Tests of many levels have two steps: one joint test of all levels, then each level separately with p-values adjusted for
their number.

A level in few blocks has few wins to estimate a spread from, and a level that always wins has no spread at all. So
tests of shares do not use the observed spread of the level. They use the spread that its wins have if results fall on
the seats of a block at random, which is known exactly from all blocks (score tests; for a single table of counts this
is Pearson's test).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.stats.blocks import BlockRows, Floats, Ints, Sums, stretches, sums_of_blocks
from rogsim.stats.estimates import CONFIDENCE, FEWEST_TOLD, Estimate, effective_games, student, wilson
from rogsim.stats.special_functions import betainc, chdtrc, fdtrc, stdtr

FEWEST_BLOCKS = 30  # a level in fewer blocks gets no test: its variance is not known well enough
NEGLIGIBLE = 0.1  # share of the variance of a difference: a term with less need not be known well
ALONE = 1e-9  # an eigenvalue this small relative to the largest is 0: the estimates determine each other
EQUIVALENCE = 0.90  # confidence of the interval that lies within the margin if both one-sided tests at 5% reject
LEAST_ROWS = 30  # a level with fewer gets no test
LEAST_BLOCKS = 10  # likewise, where a block holds several games
LEAST_IN_CELL = 5  # rows of a cell that takes part in a test of many cells
AT_ONCE = 4_000_000  # numbers held at once: limits memory
FLIPS = 9_999  # random sign flips; with the observed signs they make 10,000
MOST_FLIPPED = 300  # blocks that differ; with more of them the statistic follows its chi-squared distribution
ALL_FLIPS = 13  # blocks that differ; with at most this many all sign flips are enumerated
PINELIS = 2 * math.e**3 / 9  # see `flip_test`
SEED = 20_240_229  # any fixed number: the same draws each time

Rows = Callable[[int, int], Floats]


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

    def minus_rest(self) -> Means:
        """Return the first half of the means minus the second half."""
        half = len(self.value) // 2
        return self.combined(np.hstack([np.eye(half), -np.eye(half)]))

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
        return student(float(self.blocks[place]), confidence)

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
        reach = student(told) * scale * float(self.errors[place]) if told >= FEWEST_TOLD else math.nan
        return replace(found, low=found.value - reach, high=found.value + reach)

    def difference(self, first: int, second: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one share minus another, in percentage points, with an interval from the Wilson intervals of both.

        Shares of few games are not normal, so it follows from those intervals and the correlation of the two shares
        (`difference_of`). With fewer than FEWEST_BLOCKS blocks behind either share there is no interval.
        """
        blocks = float(min(self.blocks[first], self.blocks[second]))
        a, b = (self.share(place, self.quantile(place, confidence)) for place in (first, second))
        errors = self.errors[[first, second]]
        correlation = float(self.covariance[first, second] / errors.prod()) if errors.all() else 0.0
        found = replace(scaled(difference_of(a, b, correlation), 100), effective=blocks)
        return replace(found, low=math.nan, high=math.nan) if blocks < FEWEST_BLOCKS else found


def difference_of(first: Estimate, second: Estimate, correlation: float = 0.0) -> Estimate:
    """Return one estimate minus another, with an interval from the intervals of both; nan ends if one has none.

    Each end is computed from the ends of the two intervals that determine it (MOVER), so these need not be symmetric.

    References
    ----------
    Zou and Donner 2008, "Construction of confidence limits about effect measures", Statistics in Medicine 27.
    """

    def reach(one: float, other: float) -> float:
        square = one**2 + other**2 - 2 * correlation * one * other
        return 0.0 if square < 0 else math.sqrt(square)

    value = first.value - second.value
    low = value - reach(first.value - first.low, second.high - second.value)
    high = value + reach(first.high - first.value, second.value - second.low)
    return Estimate(value, low, high, min(first.n, second.n), min(first.effective, second.effective))


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
    covariance = (covariance + covariance.T) / 2
    np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
    blocks = np.minimum(np.minimum(np.abs(bottom) @ sums.present, float(sums.blocks)), np.maximum(rows, 0.0))
    told = np.abs(top) @ sums.present
    size = np.sqrt(((top @ sums.products) * top).sum(axis=1) / np.maximum(told, 1.0))
    return Means(value, covariance, rows, blocks, told, size)


def selector(places: Sequence[int], size: int) -> Floats:
    """Return a matrix that picks some of `size` sums, float64[len(places), size]."""
    matrix = np.zeros((len(places), size))
    matrix[np.arange(len(places)), list(places)] = 1.0
    return matrix


def per_game(sums: Sums) -> Means:
    """Return the means over games of all sums but the first, which is their number."""
    size = len(sums.total)
    return ratios(sums, selector(range(1, size), size), selector([0] * (size - 1), size))


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
    squares, df = _distance(means.value[kept] / errors, means.covariance[np.ix_(kept, kept)] / np.outer(errors, errors))
    if blocks < FEWEST_BLOCKS + 2 * df:
        return JointTest(math.nan, df, blocks, math.nan)
    statistic = squares * (blocks - df) / (df * (blocks - 1))
    return JointTest(statistic, df, blocks, float(fdtrc(df, blocks - df, statistic)))


class Exchanged:
    """The covariance of sums over rows if, in each block, whole seats exchange their results at random.

    A seat keeps its luck over the games of a block, so what is exchanged is the whole column of its results. The seats
    of a team, which win together, are exchanged together.

    Attributes
    ----------
    covariance : float64[size, size]
        Covariance of the sum over rows of x times the win share above fair, conditional on x.

    References
    ----------
    Hoeffding 1951, "A combinatorial central limit theorem", Annals of Mathematical Statistics 22.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.covariance = np.zeros((size, size))

    def add_codes(self, part: BlockRows, codes: Ints) -> None:
        """Add blocks; x indicates the level of a row.

        Parameters
        ----------
        codes : int64[games, players]
            The index of each row's level, negative for none.
        """
        levels = np.arange(self.size)
        self.add(part, lambda start, stop: np.asarray(codes[start:stop, :, None] == levels, dtype=np.float64))

    def add(self, part: BlockRows, rows: Rows) -> None:
        """Add blocks. rows: function of first and last game that returns their x, float64[games, players, size]."""
        for moves in exchanges(part, rows, self.size):
            self.covariance += moves.T @ moves


def exchanges(part: BlockRows, rows: Rows, size: int) -> Iterator[Floats]:
    """Yield matrices float64[n, size] whose cross products add up to the covariance that `Exchanged` describes.

    Parameters
    ----------
    rows
        Function as in `Exchanged.add`.
    size
        Number of columns of x.
    """
    sides = part.sides
    won = part.wins[:, sides.firsts] - sides.fair
    others = max(sides.count - 1, 1)
    single = len(part.starts) == part.games.height
    spread = np.sqrt((won**2).sum(axis=1) / others)
    width = size * part.players ** (1 if single else 2)
    both = None if sides.are_seats else sides.members
    for start, stop, sizes in stretches(part.sizes, max(1, AT_ONCE // width)):
        x = rows(start, stop)
        x = x if both is None else np.einsum("gpk,ps->gsk", x, both)
        x = x - x.mean(axis=1, keepdims=True)
        if single:
            yield (x * spread[start:stop, None, None]).reshape(-1, size)
        else:
            pairs = x[:, :, None, :] * won[start:stop, None, :, None]
            yield sums_of_blocks(pairs, sizes).reshape(-1, size) / math.sqrt(others)


def score_test(value: Floats, covariance: Floats, blocks: int, nuisance: Floats | None = None) -> JointTest:
    """Test that several sums or shares are 0, by their covariance under the null hypothesis (chi-squared score test).

    Values that the others determine take no degree of freedom.

    Parameters
    ----------
    value : float64[k]
    covariance : float64[k, k]
        Covariance under the null hypothesis.
    blocks
        Number of blocks behind the test.
    nuisance : float64[k, m]
        Columns whose combinations are not tested, such as main effects in a test of interaction.
    """
    errors = np.sqrt(np.diag(covariance))
    kept = np.flatnonzero((errors > 0) & ~np.isnan(value))
    if len(kept) == 0:
        nothing = len(value) > 1 and not np.isnan(value).any() and bool((np.abs(value) < ALONE).all())
        return JointTest(0.0, 0, blocks, 1.0) if nothing else JointTest(math.nan, 0, blocks, math.nan)
    z, spread = value[kept] / errors[kept], covariance[np.ix_(kept, kept)] / np.outer(errors[kept], errors[kept])
    if nuisance is not None:
        columns = nuisance[kept] / errors[kept, None]
        free = np.eye(len(kept)) - columns @ np.linalg.pinv(columns)  # removes all combinations of these columns
        z, spread = free @ z, free @ spread @ free
    squares, df = _distance(z, spread)
    return JointTest(squares / df if df else math.nan, df, blocks, float(chdtrc(df, squares)) if df else math.nan)


def _distance(z: Floats, spread: Floats) -> tuple[float, int]:
    """Return the squared length of z in units of its spread, and in how many directions it can vary freely."""
    sizes, axes = np.linalg.eigh(spread)
    free = sizes > ALONE * max(float(sizes[-1]), ALONE)
    return float(((axes[:, free].T @ z) ** 2 / sizes[free]).sum()), int(free.sum())


def flip_test(differences: Floats) -> JointTest:
    """Test that paired differences are 0, by the signs that their blocks could have had.

    Swapping the two sides of a block flips the sign of all its differences. If nothing differs, this changes neither
    the distribution of the data nor the uncentred second moments, which are the covariance under the null hypothesis.
    So p is the share of sign flips with a statistic at least as large: among all flips if there are few blocks, among
    10,000 if there are more. With more than MOST_FLIPPED blocks it is the chi-squared tail, multiplied by 2 e^3 / 9 if
    a level differs in few blocks; this is a bound for any number of blocks (Pinelis). With fewer than LEAST_BLOCKS
    blocks p is nan; blocks without any difference count only for this limit.

    Parameters
    ----------
    differences : float64[blocks, k]
        What each block adds to the sums of the levels; levels with nan are left out.

    References
    ----------
    Pinelis 1994, "Extremal probabilistic problems and Hotelling's T2 test under a symmetry condition", Annals of
    Statistics 22.
    """
    blocks = len(differences)
    differences = differences[:, ~np.isnan(differences).any(axis=0)]
    if blocks < LEAST_BLOCKS or not differences.size:
        return JointTest(math.nan, 0, blocks, math.nan)
    size = float(np.abs(differences).max(initial=0.0))
    moved = np.where(np.abs(differences) > ALONE * size, differences, 0.0)
    moved = moved[moved.any(axis=1)][:, moved.any(axis=0)]
    if not len(moved):
        return JointTest(0.0, 0, blocks, 1.0)
    moved = moved / np.sqrt((moved**2).sum(axis=0))
    sizes, axes = np.linalg.eigh(moved.T @ moved)
    free = sizes > ALONE * sizes[-1]
    moved_free = moved @ (axes[:, free] / np.sqrt(sizes[free]))
    df, squares = int(free.sum()), float((moved_free.sum(axis=0) ** 2).sum())
    tail = float(chdtrc(df, squares))
    if len(moved) <= MOST_FLIPPED:
        # Rounding must not separate flips that are as far out as the observed signs.
        flipped = np.ascontiguousarray(moved_free.T) @ _signs(len(moved))
        beyond = np.einsum("df,df->f", flipped, flipped) >= squares * (1 - ALONE)
        p = float(beyond.mean()) if len(moved) <= ALL_FLIPS else (1 + int(beyond.sum())) / (1 + FLIPS)
        p = min(p, PINELIS * tail)
    else:
        few = np.count_nonzero(moved, axis=0).min() < LEAST_ROWS
        p = min(1.0, PINELIS * tail) if few else tail
    return JointTest(squares / df, df, blocks, p)


@cache
def _signs(blocks: int) -> Floats:
    """Return sign flips, float64[blocks, flips]: for few blocks all that differ in the statistic, else random ones."""
    if blocks <= ALL_FLIPS:
        signs = np.array([(1.0, *rest) for rest in itertools.product((1.0, -1.0), repeat=blocks - 1)])
        return np.ascontiguousarray(signs.T, dtype=np.float64)
    if blocks < MOST_FLIPPED:
        return _signs(MOST_FLIPPED)[:blocks]
    heads = np.random.default_rng(SEED).integers(0, 2, (blocks, FLIPS))
    return np.asarray(2.0 * heads - 1.0, dtype=np.float64)


def share_p_values(z: Floats, share: Floats | float, games: Floats) -> Floats:
    """Return two-sided p-values of shares by the exact binomial distribution, float64[k].

    A p-value is twice the smaller tail, so it is never too small. With few games the number of wins is skewed, and a
    normal distribution would reject too often above the fair share.

    Parameters
    ----------
    z : float64[k]
        How many standard errors a share is above its value under the null hypothesis.
    share
        Share under the null hypothesis, 0 to 1.
    games : float64[k]
        How many independent games have that standard error; they need not be whole. Without any, p is nan.
    """
    z, share, games = np.broadcast_arrays(np.asarray(z, dtype=np.float64), share, games)
    games = np.where(games > 0, games, np.nan)
    wins = np.clip(games * share + z * np.sqrt(games * share * (1 - share)), 0.0, games)
    # Rounding must not separate a number of wins from the whole number that it equals.
    wins = np.where(np.abs(wins - np.round(wins)) < 1e-9 * (1 + games), np.round(wins), wins)
    with np.errstate(invalid="ignore"):
        above = np.where(wins > 0, betainc(np.maximum(wins, 1e-300), games - wins + 1, share), 1.0)
        left = np.maximum(games - wins, 1e-300)
        below = np.where(wins < games, betainc(left, wins + 1, 1 - share), 1.0)
    p = np.minimum(1.0, 2 * np.minimum(above, below))
    return np.where(np.isnan(z) | np.isnan(games), np.nan, p)


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
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)  # nan come last
    known = order[: (~np.isnan(values)).sum()]
    steps = values[known] * len(known) / np.arange(1, len(known) + 1)
    adjusted = np.full_like(values, np.nan)
    adjusted[known] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted


def _scaled(value: float, low: float, high: float, n: float, effective: float, scale: float) -> Estimate:
    return Estimate(value * scale, low * scale, high * scale, int(n) if math.isfinite(n) else 0, effective)


def with_q(rows: Sequence[dict[str, Any]], keep_p: bool = True) -> tuple[dict[str, Any], ...]:
    """Return rows that have a p with their q after it (`benjamini_hochberg`), or in its place."""
    q = benjamini_hochberg([row["p"] for row in rows]).tolist()
    kept = rows if keep_p else [{key: value for key, value in row.items() if key != "p"} for row in rows]
    return tuple(row | {"q": adjusted} for row, adjusted in zip(kept, q, strict=True))


def scaled(estimate: Estimate, scale: float) -> Estimate:
    """Return an estimate multiplied by a factor, such as 100 for percentage points."""
    return _scaled(estimate.value, estimate.low, estimate.high, estimate.n, estimate.effective, scale)


def columns(name: str, estimate: Estimate) -> dict[str, float]:
    """Return an estimate as three columns of a frame: value, low end and high end."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def table(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a frame, with null for nan."""
    return pl.DataFrame(list(rows), infer_schema_length=None).fill_nan(None)
