"""How far a game is from fair: the largest deviation of any seat's win share from its fair share, for one or two runs.

Intervals come from simultaneous bounds (see `rogsim.stats.paired.largest`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rogsim.stats.alpha_spending import ALPHA, weight
from rogsim.stats.contrasts import EQUIVALENCE, JointTest, scaled
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.paired.common_random_numbers import Estimates, compare, covariance, narrowed
from rogsim.stats.paired.differences import Answer, Change, Question, untouched
from rogsim.stats.paired.largest import bounds

FARTHEST = "largest deviation"


def distance(shares: NDArray[np.floating]) -> float:
    """Return the largest deviation of win shares by seat, float64[players], from the fair share."""
    return float(np.abs(shares - 1 / len(shares)).max())


def farthest(run: Estimates) -> tuple[str, Estimate]:
    """Return the seat farthest from fair, in a tie the favoured one, and its distance in percentage points."""
    deviation = np.round(run.value - 1 / len(run.value), 9)
    place = max(range(len(deviation)), key=lambda seat: (abs(deviation[seat]), deviation[seat]))
    return run.levels[place], scaled(_distance(run), 100.0)


def fairer(
    question: Question, players: int, variant: str, base: Estimates, other: Estimates, games: int, look: int = 1
) -> Answer:
    """Return how much farther from fair the variant is than the base.

    Parameters
    ----------
    question
        The question; only one with a margin gets simultaneous intervals.
    variant
        Label of the variant.
    base, other
        Win shares by seat of the base and the variant.
    games
        Number of games of the variant.
    look
        Number of this look at both runs, from 1.
    """
    deals = np.intersect1d(base.deals, other.deals, assume_unique=True)
    first, second = narrowed(base, deals), narrowed(other, deals)
    influence = np.hstack([second.influence, first.influence])
    spread = covariance(influence, influence)
    spread[:players, :players] += np.eye(players) / max(len(deals), 1) ** 2  # as in `differences`
    ends = bounds(second.value - 1 / players, first.value - 1 / players, spread, len(deals))
    found = distance(second.value) - distance(first.value)
    p = ends.p()
    change = Change(
        FARTHEST,
        _distance(first),
        _distance(second),
        scaled(ends.interval(found, CONFIDENCE, games), 100.0),
        scaled(ends.interval(found, EQUIVALENCE, games), 100.0),
        p,
    )
    test = JointTest(found, 1, len(deals), p)
    same = untouched(compare(base, other))
    answer = Answer(question, players, variant, (change,), test, len(deals), games, same, look)
    if question.margin is None:
        return answer
    alpha = ALPHA * weight(look)
    two_sided, one_sided = (scaled(ends.interval(found, 1 - level, games), 100.0) for level in (alpha, 2 * alpha))
    p_beyond = ends.p_beyond(question.margin / 100)
    return replace(answer, together=(two_sided,), one_sided=(one_sided,), p_beyond=p_beyond)


def _distance(run: Estimates) -> Estimate:
    """Return how far a run is from fair, with its interval, as a share."""
    blocks, fair = len(run.deals), 1 / len(run.value)
    ends = bounds(run.value - fair, np.zeros(0), run.covariance, blocks)
    found = ends.interval(distance(run.value), CONFIDENCE, int(run.n[0]))
    return found if math.isnan(found.low) else replace(found, low=max(0.0, found.low))
