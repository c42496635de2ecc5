"""Estimates of several runs on the same deals, with the influence of each block, so that the runs can be compared.

An estimate is a ratio of sums over blocks (a share, a mean). Its influence values say how far each block moves it. They
sum to 0, and their spread gives the standard error (linearisation, as in `blocks`). Two runs on the same deals have
influence values for the same blocks. The block-by-block differences of these values give the standard error of the
difference, in which luck that affects both runs equally cancels (common random numbers; Law 2015, "Simulation Modeling
and Analysis", 11.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np
import polars as pl

from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, levels_of, parts
from rogsim.stats.estimates import CONFIDENCE, Estimate, student

ROUNDING = 1e-12  # a variance this much smaller than another one is 0


@dataclass(frozen=True)
class Estimand:
    """What to estimate: the mean of a column, for every level of a factor of seats, or over games.

    Attributes
    ----------
    value
        "win_share", "points" or another numeric column.
    factor
        "seat", "bot" or another column of seats with levels; "" for a column of games.
    whether
        Estimate how often the value is more than 0 instead of its mean.
    members
        If the factor is a set (`Column.members`): its members with their bits. A seat may have several of them.
    """

    value: str
    factor: str = ""
    whether: bool = False
    members: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Estimates:
    """Estimates of one estimand in one run with one player count, one estimate for each level.

    Attributes
    ----------
    levels
        Names of the levels, "" for a column of games.
    value : float64[k]
        nan where a level did not occur.
    n : int64[k]
        Number of rows of each.
    deals : int64[m]
        Deals, ascending.
    influence : float64[m, k]
        Influence values by deal.
    weights : float64[m, k]
        The rows of each block relative to those of the mean block; None if all are equal.
    """

    estimand: Estimand
    levels: tuple[str, ...]
    value: Floats
    n: Ints
    deals: Ints
    influence: Floats
    weights: Floats | None = None

    def picked(self, places: Sequence[int]) -> Estimates:
        """Return the estimates of the levels at these places."""
        kept = list(places)
        levels = tuple(self.levels[place] for place in kept)
        weights = None if self.weights is None else self.weights[:, kept]
        each = self.value[kept], self.n[kept]
        return replace(
            self, levels=levels, value=each[0], n=each[1], influence=self.influence[:, kept], weights=weights
        )

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the estimates, float64[k, k]."""
        return covariance(self.influence, self.influence)

    @property
    def told(self) -> Ints:
        """Return in how many blocks the sum of each is not 0, int64[k]."""
        sums = self.influence + self.value * (1.0 if self.weights is None else self.weights)
        return np.count_nonzero(np.abs(sums) > 1e-9, axis=0)

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of the estimates with its interval, in its own unit."""
        error = math.sqrt(float(self.covariance[place, place]))
        return interval(float(self.value[place]), error, len(self.deals), int(self.n[place]), confidence)


@dataclass(frozen=True)
class Difference:
    """The estimates of one run minus those of another, on the deals that both played.

    Attributes
    ----------
    value : float64[k]
    covariance : float64[k, k]
        Covariance of the differences, with the pairing.
    unpaired : float64[k]
        The standard errors that two runs on different deals would have.
    n : int64[k]
        Number of rows behind each.
    blocks
        Number of blocks common to both runs.
    by_block : float64[blocks, k]
        What each block contributes under the null hypothesis that both runs have the same shares or means, those of
        all rows together.
    held : int64[k]
        Number of blocks with rows of the level in both runs.
    """

    levels: tuple[str, ...]
    value: Floats
    covariance: Floats
    unpaired: Floats
    n: Ints
    blocks: int
    by_block: Floats
    held: Ints

    @property
    def saving(self) -> Floats:
        """Return how many times as many games two runs on different deals would need for this precision, float64[k].

        nan where every block differs by the same, but for rounding: no number of games would do.
        """
        paired, apart = np.diag(self.covariance), np.square(self.unpaired)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(paired > ROUNDING * apart, apart / paired, np.nan)


def measure(
    results: Results, players: int, estimands: Sequence[Estimand], computed: Mapping[str, pl.Expr] | None = None
) -> list[Estimates]:
    """Estimate several estimands in one pass over the rows of one player count.

    Parameters
    ----------
    computed
        How columns of seats are computed that the rows do not have.

    Returns
    -------
    list[Estimates]
        One entry for each estimand, in the same order; none at all without games. The levels of a factor are those that
        occurred.
    """
    rows = results.seats().filter(pl.col("players") == players)
    factors = list(
        dict.fromkeys(estimand.factor for estimand in estimands if estimand.factor and estimand.factor != "seat")
    )
    sets = {estimand.factor: [name for name, _ in estimand.members] for estimand in estimands if estimand.members}
    named = levels_of(rows, [factor for factor in factors if factor not in sets])
    levels: dict[str, list[Any]] = {**named, **sets, "seat": list(range(1, players + 1)), "": [""]}
    seats = dict.fromkeys(
        ["points", "win_share", *factors, *(estimand.value for estimand in estimands if estimand.factor)]
    )
    games = dict.fromkeys(estimand.value for estimand in estimands if not estimand.factor)
    numbers: list[Ints] = []
    sums: list[list[Floats]] = [[] for _ in estimands]
    for part in parts(results, players, list(seats), list(games), computed):
        numbers.append(part.games["block"].to_numpy()[part.starts].astype(np.int64))
        for place, estimand in enumerate(estimands):
            sums[place].append(_sums(part, estimand, levels[estimand.factor]))
    deals = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
    return [
        _estimates(estimand, [str(level) for level in levels[estimand.factor]], deals, np.concatenate(found, axis=1))
        for estimand, found in zip(estimands, sums, strict=True)
        if found
    ]


def compare(base: Estimates, other: Estimates) -> Difference:
    """Return the estimates of `other` minus those of `base`, on the deals that both played, for the common levels."""
    first, second = with_common_levels(on_same_deals([base, other]))
    a, b = first.influence, second.influence
    unpaired = np.sqrt(np.diag(covariance(a, a)) + np.diag(covariance(b, b)))
    value = second.value - first.value
    n, blocks = np.minimum(first.n, second.n), np.minimum(held(first), held(second))
    by_block = _by_block(first, second)
    return Difference(first.levels, value, covariance(b - a, b - a), unpaired, n, len(a), by_block, blocks)


def _by_block(first: Estimates, second: Estimates) -> Floats:
    """Return what each block contributes to the differences under the null hypothesis, float64[blocks, k].

    A block contributes its sum minus its rows times the share of both runs together. So swapping the two runs in a
    block flips the sign of its contribution and changes nothing else, as `contrasts.flip_test` requires.
    """
    rows = (first.n + second.n) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (first.value * first.n + second.value * second.n) / (2 * rows)
        before, after = (
            (run.influence + (run.value - shared) * (1.0 if run.weights is None else run.weights)) * (run.n / rows)
            for run in (first, second)
        )
    return np.asarray(after - before, dtype=np.float64)


def held(run: Estimates) -> Ints:
    """Return how many blocks have rows of each level, int64[k]."""
    if run.weights is None:
        return np.minimum(run.n, len(run.deals))
    return np.count_nonzero(run.weights, axis=0)


def narrowed(run: Estimates, deals: Ints) -> Estimates:
    """Return the estimates from some of the deals only, computed from influence values: a very good approximation."""
    if len(deals) == len(run.deals):
        return run
    places = np.searchsorted(run.deals, deals)
    influence = run.influence[places]
    shift = influence.mean(axis=0) if len(deals) else np.full(len(run.levels), np.nan)
    n = np.round(run.n * len(deals) / max(1, len(run.deals))).astype(np.int64)
    weights = None if run.weights is None else run.weights[places]
    return replace(run, value=run.value + shift, n=n, deals=deals, influence=influence - shift, weights=weights)


def on_same_deals(runs: Sequence[Estimates]) -> list[Estimates]:
    """Return the estimates of several runs from the deals that all of them played."""
    deals = reduce(partial(np.intersect1d, assume_unique=True), [run.deals for run in runs])
    return [narrowed(run, deals) for run in runs]


def with_common_levels(runs: Sequence[Estimates]) -> list[Estimates]:
    """Return the estimates of the levels that occur in all runs, in the order of the first."""
    levels = [level for level in runs[0].levels if all(level in run.levels for run in runs)]
    return [run.picked([run.levels.index(level) for level in levels]) for run in runs]


def over_seats(runs: Sequence[Estimates], names: Sequence[str]) -> Estimates:
    """Return the means over all seats of several estimates by seat, as levels called `names` of one estimand."""
    value = np.array([run.value.mean() for run in runs])
    influence = np.stack([run.influence.mean(axis=1) for run in runs], axis=1)
    n = np.array([run.n.sum() for run in runs], dtype=np.int64)
    return Estimates(runs[0].estimand, tuple(names), value, n, runs[0].deals, influence)


def covariance(first: Floats, second: Floats) -> Floats:
    """Return the covariance of two sets of estimates from influence values on the same deals.

    Parameters
    ----------
    first, second
        float64[blocks, k] and float64[blocks, m], influence values for the same blocks.

    Returns
    -------
    float64[k, m]
        nan with a single block.
    """
    blocks = len(first)
    return (
        first.T @ second / (blocks * (blocks - 1)) if blocks > 1 else np.full((first.shape[1], second.shape[1]), np.nan)
    )


def interval(value: float, error: float, blocks: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return an estimate with Student's interval, for a mean over blocks; no interval with a single block.

    Parameters
    ----------
    error
        Standard error of the estimate.
    blocks
        Number of blocks behind it.
    n
        Number of rows behind it.
    """
    reach = student(blocks, confidence) * error
    return Estimate(value, value - reach, value + reach, n, float(n))


def _sums(part: BlockRows, estimand: Estimand, levels: Sequence[Any]) -> Floats:
    """Return sums by block and level: of the value, and of rows. float64[2, blocks, levels]."""
    if not estimand.factor:
        value = part.of_games(estimand.value)
        ones = np.ones(len(value))
        return np.stack([part.by_block(value), part.by_block(ones)])[:, :, None]
    value, count, blocks = part.of_seats(estimand.value), len(levels), len(part.starts)
    if estimand.whether:
        value = (value > 0).astype(np.float64)
    if estimand.members:
        places = [bit for _, bit in estimand.members]
        has = part.members(estimand.factor, max(places) + 1)[:, :, places]
        return np.stack([part.by_block((each * has).sum(axis=1)) for each in (value[:, :, None], 1.0)])
    code = part.codes(estimand.factor, levels)
    cell = (part.block[:, None] * (count + 1) + np.where(code < 0, count, code)).ravel()
    size = blocks * (count + 1)
    found = [np.bincount(cell, weight, size) for weight in (value.ravel(), np.ones(cell.size))]
    return np.stack([sums.reshape(blocks, count + 1)[:, :count] for sums in found])


def _estimates(estimand: Estimand, levels: Sequence[str], deals: Ints, sums: Floats) -> Estimates:
    order = np.argsort(deals, kind="stable")
    top, bottom = sums[0][order], sums[1][order]
    rows = bottom.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(axis=0) / rows
        influence = (top - value * bottom) / (rows / len(deals))
        weights = None if (bottom == bottom[:1]).all() else bottom / (rows / len(deals))
    return Estimates(estimand, tuple(levels), value, rows.astype(np.int64), deals[order], influence, weights)
