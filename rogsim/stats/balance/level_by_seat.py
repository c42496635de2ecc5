"""Each level in each seat: does a level matter more in one seat than in another?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import (
    EQUIVALENCE,
    FEWEST_BLOCKS,
    JointTest,
    Means,
    benjamini_hochberg,
    columns,
    ratios,
    scaled,
    table,
    wald,
)
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.null import (
    LEAST_BLOCKS,
    LEAST_IN_CELL,
    LEAST_ROWS,
    Exchanged,
    score_test,
    share_p_values,
)

LEAST_SHARE = 0.005  # of an expected share: the sum of two effects may lie outside 0 to 1


@dataclass(frozen=True)
class SumsBySeat:
    """Sums by cell, that is by level and seat; the seats of a level are next to each other.

    Attributes
    ----------
    levels
        Number of levels.
    sums
        Sums of rows, then of a value, float64[levels * players] each.
    null : float64[count, count]
        Covariance of wins if the effects of level and seat are additive; None to use the covariance of the sums.
    """

    levels: int
    players: int
    sums: Sums
    null: Floats | None = None

    @property
    def count(self) -> int:
        """Return the number of cells."""
        return self.levels * self.players

    def means(self, cells: Floats) -> Means:
        """Return means over several cells together, one for each row of a matrix float64[m, count] of 0 and 1."""
        nothing = np.zeros_like(cells)
        return ratios(self.sums, np.hstack([nothing, cells]), np.hstack([cells, nothing]))

    @cached_property
    def each(self) -> Means:
        """Return the mean of each cell."""
        return self.means(np.eye(self.count))

    @cached_property
    def margins(self) -> Floats:
        """Return the cells of each level, then of each seat: float64[levels + players, count] of 0 and 1."""
        level = np.kron(np.eye(self.levels), np.ones((1, self.players)))
        seat = np.kron(np.ones((1, self.levels)), np.eye(self.players))
        return np.vstack([level, seat])

    @cached_property
    def of_seats(self) -> Floats:
        """Return the share of each seat over all levels, float64[players]."""
        return self.means(self.margins[self.levels :]).value

    @cached_property
    def additive(self) -> Floats:
        """Return the share of each cell if level and seat were additive, within 0 and 1, float64[count]."""
        found = self.margins.T @ np.nan_to_num(self.means(self.margins).value) - 1 / self.players
        return np.clip(found, LEAST_SHARE, 1 - LEAST_SHARE)

    @cached_property
    def beyond(self) -> Means:
        """Return the share of each cell minus the additive prediction from its level's and its seat's shares."""
        every = self.means(np.vstack([np.eye(self.count), self.margins]))
        found = every.combined(np.hstack([np.eye(self.count), -self.margins.T]))
        each = self.each
        return Means(found.value + 1 / self.players, found.covariance, each.rows, each.blocks)

    def interaction(self) -> JointTest:
        """Test that level and seat are additive: a level then has the same effect in every seat."""
        if self.null is None:
            contrasts = np.kron(_differences(self.levels), _differences(self.players))
            return wald(self.each.combined(contrasts), self.sums.blocks)
        kept = np.flatnonzero(self.each.rows >= LEAST_IN_CELL)
        rows = self.each.rows[kept]
        if self.sums.blocks < LEAST_BLOCKS or self.each.rows.sum() < self.players * LEAST_ROWS:
            return JointTest(math.nan, 0, self.sums.blocks, math.nan)
        covariance = self.null[np.ix_(kept, kept)] / np.outer(rows, rows)
        return score_test(self.each.value[kept], covariance, self.sums.blocks, self.margins[:, kept].T)

    def p_values(self) -> Floats:
        """Return the two-sided p of each cell's share being the additive one, float64[count]."""
        of_cell = np.diag(1 / np.maximum(self.each.rows, 1.0))
        shares = np.maximum(self.margins @ self.each.rows, 1.0)
        return self.p_of(of_cell - self.margins.T @ (self.margins / shares[:, None]), self.beyond, self.additive)

    def p_of(self, weights: Floats, found: Means, share: Floats) -> Floats:
        """Return the two-sided p of several estimates being 0, float64[m]; nan where there are few rows or blocks.

        Parameters
        ----------
        weights : float64[m, count]
            Weights of the cells' wins in the estimates.
        found
            The estimates.
        share : float64[m]
            The expected shares under the null hypothesis.
        """
        if self.null is None:
            return found.p_values()
        variance = ((weights @ self.null) * weights).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            z = np.where(variance > 0, found.value / np.sqrt(variance), np.nan)
            games = share * (1 - share) / variance
        p = share_p_values(z, share, games)
        return np.where((found.rows < LEAST_ROWS) | (found.blocks < LEAST_BLOCKS), np.nan, p)

    def beyond_in_pp(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return `beyond` of a cell in percentage points, without an interval if there are few blocks.

        The part of the error that comes from the cell itself is that of Wilson's interval, as shares of few games are
        not normal.
        """
        found = self.beyond.estimate(place, 100, confidence)
        if self.beyond.blocks[place] < FEWEST_BLOCKS:
            return replace(found, low=math.nan, high=math.nan)
        quantile = self.each.quantile(place, confidence)
        share = self.each.share(place, quantile)
        above = self.margins[:, place] @ (self.each.rows[place] / np.maximum(self.margins @ self.each.rows, 1.0))
        part = abs(1 - float(above))
        of_cell, whole = part * quantile * float(self.each.errors[place]), quantile * float(self.beyond.errors[place])
        rest = max(0.0, whole**2 - of_cell**2)
        down = math.sqrt(rest + (part * (share.value - share.low)) ** 2)
        up = math.sqrt(rest + (part * (share.high - share.value)) ** 2)
        return replace(found, low=found.value - 100 * down, high=found.value + 100 * up)


def _differences(count: int) -> Floats:
    """Return a matrix that subtracts the last of `count` values from each other one, float64[count - 1, count]."""
    return np.hstack([np.eye(count - 1), -np.ones((count - 1, 1))])


@dataclass(frozen=True)
class Cells:
    """Each level in each seat, for a heat map.

    Attributes
    ----------
    overall
        The test that level and seat are additive.
    rows
        Rows of `frame`.
    beyond90
        For each row of the frame `beyond` with its 90% interval.
    """

    players: int
    factor: str
    levels: tuple[str, ...]
    overall: JointTest
    rows: tuple[dict[str, Any], ...]
    beyond90: tuple[Estimate, ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each level and seat.

        share is from 0 to 1, effect is the share minus fair in pp. beyond, in pp, is the share minus the additive
        prediction from the shares of the level and the seat over all games; p and q (Benjamini-Hochberg) are of beyond
        being 0, effect_q is of effect being 0. ahead is points minus the mean of the others.
        """
        return table(self.rows)


class CellSums:
    """Accumulates what `Cells` needs, by block, level and seat."""

    def __init__(self, factor: str, levels: Sequence[Any], players: int) -> None:
        self.factor, self.names, self.players = factor, list(levels), players
        count = len(levels) * players
        self.wins, self.ahead = (Sums(2 * count) for _ in range(2))
        self.null = Exchanged(count)

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        codes = part.codes(self.factor, self.names)
        cells = np.where(codes >= 0, codes * self.players + np.arange(self.players), -1)
        self.wins.add_levels(part, cells, (part.wins,))
        self.ahead.add_levels(part, cells, (part.ahead,))
        self.null.add_codes(part, cells)

    def result(self) -> Cells:
        """Return the cells, with the intervals and tests of all blocks so far."""
        names = tuple(str(name) for name in self.names)
        ahead = SumsBySeat(len(names), self.players, self.ahead)
        wins = SumsBySeat(len(names), self.players, self.wins)
        if (wins.each.blocks < self.wins.blocks).any():  # else every block has all cells, and their spread is known
            wins = replace(wins, null=_scaled_to(self.null.covariance, wins.additive, 1 / self.players))
        rows = share_rows(wins, names)
        for place, row in enumerate(rows):
            row |= columns("ahead", ahead.each.known(place))
        return Cells(self.players, self.factor, names, wins.interaction(), tuple(rows), narrow(wins))


def _scaled_to(null: Floats, shares: Floats, fair: float) -> Floats:
    """Return the covariance of wins for other shares, given the one for fair shares."""
    spread = np.sqrt(shares * (1 - shares) / (fair * (1 - fair)))
    return null * np.outer(spread, spread)


def share_rows(grid: SumsBySeat, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each cell its share, its effect, and its share beyond the additive prediction (see `Cells.frame`).

    Parameters
    ----------
    names
        Names of the levels.
    """
    p = grid.p_values()
    q = benjamini_hochberg(p)
    effect_q = benjamini_hochberg(_fair_p_values(grid.each, 1 / grid.players))
    return [
        {"level": names[place // grid.players], "seat": place % grid.players + 1, "n": int(grid.each.rows[place])}
        | columns("share", grid.each.share(place))
        | columns("effect", scaled(grid.each.share(place).minus(1 / grid.players), 100))
        | columns("beyond", grid.beyond_in_pp(place))
        | {"p": p[place], "q": q[place], "effect_q": effect_q[place]}
        for place in range(grid.count)
    ]


def _fair_p_values(each: Means, fair: float) -> Floats:
    """Return the two-sided p of each share being fair; nan where there are few rows or blocks."""
    games = np.array([each.effective(place) for place in range(len(each.value))])
    z = (each.value - fair) / np.sqrt(fair * (1 - fair) / games)
    return np.where((each.rows < LEAST_ROWS) | (each.blocks < LEAST_BLOCKS), np.nan, share_p_values(z, fair, games))


def narrow(grid: SumsBySeat) -> tuple[Estimate, ...]:
    """Return `beyond` of all cells with 90% intervals, for the test of equivalence."""
    return tuple(grid.beyond_in_pp(place, EQUIVALENCE) for place in range(grid.count))
