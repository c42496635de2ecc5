"""Tables as aligned text for the terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rogsim.base.text import fold, safe
from rogsim.game.kit.text_layout import capital
from rogsim.report import words
from rogsim.report.console.columns import GAP, Block, fit, is_number, stack
from rogsim.report.document import Grid
from rogsim.report.verdict_titles import TITLES, Badge
from rogsim.stats.estimates import Estimate

STYLES: Mapping[str, Sequence[Badge]] = {
    "bold yellow": ("out", "changed", "missed"),
    "bold magenta": ("slight", "shifted", "moving"),
    "bold green": ("fair", "same", "reached", "settled"),
    "bold blue": ("open",),
}
COLOURS = {TITLES[badge]: style for style, badges in STYLES.items() for badge in badges}
VERDICT = re.compile(rf"^ *({'|'.join(COLOURS)})\b(?=[,:])", re.MULTILINE)
MANY_INTERVALS = 10
PIPED_WIDTH = 200  # of prose and tables that do not go to a terminal, unless a table is wider


@dataclass(frozen=True)
class Table:
    """A table as text: the first column is a name, the others are numbers; the notes follow below it.

    of_text: whether the others are text.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    of_text: bool = False


def show_tables(heading: str, tables: Iterable[Table], console: Console | None = None) -> None:
    """Print a heading (if there is one) and tables: as wide as the terminal at most, or unfolded if it is none."""
    console = console or plain_console()
    if heading:
        write(heading, console)
    for table in tables:
        console.print()
        if table.title:
            write(table.title, console, style="bold")
        print_table(table, console)
        for note in table.notes:
            write(note, console)


def print_table(table: Table, console: Console | None = None) -> None:
    """Print a table without its title and notes."""
    console = console or plain_console()
    for place, drawn in enumerate(_drawn(table, console)):
        if place:
            console.print()
        with console.capture() as printed:
            console.print(drawn, crop=False, soft_wrap=isinstance(drawn, str))
        console.out("\n".join(line.rstrip() for line in printed.get().splitlines()), highlight=False)


def plain_console() -> Console:
    """Return a console that prints text as it is."""
    return Console(highlight=False, markup=False, emoji=False)


def write(text: str, console: Console | None = None, style: str | None = None) -> None:
    """Print prose: wrapped at words in a terminal, otherwise as it is."""
    console = console or plain_console()
    shown = fold(safe(text), console.width) if console.is_terminal else safe(text)
    console.print(coloured(shown), style=style, soft_wrap=True)


def judged_line(verdict: Badge, answer: str) -> str:
    """Return an answer after its verdict, if there is one that the answer does not say: "Yes. ...", "No: ..."."""
    is_said = re.match(r"(Yes\.|No:|Slightly:) ", answer) or (verdict == "open" and "not known yet" in answer.lower())
    return answer if is_said or verdict == "fact" else f"{TITLES[verdict]}: {capital(answer)}"


def coloured(text: str) -> Text:
    """Return text with the verdicts that begin its lines in colour; where NO_COLOR is set a console leaves it out."""
    shown = Text(text)
    for found in VERDICT.finditer(text):
        shown.stylize(COLOURS[found[1]], found.start(1), found.end(1))
    return shown


def table_of(grid: Grid, whole: bool = False) -> Table:
    """Return a table of a page as a table for the terminal; whole: with all its rows."""
    header = tuple(column.head for column in grid.columns)
    if whole:
        rows = tuple(tuple(column.text(row) for column in grid.columns) for row in grid.frame.iter_rows(named=True))
        return Table(grid.caption, header, rows, grid.notes)
    return Table(grid.caption, header, tuple(tuple(text for text, _ in row) for row in grid.rows()), grid.all_notes)


def chance_note(count: int) -> tuple[str, ...]:
    """Warn against reading much into one of many intervals."""
    if count < MANY_INTERVALS:
        return ()
    return (f"Of {count} such intervals about {count * 0.05:.1f} miss the true share by chance alone.",)


def percentage(estimate: Estimate, digits: int = 1) -> str:
    """Return a share as a percentage, with its interval or "too few"; digits: after the decimal point."""
    ends = words.interval(estimate.low, estimate.high, 100, digits)
    return f"{words.share(estimate.value, digits)} ({ends or words.TOO_FEW})"


def number(estimate: Estimate, digits: int = 1) -> str:
    """Return a number, with its interval or "too few"; digits: after the decimal point."""
    ends = words.interval(estimate.low, estimate.high, digits=digits)
    return f"{words.number(estimate.value, digits)} ({ends or words.TOO_FEW})"


def give_or_take(estimate: Estimate, scale: float) -> str:
    """Return a number with its interval in short, or "too few"."""
    shown = words.give_or_take(estimate.value, estimate.low, estimate.high, scale)
    return f"{shown} ({words.TOO_FEW})" if math.isnan(estimate.low) else shown


def gain(estimate: Estimate, reference: float) -> str:
    """Return how far a share is from a reference, in percentage points; "too few" if it has no interval."""
    if math.isnan(estimate.low):
        return words.TOO_FEW
    return words.number(100 * (estimate.value - reference), sign=True)


def _drawn(table: Table, console: Console) -> list[RichTable | str]:
    """Return what is printed of a table: several narrower ones, or lines, if it is wider than the terminal."""
    header, rows = tuple(map(safe, table.header)), [tuple(map(safe, row)) for row in table.rows]
    if not console.is_terminal:
        block = Block.unfolded(header, rows)
        console.width = max(PIPED_WIDTH, block.width)
        return [_as_rich(block, table.of_text)]
    blocks = fit(header, rows, console.width, comfortable=table.of_text)
    if blocks is None:
        return ["\n".join(stack(header, rows, console.width))]
    return [_as_rich(block, table.of_text, ruled=True) for block in blocks]


def _as_rich(block: Block, of_text: bool, ruled: bool = False) -> RichTable:
    padding = (0, GAP - ruled, 0, 0)  # a rule adds a space between columns
    drawn = RichTable(box=box.SIMPLE_HEAD if ruled else None, show_edge=False, pad_edge=False, padding=padding)
    for place, (name, width) in enumerate(zip(block.header, block.widths, strict=True)):
        is_left = of_text or place == 0 or (ruled and not all(is_number(row[place]) for row in block.rows))
        drawn.add_column(name, justify="left" if is_left else "right", width=width, overflow="fold")
    for row in block.rows:
        drawn.add_row(*row)
    return drawn
