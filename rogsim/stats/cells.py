"""Each level in each seat: does a level matter more in one seat than in another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import Floats, Part, Sums
from rogsim.stats.contrasts import (
    EQUIVALENCE,
    JointTest,
    Means,
    benjamini_hochberg,
    columns,
    ratios,
    scaled,
    table,
    wald,
)
from rogsim.stats.rates import Estimate


@dataclass(frozen=True)
class Grid:
    """Sums by level and seat: rows, then a value, each float64[levels * players] with the seats of a level together."""

    levels: int
    players: int
    sums: Sums

    @property
    def count(self) -> int:
        """Return how many cells there are."""
        return self.levels * self.players

    def means(self, cells: Floats) -> Means:
        """Return the mean over some cells together, for each row of a matrix float64[m, cells] of 0 and 1."""
        nothing = np.zeros_like(cells)
        return ratios(self.sums, np.hstack([nothing, cells]), np.hstack([cells, nothing]))

    @cached_property
    def each(self) -> Means:
        """Return the mean of each cell."""
        return self.means(np.eye(self.count))

    @cached_property
    def beyond(self) -> Means:
        """Return for each cell how far its share is above what its level's and its seat's shares add up to."""
        level = np.kron(np.eye(self.levels), np.ones((1, self.players)))
        seat = np.kron(np.ones((1, self.levels)), np.eye(self.players))
        every = self.means(np.vstack([np.eye(self.count), level, seat]))
        found = every.combined(np.hstack([np.eye(self.count), -level.T, -seat.T]))
        each = self.each
        return Means(found.value + 1 / self.players, found.covariance, each.rows, each.blocks)

    def interaction(self) -> JointTest:
        """Test that level and seat add up: a level then matters equally in every seat."""
        contrasts = np.kron(_differences(self.levels), _differences(self.players))
        return wald(self.each.combined(contrasts), self.sums.blocks)


def _differences(count: int) -> Floats:
    """Return a matrix that takes the last of `count` from each other, float64[count - 1, count]."""
    return np.hstack([np.eye(count - 1), -np.ones((count - 1, 1))])


@dataclass(frozen=True)
class Cells:
    """Each level in each seat, for a heat map.

    overall: the test that level and seat add up. beyond90: for each row of the frame the 90% interval of `beyond`.
    """

    players: int
    factor: str
    levels: tuple[str, ...]
    overall: JointTest
    rows: tuple[dict[str, Any], ...]
    beyond90: tuple[Estimate, ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each level and seat.

        share: 0..1. effect: against fair, in pp. beyond: what the share is above that which level and seat, each over
        all games, add up to, in pp; p, q (Benjamini-Hochberg): of beyond being 0. ahead: points against the others.
        """
        return table(self.rows)


class CellSums:
    """Adds up what `Cells` needs, by block, level and seat."""

    def __init__(self, factor: str, levels: Sequence[Any], players: int) -> None:
        self.factor, self.names, self.players = factor, list(levels), players
        self.wins, self.ahead = (Sums(2 * len(levels) * players) for _ in range(2))

    def add(self, part: Part) -> None:
        """Add some blocks."""
        codes = part.codes(self.factor, self.names)
        cells = np.where(codes >= 0, codes * self.players + np.arange(self.players), -1)
        self.wins.add_levels(part, cells, (part.wins,))
        self.ahead.add_levels(part, cells, (part.ahead,))

    def result(self) -> Cells:
        """Return the cells, with the intervals and tests of all blocks so far."""
        names = tuple(str(name) for name in self.names)
        wins, ahead = (Grid(len(names), self.players, sums) for sums in (self.wins, self.ahead))
        rows = share_rows(wins, names)
        for place, row in enumerate(rows):
            row |= columns("ahead", ahead.each.estimate(place))
        return Cells(self.players, self.factor, names, wins.interaction(), tuple(rows), narrow(wins.beyond))


def share_rows(grid: Grid, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each cell its share, its effect against fair, and what is beyond level and seat."""
    p = grid.beyond.p_values()
    q = benjamini_hochberg(p)
    return [
        {"level": names[place // grid.players], "seat": place % grid.players + 1, "n": int(grid.each.rows[place])}
        | columns("share", grid.each.share(place))
        | columns("effect", scaled(grid.each.share(place).minus(1 / grid.players), 100))
        | columns("beyond", grid.beyond.estimate(place, 100))
        | {"p": p[place], "q": q[place]}
        for place in range(grid.count)
    ]


def narrow(means: Means) -> tuple[Estimate, ...]:
    """Return all of these in percentage points with 90% intervals, for the test of equivalence."""
    return tuple(means.estimate(place, 100, EQUIVALENCE) for place in range(len(means.value)))
