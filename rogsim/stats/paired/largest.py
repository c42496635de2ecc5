"""The largest of several deviations, up or down: its interval, of one run or of the difference of two runs.

The largest of several deviations is not smooth where two of them are about as large, or all are about 0, and there
neither the delta method nor a bootstrap holds. So intervals come from simultaneous bounds: each deviation, up and down,
has one, and the largest lies between the largest lower and the largest upper bound. The difference of two runs is max
over the one run's deviations of min over the other's of their differences, and has its bounds from those of all such
differences, on the same deals. How many standard errors a bound reaches is the quantile of the largest of several drawn
normal figures with the covariance of the runs; only deviations that may be the largest count, those within the root of
log(blocks) standard errors of it (intersection bounds with selection: Chernozhukov, Lee and Rosen 2013, "Intersection
bounds: estimation and inference", Econometrica 81; the root of the logarithm: Andrews and Soares 2010, "Inference for
parameters defined by moment inequalities using generalized moment selection", Econometrica 78). Where one level is
clearly the farthest this is the usual interval; elsewhere it is on the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import FEWEST_BLOCKS
from rogsim.stats.estimates import Estimate

DRAWS = 20_000
MOST_DRAWN = 8_000_000  # normal figures at a time: bounds the memory
FEWEST_BEYOND = 5  # drawn figures beyond a quantile; with fewer it is not known well enough
FEW_BLOCKS = 200  # below, selecting among deviations would rest on too little
SEED = 20_240_229  # any fixed number: the same figures each time


@dataclass(frozen=True)
class Bounds:
    """Differences of signed deviations, float64[a, b]; the difference looked for is max over a of min over b.

    error: their standard errors. spread: float64[k, k], the covariance of all deviations. matrix: float64[a, b, k],
    what each difference is of the deviations. kept: rows and columns that may be the largest. blocks: number of them.
    """

    value: Floats
    error: Floats
    spread: Floats
    matrix: Floats
    kept: tuple[NDArray[np.intp], ...]
    blocks: int

    def interval(self, found: float, confidence: float, n: int) -> Estimate:
        """Return what was found with its interval; nan for too few blocks."""
        if self.blocks < FEWEST_BLOCKS:
            return Estimate(found, math.nan, math.nan, n, float(n))
        low, high = (
            float((self.value + side * self._reach(drawn, confidence) * self.error).min(axis=1).max())
            for side, drawn in ((-1, self.up), (1, self.down))
        )
        return Estimate(found, low, high, n, float(n))

    def p(self) -> float:
        """Return the two-sided p of the difference being 0: where the interval just leaves 0 out."""
        return self.p_beyond(0.0)

    def p_beyond(self, margin: float) -> float:
        """Return the two-sided p of the difference being within a margin: where the interval just leaves it out."""
        if self.blocks < FEWEST_BLOCKS:
            return math.nan
        ends = (self._beyond(self.up, self._above(margin)), self._beyond(self.down, self._below(margin)))
        return min(1.0, 2 * min(ends))

    def p_above(self) -> float:
        """Return the one-sided p of the difference being 0 or less: small if it surely is above."""
        return math.nan if self.blocks < FEWEST_BLOCKS else self._beyond(self.up, self._above(0.0))

    def is_above(self, alpha: float) -> bool:
        """Say whether `p_above` is that small, drawing figures only where nothing simpler tells."""
        more = self._above(0.0)
        if self.blocks < FEWEST_BLOCKS or more <= 0:
            return False
        tail = float(stats.t.sf(more, self.blocks - 1))
        return tail <= alpha and self.p_above() <= alpha

    @property
    def together(self) -> int:
        """Return how many figures count together, at most."""
        return max(len(self.kept[0]), self.kept[1].size)

    @cached_property
    def up(self) -> Floats:
        """Return what the lower end must allow for: float64[draws, b], each column the largest of some normal figures.

        Only one column matters, and nobody knows which.
        """
        return self._drawn.max(axis=1)

    @cached_property
    def down(self) -> Floats:
        """Return the same for the upper end, float64[draws, a]."""
        return (-self._drawn).max(axis=2)

    @cached_property
    def _drawn(self) -> Floats:
        rows = self.matrix[self.kept]
        draws = max(DRAWS // 10, min(DRAWS, MOST_DRAWN // (rows.shape[0] * rows.shape[1])))
        zero, generator = np.zeros(len(self.spread)), np.random.default_rng(SEED)
        drawn = generator.multivariate_normal(zero, self.spread, draws, check_valid="ignore", method="eigh")
        return np.asarray(np.einsum("di,abi->dab", drawn, rows, optimize=True) / self.error[self.kept])

    def _above(self, margin: float) -> float:
        """Return how many standard errors the difference is above a margin."""
        return float(((self.value - margin) / self.error).min(axis=1).max())

    def _below(self, margin: float) -> float:
        """Return how many standard errors the difference is below the margin on the other side."""
        return float((-(self.value + margin) / self.error).max(axis=1).min())

    def _reach(self, drawn: Floats, confidence: float) -> float:
        """Return how many standard errors an end reaches: Student's quantile at the normal one's probability.

        In the far tail, for which too few figures are drawn, it is the quantile by Bonferroni.
        """
        tail = (1 - confidence) / 2
        if tail * len(drawn) < FEWEST_BEYOND:
            normal = float(stats.norm.isf(tail / self.together))
        else:
            normal = float(np.quantile(drawn, 1 - tail, axis=0).max())
        return float(stats.t.ppf(stats.norm.cdf(normal), self.blocks - 1))

    def _beyond(self, drawn: Floats, t: float) -> float:
        """Return how likely an end would reach so far by chance; in the far tail by Bonferroni."""
        tail = float(stats.t.sf(t, self.blocks - 1))
        beyond = (1 + int((drawn >= stats.norm.isf(tail)).sum(axis=0).max())) / (1 + len(drawn))
        return min(self.together * tail, beyond)


def bounds(own: Floats, base: Floats, spread: Floats, blocks: int) -> Bounds:
    """Return the bounds of one largest deviation less another. spread: float64[k + m, k + m], the covariance of both.

    base: may be empty, then it is the largest of `own` itself.
    """
    spread = np.nan_to_num(spread)  # that of a single block is not known, and makes no interval
    signed = np.concatenate([np.eye(len(spread)), -np.eye(len(spread))])
    place = np.arange(len(signed)) % len(spread)
    ours, theirs = signed[place < len(own)], signed[place >= len(own)]
    if not len(base):
        theirs = np.zeros((1, len(spread)))
    both = np.concatenate([own, base])
    matrix = ours[:, None, :] - theirs[None, :, :]
    error = np.sqrt(np.maximum(np.einsum("abi,ij,abj->ab", matrix, spread, matrix), np.finfo(float).tiny))
    near = (np.flatnonzero(_may_be_largest(one, both, spread, blocks)) for one in (ours, theirs))
    kept = np.ix_(*near)
    return Bounds(matrix @ both, error, spread, matrix, kept, blocks)


def _may_be_largest(signed: Floats, both: Floats, spread: Floats, blocks: int) -> NDArray[np.bool_]:
    """Return which signed deviations are not clearly below the largest one; with few blocks all of them."""
    value = signed @ both
    if blocks < FEW_BLOCKS:
        return np.ones(len(signed), dtype=np.bool_)
    apart = signed[value.argmax()] - signed
    error = np.sqrt(np.maximum(np.einsum("ai,ij,aj->a", apart, spread, apart), 0.0))
    return np.asarray(value.max() - value <= math.sqrt(math.log(max(blocks, 2))) * error + 1e-12)
