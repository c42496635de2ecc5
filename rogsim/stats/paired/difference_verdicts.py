"""Verdicts on differences: changed, within the margin, or not known yet.

As for a report on one game (`verdicts`): all questions of a page, with every player count and variant, are one
family, whose p-values are adjusted by Holm's method; levels are named by Holm's method within a question that stands;
and "within the margin" means that for every level two one-sided tests at 5% say so (Schuirmann 1987).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.stats import norm

from rogsim.stats.contrasts import holm
from rogsim.stats.paired.differences import Answer, Change
from rogsim.stats.sample_size import ALPHA, POWER, games_for, games_for_fair, two_figures
from rogsim.stats.verdicts import LEAST_GROWTH

Kind = Literal["changed", "within", "open"]

FAMILY = (
    "All verdicts of this page are one family: each question, with each number of players and each variant, has one "
    "test of all its levels together, and the p-values of these tests are adjusted by Holm's method. So if no variant "
    "had any effect, a page would call something changed in at most 5% of cases. Single levels are named only where "
    "the whole question stands, again by Holm's method. Within the margin means that for every level two one-sided "
    "tests at 5% say so (its 90% interval lies inside); a small difference may still be sure, and is then told. "
    "Everything without a verdict is a screen: what is marked there is worth a look (Benjamini-Hochberg, about 5% of "
    "what is marked is chance)."
)


@dataclass(frozen=True)
class Judged:
    """An answer and what to make of it.

    p: of the test of all levels, by Holm over the family. by_level: p of each level, by Holm over the levels. sure: the
    levels that differ for sure, the largest first. beyond: whether the largest difference is surely more than the
    margin; None if that is open. more_games: about how many more games would settle it, if it is open.
    """

    kind: Kind
    answer: Answer
    p: float
    by_level: tuple[float, ...]
    largest: Change
    sure: tuple[Change, ...]
    beyond: bool | None
    more_games: int | None


def judge_differences(answers: Sequence[Answer]) -> tuple[Judged, ...]:
    """Return a verdict for each answer of a family, in their order; each must have a margin."""
    adjusted = holm([one.overall.p for one in answers])
    return tuple(_judge(one, float(p), len(answers)) for one, p in zip(answers, adjusted, strict=True))


def _judge(answer: Answer, p: float, family: int) -> Judged:
    margin = answer.question.margin
    assert margin is not None
    changes = answer.changes
    by_level = holm([one.p for one in changes])
    stands = p < ALPHA
    sure = [one for one, own in zip(changes, by_level, strict=True) if stands and max(own, p) < ALPHA]
    sure.sort(key=_by_size, reverse=True)
    within = all(_inside(one.effect90.low, one.effect90.high, margin) for one in changes)
    kind: Kind = "within" if within else "changed" if stands else "open"
    largest = max(changes, key=_by_size)
    more = _more_games(answer, margin, family) if kind == "open" else None
    return Judged(kind, answer, p, tuple(map(float, by_level)), largest, tuple(sure), _beyond(largest, margin), more)


def _more_games(answer: Answer, margin: float, family: int) -> int | None:
    """Return about how many more games would settle it, whichever way, if the differences are what they seem."""
    known = [one for one in answer.changes if not math.isnan(one.effect90.low)]
    if not known or answer.games < 1:
        return None
    # By how much games must grow; a 90% interval reaches norm.isf(0.05) standard errors.
    spreads = [one.effect90.half_width / norm.isf(ALPHA) for one in known]
    sizes = [abs(one.effect.value) for one in known]
    to_same = max(games_for_fair(margin, s, e, POWER) for s, e in zip(spreads, sizes, strict=True))
    alpha = ALPHA / (family * len(known))
    to_find = min(games_for(e, s, POWER, alpha) if e > 0 else math.inf for s, e in zip(spreads, sizes, strict=True))
    growth = max(min(to_same, to_find), LEAST_GROWTH)
    return two_figures(answer.games * (growth - 1)) if math.isfinite(growth) else None


def _beyond(one: Change, margin: float) -> bool | None:
    if one.effect.low > margin or one.effect.high < -margin:
        return True
    return False if _inside(one.effect.low, one.effect.high, margin) else None


def _inside(low: float, high: float, margin: float) -> bool:
    return -margin < low and high < margin  # never so for nan


def _by_size(one: Change) -> tuple[float, float]:
    """Order by the size of the difference; of two as large the one that is more comes first."""
    value = one.effect.value
    return (-1.0, 0.0) if math.isnan(value) else (round(abs(value), 9), value)
