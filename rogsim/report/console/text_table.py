"""Tables as aligned text for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from rogsim.base.plain_text import safe
from rogsim.stats.estimates import Estimate

MANY_INTERVALS = 10


PIPED_WIDTH = 200  # wide enough for any table that is written to a file


@dataclass(frozen=True)
class Table:
    """A table as text: the first column is a name, the others are numbers; the notes follow below it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def show_tables(heading: str, tables: Iterable[Table], console: Console | None = None) -> None:
    """Print a heading (if there is one) and tables, as plain aligned text if the output is not a terminal."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    if heading:
        console.print(safe(heading))
    for table in tables:
        console.print()
        console.print(safe(table.title), style="bold")
        console.print(_as_rich(table, console.is_terminal))
        for note in table.notes:
            console.print(safe(note), soft_wrap=not console.is_terminal)


def chance_note(count: int) -> tuple[str, ...]:
    """Warn against reading much into one of many intervals."""
    if count < MANY_INTERVALS:
        return ()
    return (f"Of {count} such intervals about {count * 0.05:.1f} miss the true share by chance alone.",)


def percentage(estimate: Estimate, digits: int = 1) -> str:
    """Return a share as a percentage, with its interval if it has one; digits: after the decimal point."""
    if math.isnan(estimate.low):
        return f"{estimate.value * 100:.{digits}f}%"
    return f"{estimate.value * 100:.{digits}f}% ({estimate.low * 100:.{digits}f} to {estimate.high * 100:.{digits}f})"


def number(estimate: Estimate, digits: int = 1) -> str:
    """Return a number, with its interval if it has one; digits: after the decimal point."""
    if math.isnan(estimate.low):
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"


def _as_rich(table: Table, terminal: bool) -> RichTable:
    drawn = RichTable(box=box.SIMPLE_HEAD if terminal else None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, name in enumerate(table.header):
        drawn.add_column(safe(name), justify="left" if place == 0 else "right", no_wrap=place > 0)
    for row in table.rows:
        drawn.add_row(*map(safe, row))
    return drawn
