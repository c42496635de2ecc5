"""What a look shows, in sentences: only what its intervals show for all levels at once is called clear."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rogsim.base.text import capital, listing
from rogsim.report.sentences import plural
from rogsim.report.words import interval, number
from rogsim.stats.effects import beyond, within
from rogsim.stats.estimates import Estimate, by_size
from rogsim.workbench.trial import Answer, Level

TOO_FEW = "Too few games to tell yet."
Says = Callable[[Level], str]
FAIR, UNFAIR, UNKNOWN = "fair", "not fair", "not known yet"


@dataclass(frozen=True)
class Verdict:
    """What is shown.

    Attributes
    ----------
    kind
        "clear", "within" the margin, "open", "few" without an interval yet, or "none" if there is nothing to show.
    text
        The answer in a sentence.
    more
        The largest effect, where the answer names none.
    """

    kind: str
    text: str
    more: str = ""


def change_verdict(answer: Answer) -> Verdict:
    """Return what a change does."""
    if answer.untouched:
        return Verdict("none", "Every game came out the same under both sets of rules.")

    def says(level: Level) -> str:
        won = "?" if level.after is None else number(level.after.value)
        return f"{level.name} wins {won} games in 100 instead of {number(level.before.value)}"

    gains = {level: level.gain for level in answer.levels if level.gain is not None}
    every = f"The change of every {answer.noun} is" if answer.noun else "The change is"
    none = f"No {answer.noun} wins clearly more or fewer games yet." if answer.noun else "No change is clear yet."
    every = f"{every} within ±{answer.margin:g} games in 100."
    return _verdict(gains, answer.margin, every, none, says, "With the change, ")


def fair_verdict(answer: Answer, changed: bool = False) -> Verdict:
    """Return whether anything is favoured, under the rules as they are or as they are changed."""

    def won(level: Level) -> Estimate:
        return level.after if changed and level.after is not None else level.before

    def says(level: Level) -> str:
        return f"{level.name} wins {number(won(level).value)} games in 100 instead of {_plain(level.fair)}"

    if len(answer.levels) == 1:
        only = answer.levels[0]
        ends = interval(won(only).low, won(only).high) or "too few for an interval"
        return Verdict("none", f"{capital(only.name)} wins {number(won(only).value)} games in 100 ({ends}).")
    if any(math.isnan(level.fair) for level in answer.levels):
        return Verdict("none", f"Nothing deals the {plural(answer.noun)} evenly, so no share is fair or unfair.")
    off = {level: won(level).minus(level.fair) for level in answer.levels}
    every = f"Every {answer.noun} is within ±{answer.margin:g} games in 100 of a fair share."
    return _verdict(off, answer.margin, every, f"No {answer.noun} differs clearly from a fair share yet.", says)


def sweep_verdict(values: Sequence[int], answers: Sequence[Answer]) -> Verdict:
    """Return which numbers are fair: with a fair number every level is within the margin."""
    levels, margin = answers[0].levels, answers[0].margin
    every, some = (f"{word} {answers[0].noun}" if len(levels) > 1 else levels[0].name for word in ("every", "some"))
    if any(math.isnan(level.fair) for level in levels):
        return Verdict("none", "All win or lose together, so that no number is fair or unfair.")
    kinds: dict[str, list[str]] = {FAIR: [], UNFAIR: [], UNKNOWN: []}
    for value, answer in zip(values, answers, strict=True):
        kinds[kind_of(answer)].append(str(value))
    fair, unfair, unknown = kinds.values()
    rule = f"within ±{margin:g} games in 100 of a fair share"
    rest = f" Not known yet: {listing(unknown)}." if unknown else ""
    if fair:
        return Verdict("clear", f"With {listing(fair, 'or')}, {every} is {rule}.", rest.strip())
    if not unknown:
        return Verdict("clear", f"None of these numbers is fair: with each, {some} is not {rule}.")
    if unfair:
        text = f"No number is shown to be fair yet; {listing(unknown, 'or')} may be."
        return Verdict("open", text, f"Not fair: {listing(unfair)}.")
    return Verdict("few", TOO_FEW)


def kind_of(answer: Answer) -> str:
    """Return what is shown of one number of a sweep: whether every level is within the margin of a fair share."""
    off = [level.before.minus(level.fair) for level in answer.levels]
    if any(beyond(one, answer.margin) for one in off):
        return UNFAIR
    return FAIR if all(within(one, answer.margin) for one in off) else UNKNOWN


def _verdict(
    effects: Mapping[Level, Estimate], margin: float, every: str, none: str, says: Says, start: str = ""
) -> Verdict:
    known = {level: effect for level, effect in effects.items() if not math.isnan(effect.low)}
    if not known:
        return Verdict("few", TOO_FEW)
    order = sorted(known, key=lambda level: by_size(known[level].value), reverse=True)
    clear = [level for level in order if beyond(known[level], 0.0)]
    largest = _said(says(order[0]), known[order[0]])
    if len(known) == len(effects) and all(within(effect, margin) for effect in known.values()):
        return Verdict("within", every, f"The largest: {largest}.")
    if not clear:
        return Verdict("open", none, f"The largest so far: {largest}.")
    text = _said(says(clear[0]), known[clear[0]])
    side = known[clear[0]].value > 0
    other = next((level for level in clear if (known[level].value > 0) != side), None)
    also = f"And {_said(says(other), known[other])}." if other is not None and len(effects) > 2 else ""
    return Verdict("clear", f"{capital(start + text)}.", also)


def _said(text: str, effect: Estimate) -> str:
    return f"{text} ({number(effect.value, sign=True)}, {interval(effect.low, effect.high, sign=True)})"


def _plain(share: float) -> str:
    return number(share, 0 if round(share, 6).is_integer() else 1)
