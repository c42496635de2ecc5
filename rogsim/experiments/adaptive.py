"""Runs that stop by themselves: when to look, whether every interval is narrow enough by now, and how to tell it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rogsim.report.console.tables import MANY_INTERVALS, Table, figure, percentage
from rogsim.scenario.precision import Target
from rogsim.stats.confidence_sequences import ALPHA, FEWEST_BLOCKS, anytime_mean, anytime_share, blocks_needed
from rogsim.stats.estimates import Estimate, clusters

FIRST_LOOK, LOOK_SHARE = 1_000, 4  # a run looks after so many games, then after a fourth more each time
PROMISE = "Each interval holds with 95% by itself, and at all looks, so stopping by it does not weaken it."


@dataclass(frozen=True)
class Standing:
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
    standings: tuple[Standing, ...]

    @property
    def is_done(self) -> bool:
        """Return whether every interval is as narrow as asked for."""
        return all(standing.is_narrow for standing in self.standings)

    @property
    def widest(self) -> Standing:
        """Return the level that is farthest from its target."""
        return max(self.standings, key=lambda standing: standing.excess)

    @property
    def more_games(self) -> int:
        """Return about how many more games would do; 0 if it is done."""
        return math.ceil(self.games * (max(standing.growth for standing in self.standings) - 1))


def looks(cap: int, cycle: int) -> list[int]:
    """Return after how many games to look, in whole cycles: a fourth more each time, and at last `cap`.

    cap: games of the plan, whole cycles, 1 or more. But for the last look the cap makes no difference: a larger one
    only adds looks, so that a run which is stopped and goes on stops where an undisturbed one would.
    """
    found, games = [], 0
    while games < cap:
        step = max(FIRST_LOOK, games // LOOK_SHARE)
        games = min(games + -(-step // cycle) * cycle, cap)
        found.append(games)
    return found


def judge(rows: pl.LazyFrame, players: int, targets: Sequence[Target]) -> Look:
    """Judge the seats of all games so far with so many players, one game or more.

    rows: columns players, block, win_share, points and those of the targets; other player counts are left out.
    """
    seats = rows.filter(pl.col("players") == players)
    games = seats.select(pl.len()).collect().item() // players
    return Look(players, games, tuple(standing for target in targets for standing in _standings(seats, target)))


def until_table(look: Look, targets: Sequence[Target], cap: int) -> Table:
    """Return how narrow each interval became, and why the run stopped after `look`; cap: the most games allowed."""
    rows = tuple(_row(standing) for standing in look.standings)
    title = f"{look.players} players: until {' and '.join(target.text for target in targets)}"
    notes = (_stop_note(look, targets, cap), PROMISE, *_many_note(len(look.standings)))
    return Table(title, ("level", "n", "value (95% at any time)", "half width", "asked for"), rows, notes)


def _standings(seats: pl.LazyFrame, target: Target) -> list[Standing]:
    estimate = anytime_share if target.value == "win_share" else anytime_mean
    groups = clusters(seats, [target.value], ["players", target.factor])
    return [
        Standing(target, level, estimate(values[target.value]), values[target.value].blocks)
        for (_, level), values in groups.items()
    ]


def _row(standing: Standing) -> tuple[str, ...]:
    target, estimate = standing.target, standing.estimate
    show = percentage if target.value == "win_share" else figure
    value = show(estimate, _digits(target))
    return (_name(standing), f"{estimate.n:,}", value, _half_width(standing), _width(target, target.half_width))


def _stop_note(look: Look, targets: Sequence[Target], cap: int) -> str:
    if look.is_done:
        return f"Stopped after {look.games:,} games: {' and '.join(_known(target) for target in targets)}."
    so_far = f"The cap of {cap:,} games is reached" if look.games >= cap else f"{look.games:,} games are played"
    widest, more = look.widest, f"about {_round(look.more_games):,} more games would"
    name = f"{_name(widest)} ({_value(widest.target)})"
    if math.isnan(widest.estimate.half_width):
        return f"{so_far}: {name} is in {widest.blocks} blocks, too few for an interval; {more} give one."
    asked = _width(widest.target, widest.target.half_width)
    return f"{so_far}: the widest interval, {name}, is ±{_half_width(widest)} and not ±{asked}; {more} do."


def _many_note(count: int) -> tuple[str, ...]:
    if count < MANY_INTERVALS:
        return ()
    return (f"Of {count} such intervals up to {count * ALPHA:.1f} may miss the truth at some look, by chance alone.",)


def _known(target: Target) -> str:
    return f"every {_factor(target)}'s {_value(target)} is known to ±{_width(target, target.half_width)}"


def _name(standing: Standing) -> str:
    return f"{_factor(standing.target)} {'none' if standing.level is None else standing.level}"


def _factor(target: Target) -> str:
    return target.factor.replace("_", " ")


def _value(target: Target) -> str:
    return "win share" if target.value == "win_share" else "mean of points"


def _half_width(standing: Standing) -> str:
    """Return a half width in words, rounded up: what is shown as narrow enough is."""
    half_width = standing.estimate.half_width
    if math.isnan(half_width):
        return "-"
    target = standing.target
    digits = _digits(target) + 1
    upward = math.ceil(half_width * _scale(target) * 10**digits - 1e-6) / 10**digits
    return f"{upward:.{digits}f} {_unit(target)}"


def _width(target: Target, width: float) -> str:
    text = f"{width * _scale(target):.12g} {_unit(target)}"
    return text.removesuffix("s") if text == "1 points" else text


def _scale(target: Target) -> int:
    return 100 if target.value == "win_share" else 1


def _unit(target: Target) -> str:
    return "pp" if target.value == "win_share" else "points"


def _digits(target: Target) -> int:
    """Return how many digits after the point show the first figure of the target's width; 1 or more."""
    return max(1, -math.floor(math.log10(target.half_width * _scale(target))))


def _round(count: int) -> int:
    """Round up to two figures: more is not known."""
    unit = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit
