"""What a command prints of the page that it wrote: the answer and its table, or with --all everything."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from rogsim.report import words
from rogsim.report.console.text_table import Table, judged_line, plain_console, show_tables, table_of, write
from rogsim.report.document import TITLES, Grid, Report, Sheet

FEW_ROWS = 5  # of a table, so that everything fits fifteen lines
SHEET_ROWS = 6
FEW_COLUMNS = 7
MORE = "With --all: {}each finding and every table."


def print_page(report: Report, everything: bool = True, console: Console | None = None) -> None:
    """Print the question, the answer and who played, then the sheet or the first table; or all that the page has."""
    show = console or plain_console()
    write(
        words.joined(report.question, report.rests_on, judged_line(report.verdict, report.answer), report.context), show
    )
    grids = [grid for section in report.sections for grid in section.grids]
    if report.sheet:
        show_tables("", [_of_sheet(report.sheet, everything)], show)
    elif not everything:
        show_tables("", [table_of(_short(grid)) for grid in grids[:1]], show)
    if not everything:
        rest = len(report.sheet.rows) - SHEET_ROWS if report.sheet else 0
        write(MORE.format(f"{rest} more row{'s' * (rest > 1)}, " if rest > 0 else ""), show)
        return
    for section in report.sections:
        write(f"\n{section.title}: {section.answer}", show)
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {finding.text}", show)
        show_tables("", map(table_of, section.grids), show)
    show_tables("", map(table_of, report.provenance[:1]), show)


def _of_sheet(sheet: Sheet, everything: bool) -> Table:
    rows = sheet.rows if everything else sheet.rows[:SHEET_ROWS]
    shown = tuple((row.measure, *(words.NOTHING if cell is None else str(cell) for cell in row.cells)) for row in rows)
    return Table("", ("change (95%)", *sheet.columns), shown, of_text=True)


def _short(grid: Grid) -> Grid:
    more = grid.frame.height - FEW_ROWS
    notes = (f"{more:,} more row{'s' * (more > 1)} on the page.",) if more > 0 else ()
    return replace(grid, frame=grid.frame.head(FEW_ROWS), columns=grid.columns[:FEW_COLUMNS], notes=notes)
