"""Levels of a factor of seats (the seat itself, the bot, what a seat was dealt): who wins more than a fair share.

Fair is 1 / players for every level, in each game where it occurs: a seat whose level has no effect wins as often as any
other. Levels that are not dealt at random also reflect who chose them; see `regression` for a comparison with
everything else equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, Sums, levels_of, parts
from rogsim.stats.contrasts import (
    EQUIVALENCE,
    JointTest,
    Means,
    columns,
    gap_band,
    holm,
    ratios,
    scaled,
    selector,
    simultaneous_quantiles,
    table,
)
from rogsim.stats.estimates import Estimate
from rogsim.stats.null import LEAST_BLOCKS, LEAST_ROWS, Exchanged, score_test, share_p_values


@dataclass(frozen=True)
class Level:
    """One level of a factor.

    Attributes
    ----------
    n
        Number of rows.
    share
        Win share, 0 to 1.
    effect
        Win share minus fair, in percentage points.
    effect90
        The same with a 90% interval, for the test of equivalence.
    simultaneous
        The same with an interval that holds together with those of all other levels in 95% of series.
    points
        Mean points.
    ahead
        Points minus the mean of the other seats of the game.
    p
        p-value of being fair.
    p_holm
        p-value adjusted for the number of levels.
    """

    level: str
    n: int
    share: Estimate
    effect: Estimate
    effect90: Estimate
    simultaneous: Estimate
    points: Estimate
    ahead: Estimate
    p: float
    p_holm: float


@dataclass(frozen=True)
class Levels:
    """All levels of a factor with one number of players.

    Attributes
    ----------
    overall
        The test that all levels are fair.
    gap
        Difference between the best and the worst level, in pp.
    band
        The gap that 95% of fair series stay below, in pp.
    covariance : float64[levels, levels]
        Covariance of the effects, in pp squared.
    level_blocks
        Number of blocks that contain each level.
    plain
        Unadjusted shares, if the shares are adjusted for the luck of the deal (`control_variates`), else empty.
    saving
        How many times as many games the same precision would need without the adjustment.
    """

    players: int
    factor: str
    games: int
    blocks: int
    overall: JointTest
    levels: tuple[Level, ...]
    gap: float
    band: float
    covariance: Floats | None = field(default=None, compare=False, repr=False)
    level_blocks: tuple[float, ...] = ()
    plain: tuple[Estimate, ...] = ()
    saving: float = 1.0

    def frame(self) -> pl.DataFrame:
        """Return one row for each level; effects and simultaneous intervals are in percentage points."""
        return table(
            {"level": level.level, "n": level.n}
            | columns("share", level.share)
            | (columns("plain", self.plain[place]) if self.plain else {})
            | columns("effect", level.effect)
            | {"simultaneous_low": level.simultaneous.low, "simultaneous_high": level.simultaneous.high}
            | {"p": level.p, "p_holm": level.p_holm}
            | columns("points", level.points)
            | columns("ahead", level.ahead)
            for place, level in enumerate(self.levels)
        )

    def beside(self, plain: Levels) -> Levels:
        """Return these adjusted levels with the unadjusted shares beside them; gap and band are the unadjusted ones."""
        spreads = [
            np.nan if levels.covariance is None else float(np.trace(levels.covariance)) for levels in (plain, self)
        ]
        saving = spreads[0] / spreads[1] if spreads[1] > 0 else 1.0
        shares = tuple(level.share for level in plain.levels)
        return replace(self, plain=shares, saving=saving, gap=plain.gap, band=plain.band)


class LevelSums:
    """Accumulates what `Levels` needs: rows, wins, points and points ahead, by block and level."""

    VALUES = 4

    def __init__(self, factor: str, levels: Sequence[Any]) -> None:
        self.factor, self.names = factor, list(levels)
        self.sums = Sums(self.VALUES * len(levels))
        self.null = Exchanged(len(levels))
        self.games = 0

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        codes = part.codes(self.factor, self.names)
        self.sums.add_levels(part, codes, (part.wins, part.points, part.ahead))
        self.null.add_codes(part, codes)
        self.games += part.games.height

    def result(self, players: int) -> Levels:
        """Return the levels, with the intervals and tests of all blocks so far."""
        names = [str(name) for name in self.names]
        return _levels(players, self.factor, names, self.games, self.sums, self.null.covariance)


def seats_of(results: Results, players: int) -> Levels:
    """Return the seats as levels, from all games with one number of players."""
    return levels_in(results, players, "seat")


def levels_in(results: Results, players: int, factor: str) -> Levels:
    """Return the levels of a column of seats, from all games with one number of players."""
    rows = results.seats().filter(pl.col("players") == players)
    names = range(1, players + 1) if factor == "seat" else levels_of(rows, [factor])[factor]
    sums = LevelSums(factor, names)
    for part in parts(results, players, ["points", "win_share", *([factor] if factor != "seat" else [])], []):
        sums.add(part)
    return sums.result(players)


def _levels(players: int, factor: str, names: Sequence[str], games: int, sums: Sums, null: Floats) -> Levels:
    count, fair = len(names), 1 / players
    pick = [selector(range(value * count, (value + 1) * count), len(sums.total)) for value in range(LevelSums.VALUES)]
    rows, wins, points, ahead = pick
    shares, scored, lead = (ratios(sums, top, rows) for top in (wins, points, ahead))
    at_random = Fair((wins - fair * rows) @ sums.total, null, shares, fair)
    wide = simultaneous_quantiles(at_random.covariance, shares.blocks)
    p = at_random.p_values()
    p_holm = holm(p)
    levels = tuple(
        Level(
            level=name,
            n=int(shares.rows[place]),
            share=shares.share(place),
            effect=scaled(shares.share(place).minus(fair), 100),
            effect90=scaled(_cautious(shares, place).minus(fair), 100),
            simultaneous=scaled(shares.share(place, float(wide[place])).minus(fair), 100),
            points=scored.known(place),
            ahead=lead.known(place),
            p=float(p[place]),
            p_holm=float(p_holm[place]),
        )
        for place, name in enumerate(names)
    )
    return Levels(
        players,
        factor,
        games,
        sums.blocks,
        at_random.test(sums.blocks),
        levels,
        at_random.gap(),
        at_random.band(),
        100**2 * shares.covariance,
        tuple(map(float, shares.blocks)),
    )


@dataclass(frozen=True)
class Fair:
    """Wins of the levels above the fair share, and their covariance if results fall on the seats at random.

    Attributes
    ----------
    excess : float64[k]
        Wins above fair.
    null : float64[k, k]
        Covariance of `excess` under the null hypothesis.
    shares
        Win shares of the levels.
    fair
        Win share of a fair level, 0 to 1.
    """

    excess: Floats
    null: Floats
    shares: Means
    fair: float

    @property
    def covariance(self) -> Floats:
        """Return the covariance of the shares under the null hypothesis, float64[k, k]."""
        rows = np.maximum(self.shares.rows, 1.0)
        return self.null / np.outer(rows, rows)

    @property
    def kept(self) -> Ints:
        """Return the indices of the levels that have enough rows and blocks for a test."""
        return np.flatnonzero((self.shares.rows >= LEAST_ROWS) & (self.shares.blocks >= LEAST_BLOCKS))

    def test(self, blocks: int) -> JointTest:
        """Test that all levels are fair."""
        kept = self.kept
        return score_test(self.excess[kept], self.null[np.ix_(kept, kept)], blocks)

    def p_values(self) -> Floats:
        """Return the two-sided p of each level being fair, float64[k]; nan where there are too few rows or blocks."""
        variance, kept = np.diag(self.null), self.kept
        p = np.full(len(variance), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            games = self.fair * (1 - self.fair) * self.shares.rows**2 / variance
            p[kept] = share_p_values(self.excess / np.sqrt(variance), self.fair, games)[kept]
        return p

    def gap(self) -> float:
        """Return the difference between the best and the worst level, in pp; nan for fewer than two levels."""
        values = self.shares.value[self.kept]
        return 100 * float(values.max() - values.min()) if len(values) > 1 else math.nan

    def band(self) -> float:
        """Return the gap that 95% of fair series stay below, in pp."""
        return 100 * gap_band(self.covariance[np.ix_(self.kept, self.kept)])


def _cautious(shares: Means, place: int) -> Estimate:
    """Return a share with the wider ends of Wilson's and Student's 90% intervals.

    With either one alone, a test at 5% is wrong in 5.1% of cases on one side, as shares are not exactly normal.
    """
    wilson = shares.share(place, shares.quantile(place, EQUIVALENCE))
    student = shares.estimate(place, 1.0, EQUIVALENCE)
    low, high = np.fmin(wilson.low, student.low), np.fmax(wilson.high, student.high)
    return Estimate(wilson.value, float(low), float(high), wilson.n, wilson.effective)
