"""Levels of a factor of seats (the seat itself, the bot, what a seat was dealt): who wins more than a fair share.

Fair is the same for every level, in each game where it occurs: a seat whose level has no effect wins as often as any
other. Only of seats a game may declare that some should win more often (`rogsim.game.fair`). Levels that are not dealt
at random also reflect who chose them; see `regression` for a comparison with everything else equal.

Win shares can also be computed without the luck of the deal (`Dealt`). If the set-up deals each seat something at
random (a hand of cards, say), part of what a seat wins is due to what it was dealt. Over many games all seats are dealt
the same, so this part is noise. A regression estimates the worth of each dealt level. From each win share, the worth of
the seat's levels is subtracted, and the mean worth over the seats of the game is added. The adjustment has expectation
0 for every seat, whatever the coefficients, as long as these do not depend on the game itself. So each fold of blocks
is adjusted with coefficients from the other folds, and the estimates stay exactly unbiased (control variates: Lavenberg
and Welch 1981, "A perspective on the use of control variables to increase the efficiency of Monte Carlo simulations",
Management Science 27; cross-fitting as in Wager, Du, Taylor and Tibshirani 2016, "High-dimensional regression
adjustments in randomized experiments", PNAS 113). The win shares of a game still add up to 1. If seats have no effect,
their results are still exchangeable, so tests that permute them stay valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.fair import EQUAL, sides_of
from rogsim.results.results import Results
from rogsim.stats.blocks import BlockRows, Floats, Ints, Sums, levels_of, parts, put_ones
from rogsim.stats.contrasts import (
    EQUIVALENCE,
    LEAST_BLOCKS,
    LEAST_ROWS,
    Exchanged,
    JointTest,
    Means,
    columns,
    holm,
    ratios,
    scaled,
    score_test,
    selector,
    share_p_values,
    table,
    wald,
)
from rogsim.stats.estimates import Estimate

FOLDS = 7  # a prime, so that folds do not coincide with line-ups of bots
BLOCKS_EACH = 20  # for each level: with fewer, the coefficients would add more noise than they remove
TINY = 1e-9  # an eigenvalue this small relative to the largest is 0: levels are collinear


@dataclass(frozen=True)
class Level:
    """One level of a factor.

    Attributes
    ----------
    n
        Number of rows.
    fair
        The win share that would be fair, 0 to 1; nan if nothing says it.
    share
        Win share, 0 to 1.
    effect
        Win share minus fair, in percentage points.
    effect90
        The same with a 90% interval, for the test of equivalence.
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
    fair: float
    share: Estimate
    effect: Estimate
    effect90: Estimate
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
    covariance : float64[levels, levels]
        Covariance of the effects, in pp squared.
    level_blocks
        Number of blocks that contain each level.
    plain
        Unadjusted shares, if the shares are adjusted for the luck of the deal (`Dealt`), else empty.
    """

    players: int
    factor: str
    games: int
    blocks: int
    overall: JointTest
    levels: tuple[Level, ...]
    covariance: Floats | None = field(default=None, compare=False, repr=False)
    level_blocks: tuple[float, ...] = ()
    plain: tuple[Estimate, ...] = ()

    def frame(self) -> pl.DataFrame:
        """Return one row for each level; effects are in percentage points."""
        return table(
            {"level": level.level, "n": level.n}
            | columns("share", level.share)
            | (columns("plain", self.plain[place]) if self.plain else {})
            | columns("effect", level.effect)
            | {"p": level.p, "p_holm": level.p_holm}
            | columns("points", level.points)
            | columns("ahead", level.ahead)
            for place, level in enumerate(self.levels)
        )


class LevelSums:
    """Accumulates what `Levels` needs: rows, wins, points and points ahead, by block and level."""

    VALUES = 4

    def __init__(self, factor: str, levels: Sequence[Any], players: int) -> None:
        self.factor, self.names, self.players = factor, list(levels), players
        self.sums = Sums(self.VALUES * len(levels))
        self.null = Exchanged(len(levels))
        self.games, self.sides = 0, sides_of(EQUAL, players)

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        self.sides = part.sides
        part = part.by_side() if self.factor == "seat" else part.evened()
        codes = part.codes(self.factor, self.names)
        self.sums.add_levels(part, codes, (part.wins, part.points, part.ahead))
        self.null.add_codes(part, codes)
        self.games += part.games.height

    def result(self) -> Levels:
        """Return the levels, with the intervals and tests of all blocks so far."""
        sides, of_seats = self.sides, self.factor == "seat"
        names = sides.levels if of_seats else [str(name) for name in self.names]
        fair = np.array(sides.shares if of_seats else [sides.fair] * len(names))
        null = self.null.covariance if sides.are_equal or not of_seats else None
        return _levels(self.players, self.factor, names, self.games, self.sums, fair, null)


def levels_in(results: Results, players: int, factor: str) -> Levels:
    """Return the levels of a column of seats, from all games with one number of players."""
    rows = results.seats().filter(pl.col("players") == players)
    names = range(1, results.sides(players).count + 1) if factor == "seat" else levels_of(rows, [factor])[factor]
    sums = LevelSums(factor, names, players)
    for part in parts(results, players, ["points", "win_share", *([factor] if factor != "seat" else [])], []):
        sums.add(part)
    return sums.result()


def _levels(
    players: int, factor: str, names: Sequence[str], games: int, sums: Sums, fair: Floats, null: Floats | None
) -> Levels:
    """Return the levels.

    fair: of each. null: covariance of their wins if results fall on the seats at random; None if they should not.
    """
    count = len(names)
    pick = [selector(range(value * count, (value + 1) * count), len(sums.total)) for value in range(LevelSums.VALUES)]
    rows, wins, points, ahead = pick
    shares, scored, lead = (ratios(sums, top, rows) for top in (wins, points, ahead))
    excess = (wins - fair[:, None] * rows) @ sums.total
    kept = np.flatnonzero((shares.rows >= LEAST_ROWS) & (shares.blocks >= LEAST_BLOCKS))
    p = np.full(count, np.nan)
    if null is None:
        off = replace(shares, value=shares.value - fair)
        p, overall = off.p_values(), wald(off, sums.blocks)
    else:
        variance = np.diag(null)
        with np.errstate(divide="ignore", invalid="ignore"):
            independent = fair * (1 - fair) * shares.rows**2 / variance
            p[kept] = share_p_values(excess / np.sqrt(variance), fair, independent)[kept]
        overall = score_test(excess[kept], null[np.ix_(kept, kept)], sums.blocks)
    levels = tuple(
        Level(
            level=name,
            n=int(shares.rows[place]),
            fair=float(fair[place]),
            share=shares.share(place),
            effect=scaled(shares.share(place).minus(float(fair[place])), 100),
            effect90=scaled(_cautious(shares, place).minus(float(fair[place])), 100),
            points=scored.known(place),
            ahead=lead.known(place),
            p=float(p[place]),
            p_holm=float(p_holm),
        )
        for place, (name, p_holm) in enumerate(zip(names, holm(p), strict=True))
    )
    return Levels(
        players,
        factor,
        games,
        sums.blocks,
        overall,
        levels,
        100**2 * shares.covariance,
        tuple(map(float, shares.blocks)),
    )


def _cautious(shares: Means, place: int) -> Estimate:
    """Return a share with the wider ends of Wilson's and Student's 90% intervals.

    With either one alone, a test at 5% is wrong in 5.1% of cases on one side, as shares are not exactly normal.
    """
    wilson = shares.share(place, shares.quantile(place, EQUIVALENCE))
    student = shares.estimate(place, 1.0, EQUIVALENCE)
    low, high = np.fmin(wilson.low, student.low), np.fmax(wilson.high, student.high)
    return Estimate(wilson.value, float(low), float(high), wilson.n, wilson.effective)


class Dealt:
    """The worth of dealt levels, fitted for each fold of blocks on all the others.

    The model is additive: it regresses the win share minus the seat's mean on indicators of the seat's levels minus
    their mean over the seats of the game.

    Parameters
    ----------
    columns
        Columns of seats.
    levels
        Levels of each column.
    """

    def __init__(self, columns: Sequence[str], levels: Sequence[Sequence[Any]], players: int) -> None:
        self.columns, self.levels, self.players = tuple(columns), [list(names) for names in levels], players
        self.size = sum(map(len, self.levels))
        self.blocks = 0
        self._moments = np.zeros((FOLDS, self.size, self.size))
        self._wins = np.zeros((FOLDS, self.size))
        self._counts = np.zeros((FOLDS, self.size, players))
        self._shares = np.zeros((FOLDS, players))
        self._games = np.zeros(FOLDS)

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        self.blocks += len(part.starts)
        fold, levels = _folds(part), self._indicators(part)
        for place in range(FOLDS):
            wins, had = part.wins[fold == place], levels[fold == place]
            self._games[place] += len(wins)
            self._shares[place] += wins.sum(axis=0)
            self._counts[place] += had.sum(axis=0).T
            self._wins[place] += wins.ravel() @ had.reshape(-1, self.size)
            centred = had - had.mean(axis=1, keepdims=True)
            self._moments[place] += centred.reshape(-1, self.size).T @ had.reshape(-1, self.size)

    def _indicators(self, part: BlockRows) -> Floats:
        """Return 1 for each level that a seat was dealt, float64[games, players, levels]."""
        found, first = np.zeros((*part.wins.shape, self.size)), 0
        for column, levels in zip(self.columns, self.levels, strict=True):
            put_ones(found, part.codes(column, levels), first)
            first += len(levels)
        return found

    @property
    def is_known(self) -> bool:
        """Return whether there are enough blocks for an adjustment."""
        return self.blocks >= BLOCKS_EACH * self.size

    @cached_property
    def worths(self) -> Floats:
        """Return the worth of each level in win share, float64[folds, levels]; call it once all blocks are added."""
        return np.array([self._fitted(np.arange(FOLDS) != fold) for fold in range(FOLDS)])

    def _fitted(self, kept: Any) -> Floats:
        means = self._shares[kept].sum(axis=0) / max(self._games[kept].sum(), 1.0)
        # The win shares of a game minus these means add up to 0, so the mean over its seats cancels.
        moments = self._wins[kept].sum(axis=0) - self._counts[kept].sum(axis=0) @ means
        inverse = np.linalg.pinv(self._moments[kept].sum(axis=0), rcond=TINY, hermitian=True)
        return np.asarray(inverse @ moments, dtype=np.float64)

    def adjusted(self, part: BlockRows) -> BlockRows:
        """Return blocks with the luck of the deal removed from the win shares."""
        worth = np.einsum("gpl,gl->gp", self._indicators(part), self.worths[_folds(part)])
        return part.with_wins(part.wins - worth + worth.mean(axis=1, keepdims=True))


def fit_dealt(results: Results, columns: Sequence[str], levels: Mapping[str, Sequence[Any]], players: int) -> Dealt:
    """Fit the worth of dealt levels on all games with one number of players.

    Parameters
    ----------
    columns
        Columns of seats that were dealt.
    levels
        Levels by column.
    """
    found = Dealt(columns, [levels[column] for column in columns], players)
    for part in parts(results, players, ["win_share", *columns], []):
        found.add(part)
    return found


def _folds(part: BlockRows) -> Ints:
    return np.asarray(part.games["block"].to_numpy() % FOLDS, dtype=np.int64)
