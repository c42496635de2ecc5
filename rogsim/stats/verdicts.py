"""Verdicts: is a question answered with "imbalanced", with "fair within a margin", or not yet?

All claims of a page are one family. Each claim has one test of all its levels together; the p-values of these tests
are adjusted by Holm's method over the whole family, so if nothing at all has an effect, a page finds something in at
most 5% of cases. Only within a claim that stands are single levels named, by Holm's method over the levels.

Fair is a claim of its own: two one-sided tests at 5% for each level (Schuirmann 1987, Journal of Pharmacokinetics and
Biopharmaceutics 15), which is the same as that its 90% interval lies within the margin. All levels must pass, and
then no adjustment for their number is needed (Berger 1982, "Multiparameter hypothesis testing and acceptance
sampling", Technometrics 24).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import norm

from rogsim.stats.claims import Claim, Contrast, claims
from rogsim.stats.contrasts import holm
from rogsim.stats.planning import ALPHA, POWER, games_for, games_for_fair, two_figures
from rogsim.stats.rates import Estimate

__all__ = ["FAMILY", "MARGIN", "Claim", "Combined", "Contrast", "Verdict", "claims", "combine", "judge"]

Kind = Literal["imbalanced", "fair", "unknown"]

MARGIN = 2.0  # percentage points
MOST_NAMED = 3
LEAST_GROWTH = 1.1  # a level that seems large enough already, while the test of all levels is not sure: a few more
FAMILY = (
    "All claims of this page are one family: each question with each number of players and each set of bots is one "
    "claim, with one test of all its levels together, and the p-values of these tests are adjusted by Holm's "
    "method. So if nothing had any effect, a page would call something imbalanced in at most 5% of cases. Single "
    "levels are named only where the whole question stands, again by Holm's method. Fair within the margin means "
    "that for every level two one-sided tests at 5% say so (its 90% interval lies inside). Everything else is a "
    "screen: what is marked there is worth a look (Benjamini-Hochberg, about 5% of what is marked is chance), and is "
    "no claim."
)


@dataclass(frozen=True)
class Verdict:
    """The answer to a claim.

    estimate: the largest effect, in pp, of `level`. p: of the overall test, by Holm over the family. named: levels that
    differ for sure. beyond: whether the largest effect is surely more than the margin; None if that is open.
    more_games: about how many more games would settle it (verdict unknown), else None.
    """

    kind: Kind
    claim: Claim
    sentence: str
    estimate: Estimate
    level: str
    p: float
    margin: float
    more_games: int | None
    named: tuple[str, ...]
    beyond: bool | None


@dataclass(frozen=True)
class Combined:
    """What verdicts on the same question say together, over several sets of bots.

    kind: "depends" if they contradict each other. changes: whether the answer changes with the bots.
    """

    kind: Literal["imbalanced", "fair", "unknown", "depends"]
    changes: bool
    sentence: str
    verdicts: tuple[Verdict, ...]


def judge(family: Sequence[Claim], margin: float = MARGIN) -> tuple[Verdict, ...]:
    """Return a verdict for each claim of a family, in their order. margin: percentage points."""
    adjusted = holm([claim.overall.p for claim in family])
    return tuple(_judge(claim, float(p), margin, len(family)) for claim, p in zip(family, adjusted, strict=True))


def combine(verdicts: Sequence[Verdict]) -> Combined:
    """Say what verdicts on one question with one number of players say together; ValueError if there are none."""
    if not verdicts:
        raise ValueError("no verdicts to combine")
    kinds = [verdict.kind for verdict in verdicts]
    directions = {(name, _sign(verdict, name)) for verdict in verdicts for name in verdict.named}
    turned = sorted({name for name, _ in directions if {(name, 1.0), (name, -1.0)} <= directions})
    told = "; ".join(f"{_who(verdict)}: {_short(verdict)}" for verdict in verdicts)
    if len(verdicts) == 1:
        return Combined(kinds[0], False, verdicts[0].sentence, tuple(verdicts))
    if turned:
        are = "is" if len(turned) == 1 else "are each"
        names = ", ".join(turned)
        text = f"It depends on the bots: {names} {are} favoured with some and at a disadvantage with others. {told}."
        return Combined("depends", True, text, tuple(verdicts))
    if {"imbalanced", "fair"} <= set(kinds):
        return Combined("depends", True, f"It depends on the bots. {told}.", tuple(verdicts))
    if len(set(kinds)) == 1:
        return Combined(kinds[0], False, f"The same with all {len(kinds)} sets of bots. {told}.", tuple(verdicts))
    if "imbalanced" in kinds:
        return Combined("imbalanced", False, f"Imbalanced with {_some(kinds, 'imbalanced')}. {told}.", tuple(verdicts))
    return Combined("unknown", False, f"Fair with {_some(kinds, 'fair')}. {told}.", tuple(verdicts))


def _some(kinds: Sequence[Kind], kind: Kind) -> str:
    return f"{kinds.count(kind)} of {len(kinds)} sets of bots, not known yet with the others"


def _judge(claim: Claim, p: float, margin: float, family: int) -> Verdict:
    known = [one for one in claim.contrasts if not math.isnan(one.effect90.low)]
    largest = max(known or claim.contrasts, key=_by_size)
    equal = len(known) == len(claim.contrasts) and all(_inside(one.effect90, margin) for one in known)
    stands = p < ALPHA
    by_level = holm([one.p for one in claim.contrasts])
    sure = [one for one, own in zip(claim.contrasts, by_level, strict=True) if stands and max(own, p) < ALPHA]
    sure.sort(key=_by_size, reverse=True)
    kind: Kind = "fair" if equal else "imbalanced" if stands else "unknown"
    more = _more_games(claim, known, margin, family) if kind == "unknown" else None
    beyond = _beyond(largest.effect, margin)
    sentence = {
        "fair": lambda: _fair_words(claim, largest, sure, stands, margin),
        "imbalanced": lambda: _imbalanced_words(claim, largest, sure, beyond, margin),
        "unknown": lambda: _unknown_words(claim, largest, margin, more),
    }[kind]()
    named = tuple(one.name for one in sure)
    return Verdict(kind, claim, sentence, largest.effect, largest.name, p, margin, more, named, beyond)


def _imbalanced_words(
    claim: Claim, largest: Contrast, sure: Sequence[Contrast], beyond: bool | None, margin: float
) -> str:
    if sure:
        told = "; ".join(_effect_words(one, claim.against) for one in sure[:MOST_NAMED])
        rest = len(sure) - MOST_NAMED
        text = told + (f"; and {rest} more" if rest > 0 else "")
    else:
        text = (
            "Together the levels differ by more than chance, but no single one stands out for sure; the farthest is "
            + _effect_words(largest, claim.against)
        )
    text = f"{_capital(text)}.{_gap_words(claim)}"
    if beyond:
        return f"{text} The largest effect is surely more than the margin of {margin:g} pp."
    if beyond is None:
        return f"{text} Whether the largest effect is more than the margin of {margin:g} pp is open."
    return text


def _fair_words(claim: Claim, largest: Contrast, sure: Sequence[Contrast], stands: bool, margin: float) -> str:
    text = f"Fair within ±{margin:g} pp: the farthest is {_effect_words(largest, claim.against)}."
    if not stands:
        return text + _gap_words(claim)
    also = f" ({', '.join(one.name for one in sure[:MOST_NAMED])})" if sure else ""
    return f"{text} Not exactly equal, though: differences are there{also}, and they are small.{_gap_words(claim)}"


def _unknown_words(claim: Claim, largest: Contrast, margin: float, more: int | None) -> str:
    if math.isnan(largest.effect.low) or math.isnan(claim.overall.p):
        return "Not known yet: too few games for a test."
    text = (
        f"Not known yet: the farthest is {_effect_words(largest, claim.against)}, which chance would explain, "
        f"but more than the margin of {margin:g} pp is not ruled out."
    )
    return text + _gap_words(claim) + (f" About {more:,} more games would tell." if more else "")


def _effect_words(one: Contrast, against: str) -> str:
    word = "more" if one.effect.value >= 0 else "less"
    return (
        f"{one.name} wins {_size(one.effect.value):.1f} pp {word} {against} "
        f"(95% interval {one.effect.low:+.1f} to {one.effect.high:+.1f})"
    )


def _gap_words(claim: Claim) -> str:
    if math.isnan(claim.gap) or math.isnan(claim.band):
        return ""
    return (
        f" Best and worst lie {claim.gap:.1f} pp apart; in 95% of fair series they would lie less than "
        f"{claim.band:.1f} pp apart."
    )


def _more_games(claim: Claim, known: Sequence[Contrast], margin: float, family: int) -> int | None:
    """Return about how many more games would settle it, whichever way it goes, if the effects are what they seem.

    Either until all levels are shown to be within the margin, or until the largest is found, each with POWER.
    """
    if not known or claim.games < 1:
        return None
    # By how much games must grow; a 90% interval reaches norm.isf(0.05) standard errors.
    spreads = [one.effect90.half_width / norm.isf(ALPHA) for one in known]
    sizes = [abs(one.effect.value) for one in known]
    to_fair = max(games_for_fair(margin, s, e, POWER) for s, e in zip(spreads, sizes, strict=True))
    alpha = ALPHA / (family * len(known))
    to_find = min(games_for(e, s, POWER, alpha) if e > 0 else math.inf for s, e in zip(spreads, sizes, strict=True))
    growth = min(to_fair, max(to_find, LEAST_GROWTH))
    return two_figures(claim.games * (growth - 1)) if math.isfinite(growth) else None


def _beyond(effect: Estimate, margin: float) -> bool | None:
    if effect.low > margin or effect.high < -margin:
        return True
    return False if _inside(effect, margin) else None


def _inside(effect: Estimate, margin: float) -> bool:
    return -margin < effect.low and effect.high < margin  # never so for nan


def _sign(verdict: Verdict, name: str) -> float:
    value = next(one.effect.value for one in verdict.claim.contrasts if one.name == name)
    return float(np.sign(value))


def _short(verdict: Verdict) -> str:
    value = f"{verdict.level} {verdict.estimate.value:+.1f} pp"
    if verdict.kind == "imbalanced":
        return f"imbalanced ({value})"
    if verdict.kind == "fair":
        return f"fair within ±{verdict.margin:g} pp ({value})"
    return "not known yet" + (f", about {verdict.more_games:,} more games" if verdict.more_games else "")


def _who(verdict: Verdict) -> str:
    bots = verdict.claim.bots
    return ", ".join(bots) if len(bots) <= MOST_NAMED else f"{len(bots)} bots ({verdict.claim.folder})"


def _size(value: float) -> float:
    return -1.0 if math.isnan(value) else abs(value)


def _by_size(one: Contrast) -> tuple[float, float]:
    """Order by the size of the effect; of two as large (both seats of two players) the favoured one is larger."""
    return round(_size(one.effect.value), 9), one.effect.value


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
