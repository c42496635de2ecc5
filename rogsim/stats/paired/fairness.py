"""How far a game is from fair: the largest deviation of any level's win share from its fair share, for one or two runs.

The levels are the seats, or what is dealt to them, such as characters.

Intervals come from simultaneous bounds (see `rogsim.stats.paired.largest`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import EQUIVALENCE, JointTest, scaled
from rogsim.stats.effects import CLOSE, Contrast, Effects, Question, within
from rogsim.stats.estimates import CONFIDENCE, Estimate
from rogsim.stats.paired.common_random_numbers import Estimates, compare, covariance, held, narrowed
from rogsim.stats.paired.differences import untouched
from rogsim.stats.paired.largest import Bounds, bounds, bounds_of_change
from rogsim.stats.paired.one_way import outward, sizes_of

FARTHEST = "largest deviation"


def distance(shares: NDArray[np.floating], fair: float) -> float:
    """Return the largest deviation of win shares by level, float64[k], from the fair share."""
    return float(np.abs(shares - fair).max())


def fairer(
    question: Question, players: int, variant: str, base: Estimates, other: Estimates, games: int, look: int = 1
) -> Effects:
    """Return how much farther from fair the variant is than the base.

    Parameters
    ----------
    question
        The question; only one with a margin is judged.
    variant
        Label of the variant.
    base, other
        Win shares of the base and the variant, by seat or by a level that is dealt to the seats.
    games
        Number of games of the variant.
    look
        Number of this look at both runs, from 1.
    """
    first, second = _on_same_deals([base, other])
    spread = _spread([second, first], (0,))
    ends = bounds(second.value - 1 / players, first.value - 1 / players, spread, len(first.deals))
    found = distance(second.value, 1 / players) - distance(first.value, 1 / players)
    moved = compare(base, other)
    standing = (_distance(first, 1 / players), _distance(second, 1 / players))
    size = float(sizes_of(moved.by_block, 1.0).max(initial=0.0))
    return farthest_effect(question, players, variant, standing, found, ends, size, games, look, untouched(moved))


def fairer_by_retraining(
    question: Question, stale: Effects, retrained: Effects, runs: Sequence[Estimates], games: int, look: int = 1
) -> Effects:
    """Return how far retraining moved the difference between a variant's distance from fair and the base's.

    Parameters
    ----------
    question
        The question; only one with a margin is judged.
    stale, retrained
        The effects on that difference with stale and with retrained players.
    runs
        Win shares of base and variant with stale players, then of both with retrained players: all with the same
        levels.
    games
        Number of games of the variant.
    look
        Number of this look at all four runs, from 1.
    """
    base, other, new_base, new_other = four = _on_same_deals(runs)
    fair = 1 / stale.players
    off = [run.value - fair for run in four]
    ends = bounds_of_change(((off[0], off[1]), (off[2], off[3])), _spread(four, (1, 3)), len(base.deals))
    far = [distance(run.value, fair) for run in four]
    found = far[3] - far[2] - far[1] + far[0]
    same = untouched(compare(base, new_base)) and untouched(compare(other, new_other))
    moves = compare(new_base, new_other).by_block - compare(base, other).by_block
    sized = float(sizes_of(moves, 1.0).max())
    standing = (stale.contrasts[0].effect, retrained.contrasts[0].effect)
    return farthest_effect(question, stale.players, stale.run, standing, found, ends, sized, games, look, same)


def _on_same_deals(runs: Sequence[Estimates]) -> list[Estimates]:
    deals = reduce(partial(np.intersect1d, assume_unique=True), [run.deals for run in runs])
    return [narrowed(run, deals) for run in runs]


def _spread(runs: Sequence[Estimates], changed: Collection[int]) -> Floats:
    """Return the covariance of all shares of some runs; those of the runs `changed` have the least variance.

    That is one more block that differs by one win, as in `differences`.
    """
    influence = np.hstack([run.influence for run in runs])
    least = [1 / np.maximum(held(run), 1) ** 2 * (place in changed) for place, run in enumerate(runs)]
    return np.asarray(covariance(influence, influence) + np.diag(np.concatenate(least)))


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


def farthest_effect(
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
    """Return the effect on a difference of distances, given its bounds, and what it is between, in percentage points.

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


def _distance(run: Estimates, fair: float) -> Estimate:
    return distance_of(run.value - fair, run.covariance, len(run.deals), int(run.n.max()))


def distance_of(deviations: Floats, spread: Floats, blocks: int, n: int) -> Estimate:
    """Return how far a run is from fair, with its interval, in percentage points.

    Parameters
    ----------
    deviations : float64[k]
        Win shares minus their fair share, 0 to 1.
    spread : float64[k, k]
        Their covariance.
    blocks, n
        Number of blocks and of rows behind them.
    """
    ends = bounds(deviations, np.zeros(0), spread, blocks)
    found = scaled(ends.interval(float(np.abs(deviations).max()), CONFIDENCE, n), 100.0)
    return found if math.isnan(found.low) else replace(found, low=max(0.0, found.low))
