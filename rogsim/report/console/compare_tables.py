"""A comparison in the terminal: the answer, then the verdicts as a table; with --all the findings and more tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console

from rogsim.report import words
from rogsim.report.compare.compare_words import WITHIN, effect
from rogsim.report.console.answers import table_of
from rogsim.report.console.text_table import Table, plain_console, show_tables, write
from rogsim.report.document import Finding, Report, Section
from rogsim.report.verdict_titles import TITLES, Badge
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.paired.compared import FAIRNESS, LENGTH, SEATS
from rogsim.stats.simultaneous import beyond

PRINTED = (FAIRNESS, SEATS, LENGTH)  # sections with short tables; the page has all
MOST_VARIANTS = 3  # that the answer names
WORST_FIRST: Sequence[Badge] = ("changed", "open", "within")
HEADER = ("question", "variant", "players", "n", "verdict", "largest difference (95%)")

DISTANCE = "Distance from fair: the largest deviation of any seat from its fair share."
MAY_BE_CHANCE = "An undecided difference whose interval excludes 0 may be chance, because the table has many questions."
SHOWN_90 = "Rows with this verdict show that interval for the largest difference, marked 90%."
MORE = "With --all: each finding in words, and the tables of fairness, win shares, points and length."


def print_comparison(
    report: Report, base: str, bots: Sequence[str], everything: bool = True, console: Console | None = None
) -> None:
    """Print the answer and the verdicts on a page, or all findings and the short tables.

    Parameters
    ----------
    base
        The label of the base.
    bots
        All bots that played.
    everything
        Whether to print findings and tables instead of the table of verdicts.
    """
    show = console or plain_console()
    write(words.joined(report.rests_on, answer_line(report, base, bots)), show)
    if not everything:
        _print_short(report, show)
        return
    write(words.joined(report.lead, report.units), show)
    for section in report.sections:
        if section.findings:
            write(f"\n{section.title}", show, style="bold")
        for finding in section.findings:
            write(f"{TITLES[finding.verdict]}: {finding.text}", show)
    show_tables(
        "", [table_of(grid) for section in report.sections if _is_short(section) for grid in section.grids], show
    )


def answer_line(report: Report, base: str, bots: Sequence[str]) -> str:
    """Return in a sentence which variants are fairer than the base, and what changed most."""
    fairness = [finding for finding in _judged(report) if finding.data["topic"] == FAIRNESS]
    if not fairness:
        return "No variant changes anything."
    by_variant: dict[str, list[Finding]] = {}
    for finding in fairness:
        by_variant.setdefault(str(finding.data["variant"]), []).append(finding)
    said = [f"{name} {_fairness(found, base)}" for name, found in list(by_variant.items())[:MOST_VARIANTS]]
    left = len(by_variant) - len(said)
    said += [f"{left} more variant{'s' * (left > 1)} below"] if left else []
    changed = _most_changed(report)
    verdicts = [finding.verdict for finding in fairness]
    badge: Badge = "changed" if changed else min(verdicts, key=WORST_FIRST.index)
    return f"{TITLES[badge]}: {words.with_bots(bots)}{'; '.join(said)}.{changed}"


def _fairness(findings: Sequence[Finding], base: str) -> str:
    """Return whether a variant is fairer than the base with each number of players."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        farther = finding.data["effect"]["value"] > 0
        what = {
            "changed": f"is {'less fair' if farther else 'fairer'} than {base}",
            "within": f"changes how far the seats are from fair by less than {finding.data['margin']:g} pp",
        }.get(finding.verdict, "may change how far the seats are from fair")
        groups.setdefault(what, []).append(finding)
    return words.listed([f"{what} {_cases(found)}" for what, found in groups.items()])


def _cases(findings: Sequence[Finding]) -> str:
    """Return with which numbers of players something holds, and the size of each clear difference."""
    counts = [str(finding.data["players"]) for finding in findings]
    if findings[0].verdict != "changed":
        return f"with {words.listed(counts)} players"
    sizes = [
        f"{_size(finding.data['effect'])} with {count}{' players' * (place == 0)}"
        for place, (finding, count) in enumerate(zip(findings, counts, strict=True))
    ]
    return f"by {words.listed(sizes)}"


def _size(data: Mapping[str, float]) -> str:
    """Return the size of a difference that lies clearly on one side of 0, without its sign."""
    low, high = sorted((abs(data["low"]), abs(data["high"])))
    return f"{words.number(abs(data['value']))} pp ({words.interval(low, high)})"


def _most_changed(report: Report) -> str:
    """Return the largest clear difference in win share, as a sentence; empty if there is none."""
    changed = [
        finding
        for finding in _judged(report)
        if finding.verdict == "changed" and finding.data["unit"] == "pp" and finding.data["topic"] != FAIRNESS
    ]
    if not changed:
        return ""
    most = max(changed, key=lambda finding: by_size(finding.data["effect"]["value"]))
    data = most.data
    level, players = _level(data), words.players(data["players"])
    return f" Most changed: {level} with {players}, {_difference(data)} ({data['variant']})."


def _print_short(report: Report, console: Console) -> None:
    """Print the verdicts at the top of the page as a table, and what has no verdict in words."""
    rows = []
    for finding in _judged(report):
        data = finding.data
        if finding.short:
            case = (str(data["question"]), str(data["variant"]), str(data["players"]), words.count(data["games"]))
            rows.append((*case, TITLES[finding.verdict], _deciding(finding)))
    within = (WITHIN, SHOWN_90) if any(TITLES["within"] in row for row in rows) else ()
    doubt = (MAY_BE_CHANCE,) if any(_is_in_doubt(finding) for finding in _judged(report)) else ()
    notes = (DISTANCE, "95% intervals hold for all levels of a question together.", *doubt, *within, MORE)
    show_tables("", [Table("", HEADER, tuple(rows), notes, of_text=True)] if rows else [], console)
    for _, findings in report.on_top:
        for finding in findings:
            if finding.data.get("same"):
                write(finding.short, console)


def _judged(report: Report) -> Iterator[Finding]:
    """Yield the findings with a verdict on a difference."""
    for section in report.sections:
        yield from (
            finding for finding in section.findings if {"question", "topic", "variant", "unit"} <= finding.data.keys()
        )


def _level(data: Mapping[str, Any]) -> str:
    return str(data["level_name"]) if data["topic"] != FAIRNESS else ""


def _difference(data: Mapping[str, Any]) -> str:
    found = _estimate(data["effect"])
    return words.TOO_FEW if math.isnan(found.low) else effect(found, str(data["unit"]))


def _deciding(finding: Finding) -> str:
    """Return the largest difference, of which level it is, and the interval on which its verdict rests."""
    data = finding.data
    tested = _estimate(data["margin_test"])
    is_within = finding.verdict == "within" and not math.isnan(tested.low)
    shown = effect(tested, str(data["unit"]), "90%") if is_within else _difference(data)
    return shown if shown == words.TOO_FEW else f"{_level(data)} {shown}".strip()


def _is_in_doubt(finding: Finding) -> bool:
    """Return whether a difference is shown as undecided although its interval excludes 0."""
    return bool(finding.short) and finding.verdict == "open" and beyond(_estimate(finding.data["effect"]), 0.0)


def _estimate(data: Mapping[str, Any]) -> Estimate:
    return Estimate(data["value"], data["low"], data["high"], int(data["n"]), float(data["n"]))


def _is_short(section: Section) -> bool:
    return section.name in PRINTED
