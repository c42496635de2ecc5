"""What is associated with winning: what seats had, how much of it they had, and the sources of their points.

These are screens. A seat that is ahead can afford more, so what winners have is not necessarily what makes them win.
Why a level is strong or weak follows from its points by source and over time, against the mean of all seats.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Bundle, Floats, Sums
from rogsim.stats.contrasts import (
    FEWEST_BLOCKS,
    Means,
    benjamini_hochberg,
    columns,
    exchanges,
    per_game,
    ratios,
    share_p_values,
    table,
    with_q,
)

THIN_LINE = 200  # effective blocks behind a slope; with fewer, their spread may be too small
MOST = 12  # larger counts are grouped
ALL = "all"  # the name of all sources together
FINAL = "final"  # the name of all sources of the final scoring together


@dataclass(frozen=True)
class Members:
    """For each member of a set, how seats that had it differ from seats that did not; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each member.

        n is the number of seats that had it, had their share, 0 to 1. difference is the win share of seats that had it
        minus that of the others, in pp; points is the same in points. p and q (Benjamini-Hochberg) are of no difference
        in win share.
        """
        return table(self.rows)


class MemberSums:
    """Accumulates what `Members` needs: rows, wins and points of the seats that had a member, and of all."""

    def __init__(self, column: str, members: Sequence[str], players: int) -> None:
        self.column, self.members, self.players = column, list(members), players
        self.sums, self.fair = Bundle(len(members)), math.nan  # until there are games
        self.null = np.zeros(len(members))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        part, self.fair = part.evened(), part.sides.fair
        had = part.members(self.column, len(self.members))
        weights = np.stack([np.ones_like(part.wins), part.wins, part.points], axis=1)  # [games, 3, players]
        self.sums.add(part.by_block(weights @ had), part.by_block(weights.sum(axis=2)))
        for moves in exchanges(part, lambda start, stop: had[start:stop], len(self.members)):
            self.null += (moves**2).sum(axis=0)

    def result(self) -> Members:
        """Return the members, with the intervals and tests of all blocks so far."""
        found = [
            {"member": name} | _member(self.sums.sums(place), float(self.null[place]), self.fair)
            for place, name in enumerate(self.members)
        ]
        return Members(with_q(found))


def _member(sums: Sums, null: float, fair: float) -> dict[str, Any]:
    """Return the row of one member.

    sums: rows, wins and points with it, and of all seats. null: variance of the wins with it, if it has no effect.
    """
    having, every = np.eye(6)[:3], np.eye(6)[3:]
    without = every - having
    rows = np.array([having[0], without[0]])
    shares, points = (ratios(sums, np.array([having[kind], without[kind]]), rows) for kind in (1, 2))
    return (
        {"n": int(shares.rows[0]), "had": float(sums.total[0] / sums.total[3])}
        | {"share_with": float(shares.value[0]), "share_without": float(shares.value[1])}
        | columns("difference", shares.difference(0, 1))
        | columns("points", points.minus_rest().known(0))
        | {"p": _p_of_having(shares, float(sums.total[1]), null, fair)}
    )


def _p_of_having(shares: Means, wins: float, null: float, fair: float) -> float:
    """Return the p of seats that have something winning as often as others; nan if too few do or do not have it.

    wins: of those that have it. null: variance of these wins, if results fall on seats at random.
    """
    if shares.blocks.min() < FEWEST_BLOCKS or not null > 0:
        return math.nan
    scarcer = 0 if shares.rows[0] <= shares.rows[1] else 1
    z = (wins - shares.rows[0] * fair) / math.sqrt(null)
    games = shares.rows[scarcer] ** 2 * fair * (1 - fair) / null
    return float(share_p_values(np.array([z if scarcer == 0 else -z]), fair, games)[0])


@dataclass(frozen=True)
class Counts:
    """How often seats win by how many of something they have.

    Attributes
    ----------
    slope
        The change associated with having one more, and with having any: a row of `slopes`, without q-values.
    values
        Rows of `frame`.
    seats
        Rows of `by_seat`.
    """

    slope: dict[str, Any]
    values: tuple[dict[str, Any], ...]
    seats: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each number that a seat may have ("12+" from 12 on): n, win share (0 to 1), points."""
        return table(self.values)

    def by_seat(self) -> pl.DataFrame:
        """Return the mean number for each seat."""
        return table(self.seats)


class CountSums:
    """Accumulates what `Counts` needs: by number, by seat, and the sums behind a regression line."""

    def __init__(self, column: str, players: int) -> None:
        self.column, self.players = column, players
        self.values, self.seats, self.line = Sums(3 * (MOST + 1)), Sums(players + 1), Sums(7)
        self.null = np.zeros(2)  # variances under the null hypothesis: sum of x * wins, wins of seats that have some
        self.inside = Sums(1)  # squares of x minus the mean of its game
        self.fair = math.nan  # until there are games

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        part, self.fair = part.evened(), part.sides.fair
        x = part.of_seats(self.column)
        ones = np.ones_like(x)
        self.values.add_levels(part, np.clip(x, 0, MOST).astype(np.int64), (part.wins, part.points))
        self.seats.add(part.by_block(np.concatenate([ones[:, :1], x], axis=1)))
        line = (ones, x, x * x, part.wins, x * part.wins, part.points, x * part.points)
        self.line.add(part.by_block(np.stack([values.sum(axis=1) for values in line], axis=1)))
        self.inside.add(part.by_block(((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))[:, None])
        both = np.stack([x, x > 0], axis=2)
        for moves in exchanges(part, lambda start, stop: both[start:stop], 2):
            self.null += (moves**2).sum(axis=0)

    def result(self) -> Counts:
        """Return the counts, with the intervals of all blocks so far."""
        return Counts(self._slope(), tuple(self._by_value()), tuple(self._by_seat()))

    def _by_value(self) -> list[dict[str, Any]]:
        shares, points = self._means(np.eye(MOST + 1))
        return [
            {"value": f"{place}+" if place == MOST else str(place), "n": int(shares.rows[place])}
            | columns("share", shares.share(place))
            | columns("points", points.known(place))
            for place in range(MOST + 1)
            if shares.rows[place] > 0
        ]

    def _by_seat(self) -> list[dict[str, Any]]:
        means = per_game(self.seats)
        return [{"seat": place + 1} | columns("mean", means.known(place)) for place in range(self.players)]

    def _means(self, values: Floats) -> tuple[Means, Means]:
        """Return win shares and points over several numbers together, one for each row of float64[m, MOST + 1]."""
        nothing = np.zeros_like(values)
        rows = np.hstack([values, nothing, nothing])
        wins, points = np.hstack([nothing, values, nothing]), np.hstack([nothing, nothing, values])
        return ratios(self.values, wins, rows), ratios(self.values, points, rows)

    def _slope(self) -> dict[str, Any]:
        some = np.r_[0.0, np.ones(MOST)]
        shares, points = self._means(np.array([some, 1 - some]))
        n, x = self.line.total[:2]
        share, line = self._lines()
        having, null = float(self.values.total[MOST + 2 : 2 * (MOST + 1)].sum()), (float(self.null[1]), self.fair)
        return (
            {"column": self.column, "n": int(n), "having": int(shares.rows[0]), "mean": float(x / n)}
            | columns("share", share.known(0, 100))
            | columns("points", line.known(0))
            | columns("difference", shares.difference(0, 1))
            | columns("points_difference", points.minus_rest().known(0))
            | {"p": float(share.p_values()[0]), "p_difference": _p_of_having(shares, having, *null)}
        )

    def _lines(self) -> tuple[Means, Means]:
        """Return the slopes of win share and points, with the effective number of blocks that determine them.

        A line through rare large numbers rests on few blocks: their effective number is one over the sum of the squares
        of their shares in the spread of x (Carter, Schnepel and Steigerwald 2017, "Asymptotic behavior of a t-test
        robust to cluster heterogeneity", Review of Economics and Statistics 99). The spread of few blocks is not known
        well: the slope of the win share then has at least the variance that it has if results fall on seats at random.
        """
        share, line = _line(self.line, 3), _line(self.line, 5)
        n, x, xx = self.line.total[:3]
        spread, weights = xx - x * x / n, np.array([(x / n) ** 2, -2 * x / n, 1.0])
        if not spread > 0:
            return share, line
        points = spread**2 / float(weights @ self.line.products[:3, :3] @ weights)
        wins = min(points, self._carry_wins())
        if wins < THIN_LINE:
            least = np.array([[float(self.null[0]) / spread**2]])
            share = replace(share, covariance=np.fmax(share.covariance, least))
        return _carried(share, wins), _carried(line, points)

    def _carry_wins(self) -> float:
        """Return the effective number of blocks behind the slope of the win share, which compares seats of a game."""
        squares = float(self.inside.products[0, 0])
        return float(self.inside.total[0]) ** 2 / squares if squares > 0 else 0.0


def _carried(means: Means, blocks: float) -> Means:
    """Return an estimate with another effective number of blocks, and the variance corrected for it."""
    more = blocks / (blocks - 1) if blocks > 1 else 1.0
    return replace(means, covariance=more * means.covariance, blocks=np.array([blocks]))


def slopes(counts: Sequence[Counts]) -> pl.DataFrame:
    """Return several columns as one screen, with one row for each.

    Returns
    -------
    pl.DataFrame
        having: rows that have some. share, points: change for one more, in pp and in points. p, q
        (Benjamini-Hochberg): of no change in win share. difference, points_difference: having some minus having none.
        p_difference, q_difference: of no difference in win share.
    """
    rows = [each.slope for each in counts]
    q, q_difference = (benjamini_hochberg([row[p] for row in rows]).tolist() for p in ("p", "p_difference"))
    return table(row | {"q": a, "q_difference": b} for row, a, b in zip(rows, q, q_difference, strict=True))


@dataclass(frozen=True)
class Parts:
    """The sources of points, for winners and for the others; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each part, with means in points.

        For winners each game counts once, a shared win in parts. others are seats that won nothing. scored is the
        number of blocks in which they have points from the part, of winners or of others, whichever is less. of_gap is
        the part's share of the winners' lead, 0 to 1; it is below 0 if the others have more of the part.
        """
        return table(self.rows)


class PartSums:
    """Accumulates what `Parts` needs: each part's points of all seats, of winners and of the others."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.sums = Bundle(len(names))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        values = np.stack([part.of_seats(name) for name in self.names], axis=2)  # [games, players, parts]
        weights = np.stack([np.ones_like(part.wins), part.wins, part.wins == 0], axis=1)  # [games, 3, players]
        sums = np.stack([np.einsum("gp,gpm->gm", weights[:, kind], values) for kind in range(3)], axis=1)
        self.sums.add(part.by_block(sums), part.by_block(weights.sum(axis=2)))

    def result(self) -> Parts:
        """Return the parts, with the intervals of all blocks so far."""
        matrix = np.eye(6)
        found = [ratios(self.sums.sums(place), matrix[:3], matrix[3:]) for place in range(len(self.names))]
        differences = [means.combined(np.array([[0.0, 1.0, -1.0]])) for means in found]
        lead = sum(float(difference.value[0]) for difference in differences)
        return Parts(
            tuple(
                {"part": name, "scored": int(means.told[1:].min()), "mean": float(means.value[0])}
                | columns("winners", means.known(1))
                | columns("others", means.known(2))
                | columns("difference", difference.known(0))
                | {"of_gap": float(difference.value[0]) / lead if lead else math.nan}
                for name, means, difference in zip(self.names, found, differences, strict=True)
            )
        )


def _line(sums: Sums, y: int) -> Means:
    """Return the slope of a straight line through all rows. y: index of the sum of y, which that of x * y follows."""
    n, x, xx = sums.total[:3]
    sum_y, xy = sums.total[y : y + 2]
    spread = xx - x * x / n
    if spread <= 0:
        return Means(np.array([math.nan]), np.full((1, 1), math.nan), np.array([n]), np.array([sums.blocks]))
    slope = (xy - x * sum_y / n) / spread
    gradient = np.zeros((1, len(sums.total)))
    gradient[0, :3] = [(x * sum_y - slope * x * x) / n**2, (2 * slope * x - sum_y) / n, -slope]
    gradient[0, y : y + 2] = -x / n, 1.0
    gradient /= spread
    return Means(
        np.array([slope]), gradient @ sums.covariance @ gradient.T, np.array([n]), np.array([float(sums.blocks)])
    )


@dataclass(frozen=True)
class LevelPoints:
    """Points of each level of a column, by source and over time.

    sources, course, both: rows of `by_source`, `over_time` and `by_source_over_time`.
    """

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
        self.sums = {name: Bundle(len(self.levels), 2) for name in named}

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        codes = part.codes(self.column, self.levels)
        known, shape = codes >= 0, (len(part.starts), len(self.levels))
        cells = (part.block[:, None] * len(self.levels) + codes)[known]
        rows = np.bincount(cells, minlength=math.prod(shape))
        for name, sums in self.sums.items():
            points = np.bincount(cells, self._points(part, name)[known], math.prod(shape))
            both = np.stack([rows.reshape(shape), points.reshape(shape)], axis=1, dtype=np.float64)
            sums.add(both, both.sum(axis=2))

    def _points(self, part: BlockRows, name: str) -> Floats:
        if name == FINAL:
            return part.points - sum(part.of_seats(source) for source in self.by_source)
        return part.of_seats(name)

    def result(self) -> LevelPoints:
        """Return the points of the levels, with the intervals of all blocks so far."""
        steps = len(self.progress)
        moments = [(name, {"progress": (place + 1) / (steps + 1)}) for place, name in enumerate(self.progress)]
        course = self._rows([*moments, ("points", {"progress": 1.0})]) if steps else ()
        sources = self._rows([("points", {"part": ALL}), *((name, {"part": name}) for name in self.sources)])
        return LevelPoints(sources, course, self._both())

    def _both(self) -> tuple[dict[str, Any], ...]:
        moments = [
            (name, {"part": source, "progress": (place + 1) / (len(names) + 1)})
            for source, names in self.by_source.items()
            for place, name in enumerate([*names, source])
        ]
        return self._rows([*moments, (FINAL, {"part": FINAL, "progress": 1.0})]) if moments else ()

    def _rows(self, columns_of: Sequence[tuple[str, dict[str, Any]]]) -> tuple[dict[str, Any], ...]:
        return with_q(
            [
                {"level": str(level)} | what | _row(self.sums[name], place)
                for name, what in columns_of
                for place, level in enumerate(self.levels)
            ],
            keep_p=False,
        )


def _row(bundle: Bundle, place: int) -> dict[str, Any]:
    """Return the means of one level, and the p of no difference from all seats."""
    having, every = np.eye(4)[:2], np.eye(4)[2:]
    means = ratios(bundle.sums(place), np.array([having[1], every[1]]), np.array([having[0], every[0]]))
    difference = means.minus_rest()
    return (
        {"n": int(means.rows[0]), "scored": int(means.told[0])}
        | columns("mean", means.known(0))
        | columns("difference", difference.known(0))
        | {"p": float(difference.p_values()[0])}
    )
