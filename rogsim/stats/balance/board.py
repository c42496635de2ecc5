"""The spaces of a board: how often seats use each, how that goes with winning, and how often each is visited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rogsim.game.board_map import Spaces
from rogsim.stats.balance.association import CountSums, MemberSums, slopes
from rogsim.stats.blocks import BlockRows, Sums
from rogsim.stats.contrasts import columns, ratios, selector, table


@dataclass(frozen=True)
class SpaceUse:
    """How the seats used spaces of one kind, and how often they visited each; rows: those of `frame`."""

    players: int
    name: str
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
        self.sets = MemberSums(spaces.columns[0], members) if members else None
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
        names, count = self.members or list(self.spaces.columns), len(self.spaces.visits)
        visits = ratios(self.visits, selector(range(1, count + 1), count + 1), selector([0] * count, count + 1))
        rows = [
            {"space": name} | use | (columns("visits", visits.known(place)) if count else {})
            for place, (name, use) in enumerate(zip(names, self._wins(), strict=True))
        ]
        return SpaceUse(self.players, self.spaces.name, tuple(rows))

    def _wins(self) -> list[dict[str, Any]]:
        if self.sets is not None:
            named = {"n": "n", "had": "uses", "q": "q"} | _ends("difference", "win") | _ends("points", "points")
            found = self.sets.result(self.players).frame()
        else:
            named = {"having": "n", "mean": "uses", "q": "q"} | _ends("share", "win") | _ends("points", "points")
            found = slopes([sums.result() for sums in self.counts])
        return found.select(pl.col(old).alias(new) for old, new in named.items()).to_dicts()


def _ends(old: str, new: str) -> dict[str, str]:
    return {f"{old}{end}": f"{new}{end}" for end in ("", "_low", "_high")}
