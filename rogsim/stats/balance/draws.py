"""What was drawn or set up for a whole game: does it change how much the seat matters, how long or close games are?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from rogsim.stats.balance.level_by_seat import SumsBySeat, narrow, share_rows
from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import (
    JointTest,
    Means,
    benjamini_hochberg,
    columns,
    ratios,
    table,
)
from rogsim.stats.estimates import Estimate

GAME_VALUES = ("points", "turns", "margin")
BETWEEN = re.compile(r"\s*[,+]\s*")


@dataclass(frozen=True)
class Draws:
    """One column of games whose levels were drawn or set up, with one number of players.

    Attributes
    ----------
    overall
        The test that each seat's share is the same with every level.
    members
        What the levels list, such as single cards; empty if they are not lists.
    beyond90
        For each row of `seats` the value `beyond` with its 90% interval.
    frames
        Frames by the name of the method that returns them.
    covariance : float64[rows, rows]
        Covariance of `beyond` in `seats`, in pp squared.
    cell_blocks
        Number of blocks that contain the level and seat of each row of `seats`.
    """

    players: int
    column: str
    overall: JointTest
    levels: tuple[str, ...]
    members: tuple[str, ...]
    beyond90: tuple[Estimate, ...]
    frames: Mapping[str, pl.DataFrame]
    covariance: Floats | None = field(default=None, compare=False, repr=False)
    cell_blocks: tuple[float, ...] = ()

    def seats(self) -> pl.DataFrame:
        """Return one row for each level and seat, as `Cells.frame`; `beyond` is relative to the seat's mean share."""
        return self.frames["seats"]

    def games(self) -> pl.DataFrame:
        """Return one row for each level: mean points of a seat, turns, and margin (points from first to second)."""
        return self.frames["games"]

    def by_member(self) -> pl.DataFrame:
        """Return for each member and seat the win share with it and without it (0 to 1), and the difference in pp."""
        return self.frames["by_member"]

    def member_games(self) -> pl.DataFrame:
        """Return for each member the differences in points, turns and margin: games with it minus games without it."""
        return self.frames["member_games"]


class DrawSums:
    """Accumulates what `Draws` needs, by block and level; lists: whether levels are lists of members."""

    def __init__(self, column: str, levels: Sequence[Any], players: int, lists: bool) -> None:
        self.column, self.names, self.players, self.lists = column, list(levels), players, lists
        self.wins = Sums(2 * len(levels) * players)
        self.whole = Sums((1 + len(GAME_VALUES)) * len(levels))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        codes = part.codes(self.column, self.names)
        cells = np.where(codes >= 0, codes * self.players, -self.players)[:, None] + np.arange(self.players)
        self.wins.add_levels(part, cells, (part.wins,))
        values = (part.points.mean(axis=1), part.of_games("turns"), margins(part.points))
        self.whole.add_levels(part, codes[:, None], [value[:, None] for value in values])

    def result(self) -> Draws:
        """Return the draws, with the intervals and tests of all blocks so far."""
        names = [str(name) for name in self.names]
        grid = SumsBySeat(len(names), self.players, self.wins)
        grid = replace(grid, null=_null(grid))
        members, inside = members_of(names) if self.lists else ([], np.zeros((0, len(names))))
        frames = {
            "seats": table(share_rows(grid, names)),
            "games": table(_game_rows(self.whole, names)),
            "by_member": table(_member_rows(grid, members, inside)),
            "member_games": table(_member_games(self.whole, members, inside)),
        }
        return Draws(
            self.players,
            self.column,
            grid.interaction(),
            tuple(names),
            tuple(members),
            narrow(grid),
            frames,
            100**2 * grid.beyond.covariance,
            tuple(map(float, grid.beyond.blocks)),
        )


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


def _difference(means: Means, half: int) -> Means:
    """Return the first half of the means minus the second half."""
    return means.combined(np.hstack([np.eye(half), -np.eye(half)]))


def _member_rows(grid: SumsBySeat, members: Sequence[str], inside: Floats) -> list[dict[str, Any]]:
    if not members:
        return []
    cells = np.kron(inside, np.eye(grid.players))
    others = np.kron(1 - inside, np.eye(grid.players))
    both = grid.means(np.vstack([cells, others]))
    count = len(cells)
    difference = _difference(both, count)
    weights = cells / np.maximum(both.rows[:count, None], 1) - others / np.maximum(both.rows[count:, None], 1)
    p = grid.p_of(weights, difference, np.tile(grid.of_seats, len(members)))
    q = benjamini_hochberg(p)
    return [
        {"member": members[place // grid.players], "seat": place % grid.players + 1, "n": int(both.rows[place])}
        | columns("with", both.share(place))
        | columns("without", both.share(count + place))
        | columns("difference", both.difference(place, count + place))
        | {"p": p[place], "q": q[place]}
        for place in range(count)
    ]


def _game_means(sums: Sums, levels: Floats) -> list[Means]:
    """Return means of each game value over several levels together, one for each row of float64[m, levels]."""
    blank = [np.zeros_like(levels)] * (1 + len(GAME_VALUES))

    def placed(value: int) -> Floats:
        return np.hstack([*blank[:value], levels, *blank[value + 1 :]])

    return [ratios(sums, placed(1 + value), placed(0)) for value in range(len(GAME_VALUES))]


def _game_rows(sums: Sums, names: Sequence[str]) -> list[dict[str, Any]]:
    found = _game_means(sums, np.eye(len(names)))
    rows = []
    for place, name in enumerate(names):
        row: dict[str, Any] = {"level": name, "n": int(found[0].rows[place])}
        for value, means in zip(GAME_VALUES, found, strict=True):
            row |= columns(value, means.known(place))
        rows.append(row)
    return rows


def _member_games(sums: Sums, members: Sequence[str], inside: Floats) -> list[dict[str, Any]]:
    if not members:
        return []
    found = _game_means(sums, np.vstack([inside, 1 - inside]))
    rows = []
    for place, name in enumerate(members):
        row: dict[str, Any] = {"member": name, "n": int(found[0].rows[place])}
        for value, means in zip(GAME_VALUES, found, strict=True):
            row |= columns(value, _difference(means, len(members)).known(place))
        rows.append(row)
    return rows
