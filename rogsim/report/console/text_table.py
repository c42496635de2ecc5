"""Tables as aligned text for the terminal, fitted to its width: no word and no number is ever cut."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rogsim.base.text import PIECE, capital, fold, safe
from rogsim.report import words
from rogsim.report.document import TITLES, Badge, Grid
from rogsim.report.words import MINUS, NOTHING, TOO_FEW
from rogsim.stats.estimates import Estimate

GAP = 2  # spaces between columns
COMFORTABLE = 18  # columns of text get narrower than this only when nothing else helps
NUMBER_STARTS = f"0123456789+-±<>{MINUS}{NOTHING}"


@dataclass(frozen=True)
class Block:
    """Some columns of a table: the width of each, its heading, and the cells of each row, folded to these widths."""

    widths: tuple[int, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def width(self) -> int:
        """Return the width of the block."""
        return sum(self.widths) + GAP * (len(self.widths) - 1)

    @classmethod
    def unfolded(cls, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Block:
        """Return a whole table, however wide it is."""
        return cls(tuple(column.whole for column in _columns(header, rows)), tuple(header), tuple(map(tuple, rows)))


@dataclass(frozen=True)
class _Column:
    """The widths a column can have: unfolded; with its heading folded; as text that reads well; the narrowest."""

    whole: int
    with_folded_head: int
    comfortable: int
    least: int


def is_number(text: str) -> bool:
    """Return whether a cell is a number, or stands for a missing one."""
    return not text or text[0] in NUMBER_STARTS or text == TOO_FEW


def fit(
    header: Sequence[str], rows: Sequence[Sequence[str]], width: int, comfortable: bool = False
) -> list[Block] | None:
    """Return a table as blocks that are at most `width` wide; None if a word is too long for that.

    comfortable: also None if it takes several blocks, or columns of text that are too narrow to read well.
    """
    columns = _columns(header, rows)
    needed = sum(column.comfortable for column in columns) + GAP * (len(columns) - 1)
    if comfortable and needed > width:
        return None
    batches = _split(columns, width)
    if batches is None:
        return None
    return [_block(header, rows, places, _widths(columns, places, width)) for places in batches]


def stack(header: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table without columns: the first cell of each row, then the others, with headings."""
    lines = []
    for first, *others in rows:
        lines.append(fold(f"{header[0]}: {first}" if header[0] else first, width))
        lines += [
            fold(f"  {head}: {cell}", width, hanging=2) for head, cell in zip(header[1:], others, strict=True) if cell
        ]
    return lines


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[_Column]:
    return [_measure(head, [row[place] for row in rows]) for place, head in enumerate(header)]


def _measure(head: str, cells: Sequence[str]) -> _Column:
    def longest(parts: Callable[[str], Sequence[str]], texts: Sequence[str]) -> int:
        return max((cell_len(part) for text in texts for part in parts(text)), default=0)

    cell = longest(str.splitlines, cells)
    least = longest(PIECE.findall, [head, *cells])
    with_folded_head = max(cell, longest(PIECE.findall, [head]))
    reads_well = with_folded_head if all(map(is_number, cells)) else max(least, min(COMFORTABLE, with_folded_head))
    return _Column(max(cell, cell_len(head)), with_folded_head, reads_well, least)


def _split(columns: Sequence[_Column], width: int) -> list[tuple[int, ...]] | None:
    """Return the columns of each block: as few blocks as possible, comfortable if that takes no more of them."""
    closest = _batches([column.least for column in columns], width)
    if closest is None or len(closest) == 1:
        return closest
    roomy = _batches([columns[0].least, *(column.comfortable for column in columns[1:])], width)
    return roomy if roomy is not None and len(roomy) == len(closest) else closest


def _batches(widths: Sequence[int], width: int) -> list[tuple[int, ...]] | None:
    """Fill blocks with columns from left to right; None if a column does not fit beside the first."""
    batches: list[list[int]] = [[]]
    used = widths[0]
    for place, needed in enumerate(widths[1:], start=1):
        if used + GAP + needed > width and batches[-1]:
            batches.append([])
            used = widths[0]
        used += GAP + needed
        if used > width:
            return None
        batches[-1].append(place)
    return [(0, *batch) for batch in batches] if used <= width else None


def _widths(columns: Sequence[_Column], places: Sequence[int], width: int) -> tuple[int, ...]:
    """Return the widths of a block's columns: folded no more than needed; headings first, then text, then numbers."""
    chosen = [columns[place] for place in places]
    widths = [column.whole for column in chosen]
    room = width - GAP * (len(places) - 1)
    _shrink(widths, [column.with_folded_head for column in chosen], room)
    _shrink(widths, [column.comfortable for column in chosen], room)
    for place in reversed(range(len(chosen))):  # whole columns of numbers: half folded ones are no narrower
        if sum(widths) > room and chosen[place].comfortable == chosen[place].with_folded_head:
            widths[place] = min(widths[place], chosen[place].least)
    _shrink(widths, [column.least for column in chosen], room)
    for place, column in enumerate(chosen):  # folding numbers may have left room for a heading
        for wanted in (column.with_folded_head, column.whole):
            if sum(widths) - widths[place] + wanted <= room:
                widths[place] = max(widths[place], wanted)
    return tuple(widths)


def _shrink(widths: list[int], floors: Sequence[int], room: int) -> None:
    """Make the widest column narrower, again and again, until all fit; none gets narrower than its floor."""
    while sum(widths) > room:
        places = [place for place, floor in enumerate(floors) if widths[place] > floor]
        if not places:
            return
        widths[max(places, key=lambda place: widths[place])] -= 1


def _block(
    header: Sequence[str], rows: Sequence[Sequence[str]], places: tuple[int, ...], widths: tuple[int, ...]
) -> Block:
    def folded(row: Sequence[str]) -> tuple[str, ...]:
        return tuple(fold(row[place], width) for place, width in zip(places, widths, strict=True))

    return Block(widths, folded(header), tuple(map(folded, rows)))


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


class Level(NamedTuple):
    """The games that a row is about: those with so many players in which a column of the rows has this value."""

    players: int
    column: str
    value: str


@dataclass(frozen=True)
class Table:
    """A table as text: the first column is a name, the others are numbers; the notes follow below it.

    of_text: whether the others are text. levels: of each row, if it is about some of the games.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    of_text: bool = False
    levels: tuple[Level, ...] = ()


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
