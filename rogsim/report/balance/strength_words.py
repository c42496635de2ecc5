"""The word beside each finding: does it hold as the bots get stronger?

The word is that of `rogsim settle` on the levels that the finding names, or on all levels if it names none: the worst
of their verdicts. A settled finding holds for all bots tried only if the strongest ones show the same effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rogsim.experiments.settle.ladder_verdicts import SEATS, LadderVerdicts, SettledClaim
from rogsim.experiments.settle.strength_ladder import families_of
from rogsim.report import words
from rogsim.report.balance.sources import Material
from rogsim.report.document import NOT_TESTED, StrengthWord
from rogsim.report.settle.settle_words import missing_words
from rogsim.stats.estimates import Estimate
from rogsim.stats.settling import RUNGS, Word
from rogsim.stats.verdicts import Verdict

WORST_FIRST: Sequence[Word] = ("still moving", "not known yet", "settled")
ALL_TRIED = "all bots tried, of rising strength"
HOLDS = f"Holds for {ALL_TRIED}"
NO_LADDER = "No ladder of stronger bots was given."


@dataclass(frozen=True)
class _Tested:
    """One level of a finding with its verdict; sign: -1 if it mirrors the level that was tested."""

    name: str
    claim: SettledClaim
    sign: int = 1

    @property
    def word(self) -> Word:
        return self.claim.found.verdict

    @property
    def last(self) -> Estimate:
        """Return the effect with the strongest bot."""
        found = self.claim.found.series.estimate(-1)
        if self.sign > 0:
            return found
        return Estimate(-found.value, -found.high, -found.low, found.n, found.effective)


def strength_word(material: Material, kind: str, verdicts: Sequence[Verdict]) -> StrengthWord:
    """Return the word for a finding.

    Parameters
    ----------
    kind
        "imbalanced", "fair", "unknown" or "depends".
    verdicts
        The verdicts that it sums up: one for each set of bots, all on the same question and player count.
    """
    claim = verdicts[0].claim
    ladder = ladder_for(material, claim.topic, claim.players)
    if ladder is None:
        return StrengthWord(NOT_TESTED, why=_why_not(material, claim.topic, claim.players))
    levels = dict.fromkeys(contrast.name for verdict in verdicts for contrast in verdict.claim.contrasts)
    named = dict.fromkeys(name for verdict in verdicts for name in verdict.named) if kind != "fair" else {}
    known = {tested.name: tested for tested in _tested(ladder, claim.topic, claim.players)}
    asked = [known[name] for name in named or levels if name in known]
    missing = [name for name in named or levels if name not in known]
    if not asked:
        return StrengthWord(NOT_TESTED, why="The ladder has no verdict on these levels.")
    word = min((tested.word for tested in asked), key=WORST_FIRST.index)
    if missing and word == "settled":
        return StrengthWord("not known yet", why=f"The ladder has no verdict on {words.listed(missing)}.")
    if word != "settled":
        return StrengthWord(word, _open_words(ladder, word, asked))
    other = [tested for tested in asked if not _agrees(tested, kind, verdicts, material.margin)]
    holds = kind in ("imbalanced", "fair") and bool(named or kind == "fair") and not other
    return StrengthWord(word, _settled_words((other or asked)[0], len(asked), holds), holds=holds)


def ladder_for(material: Material, topic: str, players: int) -> LadderVerdicts | None:
    """Return the ladder that tested a question with one player count; None if there is none."""
    return next((ladder for ladder in material.settled if ladder.of(topic, players)), None)


def _tested(ladder: LadderVerdicts, topic: str, players: int) -> Iterator[_Tested]:
    """Yield the levels that were tested, by the names that findings give them."""
    for claim in ladder.of(topic, players):
        level = claim.found.series.name
        yield _Tested(f"seat {level}" if topic == SEATS else claim.family.label(level), claim)
        if topic == SEATS and players == 2:
            yield _Tested(f"seat {2 if level == '1' else 1}", claim, -1)


def _why_not(material: Material, topic: str, players: int) -> str:
    """Say why a question was not tested."""
    if not material.settled:
        return NO_LADDER
    options = material.sources[0].manifest["scenario"]["options"]
    if topic in {family.name for family in families_of(material.spec, options)}:
        if all(players not in ladder.games for ladder in material.settled):
            return f"The ladder has no games with {words.players(players)}."
        return "The ladder was played without this question."
    return "Only seats, and what the game lists as dealt to them at random, can be tested."


def _open_words(ladder: LadderVerdicts, word: Word, asked: Sequence[_Tested]) -> str:
    """Return the effects with the last bots if they are still moving, or what is missing for a verdict."""
    first = next(tested for tested in asked if tested.word == word)
    settled = sum(tested.word == "settled" for tested in asked)
    rest = f" {settled} of {len(asked)} levels {'is' if settled == 1 else 'are'} settled." if settled else ""
    if word == "still moving":
        values = first.sign * first.claim.found.series.values[-RUNGS:]
        effects = ", ".join(words.number(float(value), 1, sign=True) for value in values)
        return f"With stronger bots{_of(first, asked)}: {effects} pp.{rest}"
    missing = (missing_words(tested.claim, ladder) for tested in asked if tested.word == word)
    if found := next(filter(None, missing), ""):
        return f"{found[0].upper()}{found[1:]}.{rest}"
    more = [tested.claim.more_games for tested in asked if tested.word == word and tested.claim.more_games]
    return (f"About {words.count(max(more))} more games of stronger bots would decide it." if more else "") + rest


def _of(tested: _Tested, asked: Sequence[_Tested]) -> str:
    return f", {tested.name}" if len(asked) > 1 else ""


def _settled_words(tested: _Tested, count: int, holds: bool) -> str:
    """Return whether a settled finding holds, and the effect with the strongest bot if it is not one of several."""
    if holds and count > 1:
        return f"{HOLDS}."
    last = tested.last
    reach = words.interval(last.low, last.high, sign=True)
    name = f" {tested.name} has" if count > 1 else ":"
    start = f"{HOLDS}. " if holds else ""
    return f"{start}With the strongest bots{name} {words.pp(last.value)} ({reach})."


def _agrees(tested: _Tested, kind: str, verdicts: Sequence[Verdict], margin: float) -> bool:
    """Return whether the strongest bots show the effect that a finding states."""
    last = tested.last
    if kind == "fair":
        return -margin <= last.low and last.high <= margin
    naming = [verdict for verdict in verdicts if tested.name in verdict.named]
    return all(_same_effect(tested, verdict, margin) for verdict in naming)


def _same_effect(tested: _Tested, verdict: Verdict, margin: float) -> bool:
    """Return whether an effect has the same direction with the strongest bots, and within the margin the same size."""
    stated, last = verdict.effect_of(tested.name).value, tested.last
    side = 1 if stated > 0 else -1
    least = min(side * last.low, side * last.high)
    needed = margin if verdict.beyond and tested.name == verdict.level else 0.0
    return least > needed and abs(last.value - stated) <= margin
