"""How far a game is from fair: the largest deviation of any level's win share from its fair share, for one or two runs.

The levels are the seats, or what is dealt to them, such as characters.

The largest of several deviations is not a smooth function where two of them are about equally large, or all are about
0. There neither the delta method nor a bootstrap is valid. So intervals come from simultaneous bounds: each deviation
has one in each direction, and the largest lies between the largest lower and the largest upper bound. The difference of
two runs is the maximum over the deviations of one run of the minimum over those of the other of their differences; its
bounds come from those of all these differences, on the same deals. How many standard errors a bound reaches is the
quantile of the largest of several normal variables with the covariance of the runs, which are drawn. Only deviations
that may be the largest count: those within sqrt(log(blocks)) standard errors of it (intersection bounds with selection:
Chernozhukov, Lee and Rosen 2013, "Intersection bounds: estimation and inference", Econometrica 81; the root of the
logarithm: Andrews and Soares 2010, "Inference for parameters defined by moment inequalities using generalized moment
selection", Econometrica 78). If one level is clearly the farthest this is the usual interval; otherwise it is
conservative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rogsim.results.results import joint_look
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import EQUIVALENCE, FEWEST_BLOCKS, JointTest, scaled
from rogsim.stats.effects import Contrast, Effects, Question, farthest, normal_draws, within
from rogsim.stats.estimates import CONFIDENCE, Estimate, student
from rogsim.stats.paired.common_random_numbers import (
    Estimates,
    by_block,
    difference,
    on_same_deals,
    side_by_side,
    with_common_levels,
)
from rogsim.stats.paired.differences import outward, sizes_of
from rogsim.stats.special_functions import ndtr, ndtri, stdtr, stdtrit

FARTHEST = "largest deviation"
DRAWS = 20_000
MOST_DRAWN = 8_000_000  # normal variables drawn at a time: limits memory
FEWEST_BEYOND = 5  # draws beyond a quantile; with fewer it is not known well enough
FEW_BLOCKS = 200  # with fewer, too little is known to select among deviations


@dataclass(frozen=True)
class Bounds:
    """Bounds for the maximum over rows of the minimum over columns of differences between signed deviations.

    Attributes
    ----------
    value : float64[a, b]
        The differences.
    error : float64[a, b]
        Their standard errors.
    spread : float64[k, k]
        The covariance of all deviations.
    matrix : float64[a, b, k]
        The deviations' weights in each difference.
    kept
        Rows and columns that may determine the result.
    blocks
        Number of blocks behind the deviations.
    """

    value: Floats
    error: Floats
    spread: Floats
    matrix: Floats
    kept: tuple[NDArray[np.intp], ...]
    blocks: int

    def interval(self, found: float, confidence: float, n: int) -> Estimate:
        """Return an estimate with its interval; nan ends if there are too few blocks.

        Parameters
        ----------
        found
            The estimate.
        n
            Number of rows behind it.
        """
        if self.blocks < FEWEST_BLOCKS:
            return Estimate(found, math.nan, math.nan, n, float(n))
        low, high = (
            float((self.value + side * self._reach(drawn, confidence) * self.error).min(axis=1).max())
            for side, drawn in ((-1, self.up), (1, self.down))
        )
        return Estimate(found, low, high, n, float(n))

    def p_beyond(self, margin: float) -> float:
        """Return the two-sided p of the difference being within ±margin; nan if there are too few blocks."""
        if self.blocks < FEWEST_BLOCKS:
            return math.nan
        ends = (self._beyond(self.up, self._above(margin)), self._beyond(self.down, self._below(margin)))
        return min(1.0, 2 * min(ends))

    def p_above(self) -> float:
        """Return the one-sided p of the difference being 0 or less; nan if there are too few blocks."""
        return math.nan if self.blocks < FEWEST_BLOCKS else self._beyond(self.up, self._above(0.0))

    def is_above(self, alpha: float) -> bool:
        """Return whether `p_above` is at most alpha; draws nothing where a simpler bound decides."""
        more = self._above(0.0)
        if self.blocks < FEWEST_BLOCKS or more <= 0:
            return False
        tail = float(stdtr(self.blocks - 1, -more))
        return tail <= alpha and self.p_above() <= alpha

    @property
    def comparisons(self) -> int:
        """Return the number of comparisons that Bonferroni's rule counts."""
        return max(len(self.kept[0]), self.kept[1].size)

    @cached_property
    def up(self) -> Floats:
        """Return draws for the lower end, float64[draws, b]: the largest normal variable of each column.

        Only one column matters, but it is not known which.
        """
        return self._drawn.max(axis=1)

    @cached_property
    def down(self) -> Floats:
        """Return draws for the upper end, float64[draws, a]: the largest normal variable of each row, signs flipped."""
        return (-self._drawn).max(axis=2)

    @cached_property
    def _drawn(self) -> Floats:
        rows = self.matrix[self.kept]
        draws = max(DRAWS // 10, min(DRAWS, MOST_DRAWN // (rows.shape[0] * rows.shape[1])))
        drawn = normal_draws(self.spread, draws)
        return np.asarray(np.einsum("di,abi->dab", drawn, rows, optimize=True) / self.error[self.kept])

    def _above(self, margin: float) -> float:
        """Return how many standard errors the difference is above a margin."""
        return float(((self.value - margin) / self.error).min(axis=1).max())

    def _below(self, margin: float) -> float:
        """Return how many standard errors the difference is below the margin on the other side."""
        return float((-(self.value + margin) / self.error).max(axis=1).min())

    def _reach(self, drawn: Floats, confidence: float) -> float:
        """Return how many standard errors an end reaches: Student's quantile at the probability of the normal one.

        In the far tail, where there are too few draws, it is the quantile by Bonferroni's rule.
        """
        tail = (1 - confidence) / 2
        if tail * len(drawn) < FEWEST_BEYOND:
            normal = float(-ndtri(tail / self.comparisons))
        else:
            normal = float(np.quantile(drawn, 1 - tail, axis=0).max())
        return float(stdtrit(self.blocks - 1, ndtr(normal)))

    def _beyond(self, drawn: Floats, t: float) -> float:
        """Return the probability that an end reaches this far by chance; in the far tail by Bonferroni's rule."""
        tail = float(stdtr(self.blocks - 1, -t))
        beyond = (1 + int((drawn >= -ndtri(tail)).sum(axis=0).max())) / (1 + len(drawn))
        return min(self.comparisons * tail, beyond)


def bounds(deviations: Floats, base: Floats, spread: Floats, blocks: int) -> Bounds:
    """Return bounds for the largest of some deviations minus the largest of others.

    Parameters
    ----------
    deviations : float64[k]
    base : float64[m]
        The other deviations; if empty, the bounds are for the largest of `deviations` itself.
    spread : float64[k + m, k + m]
        The covariance of both together.
    blocks
        Number of blocks behind them.
    """
    both = np.concatenate([deviations, base])
    signed = np.concatenate([np.eye(len(both)), -np.eye(len(both))])  # each deviation upwards, then each downwards
    place = np.arange(len(signed)) % len(both)
    rows, columns = signed[place < len(deviations)], signed[place >= len(deviations)]
    if not len(base):
        columns = np.zeros((1, len(deviations)))
    spread = np.nan_to_num(spread)  # unknown with a single block, which gets no interval anyway
    matrix = rows[:, None, :] - columns[None, :, :]
    error = np.sqrt(np.maximum(np.einsum("abi,ij,abj->ab", matrix, spread, matrix), np.finfo(float).tiny))
    near = (np.flatnonzero(_may_be_largest(side, both, spread, blocks)) for side in (rows, columns))
    kept = np.ix_(*near)
    return Bounds(matrix @ both, error, spread, matrix, kept, blocks)


def _may_be_largest(signed: Floats, both: Floats, spread: Floats, blocks: int) -> NDArray[np.bool_]:
    """Return which signed deviations are not clearly below the largest one, bool[n]; with few blocks all of them."""
    value = signed @ both
    if blocks < FEW_BLOCKS:
        return np.ones(len(signed), dtype=np.bool_)
    gaps = signed[value.argmax()] - signed
    error = np.sqrt(np.maximum(np.einsum("ai,ij,aj->a", gaps, spread, gaps), 0.0))
    return np.asarray(value.max() - value <= math.sqrt(math.log(max(blocks, 2))) * error + 1e-12)


def distance(shares: NDArray[np.floating], fair: Floats | float) -> float:
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
    first, second = on_same_deals([base, other])
    blocks, pair = len(first.deals), with_common_levels([first, second])
    # As in `differences`, one more block differs by one win.
    spread = side_by_side([replace(second, least=1 / np.maximum(second.held, 1)), first]).spread
    ends = bounds(second.value - second.fair, first.value - first.fair, spread, blocks)
    off = ((run, run.value - run.fair) for run in (first, second))
    before, after = (distance_of(each, run.covariance, blocks, int(run.n.max())) for run, each in off)
    found = distance(second.value, second.fair) - distance(first.value, first.fair)
    size = float(sizes_of(by_block(*pair), 1.0).max(initial=0.0))
    same = blocks > 1 and difference(*pair).is_nothing
    return farthest_effect(question, players, variant, (before, after), found, ends, size, games, look, same)


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

        def holds(depth: float) -> bool:
            return within(self.one_sided(math.exp(-depth))[0], margin)

        least = math.log(2)
        return math.exp(-farthest(holds, least, -math.log(1e-12))) if holds(least) else 1.0


def _with_ends(ends: Bounds, found: float, size: float, games: int, confidence: float) -> Estimate:
    """Return a difference of distances in pp, with its interval from bounds on all deviations."""
    quantile = student(max(ends.blocks, 2), confidence)
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
    p = ends.p_beyond(0.0)
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


def independent_distance(question: Question, variant: str, before: Effects, after: Effects) -> Effects | None:
    """Return how much farther from fair the later run is; None if that is not known.

    Parameters
    ----------
    question
        The question on the distance, with its margin in percentage points.
    variant
        Label of the later run.
    before, after
        The effects on win shares in both runs, against a fair share.
    """
    runs = []
    for run in (after, before):
        values = np.array([contrast.effect.value for contrast in run.contrasts]) / 100
        if run.covariance is None or np.isnan(values).any() or np.isnan(run.covariance).any():
            return None
        runs.append((values, run.covariance / 100**2, int(run.overall.blocks), run.games))
    (now, spread, blocks, games), (was, spread_before, blocks_before, games_before) = runs
    both = np.zeros((len(now) + len(was),) * 2)
    both[: len(now), : len(now)], both[len(now) :, len(now) :] = spread, spread_before
    ends = bounds(now, was, both, min(blocks, blocks_before))
    standing = distance_of(was, spread_before, blocks_before, games_before), distance_of(now, spread, blocks, games)
    found = float(np.abs(now).max() - np.abs(was).max())
    look = joint_look([before.look, after.look])
    return farthest_effect(question, before.players, variant, standing, found, ends, 0.0, games, look, False)
