"""What `rogsim report` prints: the findings of the page's first screen, one line each."""

from __future__ import annotations

from rogsim.base.prose import write
from rogsim.report.document import TITLES, Finding, Report


def print_report(report: Report) -> None:
    """Print the findings at the top of a page, by section."""
    for section, findings in report.on_top:
        write(f"{section.title}: {section.question}")
        for finding in findings:
            write(f"  {line_of(finding)}")
    if report.on_top:
        print()


def line_of(finding: Finding) -> str:
    """Return a finding as one line: its verdict, whether it holds with stronger bots, and its sentence."""
    strength = finding.strength
    head = f"{TITLES[finding.verdict]}, {strength.word}" if strength else TITLES[finding.verdict]
    detail = f" {strength.detail}" if strength and strength.detail else ""
    return f"{head}: {finding.short}{detail}"
