"""The answer to each question in one plain sentence, for the top of the page.

With several sets of bots it is that of the last one; the findings below it give the others, and all intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rogsim.report import words
from rogsim.report.balance.pieces import changes_with_the_bots, few
from rogsim.report.balance.sources import Material
from rogsim.report.document import Finding, Section, TopAnswer
from rogsim.report.verdict_titles import Badge
from rogsim.stats.verdicts import Verdict

WORST_BADGE_FIRST: Sequence[Badge] = ("depends", "imbalanced", "open", "fair")
WORST_WORD_FIRST = ("still moving", "not tested", "not known yet", "settled")


@dataclass(frozen=True)
class _OutOfLine:
    """A level that wins too often, or too rarely, and the verdicts that show it, one for each number of players."""

    level: str
    is_ahead: bool
    verdicts: tuple[Verdict, ...]

    @property
    def weight(self) -> float:
        """Return how much it matters: the sum of its effects, in pp."""
        return sum(abs(verdict.effect_of(self.level).value) for verdict in self.verdicts)

    def is_shown_by(self, verdict: Verdict) -> bool:
        """Return whether a verdict shows it; a small difference that is fair does not."""
        is_named = verdict.kind == "imbalanced" and self.level in verdict.named
        return is_named and (verdict.effect_of(self.level).value > 0) == self.is_ahead


def answered(material: Material, section: Section) -> Section:
    """Return a section with the answer to its question, if it has findings at the top of the page."""
    findings = [finding for finding in section.findings if finding.short]
    topics = {finding.data.get("topic") for finding in findings}
    on_topic = [verdict for verdict in material.verdicts if verdict.claim.topic in topics]
    by_bots = {}
    for source in reversed(material.sources):
        verdicts = [verdict for verdict in on_topic if material.source_of(verdict) is source]
        if verdicts:
            by_bots[source.label] = sorted(verdicts, key=lambda verdict: verdict.claim.players)
    last = material.sources[-1].label
    if last not in by_bots:
        return section
    strengths = [finding.strength for finding in findings if finding.strength]
    about_game = bool(strengths) and all(strength.about_game for strength in strengths)
    who = "" if about_game else "With these bots, " if material.single else f"With {last}, "
    worst = min((finding.verdict for finding in findings), key=WORST_BADGE_FIRST.index)
    everywhere = worst == "depends" and _is_shown_by_all(_out_of_line(by_bots[last]), on_topic)
    answer = TopAnswer(
        "imbalanced" if everywhere else worst,
        _capital(
            f"{who}{_sentence(by_bots[last])}{_depends(findings, len(by_bots) if everywhere else 0)}"
            f"{_inseparable(by_bots[last], material.verdicts)}"
        ),
        min((strength.word for strength in strengths), key=WORST_WORD_FIRST.index, default=""),
        "" if material.single else last,
        tuple((label, f"With {label}, {_sentence(found)}") for label, found in by_bots.items() if label != last),
    )
    return replace(section, answer=answer)


def _sentence(verdicts: Sequence[Verdict]) -> str:
    """Return what one set of bots shows, from the verdicts for each number of players."""
    if out_of_line := _out_of_line(verdicts):
        return _farthest(out_of_line, several=len({verdict.claim.players for verdict in verdicts}) > 1)
    if differing := _counts(verdicts, "imbalanced"):
        return f"the levels differ by more than chance with {differing}, but no single level clearly stands out."
    fair = _counts(verdicts, "fair")
    is_fair = f"fair within ±{verdicts[0].margin:g} pp with {fair}" if fair else ""
    if undecided := _counts(verdicts, "unknown"):
        return f"too few games to decide with {undecided}{'; ' * bool(fair)}{is_fair}."
    return f"{is_fair}."


def _out_of_line(verdicts: Sequence[Verdict]) -> list[_OutOfLine]:
    """Return the levels that win too often or too rarely, the one first that matters most."""
    imbalanced = [verdict for verdict in verdicts if verdict.kind == "imbalanced"]
    ways = {(name, verdict.effect_of(name).value > 0) for verdict in imbalanced for name in verdict.named}
    found = [_OutOfLine(level, is_ahead, ()) for level, is_ahead in sorted(ways)]
    found = [replace(one, verdicts=tuple(filter(one.is_shown_by, imbalanced))) for one in found]
    return sorted(found, key=lambda one: one.weight, reverse=True)


def _is_shown_by_all(out_of_line: Sequence[_OutOfLine], verdicts: Sequence[Verdict]) -> bool:
    """Return whether all sets of bots show what matters most, with the same numbers of players."""
    if not out_of_line:
        return False
    first = out_of_line[0]
    players = {verdict.claim.players for verdict in first.verdicts}
    return all(first.is_shown_by(verdict) for verdict in verdicts if verdict.claim.players in players)


def _farthest(out_of_line: Sequence[_OutOfLine], several: bool) -> str:
    """Return how often the first of these levels wins, and which others are out of line, too, and in what way.

    several: whether there are several numbers of players.
    """
    first, *others = out_of_line
    shares = [_share(verdict, first.level, verdict is first.verdicts[0]) for verdict in first.verdicts]
    text = f"{first.level} wins too {'often' if first.is_ahead else 'rarely'}: {words.listed(shares)}."
    others = [one for other in others if (one := _without_mirrors(other, first.level)).verdicts]
    for is_ahead, how in ((True, "often"), (False, "rarely")):
        also = [one for one in others if one.is_ahead == is_ahead]
        if also:
            names = [_with_players(one, one is also[0]) if several else one.level for one in also]
            text += f" Also too {how}: {words.listed(few(names))}."
    return text


def _without_mirrors(found: _OutOfLine, level: str) -> _OutOfLine:
    """Drop the verdicts on two levels, of which the other one only mirrors it."""
    kept = [
        verdict for verdict in found.verdicts if {one.name for one in verdict.claim.contrasts} != {found.level, level}
    ]
    return replace(found, verdicts=tuple(kept))


def _with_players(found: _OutOfLine, is_first: bool) -> str:
    """Return a level with the numbers of players with which it is out of line."""
    players = words.listed([str(verdict.claim.players) for verdict in found.verdicts])
    return f"{found.level} ({players}{' players' if is_first else ''})"


def _share(verdict: Verdict, level: str, is_first: bool) -> str:
    """Return how often a level wins with one number of players, and how often it would if it were fair."""
    names = [contrast.name for contrast in verdict.claim.contrasts]
    found, fair = verdict.effect_of(level), 100.0 * verdict.claim.contrasts[names.index(level)].fair
    count = words.players(verdict.claim.players) if is_first else str(verdict.claim.players)
    if math.isnan(fair):
        return f"{words.pp(found.value)} ({words.interval(found.low, found.high, sign=True)}) with {count}"
    reach = words.interval(fair + found.low, fair + found.high)
    return f"{words.number(fair + found.value)}% ({reach}) instead of {words.number(fair)}% with {count}"


def _depends(findings: Sequence[Finding], everywhere: int) -> str:
    """Say that other bots show something else, if they do; everywhere: how many sets of bots show the same level."""
    if everywhere:
        sets = "both sets" if everywhere == 2 else f"all {everywhere} sets"
        return f" This holds with {sets} of bots; what else is out of line depends on the bots."
    if any(finding.verdict == "depends" for finding in findings):
        return " It depends on the bots."
    if any(map(changes_with_the_bots, findings)):
        return " How much depends on the bots."
    return ""


def _inseparable(verdicts: Sequence[Verdict], every: Sequence[Verdict]) -> str:
    """Say which other questions have the same effects because the same rows answer them, if any do."""
    always = None
    for verdict in verdicts:
        claim = verdict.claim
        same = {
            other.claim.noun: None
            for other in every
            if (other.claim.folder, other.claim.players) == (claim.folder, claim.players)
            and other.claim.topic != claim.topic
            and _effects(other) == _effects(verdict)
        }
        always = [noun for noun in (same if always is None else always) if noun in same]
    if not always:
        return ""
    return f" Each {verdicts[0].claim.noun} always has the same {words.listed(always)}, so they cannot be told apart."


def _effects(verdict: Verdict) -> list[tuple[float, float]]:
    """Return the effects of all levels with their numbers of rows, in ascending order."""
    return sorted((round(one.effect.value, 9), one.effect.n) for one in verdict.claim.contrasts)


def _counts(verdicts: Sequence[Verdict], kind: str) -> str:
    """Return the numbers of players whose verdict is of a kind; empty if there is none."""
    found = dict.fromkeys(str(verdict.claim.players) for verdict in verdicts if verdict.kind == kind)
    return f"{words.listed(list(found))} players" if found else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
