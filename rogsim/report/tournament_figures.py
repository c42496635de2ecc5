"""The figures of a tournament: ratings, and each bot against each other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl
from matplotlib.figure import Figure

from rogsim.experiments.standings import Standings
from rogsim.report import words
from rogsim.report.figures import forest_plots
from rogsim.report.words import bot_label

FAR = 2.0  # times the distance of all bots above: a bot that much farther behind lies beyond the axis
BEHIND = {"players": pl.UInt8, "bot": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
AXIS = "Elo points behind the best bot (95% intervals for all pairs together)"


def behind_best(standings: Standings) -> pl.DataFrame:
    """Return by how much each bot is behind the best one: players, bot, value, low and high, in Elo points.

    The best one is the best of those whose ratings the games determine; the others are left out.
    """
    rows = []
    for players, order in standings.order.items():
        known = set(standings.ratings.filter("joined", players=players)["bot"].cast(pl.String).to_list())
        best, *others = [bot for bot in order if bot in known]
        leads = standings.leads.filter(players=players, bot=best)
        by_bot = {str(row["other"]): row for row in leads.iter_rows(named=True)}
        rows.append((players, best, 0.0, 0.0, 0.0))
        for bot in others:
            row = by_bot[bot]
            ends = (row["lead_high"], row["lead_low"])
            rows.append((players, bot, -row["lead"], *(None if end is None else -end for end in ends)))
    return pl.DataFrame(rows, schema=BEHIND, orient="row")


def window_of(behind: pl.DataFrame) -> forest_plots.Window:
    """Return the ends of the axis: a bot very far behind all others would make their differences too short to read."""
    parts = behind.partition_by("players")
    if all(_end_of(part) is None for part in parts):
        return None, None
    return 1.15 * min(_least(part) if (end := _end_of(part)) is None else end for part in parts), None


def beyond(behind: pl.DataFrame) -> pl.DataFrame:
    """Return the rows that lie beyond the axis of the figure."""
    low, _ = window_of(behind)
    return behind.filter(pl.lit(low is not None), pl.col("value") < (low or 0.0))


def draw_ratings(standings: Standings) -> Figure:
    """Draw how far each bot is behind the best one, a panel for each player count; one very far behind is an arrow."""
    behind, order = behind_best(standings), standings.order
    frame = behind.select(
        _panel(order),
        _bot("bot", best_first(order)).alias("level"),
        pl.lit("").alias("series"),
        *("value", "low", "high"),
    )
    return forest_plots.forest(frame, None, AXIS, "best bot", "Elo", window_of(behind), ranked=False)


def _end_of(part: pl.DataFrame) -> float | None:
    """Return the lower end of the last bot before one that is very far behind; None if there is no such bot."""
    least = 0.0
    for place, row in enumerate(part.sort("value", descending=True).iter_rows(named=True)):
        if place >= 2 and row["value"] < (1 + FAR) * least:
            return least
        least = min(least, row["value"] if row["low"] is None else row["low"])
    return None


def _least(part: pl.DataFrame) -> float:
    return float(part.select(pl.min_horizontal("value", "low").min()).item())


def best_first(order: Mapping[int, Sequence[str]]) -> list[str]:
    """Return all bots, by their mean place over the player counts."""
    names = next(iter(order.values()))
    return sorted(names, key=lambda name: sum(list(found).index(name) for found in order.values()))


def _panel(order: Mapping[int, Sequence[str]]) -> pl.Expr:
    names = {players: words.players(players) for players in order}
    return pl.col("players").replace_strict(names, return_dtype=pl.Enum(list(names.values()))).alias("panel")


def _bot(column: str, names: Sequence[str]) -> pl.Expr:
    """Return a bot's label, as an enumeration with the best bot first."""
    labels = {name: bot_label(name) for name in names}
    if len(set(labels.values())) < len(names):
        labels = {name: name for name in names}
    return pl.col(column).cast(pl.String).replace_strict(labels, return_dtype=pl.Enum(list(labels.values())))
