"""Verdicts on differences: changed, within the margin, or not known yet.

The method is that of a report on one game (`verdicts`). All questions of a page, with every player count and variant,
form one family, whose p-values are adjusted by Holm's method. Levels are named and quoted with simultaneous intervals,
which hold for all levels of a question. The claims that the largest difference is beyond the margin form a Holm family
of their own. "Within the margin" means that for every level two one-sided tests at 5% show it (Schuirmann 1987). All
these error rates are divided among the looks that the folders of both runs record (`alpha_spending`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rogsim.stats.alpha_spending import adjusted
from rogsim.stats.contrasts import FEWEST_BLOCKS, holm
from rogsim.stats.estimates import Estimate, by_size
from rogsim.stats.paired.differences import Answer, Change
from rogsim.stats.prospects import PageQuestion, Prospect, prospects
from rogsim.stats.sample_size import ALPHA
from rogsim.stats.simultaneous import beyond, within

Kind = Literal["changed", "within", "open"]

FAMILY = (
    "All verdicts on this page form one family. Each question, for each number of players and each variant, has one "
    "joint test of all its levels. The p-values of these tests are adjusted by Holm's method, so if no variant had "
    "any effect, a page would call something changed in at most 5% of cases. Individual levels are named only if the "
    "joint test rejects. Intervals in the findings are simultaneous: in at least 95% of cases they contain the true "
    "differences of all levels of a question, so they also hold for the largest one. Each interval in a table or "
    "figure is an individual 95% interval. Within the margin means that two one-sided tests at 5% show it for every "
    "level (its 90% interval lies within the margin). That error rate holds for each question by itself. A small "
    "difference may still be clear; the finding then says so. The folders of base and variant record at how many "
    "different numbers of games their results were viewed. The first look may use 70% of every error rate and each "
    "further look a part of the rest, so playing on until something turns up does not raise the rate of false alarms. "
    "Everything without a verdict is a screen: a marked result is worth a closer look (Benjamini-Hochberg: about 5% "
    "of marked results are chance), but it is not a claim."
)


@dataclass(frozen=True)
class Judged:
    """An answer and its verdict.

    Attributes
    ----------
    p
        p-value of the test of all levels, adjusted for the looks and by Holm's method over the family.
    by_level
        p-value of each level, adjusted by Holm's method over the levels.
    largest
        The level with the largest difference, with its individual interval; if something changed, of the levels that
        clearly differ, and of those beyond the margin if `beyond`.
    sure
        The levels that clearly differ, the largest difference first.
    beyond
        Whether the largest difference is clearly more than the margin; None if that is undecided.
    prospect
        What more games would show about an undecided question; None if that is not known, or if it is decided.
    """

    kind: Kind
    answer: Answer
    p: float
    by_level: tuple[float, ...]
    largest: Change
    sure: tuple[Change, ...]
    beyond: bool | None
    prospect: Prospect | None = None

    def effect_of(self, change: Change) -> Estimate:
        """Return the difference of a level with its simultaneous interval, in the question's unit."""
        return self.answer.together[self.answer.changes.index(change)]

    def tested_effect_of(self, change: Change) -> Estimate:
        """Return the difference of a level between the bounds that decide whether it is within the margin."""
        return self.answer.one_sided[self.answer.changes.index(change)]


def judge_differences(answers: Sequence[Answer]) -> tuple[Judged, ...]:
    """Return a verdict for each answer of a family, in the same order; each question must have a margin."""
    looks = [answer.look for answer in answers]
    both = adjusted([answer.overall.p for answer in answers], looks)
    p_beyond = holm(adjusted([answer.p_beyond for answer in answers], looks)).tolist()
    found = [_judge(*judged) for judged in zip(answers, holm(both).tolist(), p_beyond, strict=True)]
    more = prospects([_question(judged) for judged in found], both)
    return tuple(replace(judged, prospect=prospect) for judged, prospect in zip(found, more, strict=True))


def _question(judged: Judged) -> PageQuestion:
    answer, margin = judged.answer, judged.answer.question.margin
    assert margin is not None
    return PageQuestion(
        effects=answer.changes,
        correlation=answer.correlation,
        margin=margin,
        free=answer.overall.df,
        games=answer.games,
        blocks=answer.blocks,
        look=answer.look,
        is_open=judged.kind == "open",
    )


def _judge(answer: Answer, p: float, p_beyond: float) -> Judged:
    margin = answer.question.margin
    assert margin is not None
    changes = answer.changes
    rejects = p < ALPHA
    sure = [change for change, effect in zip(changes, answer.together, strict=True) if rejects and beyond(effect, 0.0)]
    sure.sort(key=_by_size, reverse=True)
    is_within = answer.blocks >= FEWEST_BLOCKS and all(within(effect, margin) for effect in answer.one_sided)
    kind: Kind = "within" if is_within else "changed" if rejects else "open"
    surely_beyond = {"within": False, "changed": True if p_beyond < ALPHA else None, "open": None}[kind]
    by_level = tuple(map(float, holm([change.p for change in changes])))
    least = margin if surely_beyond else 0.0
    clear = [change for change in sure if beyond(answer.together[changes.index(change)], least)]
    # Intervals may be wider than what the test is based on, so that no level is clear although something changed.
    named = (clear or sure or changes) if kind == "changed" else changes
    return Judged(kind, answer, p, by_level, max(named, key=_by_size), tuple(sure), surely_beyond)


def _by_size(change: Change) -> tuple[float, float]:
    """Order by size, without an interval last; of two equally large differences the positive one comes first."""
    return by_size(math.nan if math.isnan(change.effect.low) else change.effect.value)
