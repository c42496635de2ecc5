"""How far a game is from fair: the largest deviation of any seat's win share from its fair share, for one or two runs.

Intervals come from simultaneous bounds (see `rogsim.stats.paired.largest`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from rogsim.stats.contrasts import EQUIVALENCE, JointTest, scaled
from rogsim.stats.effects import CLOSE, Contrast, Effects, Question, within
from rogsim.stats.estimates import CONFIDENCE, Estimate, by_size
from rogsim.stats.paired.common_random_numbers import Estimates, compare, covariance, narrowed
from rogsim.stats.paired.differences import untouched
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
) -> Effects:
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
    return _effects(question, players, variant, standing, found, ends, size, games, look, untouched(moved))


def fairer_by_retraining(
    question: Question, stale: Effects, retrained: Effects, runs: Sequence[Estimates], games: int, look: int = 1
) -> Effects:
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
    standing = (scaled(stale.contrasts[0].effect, 0.01), scaled(retrained.contrasts[0].effect, 0.01))
    return _effects(question, stale.players, stale.run, standing, found, ends, sized, games, look, same)


@dataclass(frozen=True)
class FarthestEffect(Effects):
    """The effect on the largest deviation, whose intervals come from bounds on all deviations.

    Attributes
    ----------
    ends
        These bounds, as shares.
    size
        By how much a block that differs moves a level's share, for `outward`.
    """

    ends: Bounds | None = None
    size: float = 0.0

    def intervals(self, alpha: float) -> tuple[Estimate, ...]:
        """Return the effect with its interval at 1 - alpha."""
        assert self.ends is not None
        return (_with_ends(self.ends, self.contrasts[0].effect.value / 100, self.size, self.games, 1 - alpha),)

    def one_sided(self, alpha: float) -> tuple[Estimate, ...]:
        """Return the effect between its one-sided bounds at alpha."""
        return self.intervals(2 * alpha)

    def p_beyond(self, margin: float) -> float:
        """Return the p-value of the effect not being beyond the margin; nan if there are too few blocks."""
        assert self.ends is not None
        return self.ends.p_beyond(margin / 100)

    def p_within(self, margin: float) -> float:
        """Return the p-value of the effect being beyond the margin, by halving; nan without an interval."""
        if math.isnan(self.contrasts[0].effect.low):
            return math.nan
        low, high = -math.log(0.5), -math.log(1e-12)
        if not within(self.one_sided(0.5)[0], margin):
            return 1.0
        while high - low > CLOSE:
            middle = (low + high) / 2
            low, high = (middle, high) if within(self.one_sided(math.exp(-middle))[0], margin) else (low, middle)
        return math.exp(-low)


def _with_ends(ends: Bounds, found: float, size: float, games: int, confidence: float) -> Estimate:
    """Return a difference of distances in pp, with its interval from bounds on all deviations."""
    quantile = float(stdtrit(max(ends.blocks - 1, 1), 0.5 + confidence / 2))
    return scaled(outward(ends.interval(found, confidence, games), size, ends.blocks, quantile), 100.0)


def _effects(
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
) -> Effects:
    """Return the effect on a difference of distances, given its bounds and the two distances, as shares.

    size: by how much a block that differs moves a level's share, for `outward`.
    """
    p = ends.p()
    wide, narrow = (_with_ends(ends, found, size, games, level) for level in (CONFIDENCE, EQUIVALENCE))
    contrast = Contrast(FARTHEST, wide, narrow, p, blocks=ends.blocks, before=standing[0], after=standing[1])
    test = JointTest(found, 1, ends.blocks, p)
    return FarthestEffect(
        question,
        players,
        variant,
        (contrast,),
        test,
        games,
        blocks=ends.blocks,
        look=look,
        untouched=same,
        ends=ends,
        size=size,
    )


def _distance(run: Estimates) -> Estimate:
    """Return how far a run is from fair, with its interval, as a share."""
    blocks, fair = len(run.deals), 1 / len(run.value)
    ends = bounds(run.value - fair, np.zeros(0), run.covariance, blocks)
    found = ends.interval(distance(run.value), CONFIDENCE, int(run.n[0]))
    return found if math.isnan(found.low) else replace(found, low=max(0.0, found.low))
