"""What one more use of each space of a board goes with in income: one regression on all spaces together.

Seats that stop at one space stop less at others, so the spaces are not compared one by one. The income of a seat minus
the mean of its game is regressed, by least squares, on its uses of every space and its seat, also minus their means
over the game. Standard errors are robust, with the blocks as clusters, and the degrees of freedom are the effective
number of blocks, as in `rogsim.stats.balance.regression`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.board_map import BoardMap
from rogsim.stats.balance.regression import UNIDENTIFIED, fit
from rogsim.stats.blocks import BlockRows, Floats
from rogsim.stats.contrasts import Means, benjamini_hochberg, columns, table


@dataclass(frozen=True)
class SpaceIncome:
    """How income changes with one more use of each space; rows: those of `frame`."""

    players: int
    rows: tuple[dict[str, Any], ...]

    def frame(self, kind: str) -> pl.DataFrame:
        """Return one row for each space of a kind.

        income is the change in a seat's income for one more use, with the same uses of all other spaces, with its 95%
        interval; income_q (Benjamini-Hochberg, over all spaces of all kinds) is of no change. A space with too few uses
        has no interval, and one whose uses follow from those of the others has no income.
        """
        own = [{key: value for key, value in row.items() if key != "kind"} for row in self.rows if row["kind"] == kind]
        return table(own)


@dataclass(frozen=True)
class UseMatrix:
    """The columns of the regression: uses of each space, then the seat.

    Attributes
    ----------
    uses : int8[games, players, spaces]
    """

    uses: Any

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return int(self.uses.shape[1])

    @property
    def size(self) -> int:
        """Return the number of columns."""
        return int(self.uses.shape[2]) + self.players

    def rows(self, start: int, stop: int) -> Floats:
        """Return the rows of some games, minus their mean over the game: float64[games, players, size]."""
        seats = np.broadcast_to(np.eye(self.players), (stop - start, self.players, self.players))
        found = np.concatenate([self.uses[start:stop].astype(np.float64), seats], axis=2)
        return np.asarray(found - found.mean(axis=1, keepdims=True))


class SpaceIncomeRows:
    """Collects what `SpaceIncome` needs, a byte for each seat and space.

    Parameters
    ----------
    board
        The board, with its income.
    members
        The members of columns that are sets, by column.
    """

    def __init__(self, board: BoardMap, members: Mapping[str, Sequence[str]]) -> None:
        self.board, self.members = board, members
        self.uses: list[Any] = []
        self.income: list[Floats] = []
        self.sizes: list[Any] = []

    @property
    def spaces(self) -> list[tuple[str, str]]:
        """Return the kind and the name of each space."""
        return [(kind.name, space) for kind in self.board.spaces for space in kind.labels]

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        found = []
        for kind in self.board.spaces:
            bits = self.members.get(kind.columns[0])
            if bits:
                mask = part.seats[kind.columns[0]].cast(pl.UInt64).to_numpy()
                found += [(mask >> np.uint64(place)) & np.uint64(1) for place in range(len(bits))]
            else:
                found += [part.seats[name].to_numpy() for name in kind.columns]
        uses = np.stack([np.asarray(column, dtype=np.int8) for column in found], axis=1)
        self.uses.append(uses.reshape(-1, part.players, len(found)))
        self.income.append(sum(part.of_seats(name) for name in self.board.income))  # type: ignore[arg-type]
        self.sizes.append(np.bincount(part.block))

    def result(self, players: int) -> SpaceIncome:
        """Fit the regression."""
        design = UseMatrix(np.concatenate(self.uses))
        values, sizes = np.concatenate(self.income)[:, :, None], np.concatenate(self.sizes)
        count = len(self.spaces)
        effects = np.eye(design.size)[:count]
        found = fit(design, values, sizes, effects)
        identified = np.abs(effects @ found.known - effects).max(axis=1) < UNIDENTIFIED
        more = np.sqrt(found.carried / np.maximum(found.carried - 1, 1.0))
        means = Means(
            np.where(identified, found.coefficients[:count, 0], np.nan),
            found.covariance[0][:count, :count] * np.outer(more, more),
            np.full(count, float(values.size)),
            found.carried,
        )
        q = benjamini_hochberg(means.p_values()).tolist()
        rows = [
            {"kind": kind, "space": space} | columns("income", means.known(place)) | {"income_q": q[place]}
            for place, (kind, space) in enumerate(self.spaces)
        ]
        return SpaceIncome(players, tuple(rows))
