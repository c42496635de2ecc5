"""A report as an XLSX workbook: first the answer with the balance sheet, then one sheet per table.

Texts come from scenarios, bots and games, so each is written as text, whatever it begins with. Numbers are numbers,
with as many digits as the page shows, and the ends of an interval have columns of their own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from rogsim.base.text import safe
from rogsim.report import words
from rogsim.report.document import TITLES, NamedTable, Report, TableColumn, plain

CREATED = datetime(2000, 1, 1)  # the same in each workbook, so that the same report gives the same bytes
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
MOST_TEXT = 32_767  # characters that a cell can have
EXACT = 10**15  # a spreadsheet rounds larger numbers
LEVEL = re.compile(r"\s*\(([\d.]+%)[^()]*\)$")  # of the intervals, at the end of a column's head
WIDEST = 400  # pixels
A4 = 9  # the number of this size of paper


class Formats(dict[str, Format]):
    """The formats of a workbook, each made when it is first used, by how it shows a number."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self.bold = book.add_format({"bold": True})
        self.head = book.add_format({"bold": True, "bottom": 1, "indent": 1})
        self.number_head = book.add_format({"bold": True, "bottom": 1, "align": "right"})
        self.text = book.add_format({"valign": "top", "indent": 1})
        self.long = book.add_format({"valign": "top", "indent": 1, "text_wrap": True})
        self.missing = book.add_format({"valign": "top", "align": "right"})
        self.link = book.add_format({"font_color": "#0563C1", "underline": 1, "indent": 1})

    def __missing__(self, pattern: str) -> Format:
        """Make the format of a number."""
        self[pattern] = self._book.add_format({"num_format": pattern, "valign": "top"})
        return self[pattern]


@dataclass(frozen=True)
class SheetColumn:
    """One column of a sheet: its head, its key in the frame, and how its values are shown."""

    head: str
    key: str
    shown: TableColumn
    ends: tuple[str, ...] = ()  # keys of the ends without which the value is "too few", as on the page
    main: str = ""  # key of the value that it is an end of, or the value itself


def workbook(report: Report) -> bytes:
    """Return the report as the content of an XLSX file."""
    content = io.BytesIO()
    book = Workbook(content, OPTIONS)
    book.set_properties({"title": safe(report.title), "author": "rogsim", "created": CREATED})
    formats, tables = Formats(book), report.tables
    _write_first(_new_sheet(book, report.sheet.title if report.sheet else "Overview"), report, tables, formats)
    for table in tables:
        _write_table(_new_sheet(book, table.name), table, formats, report.rests_on)
    book.close()
    return content.getvalue()


def number_pattern(column: TableColumn) -> str:
    """Return how a spreadsheet shows a column's numbers."""
    if column.kind == "count":
        return "#,##0"
    if column.kind == "p":
        return '[<0.001]"< 0.001";0.000'
    if column.kind == "chance":
        return '[<0.01]"< 1%";[>0.99]"> 99%";0%'  # never 0 or 100%
    digits = f".{'0' * column.digits}" if column.digits else ""
    if column.kind == "share":
        return f"0{digits}%"
    return f"+#,##0{digits};-#,##0{digits};0{digits}" if column.kind == "gain" else f"#,##0{digits}"


def _new_sheet(book: Workbook, name: str) -> Worksheet:
    sheet = book.add_worksheet(name)
    sheet.set_landscape()
    sheet.set_paper(A4)
    sheet.fit_to_pages(1, 0)
    return sheet


def _put(sheet: Worksheet, row: int, place: int, text: str, cell_format: Format | None = None) -> None:
    """Write a text as text, never as a formula or a link; one that is too long for a cell ends with an ellipsis."""
    text = safe(text)
    if text.startswith("<r>"):
        text = f" {text}"  # XlsxWriter would take it for markup
    if len(text) > MOST_TEXT:
        text = f"{text[: MOST_TEXT - 1]}…"
    sheet.write_string(row, place, text, cell_format)


def _write_first(sheet: Worksheet, report: Report, tables: list[NamedTable], formats: Formats) -> None:
    """Write the answer, the balance sheet, a list of the other sheets with links, and the answer of each section."""
    asked = " · ".join(filter(None, (report.title, report.question)))
    top = [asked, report.answer, f"{report.context} {report.rests_on}".strip(), report.family]
    row = len(top) + 1
    if report.sheet:
        columns = [head for column in report.sheet.columns for head in (column, "95% interval", "verdict")]
        _put_row(sheet, row, [report.sheet.title, *columns, "note"], formats.head)
        for line in report.sheet.rows:
            row += 1
            cells = [(cell.text, cell.reach, TITLES[cell.verdict]) if cell else ("", "", "") for cell in line.cells]
            _put_row(sheet, row, [line.measure, *(text for cell in cells for text in cell), line.note], formats.text)
        row += 2
    _put_row(sheet, row, ["sheet", "rows", "table"], formats.head)
    for table in tables:
        row += 1
        sheet.write_url(row, 0, f"internal:'{table.name}'!A1", formats.link, table.name)
        sheet.write_number(row, 1, table.grid.frame.height, formats["#,##0"])
        _put(sheet, row, 2, _title(table), formats.text)
    sheet.autofit(WIDEST)  # whatever comes later does not count: long texts run over the cells beside them
    for place, text in enumerate(top):
        _put(sheet, place, 0, text, formats.bold if place < 2 else None)
    ends = [*([section.title, section.answer] for section in report.sections), [""]]
    for place, texts in enumerate([*ends, *([line] for line in report.command.splitlines())], start=row + 2):
        _put_row(sheet, place, texts)


def _put_row(sheet: Worksheet, row: int, texts: list[str], cell_format: Format | None = None) -> None:
    for place, text in enumerate(texts):
        _put(sheet, row, place, text, cell_format)


def _write_table(sheet: Worksheet, table: NamedTable, formats: Formats, rests_on: str) -> None:
    """Write a table: what it is, a head that stays in view and has a filter, all rows, and the notes below them.

    rests_on: the sentence on reconstructed values for the top; empty if there is none.
    """
    columns = [column for shown in table.grid.columns for column in _columns_of(shown)]
    rows = table.grid.frame.select(sorted({column.key for column in columns})).to_dicts()
    section = table.section
    based = section and section.n and f"Based on {section.n}."
    lines = [line for line in (based, (section and section.rests_on) or rests_on) if line]
    top = 1 + len(lines)
    for place, column in enumerate(columns):
        _put(sheet, top, place, column.head, formats.number_head if column.shown.is_numeric else formats.head)
    for down, row in enumerate(rows, start=top + 1):
        for place, column in enumerate(columns):
            _write_value(sheet, down, place, row, column, formats)
    sheet.autofit(WIDEST)
    sheet.repeat_rows(top)
    sheet.freeze_panes(top + 1, 1)
    sheet.autofilter(top, 0, top + len(rows), len(columns) - 1)
    _put(sheet, 0, 0, _title(table), formats.bold)
    for place, text in enumerate(lines, start=1):
        _put(sheet, place, 0, text)
    for place, text in enumerate(table.grid.notes, start=top + len(rows) + 2):
        _put(sheet, place, 0, text)


def _title(table: NamedTable) -> str:
    return f"{table.section.title}: {table.grid.caption}" if table.section else table.grid.caption


def _columns_of(shown: TableColumn) -> Iterator[SheetColumn]:
    """Yield the column itself and, if it has intervals, one for each end of them."""
    if not shown.interval:
        yield SheetColumn(shown.head, shown.key, shown)
        return
    level = LEVEL.search(shown.head)
    name = LEVEL.sub("", shown.head)
    what = f"{level[1]} interval" if level else "interval"
    ends, few = (f"{shown.key}_low", f"{shown.key}_high"), replace(shown, few=shown.kind == "gain")
    yield SheetColumn(name, shown.key, few, ends if few.few else (), shown.key)
    for key, word in zip(ends, ("from", "to"), strict=True):
        yield SheetColumn(f"{name}: {what} {word}", key, few, main=shown.key)


def _write_value(
    sheet: Worksheet, down: int, place: int, row: Mapping[str, Any], column: SheetColumn, formats: Formats
) -> None:
    too_few = any(plain(row[end]) is None for end in column.ends)
    shown, value = column.shown, plain(None if too_few else row[column.key])
    if not shown.is_numeric:
        text = words.NOTHING if value is None else str(value)
        _put(sheet, down, place, text, formats.long if shown.kind == "long" else formats.text)
    elif value is None:
        is_known = column.main == "" or row[column.main] is not None  # a value that only lacks its interval
        few = (shown.few and is_known) or shown.kind == "chance"
        _put(sheet, down, place, words.TOO_FEW if few else words.NOTHING, formats.missing)
    elif abs(value) < EXACT:
        sheet.write_number(down, place, value, formats[number_pattern(shown)])
    else:
        _put(sheet, down, place, str(value), formats.missing)
