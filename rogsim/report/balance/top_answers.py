"""The answer to each question in one plain sentence, for the top of the page.

With several sets of bots it is that of the last one; if the verdict comes from another set, its answer comes first. The
findings below give the others, and all intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rogsim.report import words
from rogsim.report.balance.confounded import confounding_words
from rogsim.report.balance.pieces import KINDS, changes_with_the_bots, few
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
    by_bots = _by_bots(material, on_topic)
    last = material.sources[-1].label
    if last not in by_bots:
        return section
    strengths = [finding.strength for finding in findings if finding.strength]
    worst = min((finding.verdict for finding in findings), key=WORST_BADGE_FIRST.index)
    headline = _out_of_line(by_bots[last])[:1]
    everywhere = worst == "depends" and _is_shown_by_all(headline, on_topic, material)
    shown = _shown_by(worst, by_bots)
    who = "With these bots, " if material.single else f"With {shown}, "
    also = "" if shown == last else f" With {last}, {_sentence(by_bots[last])}"
    bots = _holds_with(len(material.sources)) if everywhere else _depends(findings, _absent(headline, material))
    answer = TopAnswer(
        "imbalanced" if everywhere else worst,
        _capital(f"{who}{_sentence(by_bots[shown])}{also}{bots}{confounding_words(material, by_bots[shown])}"),
        min((strength.word for strength in strengths), key=WORST_WORD_FIRST.index, default=""),
        "" if material.single else last,
        tuple((label, f"With {label}, {_sentence(found)}") for label, found in by_bots.items() if label != last),
    )
    return replace(section, answer=answer)


def _by_bots(material: Material, on_topic: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """Return the verdicts of each set of bots, by player count; the last set comes first."""
    by_bots = {}
    for source in reversed(material.sources):
        verdicts = [verdict for verdict in on_topic if material.source_of(verdict) is source]
        if verdicts:
            by_bots[source.label] = sorted(verdicts, key=lambda verdict: verdict.claim.players)
    return by_bots


def _shown_by(badge: Badge, by_bots: Mapping[str, Sequence[Verdict]]) -> str:
    """Return the first set of bots that shows what a badge says; the first of all if it is about several sets."""
    first = next(iter(by_bots))
    shows = (label for label, found in by_bots.items() if any(KINDS[verdict.kind] == badge for verdict in found))
    return next(shows, first)


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
    # Rounded, as of two seats one is ahead as much as the other one is behind: the one that is ahead comes first.
    return sorted(found, key=lambda one: (round(one.weight, 6), one.is_ahead), reverse=True)


def _is_shown_by_all(headline: Sequence[_OutOfLine], verdicts: Sequence[Verdict], material: Material) -> bool:
    """Return whether all sets of bots show what matters most, with the same numbers of players."""
    if not headline:
        return False
    first, sets = headline[0], len(material.sources)
    for players in {verdict.claim.players for verdict in first.verdicts}:
        found = [verdict for verdict in verdicts if verdict.claim.players == players]
        played_by = {material.source_of(verdict).label for verdict in found}
        if len(played_by) < sets or not all(map(first.is_shown_by, found)):
            return False
    return True


def _absent(headline: Sequence[_OutOfLine], material: Material) -> dict[int, list[str]]:
    """Return the sets of bots that did not play, for each number of players with which something matters most."""
    counts = [verdict.claim.players for one in headline for verdict in one.verdicts]
    return {
        count: labels
        for count in counts
        if (labels := [source.label for source in material.sources if count not in source.balance.players])
    }


def _farthest(out_of_line: Sequence[_OutOfLine], several: bool) -> str:
    """Return how often the first of these levels wins, and which others are out of line, too, and in what way.

    several: whether there are several numbers of players.
    """
    first, *others = out_of_line
    shares = [_share(verdict, first.level, verdict is first.verdicts[0]) for verdict in first.verdicts]
    how = "often" if first.is_ahead else "rarely"
    text = f"{first.level} wins too {how}: {words.listed(shares)}{_games(first.verdicts)}."
    others = [one for other in others if (one := _without_mirrors(other)).verdicts]
    for is_ahead, how in ((True, "often"), (False, "rarely")):
        also = [one for one in others if one.is_ahead == is_ahead]
        if also:
            names = [_with_players(one, one is also[0]) if several else one.level for one in also]
            text += f" Also too {how}: {words.listed(few(names))}."
    return text


def _without_mirrors(found: _OutOfLine) -> _OutOfLine:
    """Drop the verdicts on two levels if this one is behind: it only mirrors the other one, which is ahead."""
    kept = [verdict for verdict in found.verdicts if found.is_ahead or not _is_mirrored(verdict, found.level)]
    return replace(found, verdicts=tuple(kept))


def _is_mirrored(verdict: Verdict, level: str) -> bool:
    """Return whether a verdict names only one more level, which is ahead."""
    others = [one.name for one in verdict.claim.contrasts if one.name != level]
    return len(others) == 1 and others[0] in verdict.named and verdict.effect_of(others[0]).value > 0


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


def _holds_with(count: int) -> str:
    """Say that what matters most holds with all sets of bots."""
    sets = "both sets" if count == 2 else f"all {count} sets"
    return f" This holds with {sets} of bots; what else is out of line depends on the bots."


def _depends(findings: Sequence[Finding], absent: Mapping[int, Sequence[str]]) -> str:
    """Say that other bots show something else, if they do.

    absent: the sets of bots that did not play, for each number of players with which something matters most.
    """
    counts = [str(finding.data["players"]) for finding in findings if finding.verdict == "depends"]
    if counts and absent:
        missing = [
            f"with {count} players, {words.listed(list(labels))} did not play" for count, labels in absent.items()
        ]
        where = words.listed(list(dict.fromkeys(counts)))
        return f" {_capital('; '.join(missing))}; with {where} players, it depends on the bots."
    if counts:
        return " It depends on the bots."
    if any(map(changes_with_the_bots, findings)):
        return " How much depends on the bots."
    return ""


def _counts(verdicts: Sequence[Verdict], kind: str) -> str:
    """Return the numbers of players whose verdict is of a kind, with their games; empty if there is none."""
    found = {verdict.claim.players: verdict for verdict in verdicts if verdict.kind == kind}
    return f"{words.listed(list(map(str, found)))} players{_games(list(found.values()))}" if found else ""


def _games(verdicts: Sequence[Verdict]) -> str:
    """Return in brackets how many games verdicts for different numbers of players rest on, in their order."""
    counts = [verdict.claim.games for verdict in verdicts]
    if len(set(counts)) == 1:
        return f" ({words.games(counts[0])}{' each' * (len(counts) > 1)})"
    return f" ({words.listed([words.count(count) for count in counts])} games)"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
