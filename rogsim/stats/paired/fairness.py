"""How far a game is from fair: the largest deviation of any seat's win share from its fair share, for one or two runs.

Intervals come from simultaneous bounds (see `rogsim.stats.paired.largest`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from rogsim.stats.alpha_spending import ALPHA, weight
from rogsim.stats.contrasts import EQUIVALENCE, JointTest, scaled
from rogsim.stats.estimates import CONFIDENCE, Estimate, by_size
from rogsim.stats.paired.common_random_numbers import Estimates, compare, covariance, narrowed
from rogsim.stats.paired.differences import Answer, Change, Question, untouched
from rogsim.stats.paired.largest import Bounds, bounds, bounds_of_change
from rogsim.stats.paired.one_way import outward, sizes_of

FARTHEST = "largest deviation"


def distance(shares: NDArray[np.floating]) -> float:
    """Return the largest deviation of win shares by seat, float64[players], from the fair share."""
    return float(np.abs(shares - 1 / len(shares)).max())


def farthest(run: Estimates) -> tuple[str, Estimate]:
    """Return the seat farthest from fair, in a tie the favoured one, and its distance in percentage points."""
    place = max(range(len(run.value)), key=lambda seat: by_size(float(run.value[seat]) - 1 / len(run.value)))
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
    moved = compare(base, other)
    standing = (_distance(first), _distance(second))
    size = float(sizes_of(moved.by_block, 1.0).max())
    return _answer(question, players, variant, standing, found, ends, size, games, look, untouched(moved))


def fairer_by_retraining(
    question: Question, stale: Answer, retrained: Answer, runs: Sequence[Estimates], games: int, look: int = 1
) -> Answer:
    """Return how far retraining moved the difference between a variant's distance from fair and the base's.

    Parameters
    ----------
    question
        The question; only one with a margin gets simultaneous intervals.
    stale, retrained
        The answers on that difference with stale and with retrained players.
    runs
        Win shares by seat: of base and variant with stale players, then of both with retrained players.
    games
        Number of games of the variant.
    look
        Number of this look at all four runs, from 1.
    """
    deals = reduce(partial(np.intersect1d, assume_unique=True), [run.deals for run in runs])
    base, other, new_base, new_other = (narrowed(run, deals) for run in runs)
    four = (base, other, new_base, new_other)
    influence = np.hstack([run.influence for run in four])
    spread = covariance(influence, influence)
    size, least = stale.players, 1 / max(len(deals), 1) ** 2  # as in `differences`
    for place in (1, 3):
        spread[place * size :, place * size :][:size, :size] += np.eye(size) * least
    off = [run.value - 1 / size for run in four]
    ends = bounds_of_change(((off[0], off[1]), (off[2], off[3])), spread, len(deals))
    found = distance(new_other.value) - distance(new_base.value) - distance(other.value) + distance(base.value)
    same = untouched(compare(base, new_base)) and untouched(compare(other, new_other))
    moves = compare(new_base, new_other).by_block - compare(base, other).by_block
    sized = float(sizes_of(moves, 1.0).max())
    standing = (scaled(stale.changes[0].effect, 0.01), scaled(retrained.changes[0].effect, 0.01))
    return _answer(question, stale.players, stale.variant, standing, found, ends, sized, games, look, same)


def _answer(
    question: Question,
    players: int,
    variant: str,
    standing: tuple[Estimate, Estimate],
    found: float,
    ends: Bounds,
    size: float,
    games: int,
    look: int,
    same: bool,
) -> Answer:
    """Return an answer about a difference of distances, given its bounds and the two distances, as shares.

    size: by how much a block that differs moves a seat's share, for `outward`.
    """

    def with_ends(confidence: float) -> Estimate:
        quantile = float(stdtrit(max(ends.blocks - 1, 1), 0.5 + confidence / 2))
        return scaled(outward(ends.interval(found, confidence, games), size, ends.blocks, quantile), 100.0)

    p = ends.p()
    wide, narrow = (with_ends(level) for level in (CONFIDENCE, EQUIVALENCE))
    change = Change(FARTHEST, *standing, wide, narrow, p)
    test = JointTest(found, 1, ends.blocks, p)
    answer = Answer(question, players, variant, (change,), test, ends.blocks, games, same, look)
    if question.margin is None:
        return answer
    alpha = ALPHA * weight(look)
    two_sided, one_sided = (with_ends(1 - level) for level in (alpha, 2 * alpha))
    p_beyond = ends.p_beyond(question.margin / 100)
    return replace(answer, together=(two_sided,), one_sided=(one_sided,), p_beyond=p_beyond)


def _distance(run: Estimates) -> Estimate:
    """Return how far a run is from fair, with its interval, as a share."""
    blocks, fair = len(run.deals), 1 / len(run.value)
    ends = bounds(run.value - fair, np.zeros(0), run.covariance, blocks)
    found = ends.interval(distance(run.value), CONFIDENCE, int(run.n[0]))
    return found if math.isnan(found.low) else replace(found, low=max(0.0, found.low))
