"""What `rogsim settle` prints: the answers in sentences, then a table for each family of claims."""

from __future__ import annotations

from rogsim.base.prose import write
from rogsim.experiments.settle.rounds import LadderOutcome
from rogsim.report.console.answers import table_of
from rogsim.report.console.text_table import show_tables
from rogsim.report.document import Report
from rogsim.report.settle.settle_pieces import ratings_grids

REASONS = {
    "decided": "More games are not expected to change any verdict.",
    "games": "No more looks are planned with so many games.",
    "time": "The time is used up; the same command continues.",
}


def print_settled(outcome: LadderOutcome, report: Report) -> None:
    """Print the answers first, then the tables, then why play stopped and what to do next."""
    for _, findings in report.on_top:
        for finding in findings:
            write(finding.short)
    tables = [grid for section in report.sections for grid in section.grids]
    show_tables("", [table_of(grid) for grid in (*tables, *ratings_grids(outcome, "ratings"))])
    print()
    for line in (REASONS[outcome.stopped_by], *report.next_steps):
        write(line)
