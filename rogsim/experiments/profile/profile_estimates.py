"""The measures of a profile, estimated from rows, as a frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rogsim.game.spec import GameSpec
from rogsim.game.topics import Measure
from rogsim.stats.contrasts import columns
from rogsim.stats.estimates import Clusters, Estimate, clusters, mean, share

RESULT = "result"  # the table that every game has
WON = Measure("won", ("win_share",))
POINTS = Measure("points", ("points",))
TURNS = "turns of the game"


def measures_of(
    spec: GameSpec, bot: str, seats: pl.DataFrame, games: pl.DataFrame, against: str | None = None
) -> list[dict[str, Any]]:
    """Return all measures of one bot as rows (see `profile_frame`).

    Parameters
    ----------
    seats, games
        The rows of its games with one player count. Only the seats of this bot count.
    against
        The bot in the other seats. If it is the same bot, the win share is left out: it is always the fair share.
    """
    players, bot_seats = games["players"][0], seats.filter(pl.col("bot") == bot)
    alone = against in (None, bot)
    result = (POINTS,) if alone else (WON, POINTS)
    wanted = [(RESULT, measure) for measure in result]
    wanted += [(table.title, measure) for table in spec.profile for measure in table.measures]
    base = {"players": players, "bot": bot, "n": len(games)}
    found = [base | _row(title, measure.name, *_estimate(bot_seats, measure)) for title, measure in wanted]
    ((turns,),) = (group.values() for group in clusters(games.lazy(), ("turns",), ("players",)).values())
    found.insert(len(result), base | _row(RESULT, TURNS, False, mean(turns)))
    return found


def profile_frame(found: Sequence[Sequence[Mapping[str, Any]]]) -> pl.DataFrame:
    """Return the measures of all bots as a frame.

    Columns: players, bot, n (games), table and figure (names), share (true for a share from 0 to 1, false for a mean
    per game and seat), value and the ends of its 95% interval, value_low and value_high (null with a single block).
    """
    order = ("players", "bot", "n", "table", "figure", "share", "value", "value_low", "value_high")
    rows = [row for measures in found for row in measures]
    frame = pl.DataFrame(rows, infer_schema_length=None).select(order)
    return frame.with_columns(pl.col("players").cast(pl.UInt8)).fill_nan(None)


def _estimate(bot_seats: pl.DataFrame, measure: Measure) -> tuple[bool, Estimate]:
    """Return whether a measure is a share, and its estimate."""
    summed = bot_seats.lazy().select(
        "players", "block", value=_sum(measure.columns), size=_sum(measure.of or measure.columns)
    )
    groups = clusters(summed, ("value",), ("players",), "size" if measure.of else None)
    ((group,),) = (values.values() for values in groups.values())
    if measure is WON:
        return True, share(group)
    if not measure.of:
        return False, mean(group)
    return True, share(group) if group.rows else _none(group)


def _sum(names: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Float64) for name in names)


def _none(group: Clusters) -> Estimate:
    """Return the estimate of a share with an empty denominator."""
    return Estimate(math.nan, math.nan, math.nan, group.rows, math.nan)


def _row(table: str, measure: str, is_share: bool, estimate: Estimate) -> dict[str, Any]:
    return {"table": table, "figure": measure, "share": is_share, **columns("value", estimate)}
