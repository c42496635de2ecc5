"""A profile as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rogsim.report import words
from rogsim.report.console.text_table import Table

NARROW = 0.05


def profile_tables(profile: pl.DataFrame) -> list[Table]:
    """Return the tables of each player count; measures that are 0 throughout are named in a note instead.

    The title gives the number of games if it is the same for all bots; otherwise a column does.
    """
    groups = profile.partition_by("players", "table", maintain_order=True)
    return [_table(rows, explained=place == 0) for place, rows in enumerate(groups)]


def name_text(name: str, is_share: bool) -> str:
    """Return the heading of a measure."""
    return f"{name} %" if is_share else name


def value_text(row: Mapping[str, Any]) -> str:
    """Return the value of a row with its interval, if it has one; a narrow interval gets one more digit."""
    value, low, high = (row[name] for name in ("value", "value_low", "value_high"))
    scale = 100 if row["share"] else 1
    reach = 0.0 if low is None else max(high - value, value - low) * scale
    return words.give_or_take(value, low, high, scale, digits=2 if 0 < reach < NARROW else 1)


def _table(rows: pl.DataFrame, explained: bool) -> Table:
    names = rows["figure"].unique(maintain_order=True).to_list()
    shares = dict(rows.select("figure", "share").iter_rows())
    never = [name for name in names if not any(rows.filter(figure=name)["value"].fill_null(0))]
    shown = [name for name in names if name not in never]
    counts = rows["n"].unique().to_list()
    lines = []
    for bot in rows["bot"].unique(maintain_order=True):
        cells = {row["figure"]: row for row in rows.filter(bot=bot).iter_rows(named=True)}
        n = [f"{row['n']:,}" for row in cells.values()][:1] if len(counts) > 1 else []
        lines.append((bot, *n, *(_cell(cells.get(name)) for name in shown)))
    header = ("bot", *(["n"] if len(counts) > 1 else []), *(name_text(name, shares[name]) for name in shown))
    title = f"{rows['players'][0]} players: {rows['table'][0]}"
    if len(counts) == 1:
        title += f" (n = {counts[0]:,})"
    return Table(title, header, tuple(lines), _notes(never, explained))


def _notes(never: Sequence[str], explained: bool) -> tuple[str, ...]:
    notes = [f"0 for all: {', '.join(never)}."] if never else []
    if explained:
        notes.append("Shares, and means per game and seat, over n games of each bot; ± and brackets are 95% intervals.")
    return tuple(notes)


def _cell(row: Mapping[str, Any] | None) -> str:
    return words.NOTHING if row is None or row["value"] is None else value_text(row)
