"""Convergence of the main estimate: the win share of each seat after increasing numbers of games."""

from __future__ import annotations

import numpy as np
import polars as pl

from rogsim.stats.blocks import BlockRows, Sums
from rogsim.stats.confidence_sequences import anytime_share
from rogsim.stats.contrasts import table
from rogsim.stats.estimates import Clusters, share

LOOKS = 40


class ConvergenceSums:
    """Accumulates rows and wins by seat, separately for each of LOOKS stretches of games.

    Parameters
    ----------
    last
        The highest block number.
    """

    def __init__(self, players: int, last: int) -> None:
        self.players, self.last = players, last
        self.sums = [Sums(2 * players) for _ in range(LOOKS)]

    def add(self, part: BlockRows) -> None:
        """Add the blocks of a part."""
        found = part.by_block(np.concatenate([np.ones_like(part.wins), part.wins], axis=1))
        block = part.games["block"].to_numpy()[part.starts].astype(np.int64)
        look = block * LOOKS // (self.last + 1)
        for place in np.unique(look).tolist():
            self.sums[place].add(found[look == place])

    def result(self) -> pl.DataFrame:
        """Return one row for each seat and step: games so far, win share, its 95% interval and its anytime interval.

        The anytime interval is a 95% confidence sequence (`confidence_sequences`): it holds at all steps at once.
        """
        so_far, rows = Sums(2 * self.players), []
        for sums in self.sums:
            if not sums.blocks:
                continue
            so_far = so_far.plus(sums)
            for seat in range(self.players):
                group = _clusters(so_far, seat, self.players + seat)
                fixed, anytime = share(group), anytime_share(group)
                rows.append(
                    {"seat": seat + 1, "games": group.rows, "share": fixed.value, "low": fixed.low, "high": fixed.high}
                    | {"anytime_low": anytime.low, "anytime_high": anytime.high}
                )
        return table(rows).sort("seat", "games", maintain_order=True)


def _clusters(sums: Sums, size: int, value: int) -> Clusters:
    return Clusters(
        blocks=int(sums.blocks),
        rows=int(sums.total[size]),
        total=float(sums.total[value]),
        squares=float(sums.products[value, value]),
        cross=float(sums.products[value, size]),
        sizes=float(sums.products[size, size]),
    )
