"""Adaptive runs: when to look, and whether every interval is narrow enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rogsim.scenario.precision import Target
from rogsim.stats.estimates import Estimate, clusters
from rogsim.stats.sequential import ANYTIME_BLOCKS as FEWEST_BLOCKS
from rogsim.stats.sequential import anytime_mean, anytime_share, blocks_needed

FIRST_LOOK, LOOK_SHARE = 1_000, 4  # games before the first look; each later one is after a quarter more


@dataclass(frozen=True)
class LevelPrecision:
    """How precisely one level of a factor is known: its anytime-valid interval and its number of blocks."""

    target: Target
    level: Any  # None for seats without a level
    estimate: Estimate
    blocks: int

    @property
    def is_narrow(self) -> bool:
        """Return whether there is an interval and it is narrow enough."""
        return self.estimate.half_width <= self.target.half_width  # False for nan

    @property
    def excess(self) -> float:
        """Return the half width of the interval as a multiple of the target; infinity if there is no interval."""
        half_width = self.estimate.half_width
        return math.inf if math.isnan(half_width) else half_width / self.target.half_width

    @property
    def growth(self) -> float:
        """Return by about what factor the number of games must grow until the interval is narrow enough; 1 if it is."""
        if math.isnan(self.estimate.half_width):
            return FEWEST_BLOCKS / self.blocks
        return blocks_needed(self.estimate.half_width, self.blocks, self.target.half_width) / self.blocks


@dataclass(frozen=True)
class Look:
    """An interim look: what is known so far of the games with one player count."""

    players: int
    games: int
    precisions: tuple[LevelPrecision, ...]

    @property
    def is_done(self) -> bool:
        """Return whether every interval is narrow enough."""
        return all(precision.is_narrow for precision in self.precisions)

    @property
    def widest(self) -> LevelPrecision:
        """Return the level that is farthest from its target."""
        return max(self.precisions, key=lambda precision: precision.excess)

    @property
    def more_games(self) -> int:
        """Return about how many more games are needed; 0 if it is done."""
        return math.ceil(self.games * (max(precision.growth for precision in self.precisions) - 1))


def look_schedule(cap: int, cycle: int) -> list[int]:
    """Return the numbers of games at which to look: a quarter more each time, in whole cycles, and `cap` last.

    The looks before the last do not depend on the cap. A larger cap only adds looks, so a run that is interrupted and
    continued ends where an uninterrupted one would.

    Parameters
    ----------
    cap
        Games of the plan: 1 or more, in whole cycles.
    cycle
        Games of a cycle.
    """
    found, games = [], 0
    while games < cap:
        step = max(FIRST_LOOK, games // LOOK_SHARE)
        games = min(games + -(-step // cycle) * cycle, cap)
        found.append(games)
    return found


def look_at(rows: pl.LazyFrame, players: int, targets: Sequence[Target]) -> Look:
    """Return how precisely each target is known from all games so far with one player count.

    Parameters
    ----------
    rows
        Rows of seats: columns players, block, win_share, points and those of the targets. At least one game has this
        player count; rows with other player counts are ignored.
    players
        The player count.
    targets
        How narrow the intervals must be.
    """
    seats = rows.filter(pl.col("players") == players)
    games = seats.select(pl.len()).collect().item() // players
    return Look(players, games, tuple(precision for target in targets for precision in _precisions(seats, target)))


def _precisions(seats: pl.LazyFrame, target: Target) -> list[LevelPrecision]:
    estimate = anytime_share if target.value == "win_share" else anytime_mean
    groups = clusters(seats, [target.value], ["players", target.factor])
    return [
        LevelPrecision(target, level, estimate(values[target.value]), values[target.value].blocks)
        for (_, level), values in groups.items()
    ]
