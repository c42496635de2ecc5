"""What changed between two reports, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rogsim.report import words
from rogsim.report.balance.pieces import estimate_data, few, known
from rogsim.report.changes.what_changed import ChangedFinding, WhatChanged
from rogsim.report.compare.compare_words import TOO_FEW, effect, levels_sentence
from rogsim.report.document import Finding
from rogsim.report.verdict_titles import TITLES, Badge
from rogsim.stats.verdict_words import look_words

MOST_ON_TOP = 4  # changed questions at the top of the page: with the summary, five sentences


def summary(found: WhatChanged) -> Finding:
    """Return how many questions changed, and which most, as one finding."""
    changed = most_first([finding for finding in found.findings if finding.judged.kind == "changed"])
    open_ones = [finding for finding in found.findings if finding.judged.kind == "open"]
    total = len(found.findings)
    badge: Badge = "changed" if changed else "open" if open_ones else "within"
    if changed:
        where = _where(found, changed[0])
        text = f"{_who(found)}{len(changed)} of {_questions(total)} changed by more than chance, most of all {where}: "
        text += f"{largest(changed[0])}."
    elif open_ones:
        text = f"{_who(found)}no change is clear: {_undecided(len(open_ones), total, found.margin)}."
    else:
        text = f"{_who(found)}nothing changed beyond ±{found.margin:g} pp in {_questions(total)}."
    text = text[:1].upper() + text[1:] + _other_verdicts(found)
    return Finding(badge, text, {"changed": len(changed), "questions": total}, short=text)


def most_first(findings: Sequence[ChangedFinding]) -> list[ChangedFinding]:
    """Return findings with the largest difference first."""

    def size(finding: ChangedFinding) -> float:
        value = finding.judged.largest.effect.value
        return abs(value) if known(value) else -1.0

    return sorted(findings, key=size, reverse=True)


def on_top(found: WhatChanged) -> list[ChangedFinding]:
    """Return the findings for the top of the page: the largest clear changes."""
    return most_first([finding for finding in found.findings if finding.judged.kind == "changed"])[:MOST_ON_TOP]


def finding_of(found: WhatChanged, finding: ChangedFinding, is_on_top: bool) -> Finding:
    """Return a question as a finding: which levels differ, by how much, and both verdicts."""
    text = f"{_case(found, finding)}: {_sentence(finding)}"
    return Finding(finding.judged.kind, text, _data(finding), short=text if is_on_top else "")


def largest(finding: ChangedFinding) -> str:
    """Return the largest difference with its interval, and what it is a difference of."""
    judged = finding.judged
    change = judged.largest
    if not known(judged.effect_of(change).low):
        return TOO_FEW
    values = f"from {words.pp(change.base.value)} to {words.pp(change.variant.value)}"
    return f"{words.name(change.level)} {effect(judged.effect_of(change), 'pp')}, {values}"


def verdicts(finding: ChangedFinding) -> str:
    """Return the verdicts of both sides in words."""
    before, after = TITLES[finding.before.verdict], TITLES[finding.after.verdict].lower()
    return f"{before} before, {after} after." if finding.is_other_verdict else f"{before} before and after."


def _sentence(finding: ChangedFinding) -> str:
    judged = finding.judged
    if not known(judged.largest.effect.low) or not known(judged.p):
        return f"{TOO_FEW} {verdicts(finding)}"
    return f"{levels_sentence(judged, {})}{look_words(judged.answer.look)} {verdicts(finding)}"


def _where(found: WhatChanged, finding: ChangedFinding) -> str:
    count = words.players(finding.after.claim.players)
    who = f" ({finding.after.bots})" if found.several_bots else ""
    return f"{finding.after.title} with {count}{who}"


def _case(found: WhatChanged, finding: ChangedFinding) -> str:
    count = words.players(finding.after.claim.players)
    return f"{count}, {finding.after.bots}" if found.several_bots else count


def _undecided(count: int, total: int, margin: float) -> str:
    """Return how many questions are undecided, and that the others changed little."""
    rest = f"; the rest changed by less than {margin:g} pp" if count < total else ""
    return f"{words.undecided(count, total)}{rest}"


def _other_verdicts(found: WhatChanged) -> str:
    """Return which questions have another verdict, and that this alone is no change."""
    others = [finding for finding in found.findings if finding.is_other_verdict]
    if not others:
        return " Every question has the same verdict before and after."
    named = words.listed(few([_where(found, finding) for finding in others]))
    unclear = [finding for finding in others if finding.judged.kind != "changed"]
    chance = " Where no change is clear, this may be chance." if unclear else ""
    return f" The verdict differs for {named}.{chance}"


def _who(found: WhatChanged) -> str:
    """Return which bots played; empty if several sets of bots are compared, as findings then name them."""
    if found.several_bots:
        return ""
    before, after = found.findings[0].before.bots, found.findings[0].after.bots
    return f"With {after}, " if before == after else f"With {after} instead of {before}, "


def _questions(count: int) -> str:
    return f"{count} question{'s' * (count != 1)}"


def _data(finding: ChangedFinding) -> dict[str, Any]:
    judged, claim = finding.judged, finding.after.claim
    return {
        "topic": claim.topic,
        "title": claim.title,
        "players": claim.players,
        "bots": [finding.before.bots, finding.after.bots],
        "verdict_before": finding.before.verdict,
        "verdict_after": finding.after.verdict,
        "games": [finding.before.claim.games, claim.games],
        "level": judged.largest.level,
        "before": estimate_data(judged.largest.base),
        "after": estimate_data(judged.largest.variant),
        "difference": estimate_data(judged.effect_of(judged.largest)),
        "p": judged.p,
        "margin": judged.answer.question.margin,
        "beyond_margin": judged.beyond,
        "look": judged.answer.look,
        "sure": [change.level for change in judged.sure],
    }
