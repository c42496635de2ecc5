"""Columns of a table fitted to the width of a terminal: no word and no number is ever cut.

As far as the width demands it, headings are folded at spaces, then text, then numbers before their interval. If that is
not enough, the columns are split into several tables that all begin with the first column, and a table with a word that
is too long for any of this is stacked: one line for each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from rogsim.base.text import PIECE, fold
from rogsim.report.words import MINUS, NOTHING, TOO_FEW

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
