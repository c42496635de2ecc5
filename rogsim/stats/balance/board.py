"""The spaces of a board: how often seats use and visit each, and how that goes with winning and with income.

Income is one regression on all spaces together: seats that stop at one space stop less at others, so the spaces are not
compared one by one. The income of a seat minus the mean of its game is regressed, by least squares, on its uses of
every space and its seat, also minus their means over the game. Standard errors are robust, with the blocks as clusters,
and the degrees of freedom are the effective number of blocks, as in `regression`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.board_map import BoardMap, Spaces
from rogsim.stats.balance.association import CountSums, MemberSums, slopes
from rogsim.stats.balance.regression import fit
from rogsim.stats.blocks import BlockRows, Floats, Sums
from rogsim.stats.contrasts import benjamini_hochberg, columns, per_game, table


@dataclass(frozen=True)
class SpaceUse:
    """How the seats used spaces of one kind, and how often they visited each; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self) -> pl.DataFrame:
        """Return one row for each space.

        n is the number of seats that used it, uses how often a seat used it on average; win is the change in win share
        for one more use in pp, and points the same in points; q (Benjamini-Hochberg) is of no change in win share.
        visits is how often all seats of a game visit it.
        """
        return table(self.rows)


class SpaceSums:
    """Accumulates what `SpaceUse` needs.

    Parameters
    ----------
    spaces
        The spaces.
    members
        The members of the column, if it is a set.
    """

    def __init__(self, spaces: Spaces, members: Sequence[str], players: int) -> None:
        self.spaces, self.members, self.players = spaces, list(members), players
        self.sets = MemberSums(spaces.columns[0], members, players) if members else None
        self.counts = [] if members else [CountSums(column, players) for column in spaces.columns]
        self.visits = Sums(1 + len(spaces.visits))

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        for sums in [self.sets] if self.sets else self.counts:
            sums.add(part)
        whole = [np.ones(part.games.height)]
        whole += [sum(part.of_seats(name).sum(axis=1) for name in names) for names in self.spaces.visits]
        self.visits.add(part.by_block(np.stack(whole, axis=1)))

    def result(self) -> SpaceUse:
        """Return the spaces, with the intervals and tests of all blocks so far."""
        names, visits = self.members or list(self.spaces.columns), per_game(self.visits)
        rows = [
            {"space": name} | use | (columns("visits", visits.known(place)) if self.spaces.visits else {})
            for place, (name, use) in enumerate(zip(names, self._wins(), strict=True))
        ]
        return SpaceUse(tuple(rows))

    def _wins(self) -> list[dict[str, Any]]:
        if self.sets is not None:
            named = {"n": "n", "had": "uses", "q": "q"} | _ends("difference", "win") | _ends("points", "points")
            found = self.sets.result().frame()
        else:
            named = {"having": "n", "mean": "uses", "q": "q"} | _ends("share", "win") | _ends("points", "points")
            found = slopes([sums.result() for sums in self.counts])
        return found.select(pl.col(old).alias(new) for old, new in named.items()).to_dicts()


def _ends(old: str, new: str) -> dict[str, str]:
    return {f"{old}{end}": f"{new}{end}" for end in ("", "_low", "_high")}


@dataclass(frozen=True)
class SpaceIncome:
    """How income changes with one more use of each space; rows: those of `frame`."""

    rows: tuple[dict[str, Any], ...]

    def frame(self, kind: str) -> pl.DataFrame:
        """Return one row for each space of a kind.

        income is the change in a seat's income for one more use, with the same uses of all other spaces, with its 95%
        interval; income_q (Benjamini-Hochberg, over all spaces of all kinds) is of no change. A space with too few uses
        has no interval, and one whose uses follow from those of the others has no income.
        """
        own = [{key: value for key, value in row.items() if key != "kind"} for row in self.rows if row["kind"] == kind]
        return table(own)


class UseMatrix:
    """The columns of the regression: uses of each space, then the seat. uses: int8[games, players, spaces]."""

    def __init__(self, uses: Any) -> None:
        self.uses, self.players = uses, uses.shape[1]
        self.size = uses.shape[2] + self.players

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
            if members := self.members.get(kind.columns[0]):
                found.append(part.members(kind.columns[0], len(members)))
            else:
                found += [part.of_seats(name)[:, :, None] for name in kind.columns]
        self.uses.append(np.concatenate(found, axis=2).astype(np.int8))
        self.income.append(sum(part.of_seats(name) for name in self.board.income))  # type: ignore[arg-type]
        self.sizes.append(part.sizes)

    def result(self) -> SpaceIncome:
        """Fit the regression."""
        design = UseMatrix(np.concatenate(self.uses))
        values, sizes = np.concatenate(self.income)[:, :, None], np.concatenate(self.sizes)
        means = fit(design, values, sizes, np.eye(design.size)[: len(self.spaces)])[0]
        q = benjamini_hochberg(means.p_values()).tolist()
        return SpaceIncome(
            tuple(
                {"kind": kind, "space": space} | columns("income", means.known(place)) | {"income_q": q[place]}
                for place, (kind, space) in enumerate(self.spaces)
            )
        )
