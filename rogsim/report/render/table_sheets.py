"""One table as a sheet of a workbook: numbers as numbers, and the ends of intervals in columns of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from rogsim.base.plain_text import safe
from rogsim.report import words
from rogsim.report.document import Grid, TableColumn, plain
from rogsim.report.render.cell_formats import CellFormats
from rogsim.report.render.table_files import NamedTable

MOST_TEXT = 32_767  # characters that a cell can have
EXACT = 10**15  # a spreadsheet rounds larger numbers
LEVEL = re.compile(r"\s*\(([\d.]+%)[^()]*\)$")  # of the intervals, at the end of a column's head
NARROWEST, WIDEST, WIDEST_HEAD = 8, 60, 18  # characters
A4 = 9  # the number of this size of paper
MOST_ACROSS, SCALE = 190, 60  # characters across a page; a wider sheet is printed at this percentage of its size
LINE = 15.0  # height of a line of text, in points
FILTER = 3  # characters that the button of the filter covers


@dataclass(frozen=True)
class _SheetColumn:
    """One column of a sheet: its head, its key in the frame, and how its values are shown."""

    head: str
    key: str
    shown: TableColumn
    ends: tuple[str, ...] = ()  # keys of the ends without which the value is "too few", as on the page
    main: str = ""  # key of the value that it is an end of, or the value itself
    beside: bool = False  # whether the column before it has numbers


def put(sheet: Worksheet, row: int, place: int, text: str, cell_format: Format | None = None) -> None:
    """Write a text as text, never as a formula or a link; one that is too long for a cell ends with an ellipsis."""
    text = safe(text)
    if text.startswith("<r>"):
        text = f" {text}"  # XlsxWriter would take it for markup
    if len(text) > MOST_TEXT:
        text = f"{text[: MOST_TEXT - 1]}…"
    sheet.write_string(row, place, text, cell_format)


def print_wide(sheet: Worksheet, width: int) -> None:
    """Let a sheet of this width in characters be printed on A4 lying on its side: on as few pages as can be read."""
    sheet.set_landscape()
    sheet.set_paper(A4)
    if width <= MOST_ACROSS:
        sheet.fit_to_pages(1, 0)
    else:
        sheet.set_print_scale(SCALE)
        sheet.repeat_columns(0)


def lines_of(text: str, width: int) -> int:
    """Return on how many lines a text is wrapped in a column of this width in characters; one too many does no harm."""
    return sum(-(-len(part) // max(1, width)) or 1 for part in text.splitlines() or [""])


def write_sheet(sheet: Worksheet, table: NamedTable, formats: CellFormats, rests_on: str) -> None:
    """Write a table: what it is, a head that stays in view and has a filter, all rows, and the notes below them.

    rests_on: the sentence on reconstructed values for the top; empty if there is none.
    """
    grid = table.grid
    columns = _sheet_columns(grid)
    top = _write_top(sheet, table, formats, rests_on)
    for place, column in enumerate(columns):
        put(sheet, top, place, column.head, _head_format(column, formats))
    rows = grid.frame.select(sorted({column.key for column in columns})).to_dicts()
    widths = [_width(column, rows) for column in columns]
    lines = [lines_of(column.head, width - FILTER) for column, width in zip(columns, widths, strict=True)]
    sheet.set_row(top, LINE * max(lines))
    for down, row in enumerate(rows, start=top + 1):
        for place, column in enumerate(columns):
            _write_value(sheet, down, place, row, column, formats)
    for place, width in enumerate(widths):
        sheet.set_column(place, place, width)
    last = top + len(rows)
    print_wide(sheet, sum(widths))
    sheet.repeat_rows(top)
    sheet.freeze_panes(top + 1, 1)
    sheet.autofilter(top, 0, last, len(columns) - 1)
    for place, note in enumerate(grid.notes, start=last + 2):
        put(sheet, place, 0, note)


def _write_top(sheet: Worksheet, table: NamedTable, formats: CellFormats, rests_on: str) -> int:
    """Write what the table shows and what it is based on; return the row of the head."""
    section = table.section
    title = f"{section.title}: {table.grid.caption}" if section else table.grid.caption
    put(sheet, 0, 0, title, formats.bold)
    based = section and section.n and f"Based on {section.n}."
    own = section and section.rests_on
    lines = [text for text in (based, own or rests_on) if text]
    for place, text in enumerate(lines, start=1):
        put(sheet, place, 0, text)
    return 1 + len(lines)


def _sheet_columns(grid: Grid) -> list[_SheetColumn]:
    columns = [column for shown in grid.columns for column in _columns_of(shown)]
    numeric = [False, *(column.shown.is_numeric for column in columns)]
    return [replace(column, beside=beside) for column, beside in zip(columns, numeric, strict=False)]


def _columns_of(shown: TableColumn) -> Iterator[_SheetColumn]:
    """Yield the column itself and, if it has intervals, one for each end of them."""
    if not shown.interval:
        yield _SheetColumn(shown.head, shown.key, shown)
        return
    level = LEVEL.search(shown.head)
    name = LEVEL.sub("", shown.head)
    what = f"{level[1]} interval" if level else "interval"
    ends, few = (f"{shown.key}_low", f"{shown.key}_high"), replace(shown, few=shown.kind == "gain")
    yield _SheetColumn(name, shown.key, few, ends if few.few else (), shown.key)
    for key, word in zip(ends, ("from", "to"), strict=True):
        yield _SheetColumn(f"{name}: {what} {word}", key, few, main=shown.key)


def _has_too_few(column: _SheetColumn, row: Mapping[str, Any]) -> bool:
    return any(plain(row[end]) is None for end in column.ends)


def _head_format(column: _SheetColumn, formats: CellFormats) -> Format:
    if column.shown.is_numeric:
        return formats.head_of_numbers
    return formats.head_apart if column.beside else formats.head


def _write_value(
    sheet: Worksheet, down: int, place: int, row: Mapping[str, Any], column: _SheetColumn, formats: CellFormats
) -> None:
    shown, value = column.shown, plain(None if _has_too_few(column, row) else row[column.key])
    if not shown.is_numeric:
        put(sheet, down, place, words.NOTHING if value is None else str(value), _text_format(column, formats))
    elif value is None:
        is_known = column.main == "" or row[column.main] is not None  # a value that only lacks its interval
        few = (shown.few and is_known) or shown.kind == "chance"
        put(sheet, down, place, words.TOO_FEW if few else words.NOTHING, formats.missing)
    elif abs(value) < EXACT:
        sheet.write_number(down, place, value, formats.number(shown))
    else:
        put(sheet, down, place, str(value), formats.missing)


def _text_format(column: _SheetColumn, formats: CellFormats) -> Format:
    if column.shown.kind == "long":
        return formats.wrapped
    return formats.apart if column.beside else formats.text


def _width(column: _SheetColumn, rows: Sequence[Mapping[str, Any]]) -> int:
    """Return the width in characters that fits the values and the words of the head."""
    alone = replace(column.shown, key=column.key, interval=False)
    values = max((len(alone.text(row)) for row in rows), default=0)
    word = max(len(part) for part in column.head.split() or [""])
    head = max(word, min(len(column.head), WIDEST_HEAD)) + FILTER
    return min(max(values + 2, head, NARROWEST), WIDEST)
