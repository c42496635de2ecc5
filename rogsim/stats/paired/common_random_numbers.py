"""Estimates of several runs on the same deals, with the effect of each block, so that the runs can be compared.

An estimate is a ratio of sums over blocks (a share, a mean). Its pulls say how far each block moves it; they sum to 0,
and their spread is its standard error (linearisation, as in `blocks`). Two runs on the same deals have pulls for the
same blocks. The block-by-block differences of the pulls give the standard error of the difference, in which luck that
affects both runs equally cancels (common random numbers; Law 2015, "Simulation Modeling and Analysis", 11.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy.special import stdtrit

from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, levels_of, parts
from rogsim.stats.estimates import CONFIDENCE, Estimate


@dataclass(frozen=True)
class Estimand:
    """What to estimate: the mean of a column, for every level of a factor of seats, or over games.

    value: "win_share", "points" or another column of numbers. factor: "seat", "bot", a column of seats with levels;
    "" for a column of games. whether: not the value itself, but whether it is more than 0.
    """

    value: str
    factor: str = ""
    whether: bool = False


@dataclass(frozen=True)
class Estimates:
    """Estimates of one run with one player count for one question, one estimate for each level.

    levels: their names, "" for a column of games. value: float64[k]; nan where a level did not occur. n: int64[k], rows
    of each. deals: int64[m], ascending. pulls: float64[m, k]. weights: float64[m, k], the rows of a block relative to
    those of the mean block; None if all are equal.
    """

    estimand: Estimand
    levels: tuple[str, ...]
    value: Floats
    n: Ints
    deals: Ints
    influence: Floats
    weights: Floats | None = None

    def places(self, deals: Ints) -> Ints:
        """Return the indices of some deals, all of which must exist: int64[m]."""
        return np.searchsorted(self.deals, deals)

    def picked(self, places: Sequence[int]) -> Estimates:
        """Return some of the levels."""
        kept = list(places)
        levels = tuple(self.levels[place] for place in kept)
        weights = None if self.weights is None else self.weights[:, kept]
        return Estimates(
            self.estimand, levels, self.value[kept], self.n[kept], self.deals, self.influence[:, kept], weights
        )

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the estimates, float64[k, k]."""
        return covariance(self.influence, self.influence)

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of the estimates with its interval."""
        error = math.sqrt(float(self.covariance[place, place]))
        return interval(float(self.value[place]), error, len(self.deals), int(self.n[place]), confidence)


@dataclass(frozen=True)
class Difference:
    """The estimates of one run minus those of another, on the deals that both played: float64[k].

    error: standard errors as paired. unpaired: those that two runs on different deals would have. n: rows behind each.
    blocks: common to both. by_block: float64[blocks, k], what each block adds to the differences if both runs have the
    same shares or means, those of all rows together. held: int64[k], blocks with rows of the level in both.
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
    def error(self) -> Floats:
        """Return the standard errors, float64[k]."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def saving(self) -> Floats:
        """Return how many times as many games two runs on different deals would need, float64[k]."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.square(self.unpaired) / np.diag(self.covariance)

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of the differences with its interval."""
        return interval(float(self.value[place]), float(self.error[place]), self.blocks, int(self.n[place]), confidence)


def measure(results: Results, players: int, estimand: Sequence[Estimand]) -> list[Estimates]:
    """Return the estimates for each question, in one pass over the rows of one player count.

    The levels of a factor are those that occurred, in their order; for a factor without any there are no estimates.
    """
    rows = results.seats().filter(pl.col("players") == players)
    factors = list(dict.fromkeys(one.factor for one in estimand if one.factor and one.factor != "seat"))
    levels: dict[str, list[Any]] = {**levels_of(rows, factors), "seat": list(range(1, players + 1)), "": [""]}
    seats = dict.fromkeys(["points", "win_share", *factors, *(one.value for one in estimand if one.factor)])
    games = dict.fromkeys(one.value for one in estimand if not one.factor)
    numbers: list[Ints] = []
    sums: list[list[Floats]] = [[] for _ in estimand]
    for part in parts(results, players, list(seats), list(games)):
        numbers.append(part.games["block"].to_numpy()[part.starts].astype(np.int64))
        for place, one in enumerate(estimand):
            sums[place].append(_sums(part, one, levels[one.factor]))
    deals = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
    return [
        _estimates(one, [str(level) for level in levels[one.factor]], deals, np.concatenate(found, axis=1))
        for one, found in zip(estimand, sums, strict=True)
        if found
    ]


def compare(base: Estimates, other: Estimates) -> Difference:
    """Return how much higher the other run's estimates are, on the same deals, for the levels that both runs have."""
    deals = np.intersect1d(base.deals, other.deals, assume_unique=True)
    levels = [level for level in base.levels if level in other.levels]
    ours, theirs = ([run.levels.index(level) for level in levels] for run in (base, other))
    first, second = narrowed(base, deals).picked(ours), narrowed(other, deals).picked(theirs)
    a, b = first.influence, second.influence
    unpaired = np.sqrt(np.diag(covariance(a, a)) + np.diag(covariance(b, b)))
    value = second.value - first.value
    n, held = np.minimum(first.n, second.n), np.minimum(_held(first), _held(second))
    by_block = _by_block(first, second)
    return Difference(tuple(levels), value, covariance(b - a, b - a), unpaired, n, len(deals), by_block, held)


def _by_block(first: Estimates, second: Estimates) -> Floats:
    """Return what each block adds to the differences if both runs have the same shares or means.

    A block contributes its sum minus its rows times the share of both runs together. So swapping the two runs in a
    block flips the sign of its contribution, and changes nothing else.
    """
    rows = (first.n + second.n) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = (first.value * first.n + second.value * second.n) / (2 * rows)
        one, other = (
            (run.influence + (run.value - shared) * (1.0 if run.weights is None else run.weights)) * (run.n / rows)
            for run in (first, second)
        )
    return np.asarray(other - one, dtype=np.float64)


def _held(run: Estimates) -> Ints:
    """Return how many blocks have rows of each level, int64[k]."""
    if run.weights is None:
        return np.minimum(run.n, len(run.deals))
    return np.count_nonzero(run.weights, axis=0)


def narrowed(run: Estimates, deals: Ints) -> Estimates:
    """Return the estimates from some of the deals only; to a very good approximation, by their pulls."""
    if len(deals) == len(run.deals):
        return run
    places = run.places(deals)
    influence = run.influence[places]
    shift = influence.mean(axis=0) if len(deals) else np.full(len(run.levels), np.nan)
    n = np.round(run.n * len(deals) / max(1, len(run.deals))).astype(np.int64)
    weights = None if run.weights is None else run.weights[places]
    return Estimates(run.estimand, run.levels, run.value + shift, n, deals, influence - shift, weights)


def over_seats(runs: Sequence[Estimates], names: Sequence[str]) -> Estimates:
    """Return the means over all seats of estimates by seat, one for each name, as levels of one question."""
    value = np.array([run.value.mean() for run in runs])
    influence = np.stack([run.influence.mean(axis=1) for run in runs], axis=1)
    n = np.array([run.n.sum() for run in runs], dtype=np.int64)
    return Estimates(runs[0].estimand, tuple(names), value, n, runs[0].deals, influence)


def covariance(first: Floats, second: Floats) -> Floats:
    """Return the covariance of two sets of estimates from their pulls on the same deals: float64[k, k]."""
    blocks = len(first)
    return (
        first.T @ second / (blocks * (blocks - 1)) if blocks > 1 else np.full((first.shape[1], second.shape[1]), np.nan)
    )


def interval(value: float, error: float, blocks: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return an estimate with its interval by Student's t, for a mean over blocks."""
    reach = float(stdtrit(blocks - 1, (1 + confidence) / 2)) * error if blocks > 1 else math.nan
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
    code = part.codes(estimand.factor, levels)
    cell = (part.block[:, None] * (count + 1) + np.where(code < 0, count, code)).ravel()
    size = blocks * (count + 1)
    found = [np.bincount(cell, weight, size) for weight in (value.ravel(), np.ones(cell.size))]
    return np.stack([one.reshape(blocks, count + 1)[:, :count] for one in found])


def _estimates(estimand: Estimand, levels: Sequence[str], deals: Ints, sums: Floats) -> Estimates:
    order = np.argsort(deals, kind="stable")
    top, bottom = sums[0][order], sums[1][order]
    rows = bottom.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(axis=0) / rows
        influence = (top - value * bottom) / (rows / len(deals))
        weights = None if (bottom == bottom[:1]).all() else bottom / (rows / len(deals))
    return Estimates(estimand, tuple(levels), value, rows.astype(np.int64), deals[order], influence, weights)
