"""What a variant changes: one question at a time, the differences of all its levels, on the luck that both runs played.

One test asks whether anything differs at all (Hotelling's statistic on the differences, block by block). Then each
level has its difference with an interval, and a p-value that is adjusted for the number of levels.

Where few games come out differently, the spread of the differences says too little. So each difference is taken as if
one block more had come out one win (one point, one turn) apart, either way as likely. For shares this is the interval
of Agresti and Min 2005, "Simple improved confidence intervals for comparing matched proportions", Statistics in
Medicine 24.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import ALONE, EQUIVALENCE, JointTest, Means, scaled, wald
from rogsim.stats.estimates import Estimate
from rogsim.stats.paired.common_random_numbers import Difference, Estimates, compare, narrowed

SAME = 1e-12  # a difference this small is none


@dataclass(frozen=True)
class Question:
    """One thing asked of a base and its variants.

    topic: the section it belongs to. title: what is estimated. unit: of its differences. one: what a level is called,
    "" if there are none. share: whether it is a share, whose differences are told in percentage points. margin: up to
    where a difference does not matter, in that unit; None for a screen, which claims nothing.
    """

    topic: str
    title: str
    unit: str
    one: str = ""
    share: bool = False
    margin: float | None = None

    @property
    def scale(self) -> float:
        """Return what a difference is multiplied by to be told in its unit."""
        return 100.0 if self.share else 1.0


@dataclass(frozen=True)
class Change:
    """One level of a question: what it is in the base and in the variant, and by how much it differs.

    base, variant: as they are, shares from 0 to 1. effect, effect90: the difference in the question's unit, with its
    95% and 90% intervals. p: of there being none. saving: how many times as many games two runs on different luck would
    need for that interval; nan where every block differs by as much, such as by nothing.
    """

    level: str
    base: Estimate
    variant: Estimate
    effect: Estimate
    effect90: Estimate
    p: float
    saving: float = math.nan


@dataclass(frozen=True)
class Answer:
    """What a variant changes about one question with one number of players.

    overall: the test of all levels together. blocks: that both runs played. games: of the variant. untouched: whether
    every block came out the same.
    """

    question: Question
    players: int
    variant: str
    changes: tuple[Change, ...]
    overall: JointTest
    blocks: int
    games: int
    untouched: bool = False


def answer(
    question: Question, players: int, variant: str, base: Estimates, other: Estimates, games: int
) -> Answer | None:
    """Return how the variant differs from the base; None if they have no level in common."""
    raw = compare(base, other)
    if not raw.levels:
        return None
    steady = replace(raw, covariance=raw.covariance + np.diag(_least(raw)))
    luck = np.intersect1d(base.luck, other.luck, assume_unique=True)
    before, after = (_own(narrowed(run, luck), question) for run in (base, other))
    p = _means(steady).p_values()
    changes = tuple(
        Change(
            level,
            before[level],
            after[level],
            scaled(steady.estimate(place), question.scale),
            scaled(steady.estimate(place, EQUIVALENCE), question.scale),
            float(p[place]),
            float(raw.saving[place]) if raw.covariance[place, place] > 0 else math.nan,
        )
        for place, level in enumerate(raw.levels)
    )
    return Answer(question, players, variant, changes, joint_test(raw), raw.blocks, games, untouched(raw))


def untouched(found: Difference) -> bool:
    """Return whether every block came out the same."""
    return found.blocks > 1 and not found.covariance.any() and bool((np.abs(found.value) < SAME).all())


def joint_test(found: Difference) -> JointTest:
    """Test that nothing differs at any level; p is 1 if every block came out the same."""
    if untouched(found):
        return JointTest(0.0, 0, found.blocks, 1.0)
    return wald(_means(replace(found, covariance=_steadied(found))), found.blocks)


def _least(found: Difference) -> Floats:
    """Return the variance that one block more, one unit apart either way, adds to each difference."""
    seen = np.minimum(found.n, found.blocks)
    return np.where(seen > 0, 1.0 / np.maximum(seen, 1) ** 2, np.nan)


def _steadied(found: Difference) -> Floats:
    """Return the covariance with that variance added, where the levels are free to differ.

    Directions in which nothing can differ, as shares add up to 1, stay without any: they take no degree of freedom.
    """
    if found.blocks < 2 or np.isnan(found.covariance).any():
        return found.covariance
    spread, axes = np.linalg.eigh(found.covariance)
    free = spread > ALONE * max(float(spread[-1]), SAME**2)
    directions = axes[:, free]
    beside = found.value - directions @ (directions.T @ found.value)
    length = float(np.linalg.norm(beside))
    if length > SAME:  # differs always by the same
        directions = np.column_stack([directions, beside / length])
    return found.covariance + float(np.nanmax(_least(found))) * directions @ directions.T


def _means(found: Difference) -> Means:
    blocks = np.minimum(found.n, found.blocks).astype(np.float64)
    return Means(found.value, found.covariance, found.n.astype(np.float64), blocks)


def _own(run: Estimates, question: Question) -> dict[str, Estimate]:
    """Return the estimates of one run by level: shares with Wilson's interval, others with Student's."""
    blocks = np.minimum(run.n, len(run.luck)).astype(np.float64)
    means = Means(run.value, run.covariance, run.n.astype(np.float64), blocks)
    one = means.share if question.share else means.estimate
    return {level: one(place) for place, level in enumerate(run.levels)}
