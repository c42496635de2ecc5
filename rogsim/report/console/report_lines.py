"""What `rogsim report` prints: the answers at the top of the page, or all findings."""

from __future__ import annotations

from rogsim.report.console.text_table import write
from rogsim.report.document import NOT_TESTED, Finding, Report, TopAnswer
from rogsim.report.verdict_titles import TITLES


def print_report(report: Report, every_finding: bool) -> None:
    """Print the answer to each question; its findings if it has no answer, or if all are asked for."""
    for section, findings in report.on_top:
        write(f"{section.title}: {section.question}")
        if section.answer:
            write(f"  {line_of_answer(section.answer)}")
        if every_finding or not section.answer:
            for finding in findings:
                write(f"  {line_of(finding)}")
    if report.on_top:
        print()


def line_of_answer(answer: TopAnswer) -> str:
    """Return an answer as one line: its verdict, whether it holds with stronger bots, and its sentence."""
    head = ", ".join(filter(None, (TITLES[answer.verdict], _in_full(answer.word))))
    return f"{head}: {answer.text}"


def line_of(finding: Finding) -> str:
    """Return a finding as one line: its verdict, whether it holds with stronger bots, and its sentence."""
    strength = finding.strength
    head = f"{TITLES[finding.verdict]}, {_in_full(strength.word)}" if strength else TITLES[finding.verdict]
    detail = f" {strength.detail}" if strength and strength.detail else ""
    return f"{head}: {finding.short}{detail}"


def _in_full(word: str) -> str:
    """Return the word on strength as it is clear without the page."""
    return f"{word} with stronger bots" if word == NOT_TESTED else word
