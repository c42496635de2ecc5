"""The answer to each question in one plain sentence, for the top of the page.

With several sets of bots it is that of the last one; the findings below it give the others, and all intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rogsim.report import words
from rogsim.report.balance.pieces import changes_with_the_bots, few
from rogsim.report.balance.sources import Material
from rogsim.report.document import Finding, Section, TopAnswer
from rogsim.report.verdict_titles import Badge
from rogsim.stats.verdicts import Verdict

WORST_BADGE_FIRST: Sequence[Badge] = ("depends", "imbalanced", "open", "fair")
WORST_WORD_FIRST = ("still moving", "not known yet", "not tested", "settled")


def answered(material: Material, section: Section) -> Section:
    """Return a section with the answer to its question, if it has findings at the top of the page."""
    findings = [finding for finding in section.findings if finding.short]
    topics = {finding.data.get("topic") for finding in findings}
    on_topic = [verdict for verdict in material.verdicts if verdict.claim.topic in topics]
    texts = {}
    for source in reversed(material.sources):
        verdicts = [verdict for verdict in on_topic if material.source_of(verdict) is source]
        if verdicts:
            texts[source.label] = _sentence(sorted(verdicts, key=lambda verdict: verdict.claim.players))
    last = material.sources[-1].label
    if last not in texts:
        return section
    strengths = [finding.strength for finding in findings if finding.strength]
    about_game = bool(strengths) and all(strength.about_game for strength in strengths)
    who = "" if about_game else "With these bots, " if material.single else f"With {last}, "
    answer = TopAnswer(
        min((finding.verdict for finding in findings), key=WORST_BADGE_FIRST.index),
        _capital(f"{who}{texts[last]}{_depends(findings)}"),
        min((strength.word for strength in strengths), key=WORST_WORD_FIRST.index, default=""),
        "" if material.single else last,
        tuple((label, f"With {label}, {text}") for label, text in texts.items() if label != last),
    )
    return replace(section, answer=answer)


def _sentence(verdicts: Sequence[Verdict]) -> str:
    """Return what one set of bots shows, from the verdicts for each number of players."""
    named = [verdict for verdict in verdicts if verdict.kind == "imbalanced" and verdict.named]
    if named:
        return _out_of_line(named)
    if differing := _counts(verdicts, "imbalanced"):
        return f"the levels differ by more than chance with {differing}, but no single level clearly stands out."
    fair = _counts(verdicts, "fair")
    is_fair = f"fair within ±{verdicts[0].margin:g} pp with {fair}" if fair else ""
    if undecided := _counts(verdicts, "unknown"):
        return f"too few games to decide with {undecided}{'; ' * bool(fair)}{is_fair}."
    return f"{is_fair}."


def _out_of_line(verdicts: Sequence[Verdict]) -> str:
    """Return which level is farthest out of line, how often it wins, and which others are, too."""
    top = max(verdicts, key=lambda verdict: abs(verdict.effect_of(verdict.named[0]).value))
    level = top.named[0]
    is_ahead = top.effect_of(level).value > 0
    same = [
        verdict for verdict in verdicts if level in verdict.named and (verdict.effect_of(level).value > 0) == is_ahead
    ]
    shares = [_share(verdict, level, verdict is same[0]) for verdict in same]
    # With two players the other seat mirrors the first.
    found = dict.fromkeys(name for verdict in verdicts if verdict.claim.players > 2 for name in verdict.named)
    others = [name for name in found if name != level]
    also = f" Also out of line: {words.listed(few(others))}." if others else ""
    return f"{level} wins too {'often' if is_ahead else 'rarely'}: {words.listed(shares)}.{also}"


def _share(verdict: Verdict, level: str, is_first: bool) -> str:
    """Return how often a level wins with one number of players, and how often it would if it were fair."""
    names = [contrast.name for contrast in verdict.claim.contrasts]
    found, fair = verdict.effect_of(level), 100.0 * verdict.claim.contrasts[names.index(level)].fair
    count = words.players(verdict.claim.players) if is_first else str(verdict.claim.players)
    if math.isnan(fair):
        return f"{words.pp(found.value)} ({words.interval(found.low, found.high, sign=True)}) with {count}"
    reach = words.interval(fair + found.low, fair + found.high)
    return f"{words.number(fair + found.value)}% ({reach}) instead of {words.number(fair)}% with {count}"


def _depends(findings: Sequence[Finding]) -> str:
    """Say that other bots show something else, if they do."""
    if any(finding.verdict == "depends" for finding in findings):
        return " It depends on the bots."
    if any(map(changes_with_the_bots, findings)):
        return " How much depends on the bots."
    return ""


def _counts(verdicts: Sequence[Verdict], kind: str) -> str:
    """Return the numbers of players whose verdict is of a kind; empty if there is none."""
    found = dict.fromkeys(str(verdict.claim.players) for verdict in verdicts if verdict.kind == kind)
    return f"{words.listed(list(found))} players" if found else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
