"""Verdicts on differences: changed, within the margin, or not known yet.

As for a report on one game (`verdicts`): all questions of a page, with every player count and variant, are one
family, whose p-values are adjusted by Holm's method; levels are named, and quoted, by intervals that hold for all
levels of a question together; that the largest difference is beyond the margin has a Holm family of its own; and
"within the margin" means that for every level two one-sided tests at 5% say so (Schuirmann 1987). All of these error
rates are shared out over the looks that the folders of both runs remember (`spending`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.stats import norm

from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.differences import Answer, Change
from rogsim.stats.planning import ALPHA, POWER, games_for, games_for_fair, two_figures
from rogsim.stats.rates import Estimate
from rogsim.stats.simultaneous import beyond, within
from rogsim.stats.spending import adjusted, weight
from rogsim.stats.verdicts import LEAST_GROWTH

Kind = Literal["changed", "within", "open"]

FAMILY = (
    "All verdicts of this page are one family: each question, with each number of players and each variant, has one "
    "test of all its levels together, and the p-values of these tests are adjusted by Holm's method. So if no variant "
    "had any effect, a page would call something changed in at most 5% of cases. Single levels are named only where "
    "the test of all levels rejects. Intervals in the findings are simultaneous: all levels of a question lie in "
    "theirs in at least 95% of cases, so they hold for the largest difference, too. Intervals in tables and figures "
    "hold for each line by itself. Within the margin means that for every level two one-sided tests at 5% say so (its "
    "90% interval lies inside); a small difference may still be certain, and the finding then says so. The folders of "
    "base and variant remember at how many different numbers of games they were looked at. The first look may use 70% "
    "of every error rate and each further look a part of the rest, so playing on until something turns up brings no "
    "more false alarms. Everything without a verdict is a screen: what is marked there is worth a look "
    "(Benjamini-Hochberg, about 5% of what is marked is chance)."
)


@dataclass(frozen=True)
class Judged:
    """An answer and what to make of it.

    p: of the test of all levels, adjusted for the looks and by Holm over the family. by_level: p of each level by
    itself, by Holm over the levels. largest: with the interval that it has by itself. sure: the levels that differ for
    sure, the largest first. beyond: whether the largest difference is surely more than the margin; None if that is
    open. more_games: about how many more games would settle it, if it is open.
    """

    kind: Kind
    answer: Answer
    p: float
    by_level: tuple[float, ...]
    largest: Change
    sure: tuple[Change, ...]
    beyond: bool | None
    more_games: int | None

    def effect_of(self, change: Change) -> Estimate:
        """Return the difference of a level with its simultaneous interval, in the question's unit."""
        return self.answer.together[self.answer.changes.index(change)]


def judge(answers: Sequence[Answer]) -> tuple[Judged, ...]:
    """Return a verdict for each answer of a family, in their order; each must have a margin."""
    looks = [one.look for one in answers]
    p = holm(adjusted([one.overall.p for one in answers], looks))
    p_beyond = holm(adjusted([one.p_beyond for one in answers], looks))
    return tuple(_judge(*one, len(answers)) for one in zip(answers, map(float, p), map(float, p_beyond), strict=True))


def _judge(answer: Answer, p: float, p_beyond: float, family: int) -> Judged:
    margin = answer.question.margin
    assert margin is not None
    changes = answer.changes
    stands = p < ALPHA
    sure = [one for one, told in zip(changes, answer.together, strict=True) if stands and beyond(told, 0.0)]
    sure.sort(key=_by_size, reverse=True)
    is_within = answer.blocks >= FEWEST_BLOCKS and all(within(one, margin) for one in answer.one_sided)
    kind: Kind = "within" if is_within else "changed" if stands else "open"
    surely_beyond = {"within": False, "changed": True if p_beyond < ALPHA else None, "open": None}[kind]
    more = _more_games(answer, margin, family) if kind == "open" else None
    by_level = tuple(map(float, holm([one.p for one in changes])))
    return Judged(kind, answer, p, by_level, max(changes, key=_by_size), tuple(sure), surely_beyond, more)


def _more_games(answer: Answer, margin: float, family: int) -> int | None:
    """Return about how many more games would settle it, whichever way, if the differences are what they seem.

    With the error rate that the next look may use.
    """
    known = [one for one in answer.changes if not math.isnan(one.effect90.low)]
    if not known or answer.games < 1:
        return None
    share = weight(answer.look + 1)
    # By how much games must grow; a 90% interval reaches norm.isf(0.05) standard errors.
    spreads = [one.effect90.half_width / norm.isf(0.05) for one in known]
    sizes = [abs(one.effect.value) for one in known]
    pairs = list(zip(spreads, sizes, strict=True))
    to_same = max(games_for_fair(margin, s, e, POWER, ALPHA * share) for s, e in pairs)
    alpha = ALPHA * share / (family * len(known))
    to_find = min(games_for(e, s, POWER, alpha) if e > 0 else math.inf for s, e in pairs)
    growth = max(min(to_same, to_find), LEAST_GROWTH)
    return two_figures(answer.games * (growth - 1)) if math.isfinite(growth) else None


def _by_size(one: Change) -> tuple[float, float]:
    """Order by the size of the difference; of two as large the one that is more comes first."""
    value = one.effect.value
    return (-1.0, 0.0) if math.isnan(value) else (round(abs(value), 9), value)
