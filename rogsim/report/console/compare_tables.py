"""A comparison in the terminal: the findings, then the tables of fairness, seats and length."""

from __future__ import annotations

from rich.console import Console

from rogsim.report import words
from rogsim.report.console.answers import table_of
from rogsim.report.console.text_table import plain_console, show_tables, write
from rogsim.report.document import Report, Section
from rogsim.report.verdict_titles import TITLES
from rogsim.stats.paired.compared import FAIRNESS, LENGTH, SEATS

PRINTED = (FAIRNESS, SEATS, LENGTH)  # sections with short tables; the page has all


def print_comparison(report: Report, console: Console | None = None) -> None:
    """Print the findings and the short tables of a page."""
    show = console or plain_console()
    show_tables(words.joined(report.lead, report.rests_on), [], show)
    for section, findings in report.on_top:
        write(f"\n{section.title}", show, style="bold")
        for finding in findings:
            write(f"{TITLES[finding.verdict]}: {finding.short}", show)
    show_tables(
        "", [table_of(grid) for section in report.sections if _is_short(section) for grid in section.grids], show
    )


def _is_short(section: Section) -> bool:
    return section.name in PRINTED
