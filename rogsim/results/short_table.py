"""What a console or a notebook shows of results: a line on what was played, and win share and points of each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.html_table import html_table
from rogsim.base.plain_text import safe

MOST_BOTS = 4  # listed; the rest are counted


def as_text(manifest: Mapping[str, Any], folder: Path | None, seats: pl.LazyFrame) -> str:
    """Return the line and the table as text."""
    rows = _rows(seats)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([_line(manifest, folder), *table])


def as_html(manifest: Mapping[str, Any], folder: Path | None, seats: pl.LazyFrame) -> str:
    """Return the line and the table as HTML."""
    head, *body = _rows(seats) or [[]]
    table = html_table(head, body) if body else ""
    return f"<p>{escape(_line(manifest, folder))}</p>{table}"


def _line(manifest: Mapping[str, Any], folder: Path | None) -> str:
    """Return what was played by whom, and where it is stored."""
    games = sum(map(int, manifest["games"].values()))
    bots = [str(bot["name"]) for bot in manifest["bots"]]
    named = ", ".join(bots[:MOST_BOTS]) + (f" and {len(bots) - MOST_BOTS} more" if len(bots) > MOST_BOTS else "")
    played = f"{manifest['title']}: {manifest['name']}, {games:,} game{'s' * (games != 1)} by {named}, "
    return safe(f"{played}seed {manifest['scenario']['seed']}, {'in memory' if folder is None else f'in {folder}'}")


def _rows(seats: pl.LazyFrame) -> Sequence[Sequence[str]]:
    """Return the cells of the table, with its head first; nothing if the rows cannot be read."""
    try:
        found = (
            seats.group_by("players", "seat")
            .agg(games=pl.len(), wins=pl.col("win_share").mean(), points=pl.col("points").mean())
            .sort("players", "seat")
            .collect()
        )
    except (OSError, pl.exceptions.PolarsError):  # showing an object must not fail
        return []
    cells = [
        [str(players), str(seat), f"{games:,}", f"{wins:.1%}", f"{points:.1f}"]
        for players, seat, games, wins, points in found.iter_rows()
    ]
    return [["players", "seat", "games", "win share", "points"], *cells]
