"""Parts shared by several sections: columns, sample sizes, heat maps, and texts for figures."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from rogsim.report import words
from rogsim.report.balance.sources import NO_BREAK, Material
from rogsim.report.document import TableColumn


def sortable(expression: pl.Expr) -> pl.Expr:
    """Return numbers to sort by: two that are equal but for rounding, as of two seats, have one order everywhere."""
    return expression.round_sig_figs(9)


def with_source(material: Material, first: TableColumn, *more: TableColumn) -> tuple[TableColumn, ...]:
    """Return the columns of a table: the name, the player count, the bots if there are several folders, and `more`."""
    bots = () if material.single else (TableColumn("bots", "bots"),)
    return (first, TableColumn("players", "players", "count"), *bots, *more)


def played(material: Material, screen: bool = False) -> str:
    """Say how many games a section is based on. screen: whether it is a screen, which uses only the first games."""
    by_source = []
    for source in material.sources:
        counts = {
            players: balance.screened if screen else balance.games
            for players, balance in source.balance.players.items()
        }
        who = "" if material.single else f" by {source.label}"
        if len(set(counts.values())) == 1:
            each = " each" if len(counts) > 1 else ""
            players = words.listed([str(count) for count in counts])
            noun = "player" if players == "1" else "players"
            by_source.append(f"{words.games(next(iter(counts.values())))}{each} with {players} {noun}{who}")
        else:
            by_source += [f"{words.games(games)} with {words.players(count)}{who}" for count, games in counts.items()]
    return words.listed(by_source)


def of_most_players(frame: pl.DataFrame, unit: str, is_share: bool = False) -> str:
    """Return a mean with the largest player count and its interval: "46.1 turns (46.0 to 46.2) with 4 players".

    frame: rows of one set of bots with players, value and the ends of its interval. is_share: from 0 to 1.
    """
    row = frame.sort("players").row(-1, named=True)
    scale, sign = (100.0, "%") if is_share else (1.0, "")
    reach = words.interval(row["value_low"], row["value_high"], scale) or words.TOO_FEW
    return f"{words.number(scale * row['value'])}{sign} {unit} ({reach}) with {words.players(row['players'])}"


def of_last(material: Material, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the last set of bots."""
    return frame.filter(pl.col("bots").cast(pl.String) == material.last.label)


def extremes(frame: pl.DataFrame, unit: str = " pp") -> str:
    """Describe a figure of levels in words: the highest and the lowest value of each panel.

    frame: panel, series, level, value; and low, if values without an interval (too few games) are to be ignored.
    """
    panels = []
    many = frame["series"].n_unique() > 1
    frame = frame.with_columns(pl.col("value").cast(pl.Float64).fill_nan(None))
    shown = frame.drop_nulls("value")
    if "low" in shown.columns:
        shown = shown.filter(pl.col("low").cast(pl.Float64).fill_nan(None).is_not_null())
    for (panel,), part in shown.group_by("panel", maintain_order=True):
        high, low = part.sort("value", descending=True).row(0, named=True), part.sort("value").row(0, named=True)
        panels.append(f"{one_line(panel)}: highest {_at(high, many, unit)}, lowest {_at(low, many, unit)}")
    return "; ".join(panels) + "." if panels else "There is nothing to show."


def one_line(panel: object) -> str:
    """Return the title of a panel on one line, for use in a sentence."""
    return re.sub(r",?\n", ", ", str(panel)).replace(NO_BREAK, " ")


def _at(row: Mapping[str, Any], many: bool, unit: str) -> str:
    who = f" ({row['series']})" if many else ""
    return f"{row['level']} at {words.number(row['value'], 1, sign=True)}{unit}{who}"


def labelled(frame: pl.DataFrame, column: str, labels: Mapping[str, str], prefix: str = "") -> pl.DataFrame:
    """Replace names by the game's labels."""
    named = [prefix + words.name(value, labels) for value in frame[column].to_list()]
    return frame.with_columns(pl.Series(column, named, dtype=pl.String))


def known(value: Any) -> bool:
    """Return whether a number is neither missing nor nan."""
    return value is not None and not math.isnan(value)
