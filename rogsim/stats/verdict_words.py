"""Verdicts as sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rogsim.game.kit.text_layout import listing
from rogsim.stats.alpha_spending import weight
from rogsim.stats.estimates import Estimate
from rogsim.stats.null import LEAST_BLOCKS, LEAST_ROWS
from rogsim.stats.sample_size import ALPHA
from rogsim.stats.simultaneous import beyond

if TYPE_CHECKING:
    from rogsim.stats.claims import Claim
    from rogsim.stats.verdicts import Verdict

MOST_NAMED = 3
FAMILY = (
    "All claims on this page form one family. Each question, for each number of players and each set of bots, is one "
    "claim with one joint test of all its levels. A question with several sets of bots has one more test: whether "
    "their effects are equal. The p-values of all these tests are adjusted by Holm's method, so if nothing had any "
    "effect, a page would call something imbalanced, or dependent on the bots, in at most 5% of cases. Individual "
    "levels are named only if the joint test rejects. Intervals in the findings are simultaneous: in at least 95% of "
    "cases they contain the true effects of all levels of a question, so they also hold for the largest one. Each "
    "interval in a table or figure is an individual 95% interval. Fair within the margin means that two one-sided "
    "tests at 5% show it for every level (its 90% interval lies within the margin). That error rate holds for each "
    "question by itself: of several questions exactly at the margin, a page calls some fair in more than 5% of cases. "
    "Each folder records at how many different numbers of games its results were viewed. The first look may use 70% "
    "of every error rate and each further look a part of the rest, so playing on until something turns up does not "
    "raise the rate of false alarms. Everything else is a screen: a marked result is worth a closer look "
    "(Benjamini-Hochberg: about 5% of marked results are chance), but it is not a claim."
)

JUST_CLEAR = 0.1  # of an effect: an interval whose nearer end is closer to 0 than this nearly contains 0
SMALLER = (
    "An effect that is only just clear, with an interval that nearly contains 0, is probably smaller than estimated: "
    "small effects are clear only where chance enlarges them."
)


def sentence_of(verdict: Verdict) -> str:
    """Return a verdict as a few sentences with their numbers."""
    words = {"fair": _fair, "imbalanced": _imbalanced, "unknown": _unknown}[verdict.kind](verdict)
    return words + look_words(verdict.look)


def effect_words(effect: Estimate) -> str:
    """Return an effect in percentage points with its interval, if it has one: "+4.0 pp (+3.0 to +5.0)"."""
    if math.isnan(effect.low):
        return "too few games" if math.isnan(effect.value) else f"{effect.value:+.1f} pp"
    return f"{effect.value:+.1f} pp ({effect.low:+.1f} to {effect.high:+.1f})"


def short_words(verdict: Verdict) -> str:
    """Return a verdict in a few words."""
    value = f"{verdict.level} {verdict.estimate.value:+.1f} pp"
    if verdict.kind == "imbalanced":
        return f"imbalanced ({value})"
    if verdict.kind == "fair":
        return f"fair within ±{verdict.margin:g} pp ({value})"
    return f"undecided{', ' * bool(verdict.prospect)}{more_words(verdict)}"


def more_words(verdict: Verdict) -> str:
    """Return how many more games would decide an undecided verdict, and with what chance; "" if that is not known."""
    more = verdict.prospect
    return f"about {more.games:,} more games would decide it {more.words('fair', 'imbalanced')}" if more else ""


def who(verdict: Verdict) -> str:
    """Return the names of the bots that played, or their number and folder if there are many."""
    bots = verdict.claim.bots
    return ", ".join(bots) if len(bots) <= MOST_NAMED else f"{len(bots)} bots ({verdict.claim.folder})"


def look_words(look: int) -> str:
    """Return a sentence on the share of the error rate that a later look uses; "" for the first look."""
    if look <= 1:
        return ""
    return (
        f" This is look {look} at a growing number of games. It uses {100 * ALPHA * weight(look):.2g}% of the 5% error "
        "rate, so that all looks together stay within 5%."
    )


def _imbalanced(verdict: Verdict) -> str:
    claim, margin = verdict.claim, verdict.margin
    if verdict.named:
        text = _named(verdict, verdict.named)
    else:
        text = (
            "Taken together, the levels differ by more than chance, but no single level clearly stands out; the "
            f"largest effect is that {_wins(verdict, verdict.level)}"
        )
    return f"{_capital(text)}.{_gap(claim)} {_size(verdict, margin)}"


def _named(verdict: Verdict, names: Sequence[str]) -> str:
    words = "; ".join(_wins(verdict, name, first=not place) for place, name in enumerate(names[:MOST_NAMED]))
    rest = len(names) - MOST_NAMED
    return words + (f"; and {rest} more" if rest > 0 else "")


def _size(verdict: Verdict, margin: float) -> str:
    """Say whether the largest effect exceeds the margin."""
    if verdict.beyond:
        return f"The largest effect is clearly more than the margin of {margin:g} pp."
    if any(beyond(interval, margin) for interval in verdict.intervals):
        return (
            f"On its own, this question would show an effect of more than the margin of {margin:g} pp; among all "
            "questions on the page, that may be chance."
        )
    return f"The largest effect may be more or less than the margin of {margin:g} pp."


def _fair(verdict: Verdict) -> str:
    claim, margin = verdict.claim, verdict.margin
    text = f"Fair within ±{margin:g} pp: {bounds_words(verdict)}."
    text += f" The largest effect is that {_wins(verdict, verdict.level)}."
    if not verdict.p < ALPHA:
        return text + _gap(claim)
    also = f" ({', '.join(verdict.named[:MOST_NAMED])})" if verdict.named else ""
    return f"{text} Not exactly equal, though: small differences are clear{also}.{_gap(claim)}"


def bounds_words(verdict: Verdict) -> str:
    """Return between which values the intervals lie that show a verdict to be fair."""
    low, high = verdict.bounds
    return f"the intervals that show it lie between {low:+.2f} and {high:+.2f} pp"


def _unknown(verdict: Verdict) -> str:
    claim = verdict.claim
    more = f" {_capital(more_words(verdict))}." if verdict.prospect else ""
    if math.isnan(verdict.estimate.low) or math.isnan(claim.overall.p):
        return f"Too few games for a test.{more}"
    return (
        f"The largest effect is that {_wins(verdict, verdict.level)}. {chance_words(verdict)}, but an effect of more "
        f"than the margin of {verdict.margin:g} pp is not ruled out.{_gap(claim)}{rare_words(verdict)}{more}"
    )


def chance_words(verdict: Verdict) -> str:
    """Return that the largest effect of an undecided verdict may be chance, and why if its interval excludes 0."""
    return doubt_words(verdict.estimate, verdict.claim.overall.p, verdict.look)


def doubt_words(largest: Estimate, p: float, look: int) -> str:
    """Return that the largest effect of an undecided question may be chance, and why if its interval excludes 0.

    p: of the test of all levels, if it were the only one on the page.
    """
    if not beyond(largest, 0.0):
        return "That may be chance"
    if p < ALPHA * weight(look):
        return "On its own, this question would show a difference; among all questions on the page, that may be chance"
    return "Its interval excludes 0, but the test of all levels together shows no difference, so that may be chance"


def is_clear_alone(verdict: Verdict) -> bool:
    """Return whether the test of all levels would reject if it were the only one on the page."""
    return verdict.claim.overall.p < ALPHA * weight(verdict.look)


def rare_words(verdict: Verdict) -> str:
    """Return a sentence on the levels without an interval, which keep a verdict undecided; "" if there are none."""
    levels = zip(verdict.claim.contrasts, verdict.intervals, strict=True)
    rare = [contrast.name for contrast, effect in levels if math.isnan(effect.low)]
    if not rare:
        return ""
    rest = len(rare) - MOST_NAMED
    names = listing([*rare[:MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
    return f" {_capital(names)} {'has' if len(rare) == 1 else 'have'} too few games for an interval."


def is_just_clear(verdict: Verdict) -> bool:
    """Return whether an imbalanced verdict names a level whose interval nearly contains 0."""
    named = [verdict.effect_of(name) for name in verdict.named] if verdict.kind == "imbalanced" else []
    return any(min(abs(effect.low), abs(effect.high)) < JUST_CLEAR * abs(effect.value) for effect in named)


def _wins(verdict: Verdict, name: str, first: bool = True) -> str:
    effect = verdict.effect_of(name)
    word = "more" if effect.value >= 0 else "less"
    kind = "simultaneous 95% interval " if first else ""
    reach = "" if math.isnan(effect.low) else f" ({kind}{effect.low:+.1f} to {effect.high:+.1f})"
    return f"{name} wins {abs(effect.value):.1f} pp {word} {verdict.claim.against}{reach}"


def _gap(claim: Claim) -> str:
    if math.isnan(claim.gap) or math.isnan(claim.band):
        return ""
    start = "As played, the" if claim.adjusted else "The"
    return (
        f" {start} best and worst {plural(claim.noun)}{_with_enough(claim)} differ by {claim.gap:.1f} pp. In a fair "
        f"game of this size they would differ by less than {claim.band:.1f} pp in 95% of runs."
    )


def _with_enough(claim: Claim) -> str:
    """Return what the levels of the gap have in common if some have too few rows or blocks for it."""
    limits = []
    if any(contrast.effect.n < LEAST_ROWS for contrast in claim.contrasts):
        limits.append(f"{LEAST_ROWS} games or more")
    if any(contrast.blocks < LEAST_BLOCKS and contrast.effect.n >= LEAST_ROWS for contrast in claim.contrasts):
        limits.append(f"{LEAST_BLOCKS} blocks or more")
    return f" with {' and '.join(limits)}" if limits else ""


def plural(noun: str) -> str:
    """Return the plural of a regular noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
