"""Estimates of several runs on the same deals, with the influence of each block, so that the runs can be compared.

An estimate is a ratio of sums over blocks (a share, a mean). Its influence values say how far each block moves it. They
sum to 0, and their spread gives the standard error (linearisation, as in `blocks`). Two runs on the same deals have
influence values for the same blocks. The block-by-block differences of these values give the standard error of the
difference, in which luck that affects both runs equally cancels (common random numbers; Law 2015, "Simulation Modeling
and Analysis", 11.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.fair import Sides
from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, levels_of, parts
from rogsim.stats.estimates import CONFIDENCE, Estimate, student

NOTHING = 1e-9  # a sum this much smaller than its terms is 0


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
    """Estimates of one estimand in one run with one player count, one for each level; or a combination of several runs.

    Attributes
    ----------
    levels
        Names of the levels, "" for a column of games; of seats as `rogsim.game.fair.Sides` has them.
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
    games
        Number of games; by default one for each deal.
    held : int64[k]
        Number of blocks with rows of each; by default those with a weight.
    least : float64[k]
        Standard error to add to each: of a combination, that of one more block that differs by 1.
    fair : float64[k]
        The win share that would be fair for each; nan if nothing says it, or if it is no win share.
    """

    levels: tuple[str, ...]
    value: Floats
    n: Ints
    deals: Ints
    influence: Floats
    weights: Floats | None = None
    games: int = 0
    held: Ints = field(default_factory=lambda: np.array(np.iinfo(np.int64).max))
    least: Floats = field(default_factory=lambda: np.array(0.0))
    fair: Floats = field(default_factory=lambda: np.array(np.nan))

    def __post_init__(self) -> None:
        """Fill in what is not given."""
        most = np.minimum(self.n, len(self.deals)) if self.weights is None else np.count_nonzero(self.weights, axis=0)
        object.__setattr__(self, "games", self.games or len(self.deals))
        object.__setattr__(self, "held", np.minimum(self.held, most))
        for name in ("least", "fair"):
            object.__setattr__(self, name, getattr(self, name) + np.zeros(len(self.levels)))

    def picked(self, places: Sequence[int]) -> Estimates:
        """Return the estimates of the levels at these places."""
        kept = list(places)
        each = {name: getattr(self, name)[kept] for name in ("value", "n", "held", "least", "fair")}
        weights = None if self.weights is None else self.weights[:, kept]
        levels = tuple(self.levels[place] for place in kept)
        return replace(self, levels=levels, influence=self.influence[:, kept], weights=weights, **each)

    @cached_property
    def covariance(self) -> Floats:
        """Return the covariance of the estimates, float64[k, k]."""
        return covariance(self.influence, self.influence)

    @property
    def spread(self) -> Floats:
        """Return the covariance of the estimates with what `least` adds, float64[k, k]."""
        return np.asarray(self.covariance + np.diag(self.least**2))

    @cached_property
    def errors(self) -> Floats:
        """Return the standard errors with what `least` adds, float64[k]."""
        return np.sqrt(np.diag(self.spread))

    @property
    def told(self) -> Ints:
        """Return in how many blocks the sum of each is not 0, int64[k]."""
        sums = self.influence + self.value * (1.0 if self.weights is None else self.weights)
        return np.count_nonzero(np.abs(sums) > 1e-9, axis=0)

    @property
    def is_nothing(self) -> bool:
        """Return whether a difference is 0 in every block."""
        return not self.value.any() and not self.influence.any()

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one of the estimates with its interval, in its own unit."""
        error = float(self.errors[place])
        return interval(float(self.value[place]), error, len(self.deals), int(self.n[place]), confidence)


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
    rows, sides = results.seats().filter(pl.col("players") == players), results.sides(players)
    factors = list(
        dict.fromkeys(estimand.factor for estimand in estimands if estimand.factor and estimand.factor != "seat")
    )
    sets = {estimand.factor: [name for name, _ in estimand.members] for estimand in estimands if estimand.members}
    named = levels_of(rows, [factor for factor in factors if factor not in sets])
    levels: dict[str, list[Any]] = {**named, **sets, "seat": list(range(1, sides.count + 1)), "": [""]}
    seats = dict.fromkeys(
        ["points", "win_share", *factors, *(estimand.value for estimand in estimands if estimand.factor)]
    )
    games = dict.fromkeys(estimand.value for estimand in estimands if not estimand.factor)
    numbers: list[Ints] = []
    played = 0
    sums: list[list[Floats]] = [[] for _ in estimands]
    for part in parts(results, players, list(seats), list(games), computed):
        played += part.games.height
        numbers.append(part.games["block"].to_numpy()[part.starts].astype(np.int64))
        for place, estimand in enumerate(estimands):
            sums[place].append(_sums(part, estimand, levels[estimand.factor]))
    deals = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
    return [
        _estimates(estimand, levels[estimand.factor], sides, deals, np.concatenate(found, axis=1), played)
        for estimand, found in zip(estimands, sums, strict=True)
        if found
    ]


def combine(runs: Sequence[Estimates], weights: Sequence[float] | Floats) -> Estimates:
    """Return a weighted sum of several runs with the same levels, on the same deals; weights of 0 are ignored.

    A level is in as many blocks as in the run that has it in the fewest.
    """
    used = [(run, float(weight)) for run, weight in zip(runs, weights, strict=True) if weight]
    value, influence = np.zeros_like(runs[0].value), np.zeros_like(runs[0].influence)
    for run, weight in used:
        value += weight * run.value
        influence += weight * run.influence
    size = sum(abs(weight) * np.abs(run.value) for run, weight in used)
    reach = sum(abs(weight) * np.abs(run.influence).max(axis=0, initial=0.0) for run, weight in used)
    value[np.abs(value) < NOTHING * size] = 0.0
    influence[np.abs(influence) < NOTHING * reach] = 0.0
    n, held = np.sum([run.n for run, _ in used], axis=0), np.min([run.held for run, _ in used], axis=0)
    part = max(sum(max(sign * weight, 0.0) for _, weight in used) for sign in (1, -1))  # that one game can move by
    least, games = part / np.where(held > 0, held, np.nan), sum(run.games for run, _ in used)
    return Estimates(runs[0].levels, value, n, runs[0].deals, influence, games=games, held=held, least=least)


def difference(base: Estimates, other: Estimates) -> Estimates:
    """Return the estimates of `other` minus those of `base`, with the same levels, on the same deals."""
    return combine([base, other], [-1.0, 1.0])


def by_block(first: Estimates, second: Estimates) -> Floats:
    """Return what each block adds to the differences if both runs have the same shares or means, float64[blocks, k].

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


def narrowed(run: Estimates, deals: Ints) -> Estimates:
    """Return the estimates from some of the deals only, computed from influence values: a very good approximation."""
    if len(deals) == len(run.deals):
        return run
    places = np.searchsorted(run.deals, deals)
    influence = run.influence[places]
    shift = influence.mean(axis=0) if len(deals) else np.full(len(run.levels), np.nan)
    n, games = (np.round(each * len(deals) / max(1, len(run.deals))).astype(np.int64) for each in (run.n, run.games))
    weights = None if run.weights is None else run.weights[places]
    value, influence = run.value + shift, influence - shift
    return replace(run, value=value, n=n, deals=deals, influence=influence, weights=weights, games=int(games))


def on_same_deals(runs: Sequence[Estimates]) -> list[Estimates]:
    """Return the estimates of several runs from the deals that all of them played."""
    deals = reduce(partial(np.intersect1d, assume_unique=True), [run.deals for run in runs])
    return [narrowed(run, deals) for run in runs]


def with_common_levels(runs: Sequence[Estimates]) -> list[Estimates]:
    """Return the estimates of the levels that occur in all runs, in the order of the first."""
    levels = [level for level in runs[0].levels if all(level in run.levels for run in runs)]
    return [run.picked([run.levels.index(level) for level in levels]) for run in runs]


def side_by_side(runs: Sequence[Estimates]) -> Estimates:
    """Return all estimates of several runs as those of one, on the deals of all; their covariances stay as they are."""
    deals = np.unique(np.concatenate([run.deals for run in runs]))
    value, n, held, least = (
        np.concatenate([getattr(run, name) for run in runs]) for name in ("value", "n", "held", "least")
    )
    influence = []
    for run in runs:
        column = np.zeros((len(deals), len(run.levels)))
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.sqrt(np.float64(len(deals) * (len(deals) - 1)) / (len(run.deals) * (len(run.deals) - 1)))
        column[np.searchsorted(deals, run.deals)] = scale * run.influence
        influence.append(column)
    levels = tuple(level for run in runs for level in run.levels)
    games = min(run.games for run in runs)
    return Estimates(levels, value, n, deals, np.concatenate(influence, axis=1), games=games, held=held, least=least)


def over_seats(runs: Sequence[Estimates], names: Sequence[str]) -> Estimates:
    """Return the means over all seats of several estimates by seat, as levels called `names`."""
    value = np.array([run.value.mean() for run in runs])
    influence = np.stack([run.influence.mean(axis=1) for run in runs], axis=1)
    n = np.array([run.n.sum() for run in runs], dtype=np.int64)
    return Estimates(tuple(names), value, n, runs[0].deals, influence, games=runs[0].games)


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
    part = part.by_side() if estimand.factor == "seat" else part.evened()
    value = part.wins if estimand.value == "win_share" else part.of_seats(estimand.value)
    count, blocks = len(levels), len(part.starts)
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


def _estimates(
    estimand: Estimand, levels: Sequence[Any], sides: Sides, deals: Ints, sums: Floats, games: int
) -> Estimates:
    fair, names = np.array(np.nan), tuple(str(level) for level in levels)
    if estimand.factor == "seat":
        fair, names = np.array(sides.shares), sides.levels
    elif estimand.factor:
        fair = np.array(sides.fair)
    order = np.argsort(deals, kind="stable")
    top, bottom = sums[0][order], sums[1][order]
    rows = bottom.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(axis=0) / rows
        influence = (top - value * bottom) / (rows / len(deals))
        weights = None if (bottom == bottom[:1]).all() else bottom / (rows / len(deals))
    n = rows.astype(np.int64)
    return Estimates(names, value, n, deals[order], influence, weights, games, fair=fair)
