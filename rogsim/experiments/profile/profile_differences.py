"""Where bots of a profile clearly differ: which measures single a bot out, and which bots no measure distinguishes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import polars as pl
from scipy.special import stdtrit

from rogsim.stats.estimates import CONFIDENCE

FARTHEST = 10.0  # logarithm of a ratio: where a value or the others' median is 0


@dataclass(frozen=True)
class Extreme:
    """A measure in which one bot is clearly above or below all others.

    Attributes
    ----------
    table, measure
        Names of the table and of the measure in it.
    is_share
        Whether it is a share from 0 to 1.
    end
        Whether the bot is above or below the others.
    value, low, high
        The bot's value; these intervals hold for all measures and bots of the profile together.
    others
        The smallest and the largest value of the others.
    distance
        Logarithm of its ratio to the others' median.
    """

    players: int
    bot: str
    table: str
    measure: str
    is_share: bool
    end: Literal["highest", "lowest"]
    value: float
    low: float
    high: float
    others: tuple[float, float]
    distance: float


def with_joint_intervals(profile: pl.DataFrame) -> pl.DataFrame:
    """Return a profile with the columns joint_low and joint_high: intervals that hold for all its rows together.

    The ends are farther from the value by the ratio of Student's quantiles at the error rate divided by the number of
    rows (Bonferroni), and at the whole rate. They are null where there is no interval.
    """
    count = profile["value_low"].count()
    played = profile.select("n", "players").unique().rows()
    rates = {(games, players): _ratio(games, players, count) for games, players in played}
    ratios = pl.Series([rates[row] for row in profile.select("n", "players").rows()], dtype=pl.Float64)
    value, low, high = pl.col("value"), pl.col("value_low"), pl.col("value_high")
    least, most = pl.lit(0.0), pl.when("share").then(1.0)
    return profile.with_columns(
        joint_low=pl.when(low.is_not_null()).then(pl.max_horizontal(value - (value - low) * ratios, least)),
        joint_high=pl.when(high.is_not_null()).then(pl.min_horizontal(value + (high - value) * ratios, most)),
    )


def extremes(profile: pl.DataFrame) -> list[Extreme]:
    """Return the measures in which a bot is clearly above or below all others, each bot's farthest first.

    profile: with joint intervals. Bots differ if these do not overlap.
    """
    found = []
    for rows in profile.partition_by("players", "table", "figure", maintain_order=True):
        known = rows.drop_nulls(["joint_low", "joint_high"]).to_dicts()
        if len(known) < 2 or len(known) < rows["value"].count():
            continue
        for row in known:
            others = [other for other in known if other is not row]
            above = row["joint_low"] > max(other["joint_high"] for other in others)
            below = row["joint_high"] < min(other["joint_low"] for other in others)
            if above or below:
                values = sorted(other["value"] for other in others)
                found.append(
                    Extreme(
                        row["players"],
                        row["bot"],
                        row["table"],
                        row["figure"],
                        row["share"],
                        "highest" if above else "lowest",
                        row["value"],
                        row["joint_low"],
                        row["joint_high"],
                        (values[0], values[-1]),
                        _distance(row["value"], float(pl.Series(values).median())),  # type: ignore[arg-type]
                    )
                )
    return sorted(found, key=lambda extreme: -extreme.distance)


def alike(profile: pl.DataFrame, players: int, bots: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of bots that no measure distinguishes with one player count. profile: with joint intervals."""
    rows = profile.filter(players=players).drop_nulls(["joint_low", "joint_high"])
    ends = {
        (row["bot"], row["table"], row["figure"]): (row["joint_low"], row["joint_high"])
        for row in rows.iter_rows(named=True)
    }
    measures = rows.select("table", "figure").unique(maintain_order=True).rows()

    def differ(bot: str, other: str) -> bool:
        pairs = [(ends.get((bot, *measure)), ends.get((other, *measure))) for measure in measures]
        return any(a and b and (a[0] > b[1] or b[0] > a[1]) for a, b in pairs)

    return [pair for pair in combinations(bots, 2) if not differ(*pair)]


def _distance(value: float, middle: float) -> float:
    return abs(math.log(value / middle)) if value > 0 and middle > 0 else FARTHEST


def _ratio(games: int, players: int, rows: int) -> float:
    degrees = max(1, games // players - 1)  # a block has at most one game for each seat
    single, joint = (stdtrit(degrees, 1 - (1 - CONFIDENCE) / 2 / count) for count in (1, max(1, rows)))
    return float(joint / single)
