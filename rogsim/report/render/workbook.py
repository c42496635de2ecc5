"""A report as an XLSX workbook: a first sheet with the findings, then one sheet per table.

Texts come from scenarios, bots and games, so each is written as text, whatever it begins with.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from rogsim.base.plain_text import safe
from rogsim.report.document import NOT_TESTED, Finding, Report
from rogsim.report.render.cell_formats import CellFormats
from rogsim.report.render.table_files import NamedTable, named_tables
from rogsim.report.render.table_sheets import LINE, lines_of, print_wide, put, write_sheet
from rogsim.report.verdict_titles import TITLES

FIRST = "Overview"
CREATED = datetime(2000, 1, 1)  # the same in each workbook, so that the same report gives the same bytes
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
WIDTHS = (26, 14, 20, 80, 44)  # of the columns of the first sheet, in characters
FINDINGS = ("question", "verdict", "with stronger bots", "finding", "based on")
SHEETS = ("sheet", "rows", "section", "table", "notes")


def workbook(report: Report) -> bytes:
    """Return the report as the content of an XLSX file."""
    content = io.BytesIO()
    book = Workbook(content, OPTIONS)
    book.set_properties({"title": safe(report.title), "author": "rogsim", "created": CREATED})
    formats = CellFormats(book)
    tables = named_tables(report)
    first = book.add_worksheet(FIRST)
    _write_first(first, report, tables, formats)
    for table in tables:
        write_sheet(book.add_worksheet(table.name), table, formats, report.rests_on)
    book.close()
    return content.getvalue()


def _write_first(sheet: Worksheet, report: Report, tables: list[NamedTable], formats: CellFormats) -> None:
    print_wide(sheet, sum(WIDTHS))
    for place, width in enumerate(WIDTHS):
        sheet.set_column(place, place, width)
    put(sheet, 0, 0, report.title, formats.title)
    intro = (report.lead, report.rests_on and f"Component values. {report.rests_on}", report.units)
    sure = report.family and f"How sure this is. {report.family}"
    row = 1
    for text in filter(None, (*intro, sure)):
        row = _across(sheet, row, text, formats)
    row = _write_findings(sheet, row + 1, report, formats)
    row = _write_list(sheet, row + 1, tables, formats)
    if report.command:
        put(sheet, row + 1, 0, "How to reproduce it", formats.bold)
        for place, line in enumerate(report.command.splitlines()):
            put(sheet, row + 2 + place, 0, line)


def _across(sheet: Worksheet, row: int, text: str, formats: CellFormats) -> int:
    """Write a paragraph across all columns, in a row that is high enough; return the next row."""
    sheet.merge_range(row, 0, row, len(WIDTHS) - 1, "", formats.wrapped)
    put(sheet, row, 0, text, formats.wrapped)
    sheet.set_row(row, 15.0 * (1 + len(text) // (sum(WIDTHS) - 10)))
    return row + 1


def _write_findings(sheet: Worksheet, row: int, report: Report, formats: CellFormats) -> int:
    """Write the findings at the top of the page, each with its numbers; return the next row."""
    if not report.on_top:
        return row
    for place, head in enumerate(FINDINGS):
        put(sheet, row, place, head, formats.head)
    for section, findings in report.on_top:
        for finding in findings:
            row += 1
            cells = (section.title, TITLES[finding.verdict], _word(finding), finding.text, section.n)
            for place, text in enumerate(cells):
                put(sheet, row, place, text, formats.wrapped)
            sheet.set_row(row, _height(cells))
    return row + 1


def _height(cells: Sequence[str], first: int = 0) -> float:
    """Return the height of a row in which all texts can be read; first: the column of the first one."""
    return LINE * max(lines_of(text, width) for text, width in zip(cells, WIDTHS[first:], strict=False))


def _word(finding: Finding) -> str:
    """Return whether a finding holds as the bots get stronger; empty where that is not asked."""
    strength = finding.strength
    if strength is None:
        return ""
    why = strength.detail if strength.word != NOT_TESTED else ""
    return f"{strength.word}. {why}" if why else strength.word


def _write_list(sheet: Worksheet, row: int, tables: list[NamedTable], formats: CellFormats) -> int:
    """Write the list of the other sheets, with links; return the next row."""
    for place, head in enumerate(SHEETS):
        made = {"rows": formats.head_of_numbers, "section": formats.head_apart}
        put(sheet, row, place, head, made.get(head, formats.head))
    for table in tables:
        row += 1
        sheet.write_url(row, 0, f"internal:'{table.name}'!A1", formats.link, table.name)
        sheet.write_number(row, 1, table.grid.frame.height, formats.whole)
        title = table.section.title if table.section else "Provenance"
        cells = (title, table.grid.caption, " ".join(table.grid.notes))
        for place, text in enumerate(cells, start=2):
            put(sheet, row, place, text, formats.wrapped if place > 2 else formats.wrapped_apart)
        sheet.set_row(row, _height(cells, 2))
    return row + 1
