"""Standings of a tournament as tables: results of each bot, each pair of bots, ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from rogsim.experiments.tournament.standings import Standings
from rogsim.report import words
from rogsim.report.console.text_table import Table, chance_note, gain, give_or_take, number, percentage
from rogsim.stats.estimates import Estimate


def build_tables(standings: Standings) -> list[Table]:
    """Return the three tables of each player count."""
    tables = []
    for players, order in standings.order.items():
        tables += [
            _bot_table(players, order, standings.bots.filter(players=players)),
            _pair_table(players, order, standings.pairs.filter(players=players)),
            _rating_table(players, standings.ratings.filter(players=players)),
        ]
    return tables


def _estimate(row: Mapping[str, Any], name: str, n: int) -> Estimate:
    low, high = (row[f"{name}_{end}"] for end in ("low", "high"))
    missing = low is None
    return Estimate(row[name], np.nan if missing else low, np.nan if missing else high, n, float(n))


def _bot_table(players: int, order: Sequence[str], bots: pl.DataFrame) -> Table:
    by_name = {row["bot"]: row for row in bots.iter_rows(named=True)}
    rows = []
    for name in order:
        row = by_name[name]
        won, points = _estimate(row, "win_share", row["n"]), _estimate(row, "points", row["n"])
        difference = gain(won, row["fair"])
        rows.append((name, f"{won.n:,}", percentage(won), f"{100 * row['fair']:.1f}%", difference, number(points)))
    header = ("bot", "n", "win share (95%)", "fair", "diff pp", "points (95%)")
    return Table(f"{players} players: by bot", header, tuple(rows), chance_note(len(order)))


def _pair_table(players: int, order: Sequence[str], pairs: pl.DataFrame) -> Table:
    by_names = {(row["bot"], row["other"]): row for row in pairs.iter_rows(named=True)}
    rows = []
    for name in order:
        cells = [_pair_cell(by_names.get((name, other))) for other in order]
        rows.append((name, *cells))
    counts = pairs["n"].to_list()
    fewest, most = f"{min(counts):,}", f"{max(counts):,}"
    meetings = fewest if fewest == most else f"{fewest} to {most}"
    notes = (
        f"How often the bot in the row finishes ahead of the bot in the column, in %; {meetings} meetings per pair.",
        *chance_note(len(order) * (len(order) - 1) // 2),
    )
    return Table(f"{players} players: against each other", ("ahead of", *order), tuple(rows), notes)


def _pair_cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return words.NOTHING
    return give_or_take(_estimate(row, "ahead", row["n"]), 100)


def _rating_table(players: int, ratings: pl.DataFrame) -> Table:
    rows = [
        (row["bot"], _rating(row, "rating"), _rating(row, "lead") if row["lead"] is not None else words.NOTHING)
        for row in ratings.iter_rows(named=True)
    ]
    notes = ["Plackett-Luce on the Elo scale, mean 0. Intervals by bootstrap over blocks."]
    alone = ratings.filter(~pl.col("joined"))["bot"].cast(pl.String).to_list()
    if alone:
        notes.append(
            f"The mean excludes {', '.join(alone)}: always ahead of the rest or always behind, so the games do not "
            "show by how much. A rating without an interval rests on one added win and one added loss."
        )
    return Table(
        f"{players} players: ratings", ("bot", "rating (95%)", "lead on the next (95%)"), tuple(rows), tuple(notes)
    )


def _rating(row: Mapping[str, Any], name: str) -> str:
    if row[f"{name}_low"] is None:
        return words.number(row[name], 0, sign=True)
    reach = words.interval(row[f"{name}_low"], row[f"{name}_high"], digits=0, sign=True)
    return f"{words.number(row[name], 0, sign=True)} ({reach})"
