"""Runs that stop by themselves: when to look, whether every interval is narrow enough by now, and how to tell it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rogsim.scenario.precision import Target
from rogsim.stats.confidence_sequences import FEWEST_BLOCKS, anytime_mean, anytime_share, blocks_needed
from rogsim.stats.estimates import Estimate, clusters

FIRST_LOOK, LOOK_SHARE = 1_000, 4  # a run looks after so many games, then after a fourth more each time


@dataclass(frozen=True)
class LevelPrecision:
    """How well one level of a factor is known: its anytime interval, and the blocks behind it."""

    target: Target
    level: Any  # None where a seat has none
    estimate: Estimate
    blocks: int

    @property
    def is_narrow(self) -> bool:
        """Return whether the interval is there and as narrow as asked for."""
        return self.estimate.half_width <= self.target.half_width  # never so for nan

    @property
    def excess(self) -> float:
        """Return how many times as wide as asked for the interval is; infinity if there is none."""
        half_width = self.estimate.half_width
        return math.inf if math.isnan(half_width) else half_width / self.target.half_width

    @property
    def growth(self) -> float:
        """Return how many times as many games would make the interval narrow, about; 1 if it is."""
        if math.isnan(self.estimate.half_width):
            return FEWEST_BLOCKS / self.blocks
        return blocks_needed(self.estimate.half_width, self.blocks, self.target.half_width) / self.blocks


@dataclass(frozen=True)
class Look:
    """What is known after so many games with one number of players."""

    players: int
    games: int
    standings: tuple[LevelPrecision, ...]

    @property
    def is_done(self) -> bool:
        """Return whether every interval is as narrow as asked for."""
        return all(standing.is_narrow for standing in self.standings)

    @property
    def widest(self) -> LevelPrecision:
        """Return the level that is farthest from its target."""
        return max(self.standings, key=lambda standing: standing.excess)

    @property
    def more_games(self) -> int:
        """Return about how many more games would do; 0 if it is done."""
        return math.ceil(self.games * (max(standing.growth for standing in self.standings) - 1))


def look_schedule(cap: int, cycle: int, first_look: int = FIRST_LOOK) -> list[int]:
    """Return after how many games to look, in whole cycles: a fourth more each time, and at last `cap`.

    cap: games of the plan, whole cycles, 1 or more. But for the last look the cap makes no difference: a larger one
    only adds looks, so that a run which is stopped and goes on stops where an undisturbed one would.
    """
    found, games = [], 0
    while games < cap:
        step = max(first_look, games // LOOK_SHARE)
        games = min(games + -(-step // cycle) * cycle, cap)
        found.append(games)
    return found


def look_at(rows: pl.LazyFrame, players: int, targets: Sequence[Target]) -> Look:
    """Judge the seats of all games so far with so many players, one game or more.

    rows: columns players, block, win_share, points and those of the targets; other player counts are left out.
    """
    seats = rows.filter(pl.col("players") == players)
    games = seats.select(pl.len()).collect().item() // players
    return Look(players, games, tuple(standing for target in targets for standing in _standings(seats, target)))


def _standings(seats: pl.LazyFrame, target: Target) -> list[LevelPrecision]:
    estimate = anytime_share if target.value == "win_share" else anytime_mean
    groups = clusters(seats, [target.value], ["players", target.factor])
    return [
        LevelPrecision(target, level, estimate(values[target.value]), values[target.value].blocks)
        for (_, level), values in groups.items()
    ]
