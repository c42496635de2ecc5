"""What a command prints of the page that it wrote: the answer and the first rows of a table, or all sections."""

from __future__ import annotations

from dataclasses import replace

from rogsim.report import words
from rogsim.report.console.text_table import show_tables, table_of, write
from rogsim.report.document import Grid, Report
from rogsim.report.verdict_titles import TITLES

FEW_ROWS = 5
FEW_COLUMNS = 7
MORE = "With --all: each finding and every table."


def print_page(report: Report, everything: bool = True) -> None:
    """Print question, answer and context, then the first rows of the first table, or all findings and tables."""
    write(words.joined(report.question, report.rests_on, report.answer, report.context))
    for section in report.sections if everything else ():
        write(f"\n{section.title}: {section.answer}")
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {finding.text}")
        show_tables("", map(table_of, section.grids))
    if not everything:
        grids = [grid for section in report.sections for grid in section.grids][:1]
        show_tables("", [table_of(_short(grid)) for grid in grids])
        write(MORE)


def _short(grid: Grid) -> Grid:
    more = grid.frame.height - FEW_ROWS
    notes = (f"{more:,} more row{'s' * (more > 1)} on the page.",) if more > 0 else ()
    return replace(grid, frame=grid.frame.head(FEW_ROWS), columns=grid.columns[:FEW_COLUMNS], notes=notes)
