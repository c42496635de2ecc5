"""Each level in each seat: does a level matter more in one seat than in another?

A level is one that a seat has (`Cells`), or one that was drawn or set up for the whole game (`Draws`). Of draws the
length of the games and their margins are compared, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import (
    FEWEST_BLOCKS,
    LEAST_BLOCKS,
    LEAST_IN_CELL,
    LEAST_ROWS,
    Exchanged,
    JointTest,
    Means,
    columns,
    ratios,
    scaled,
    score_test,
    share_p_values,
    table,
    wald,
    with_q,
)
from rogsim.stats.estimates import CONFIDENCE, Estimate

GAME_VALUES = ("points", "turns", "margin")
BETWEEN = re.compile(r"\s*[,+]\s*")
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
    fair
        The win share that would be fair.
    null : float64[count, count]
        Covariance of wins if the effects of level and seat are additive; None to use the covariance of the sums.
    """

    levels: int
    players: int
    sums: Sums
    fair: float = math.nan
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
        found = self.margins.T @ np.nan_to_num(self.means(self.margins).value) - self.fair
        return np.clip(found, LEAST_SHARE, 1 - LEAST_SHARE)

    @cached_property
    def beyond(self) -> Means:
        """Return the share of each cell minus the additive prediction from its level's and its seat's shares."""
        every = self.means(np.vstack([np.eye(self.count), self.margins]))
        found = every.combined(np.hstack([np.eye(self.count), -self.margins.T]))
        each = self.each
        return Means(found.value + self.fair, found.covariance, each.rows, each.blocks)

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
    """Each level of a column of seats in each seat; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each level and seat.

        share is from 0 to 1, effect is the share minus fair in pp. beyond, in pp, is the share minus the additive
        prediction from the shares of the level and the seat over all games; p and q (Benjamini-Hochberg) are of beyond
        being 0.
        """
        return table(self.rows)


class CellSums:
    """Accumulates what `Cells` needs, by block, level and seat."""

    def __init__(self, factor: str, levels: Sequence[Any], players: int) -> None:
        self.factor, self.names, self.players = factor, list(levels), players
        self.wins, self.null = Sums(2 * len(levels) * players), Exchanged(len(levels) * players)
        self.fair = math.nan  # until there are games

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        part, self.fair = part.evened(), part.sides.fair
        codes = part.codes(self.factor, self.names)
        cells = np.where(codes >= 0, codes * self.players + np.arange(self.players), -1)
        self.wins.add_levels(part, cells, (part.wins,))
        self.null.add_codes(part, cells)

    def result(self) -> Cells:
        """Return the cells, with the intervals and tests of all blocks so far."""
        names, fair = tuple(str(name) for name in self.names), self.fair
        grid = SumsBySeat(len(names), self.players, self.wins, fair)
        if (grid.each.blocks < self.wins.blocks).any():  # else every block has all cells, and their spread is known
            spread = np.sqrt(grid.additive * (1 - grid.additive) / (fair * (1 - fair)))
            grid = replace(grid, null=self.null.covariance * np.outer(spread, spread))
        return Cells(share_rows(grid, names))


def share_rows(grid: SumsBySeat, names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """Return for each cell its share, its effect, and its share beyond the additive prediction (see `Cells.frame`).

    Parameters
    ----------
    names
        Names of the levels.
    """
    p = grid.p_values()
    return with_q(
        [
            {"level": names[place // grid.players], "seat": place % grid.players + 1, "n": int(grid.each.rows[place])}
            | columns("share", grid.each.share(place))
            | columns("effect", scaled(grid.each.share(place).minus(grid.fair), 100))
            | columns("beyond", grid.beyond_in_pp(place))
            | {"p": float(p[place])}
            for place in range(grid.count)
        ]
    )


@dataclass(frozen=True)
class Draws:
    """One column of games whose levels were drawn or set up, with one number of players.

    Attributes
    ----------
    grid
        Wins by level and seat.
    whole
        Sums by level: games, then each of GAME_VALUES.
    lists
        Whether levels are lists of members, such as single cards.
    """

    column: str
    levels: tuple[str, ...]
    grid: SumsBySeat
    whole: Sums
    lists: bool

    @property
    def overall(self) -> JointTest:
        """Return the test that each seat's share is the same with every level."""
        return self.grid.interaction()

    def seats(self) -> pl.DataFrame:
        """Return one row for each level and seat, as `Cells.frame`; `beyond` is relative to the seat's mean share."""
        return table(share_rows(self.grid, self.levels))

    def games(self) -> pl.DataFrame:
        """Return one row for each level: mean points of a seat, turns, and margin (points from first to second)."""
        size = len(self.whole.total)
        kinds = np.eye(size).reshape(-1, len(self.levels), size)
        found = {name: ratios(self.whole, top, kinds[0]) for name, top in zip(GAME_VALUES, kinds[1:], strict=True)}
        return table(
            {"level": level, "n": int(found["turns"].rows[place])}
            | {key: end for name, means in found.items() for key, end in columns(name, means.known(place)).items()}
            for place, level in enumerate(self.levels)
        )

    def by_member(self) -> pl.DataFrame:
        """Return for each member and seat the win share with it and without it (0 to 1), and the difference in pp."""
        if not self.lists:
            return pl.DataFrame()
        grid, (members, inside) = self.grid, members_of(self.levels)
        cells, others = (np.kron(levels, np.eye(grid.players)) for levels in (inside, 1 - inside))
        both, count = grid.means(np.vstack([cells, others])), len(cells)
        weights = cells / np.maximum(both.rows[:count, None], 1) - others / np.maximum(both.rows[count:, None], 1)
        p = grid.p_of(weights, both.minus_rest(), np.tile(grid.of_seats, len(members)))
        return table(
            with_q(
                [
                    {"member": members[place // grid.players], "seat": place % grid.players + 1}
                    | {"n": int(both.rows[place])}
                    | columns("with", both.share(place))
                    | columns("without", both.share(count + place))
                    | columns("difference", both.difference(place, count + place))
                    | {"p": float(p[place])}
                    for place in range(count)
                ]
            )
        )


class DrawSums:
    """Accumulates what `Draws` needs, by block and level; lists: whether levels are lists of members."""

    def __init__(self, column: str, levels: Sequence[Any], players: int, lists: bool) -> None:
        self.column, self.names, self.players, self.lists = column, list(levels), players, lists
        self.wins, self.fair = Sums(2 * len(levels) * players), math.nan  # until there are games
        self.whole = Sums((1 + len(GAME_VALUES)) * len(levels))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        part, self.fair = part.evened(), part.sides.fair
        codes = part.codes(self.column, self.names)
        cells = np.where(codes >= 0, codes * self.players, -self.players)[:, None] + np.arange(self.players)
        self.wins.add_levels(part, cells, (part.wins,))
        values = (part.points.mean(axis=1), part.of_games("turns"), margins(part.points))
        self.whole.add_levels(part, codes[:, None], [value[:, None] for value in values])

    def result(self) -> Draws:
        """Return the draws, with the intervals and tests of all blocks so far."""
        grid = SumsBySeat(len(self.names), self.players, self.wins, self.fair)
        names = tuple(str(name) for name in self.names)
        return Draws(self.column, names, replace(grid, null=_null(grid)), self.whole, self.lists)


def margins(points: Floats) -> Floats:
    """Return the points between the first and the second of each game, float64[games].

    Parameters
    ----------
    points : float64[games, players]
    """
    best = np.partition(points, points.shape[1] - 2, axis=1)
    return best[:, -1] - best[:, -2]


def members_of(names: Sequence[str]) -> tuple[list[str], Floats]:
    """Return the members that the names list, and which name lists which, float64[members, names] of 0 and 1."""
    lists = [BETWEEN.split(name) for name in names]
    members = sorted({member for listed in lists for member in listed})
    return members, np.array([[float(member in listed) for listed in lists] for member in members])


def _null(grid: SumsBySeat) -> Floats | None:
    """Return the covariance of wins by level and seat if levels have no effect; None if a block has several levels.

    The wins by seat of a block then have the same covariance with every level, which is estimated from all blocks.
    """
    present = grid.sums.present[: grid.count].reshape(grid.levels, grid.players)
    if present[:, 0].sum() > grid.sums.blocks or grid.sums.blocks < 2:
        return None
    count, size = grid.count, grid.players
    share = grid.of_seats
    within = np.zeros((size, size))
    for level in range(grid.levels):
        rows, wins = (slice(start + level * size, start + (level + 1) * size) for start in (0, count))
        products = grid.sums.products
        cross = products[rows, wins] * share[:, None]
        within += products[wins, wins] - cross - cross.T + products[rows, rows] * np.outer(share, share)
    return np.asarray(np.kron(np.diag(present[:, 0]), within / (grid.sums.blocks - 1)), dtype=np.float64)
