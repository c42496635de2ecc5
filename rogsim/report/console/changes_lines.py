"""What `rogsim report` prints of two reports: the answer, the table of questions, and with --all every finding."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from rogsim.report.changes.changes_sections import differing_grid, overview_grid
from rogsim.report.changes.what_changed import WhatChanged
from rogsim.report.console.answers import table_of
from rogsim.report.console.text_table import show_tables, write
from rogsim.report.document import Report
from rogsim.report.verdict_titles import TITLES

SHORT = ("question", "players", "bots", "answer", "level", "difference", "verdict_before", "verdict_after")


def print_changes(report: Report, found: WhatChanged, everything: bool, console: Console | None = None) -> None:
    """Print what changed, in one sentence and a short table, or with all findings and tables."""
    overview, *sections = report.sections
    (answer,) = overview.findings
    write(f"{TITLES[answer.verdict]}: {answer.text}", console)
    grid = overview_grid(found)
    if not everything:
        columns = tuple(column for column in grid.columns if column.key in SHORT)
        show_tables("", [table_of(replace(grid, columns=columns))], console)
        write("With --all: each finding, both effects, what differs between the games, and all levels.", console)
        return
    for section in sections:
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {section.title}, {finding.text}", console)
    grids = [grid, differing_grid(found), *(part for section in sections for part in section.grids)]
    show_tables("", [table_of(part) for part in grids], console)
