"""Levels of a factor of seats (the seat itself, the bot, what a seat was dealt): who wins more than a fair share.

Fair is 1 / players for every level, given that it is there: a seat that has nothing to gain by its level wins as
often as any. Levels that are not dealt at random also show who chose them; see `regression` for a comparison with
everything else equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import Floats, Part, Sums
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
    simultaneous_quantile,
    table,
    wald,
)
from rogsim.stats.rates import Estimate


@dataclass(frozen=True)
class Level:
    """One level: n rows, win share (0..1), effects against fair in percentage points, points.

    effect90: with a 90% interval, for the test of equivalence. simultaneous: with an interval that holds together with
    those of all other levels in 95% of series. ahead: points against the mean of the other seats of the game.
    p: of being fair; p_holm: adjusted for the number of levels.
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

    overall: the test that all are fair. gap: between best and worst, in pp; band: 95% of fair series stay below it.
    covariance: of the effects, in pp squared, float64[levels, levels]. level_blocks: how many blocks hold each level.
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

    def frame(self) -> pl.DataFrame:
        """Return one row a level; effects and simultaneous intervals in percentage points."""
        return table(
            {"level": one.level, "n": one.n}
            | columns("share", one.share)
            | columns("effect", one.effect)
            | {"simultaneous_low": one.simultaneous.low, "simultaneous_high": one.simultaneous.high}
            | {"p": one.p, "p_holm": one.p_holm}
            | columns("points", one.points)
            | columns("ahead", one.ahead)
            for one in self.levels
        )


class LevelSums:
    """Adds up what `Levels` needs: rows, wins, points and points ahead, by block and level."""

    VALUES = 4

    def __init__(self, factor: str, levels: Sequence[Any]) -> None:
        self.factor, self.names = factor, list(levels)
        self.sums = Sums(self.VALUES * len(levels))
        self.games = 0

    def add(self, part: Part) -> None:
        """Add some blocks."""
        self.sums.add_levels(part, part.codes(self.factor, self.names), (part.wins, part.points, part.ahead))
        self.games += part.games.height

    def result(self, players: int) -> Levels:
        """Return the levels, with the intervals and tests of all blocks so far."""
        return _levels(players, self.factor, [str(name) for name in self.names], self.games, self.sums)


def _levels(players: int, factor: str, names: Sequence[str], games: int, sums: Sums) -> Levels:
    count, fair = len(names), 1 / players
    pick = [selector(range(value * count, (value + 1) * count), len(sums.total)) for value in range(LevelSums.VALUES)]
    rows, wins, points, ahead = pick
    shares, scored, lead = (ratios(sums, top, rows) for top in (wins, points, ahead))
    # Against fair, so that the wins of all levels together are bound to be fair exactly.
    excess = _excess(sums, wins - fair * rows, shares)
    wide = simultaneous_quantile(excess)
    p = shares.fair_p_values(fair)
    p_holm = holm(p)
    levels = tuple(
        Level(
            level=name,
            n=int(shares.rows[place]),
            share=shares.share(place),
            effect=scaled(shares.share(place).minus(fair), 100),
            effect90=scaled(_cautious(shares, place).minus(fair), 100),
            simultaneous=scaled(shares.share(place, wide).minus(fair), 100),
            points=scored.estimate(place),
            ahead=lead.estimate(place),
            p=float(p[place]),
            p_holm=float(p_holm[place]),
        )
        for place, name in enumerate(names)
    )
    gap = float(np.nanmax(shares.value) - np.nanmin(shares.value)) * 100
    return Levels(
        players,
        factor,
        games,
        sums.blocks,
        wald(excess, sums.blocks),
        levels,
        gap,
        100 * gap_band(excess),
        100**2 * shares.covariance,
        tuple(map(float, shares.blocks)),
    )


def _cautious(shares: Means, place: int) -> Estimate:
    """Return a share with the wider ends of Wilson's and Student's 90% intervals.

    Each alone lets a test at 5% be wrong in 5.1% of cases on one side, as shares of games are not quite normal.
    """
    wilson = shares.share(place, shares.quantile(place, EQUIVALENCE))
    student = shares.estimate(place, 1.0, EQUIVALENCE)
    low, high = np.fmin(wilson.low, student.low), np.fmax(wilson.high, student.high)
    return Estimate(wilson.value, float(low), float(high), wilson.n, wilson.effective)


def _excess(sums: Sums, excess: Floats, shares: Means) -> Means:
    """Return what each share is above fair, with the covariance that it has if all are fair."""
    matrix = excess / np.maximum(shares.rows, 1.0)[:, None]
    covariance = matrix @ sums.covariance @ matrix.T
    return Means(matrix @ sums.total, covariance, shares.rows, shares.blocks)
