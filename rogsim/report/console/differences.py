"""What `rogsim compare` and `rogsim report A B` print: the answer and the table of the page, with --all everything."""

from __future__ import annotations

from rich.console import Console

from rogsim.report import words
from rogsim.report.console.text_table import Table, plain_console, show_tables, table_of, write
from rogsim.report.document import Report
from rogsim.report.verdict_titles import TITLES

MOST_ROWS = 6  # of the table, so that everything fits twelve lines
MORE = "With --all: {}every difference and all tables."


def print_differences(report: Report, everything: bool = False, console: Console | None = None) -> None:
    """Print the answer and the first rows of the table of a page, or all its findings and tables."""
    show = console or plain_console()
    write(words.joined(report.rests_on, f"{TITLES[report.verdict]}: {report.answer}", report.context), show)
    if report.sheet:
        rows = report.sheet.rows if everything else report.sheet.rows[:MOST_ROWS]
        header = ("change (95%)", *report.sheet.columns)
        shown = tuple(
            (row.measure, *(words.NOTHING if cell is None else str(cell) for cell in row.cells)) for row in rows
        )
        show_tables("", [Table("", header, shown, of_text=True)], show)
    if not everything:
        rest = len(report.sheet.rows) - MOST_ROWS if report.sheet else 0
        write(MORE.format(f"{rest} more row{'s' * (rest > 1)}, " if rest > 0 else ""), show)
        return
    for section in report.sections:
        write(f"\n{section.title}", show, style="bold")
        write(section.answer, show)
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {finding.text}", show)
    grids = [grid for section in report.sections for grid in section.grids]
    show_tables("", [table_of(grid) for grid in [*grids, *report.provenance[:1]]], show)
