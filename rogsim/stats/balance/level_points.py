"""Why a level is strong or weak: its points by source, and its points over time, against the mean of all seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Bundle, Floats
from rogsim.stats.contrasts import benjamini_hochberg, columns, ratios, table

ALL = "all"  # the name of all sources together
FINAL = "final"  # the name of all sources of the final scoring together


@dataclass(frozen=True)
class LevelPoints:
    """Points of each level of a column, by source and over time.

    sources, course, both: rows of `by_source`, `over_time` and `by_source_over_time`.
    """

    players: int
    column: str
    sources: tuple[dict[str, Any], ...]
    course: tuple[dict[str, Any], ...]
    both: tuple[dict[str, Any], ...] = ()

    def by_source(self) -> pl.DataFrame:
        """Return one row for each level and source of points.

        n is the number of seats, scored the number of blocks in which they have points from the source, mean these
        points, difference that minus the mean of all seats; q (Benjamini-Hochberg, over all rows) is of no difference.
        """
        return table(self.sources)

    def over_time(self) -> pl.DataFrame:
        """Return one row for each level and moment: progress (share of the turns, 1 with the final scoring), and the
        rest as `by_source` has it.
        """
        return table(self.course)

    def by_source_over_time(self) -> pl.DataFrame:
        """Return one row for each level, source during play and moment, and one for the final scoring (FINAL) at the
        end: progress as `over_time` has it, the rest as `by_source` has it. The differences of a level at one moment
        add up to that of its points.
        """
        return table(self.both)


class LevelPointSums:
    """Accumulates what `LevelPoints` needs.

    Parameters
    ----------
    column
        The seat column with the levels.
    sources
        Seat columns that add up to the points; `by_source` also has all together.
    progress
        Seat columns with the points so far, at equal steps between the start and the end of a game.
    by_source
        For the column of each source during play, the seat columns of its points so far, at equal steps.
    """

    def __init__(
        self,
        column: str,
        levels: Sequence[Any],
        sources: Sequence[str],
        progress: Sequence[str],
        by_source: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.column, self.levels = column, list(levels)
        self.sources, self.progress, self.by_source = list(sources), list(progress), dict(by_source or {})
        both = [name for source, names in self.by_source.items() for name in (source, *names)]
        named = (*sources, *progress, "points", *both, *([FINAL] if both else []))
        self.sums = {name: Bundle(len(self.levels)) for name in named}

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        codes = part.codes(self.column, self.levels)
        has = (codes[:, :, None] == np.arange(len(self.levels))).astype(np.float64)  # [games, players, levels]
        known = (codes >= 0).astype(np.float64)
        for name, sums in self.sums.items():
            points = self._points(part, name)
            weights = np.stack([np.ones_like(points), points, np.zeros_like(points)], axis=1)  # [games, 3, players]
            sums.add(part.by_block(weights @ has), part.by_block((weights * known[:, None]).sum(axis=2)))

    def _points(self, part: BlockRows, name: str) -> Floats:
        if name == FINAL:
            return part.points - sum(part.of_seats(source) for source in self.by_source)
        return part.of_seats(name)

    def result(self, players: int) -> LevelPoints:
        """Return the points of the levels, with the intervals of all blocks so far."""
        steps = len(self.progress)
        moments = [(name, {"progress": (place + 1) / (steps + 1)}) for place, name in enumerate(self.progress)]
        course = self._rows([*moments, ("points", {"progress": 1.0})]) if steps else ()
        sources = self._rows([("points", {"part": ALL}), *((name, {"part": name}) for name in self.sources)])
        return LevelPoints(players, self.column, sources, course, self._both())

    def _both(self) -> tuple[dict[str, Any], ...]:
        moments = [
            (name, {"part": source, "progress": (place + 1) / (len(names) + 1)})
            for source, names in self.by_source.items()
            for place, name in enumerate([*names, source])
        ]
        return self._rows([*moments, (FINAL, {"part": FINAL, "progress": 1.0})]) if moments else ()

    def _rows(self, columns_of: Sequence[tuple[str, dict[str, Any]]]) -> tuple[dict[str, Any], ...]:
        rows, p = [], []
        for name, what in columns_of:
            for place, level in enumerate(self.levels):
                row, of_row = _row(self.sums[name], place)
                rows.append({"level": str(level)} | what | row)
                p.append(of_row)
        q = benjamini_hochberg(p).tolist()
        return tuple(row | {"q": adjusted} for row, adjusted in zip(rows, q, strict=True))


def _row(bundle: Bundle, place: int) -> tuple[dict[str, Any], float]:
    """Return the means of one level, and the p of no difference from all seats."""
    having, every = np.eye(6)[:3], np.eye(6)[3:]
    means = ratios(bundle.sums(place), np.array([having[1], every[1]]), np.array([having[0], every[0]]))
    difference = means.combined(np.array([[1.0, -1.0]]))
    row: dict[str, Any] = {"n": int(means.rows[0]), "scored": int(means.told[0])}
    row |= columns("mean", means.known(0)) | columns("difference", difference.known(0))
    return row, float(difference.p_values()[0])
