"""What is associated with winning: what seats had, how much of it, and the sources of their points.

These are screens. A seat that is ahead can afford more, so what winners have is not necessarily what makes them win.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Bundle, Floats, Sums
from rogsim.stats.contrasts import FEWEST_BLOCKS, Means, benjamini_hochberg, columns, ratios, selector, table
from rogsim.stats.estimates import Estimate
from rogsim.stats.null import exchanges, share_p_values

ASSOCIATION = (
    "This shows what is associated with winning, not what causes it: a seat that is ahead for another reason may also "
    "get more of this."
)
THIN_LINE = 200  # blocks that carry a slope, below which their own spread is not trusted to be large enough
MOST = 12  # larger counts are put together


@dataclass(frozen=True)
class Members:
    """For each member of a set, how seats that had it differ from seats that did not."""

    players: int
    column: str
    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row a member.

        had: the share of seats that had it. difference: in win share between those and the others, in pp; points: the
        same in points. p, q (Benjamini-Hochberg): of no difference in win share.
        """
        return table(self.rows)


class MemberSums:
    """Adds up what `Members` needs: rows, wins and points of the seats that had a member, and of all."""

    def __init__(self, column: str, members: Sequence[str]) -> None:
        self.column, self.members = column, list(members)
        self.sums = Bundle(len(members))
        self.null = np.zeros(len(members))

    def add(self, part: BlockRows) -> None:
        """Add some blocks."""
        bits = part.seats[self.column].cast(pl.UInt64).to_numpy().reshape(-1, part.players)
        weights = np.stack([np.ones_like(part.wins), part.wins, part.points], axis=1)  # [games, 3, players]
        places = np.arange(len(self.members), dtype=np.uint64)

        def had(start: int, stop: int) -> Floats:
            return np.asarray((bits[start:stop, :, None] >> places) & np.uint64(1), dtype=np.float64)

        own = np.zeros((len(bits), 3, len(self.members)))
        for seat in range(part.players):
            own += weights[:, :, seat, None] * ((bits[:, seat, None] >> places) & np.uint64(1))[:, None, :]
        self.sums.add(part.by_block(own), part.by_block(weights.sum(axis=2)))
        for moves in exchanges(part, had, len(self.members)):
            self.null += (moves**2).sum(axis=0)

    def result(self, players: int) -> Members:
        """Return the members, with the intervals and tests of all blocks so far."""
        found = [_member(self.sums.sums(place), float(self.null[place]), players) for place in range(len(self.members))]
        q = benjamini_hochberg([row["p"] for row in found])
        named = zip(self.members, found, q.tolist(), strict=True)
        return Members(
            players, self.column, tuple({"member": name} | row | {"q": adjusted} for name, row, adjusted in named)
        )


def _member(sums: Sums, null: float, players: int) -> dict[str, Any]:
    """Return the row of one member.

    sums: rows, wins and points with it, and of all seats. null: the variance of the wins with it, if nothing mattered.
    """
    own, every = np.eye(6)[:3], np.eye(6)[3:]
    without = every - own
    rows = np.array([own[0], without[0]])
    shares, points = (ratios(sums, np.array([own[kind], without[kind]]), rows) for kind in (1, 2))
    return (
        {"n": int(shares.rows[0]), "had": float(sums.total[0] / sums.total[3])}
        | {"share_with": float(shares.value[0]), "share_without": float(shares.value[1])}
        | columns("difference", shares.apart(0, 1))
        | columns("points", _apart(points, 1).known(0))
        | {"p": _p_of_having(shares, float(sums.total[1]), null, players)}
    )


def _p_of_having(shares: Means, wins: float, null: float, players: int) -> float:
    """Return the p of seats that have something winning as often as others; nan if too few have it, or have it not.

    wins: of those that have it. null: the variance of that, if results fell on seats at random.
    """
    if shares.blocks.min() < FEWEST_BLOCKS or not null > 0:
        return math.nan
    scarcer = 0 if shares.rows[0] <= shares.rows[1] else 1
    z = (wins - shares.rows[0] / players) / math.sqrt(null)
    games = shares.rows[scarcer] ** 2 * (players - 1) / players**2 / null
    return float(share_p_values(np.array([z if scarcer == 0 else -z]), 1 / players, games)[0])


@dataclass(frozen=True)
class Slope:
    """The change associated with one more of something, in win share (pp) and points; p: of none in win share.

    n: rows. mean: how many a seat has. difference: in win share between seats that have some and those that have none,
    in pp; points_difference: the same in points; p_difference: of none in win share. having: rows that have some.
    """

    n: int
    mean: float
    share: Estimate
    points: Estimate
    difference: Estimate
    points_difference: Estimate
    p: float
    p_difference: float = math.nan
    having: int = 0


@dataclass(frozen=True)
class Counts:
    """How often seats win by how many of something they have."""

    players: int
    column: str
    slope: Slope
    values: tuple[dict[str, Any], ...]
    seats: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each number of them ("12+" for all from 12): n, win share (0..1), points."""
        return table(self.values)

    def by_seat(self) -> pl.DataFrame:
        """Return the mean number for each seat."""
        return table(self.seats)


class CountSums:
    """Adds up what `Counts` needs: by number, by seat, and the sums of a straight line."""

    def __init__(self, column: str, players: int) -> None:
        self.column, self.players = column, players
        self.values, self.seats, self.line = Sums(3 * (MOST + 1)), Sums(players + 1), Sums(7)
        self.null = np.zeros(2)  # variances of the sums of x * wins, and of wins of seats that have some
        self.inside = Sums(1)  # squares of x less the mean of its game

    def add(self, part: BlockRows) -> None:
        """Add some blocks."""
        x = part.of_seats(self.column)
        ones = np.ones_like(x)
        self.values.add_levels(part, np.clip(x, 0, MOST).astype(np.int64), (part.wins, part.points))
        self.seats.add(part.by_block(np.concatenate([ones[:, :1], x], axis=1)))
        line = (ones, x, x * x, part.wins, x * part.wins, part.points, x * part.points)
        self.line.add(part.by_block(np.stack([one.sum(axis=1) for one in line], axis=1)))
        self.inside.add(part.by_block(((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))[:, None])
        both = np.stack([x, x > 0], axis=2)
        for moves in exchanges(part, lambda start, stop: both[start:stop], 2):
            self.null += (moves**2).sum(axis=0)

    def result(self) -> Counts:
        """Return the counts, with the intervals of all blocks so far."""
        return Counts(self.players, self.column, self._slope(), tuple(self._by_value()), tuple(self._by_seat()))

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
        size = self.players + 1
        means = ratios(self.seats, selector(range(1, size), size), selector([0] * self.players, size))
        return [{"seat": place + 1} | columns("mean", means.estimate(place)) for place in range(self.players)]

    def _means(self, values: Floats) -> tuple[Means, Means]:
        """Return win shares and points over some values together, each row of float64[m, MOST + 1] of 0 and 1."""
        nothing = np.zeros_like(values)
        rows = np.hstack([values, nothing, nothing])
        wins, points = np.hstack([nothing, values, nothing]), np.hstack([nothing, nothing, values])
        return ratios(self.values, wins, rows), ratios(self.values, points, rows)

    def _slope(self) -> Slope:
        some = np.r_[0.0, np.ones(MOST)]
        shares, points = self._means(np.array([some, 1 - some]))
        n, x = self.line.total[:2]
        share, line = self._lines()
        having = float(self.values.total[MOST + 2 : 2 * (MOST + 1)].sum())
        return Slope(
            int(n),
            float(x / n),
            share.known(0, 100),
            line.known(0),
            shares.apart(0, 1),
            _apart(points, 1).known(0),
            float(share.p_values()[0]),
            _p_of_having(shares, having, float(self.null[1]), self.players),
            int(shares.rows[0]),
        )

    def _lines(self) -> tuple[Means, Means]:
        """Return the slopes of win share and points, with as many blocks as carry them.

        A line through rare large numbers rests on few blocks: on one over the sum of the squares of their shares in
        the spread of x (Carter, Schnepel and Steigerwald 2017, "Asymptotic behavior of a t-test robust to cluster
        heterogeneity", Review of Economics and Statistics 99). Few blocks do not show their own spread well: the
        slope of the win share then has at least the variance that it has if results fall on seats at random.
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
        """Return how many blocks carry the slope of the win share: only seats of one game are compared there."""
        squares = float(self.inside.products[0, 0])
        return float(self.inside.total[0]) ** 2 / squares if squares > 0 else 0.0


def _carried(means: Means, blocks: float) -> Means:
    """Return an estimate as one that rests on so many blocks, with the variance that this takes."""
    more = blocks / (blocks - 1) if blocks > 1 else 1.0
    return replace(means, covariance=more * means.covariance, blocks=np.array([blocks]))


def slopes(counts: Sequence[Counts]) -> pl.DataFrame:
    """Return several columns as one screen: a row each with its slopes, p and q (Benjamini-Hochberg).

    having: rows that have some. share, points: for one more, in pp and in points; p, q: of no slope of the win share.
    difference, points_difference: between having some and none; p_difference, q_difference: of none in win share.
    """
    q = benjamini_hochberg([one.slope.p for one in counts])
    q_difference = benjamini_hochberg([one.slope.p_difference for one in counts])
    return table(
        {"column": one.column, "n": one.slope.n, "having": one.slope.having, "mean": one.slope.mean}
        | columns("share", one.slope.share)
        | columns("points", one.slope.points)
        | columns("difference", one.slope.difference)
        | columns("points_difference", one.slope.points_difference)
        | {"p": one.slope.p, "q": adjusted}
        | {"p_difference": one.slope.p_difference, "q_difference": apart}
        for one, adjusted, apart in zip(counts, q, q_difference, strict=True)
    )


@dataclass(frozen=True)
class Parts:
    """Where points come from, for winners and for the others."""

    players: int
    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row a part, means in points.

        winners: each game counts once, a shared win by its shares. others: seats that won nothing. of_gap: which share
        of the winners' lead the part makes, 0..1, and less than 0 where the others have more of it.
        """
        return table(self.rows)


class PartSums:
    """Adds up what `Parts` needs: each part's points of all seats, of winners and of the others."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.sums = Bundle(len(names))

    def add(self, part: BlockRows) -> None:
        """Add some blocks."""
        values = np.stack([part.of_seats(name) for name in self.names], axis=2)  # [games, players, parts]
        weights = np.stack([np.ones_like(part.wins), part.wins, part.wins == 0], axis=1)  # [games, 3, players]
        own = np.stack([np.einsum("gp,gpm->gm", weights[:, kind], values) for kind in range(3)], axis=1)
        self.sums.add(part.by_block(own), part.by_block(weights.sum(axis=2)))

    def result(self, players: int) -> Parts:
        """Return the parts, with the intervals of all blocks so far."""
        matrix = np.eye(6)
        found = [ratios(self.sums.sums(place), matrix[:3], matrix[3:]) for place in range(len(self.names))]
        apart = [means.combined(np.array([[0.0, 1.0, -1.0]])) for means in found]
        lead = sum(float(one.value[0]) for one in apart)
        return Parts(
            players,
            tuple(
                {"part": name, "mean": float(means.value[0])}
                | columns("winners", means.known(1))
                | columns("others", means.known(2))
                | columns("difference", difference.known(0))
                | {"of_gap": float(difference.value[0]) / lead if lead else math.nan}
                for name, means, difference in zip(self.names, found, apart, strict=True)
            ),
        )


def _apart(means: Means, half: int) -> Means:
    """Return the first half of some means less the second."""
    return means.combined(np.hstack([np.eye(half), -np.eye(half)]))


def _line(sums: Sums, y: int) -> Means:
    """Return the slope of a straight line through all rows; y: the place of the sum of y, that of x * y comes next."""
    n, x, xx = sums.total[:3]
    sum_y, xy = sums.total[y : y + 2]
    spread = xx - x * x / n
    if spread <= 0:
        return Means(np.array([math.nan]), np.full((1, 1), math.nan), np.array([n]), np.array([sums.blocks]))
    slope = (xy - x * sum_y / n) / spread
    gradient = np.zeros((1, len(sums.total)))
    gradient[0, :3] = [
        (x * sum_y - slope * x * x) / n**2,
        (2 * slope * x - sum_y) / n,
        -slope,
    ]
    gradient[0, y : y + 2] = -x / n, 1.0
    gradient /= spread
    return Means(
        np.array([slope]), gradient @ sums.covariance @ gradient.T, np.array([n]), np.array([float(sums.blocks)])
    )
