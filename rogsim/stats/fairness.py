"""How far a game is from fair: the largest deviation of any seat's win share from its fair share, of one run or of two.

The largest of several deviations is not smooth where two of them are about as large, or all are about 0, and there
neither the delta method nor a bootstrap holds. So intervals come from simultaneous bounds: each deviation, up and down,
of each seat has one, and the distance lies between the largest lower and the largest upper bound. The difference of two
distances is max over the variant's deviations of min over the base's of their differences, and has its bounds from
those of all such differences, on common luck. How many standard errors a bound reaches is the quantile of the largest
of several drawn normal figures with the covariance of the runs; only deviations that may be the largest count, those
within the root of log(blocks) standard errors of it (intersection bounds with selection: Chernozhukov, Lee and Rosen
2013, "Intersection bounds: estimation and inference", Econometrica 81; the root of the logarithm: Andrews and Soares
2010, "Inference for parameters defined by moment inequalities using generalized moment selection", Econometrica 78).
Where one seat is clearly the farthest this is the usual interval of a difference; elsewhere it is on the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rogsim.stats.blocks import Floats
from rogsim.stats.common_luck import Estimates, compare, covariance, narrowed
from rogsim.stats.contrasts import EQUIVALENCE, FEWEST_BLOCKS, JointTest, scaled
from rogsim.stats.differences import Answer, Change, Question, untouched
from rogsim.stats.rates import CONFIDENCE, Estimate

DRAWS = 20_000
SEED = 20_240_229  # any fixed number: the same figures each time
FARTHEST = "largest deviation"


def distance(shares: NDArray[np.floating]) -> float:
    """Return the largest deviation from a fair share, of win shares by seat."""
    return float(np.abs(shares - 1 / len(shares)).max())


def farthest(run: Estimates) -> tuple[str, Estimate]:
    """Return which seat is farthest from fair, and how far, in pp; of two as far the one that wins more."""
    deviation = np.round(run.value - 1 / len(run.value), 9)
    place = max(range(len(deviation)), key=lambda seat: (abs(deviation[seat]), deviation[seat]))
    return run.levels[place], scaled(_distance(run), 100.0)


def fairer(question: Question, players: int, variant: str, base: Estimates, other: Estimates, games: int) -> Answer:
    """Return by how much the variant is farther from fair than the base, given the win shares by seat of both."""
    luck = np.intersect1d(base.luck, other.luck, assume_unique=True)
    first, second = narrowed(base, luck), narrowed(other, luck)
    pulls = np.hstack([second.pulls, first.pulls])
    spread = covariance(pulls, pulls)
    spread[:players, :players] += np.eye(players) / max(len(luck), 1) ** 2  # as in `differences`
    bounds = _bounds(second.value - 1 / players, first.value - 1 / players, spread, len(luck))
    found = distance(second.value) - distance(first.value)
    p = bounds.p()
    change = Change(
        FARTHEST,
        _distance(first),
        _distance(second),
        scaled(bounds.interval(found, CONFIDENCE, games), 100.0),
        scaled(bounds.interval(found, EQUIVALENCE, games), 100.0),
        p,
    )
    test = JointTest(found, 1, len(luck), p)
    return Answer(question, players, variant, (change,), test, len(luck), games, untouched(compare(base, other)))


@dataclass(frozen=True)
class _Bounds:
    """Differences of signed deviations, float64[a, b], with standard errors; the distance is max over a of min over b.

    up, down: what the lower and the upper end must allow for, as drawn: float64[DRAWS, columns], each column the
    largest of some normal figures; only one column matters, and nobody knows which. together: most figures in a column.
    """

    value: Floats
    error: Floats
    up: Floats
    down: Floats
    together: int
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
        """Return the two-sided p of the distance being 0: where the interval just leaves 0 out."""
        if self.blocks < FEWEST_BLOCKS:
            return math.nan
        away = self.value / self.error
        more, less = float(away.min(axis=1).max()), float((-away).max(axis=1).min())
        return min(1.0, 2 * min(self._beyond(self.up, more), self._beyond(self.down, less)))

    def _reach(self, drawn: Floats, confidence: float) -> float:
        """Return how many standard errors an end reaches: Student's quantile at the normal one's probability."""
        normal = float(np.quantile(drawn, (1 + confidence) / 2, axis=0).max())
        return float(stats.t.ppf(stats.norm.cdf(normal), self.blocks - 1))

    def _beyond(self, drawn: Floats, t: float) -> float:
        """Return how likely an end would reach so far by chance; in the far tail by Bonferroni."""
        tail = float(stats.t.sf(t, self.blocks - 1))
        beyond = (1 + int((drawn >= stats.norm.isf(tail)).sum(axis=0).max())) / (1 + len(drawn))
        return min(self.together * tail, beyond)


def _bounds(own: Floats, base: Floats, spread: Floats, blocks: int) -> _Bounds:
    """Return the bounds of one distance less another. spread: float64[k + m, k + m], the covariance of both together.

    base: may be empty, then it is the distance itself.
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
    kept = np.ix_(_may_be_largest(ours, both, spread, blocks), _may_be_largest(theirs, both, spread, blocks))
    generator = np.random.default_rng(SEED)
    zero = np.zeros(len(spread))
    drawn = generator.multivariate_normal(zero, spread, DRAWS, check_valid="ignore", method="eigh")
    z = np.einsum("di,abi->dab", drawn, matrix[kept], optimize=True) / error[kept]
    return _Bounds(matrix @ both, error, z.max(axis=1), (-z).max(axis=2), max(z.shape[1:]), blocks)


def _may_be_largest(signed: Floats, both: Floats, spread: Floats, blocks: int) -> NDArray[np.bool_]:
    """Return which signed deviations are not clearly below the largest one."""
    value = signed @ both
    apart = signed[value.argmax()] - signed
    error = np.sqrt(np.maximum(np.einsum("ai,ij,aj->a", apart, spread, apart), 0.0))
    return np.asarray(value.max() - value <= math.sqrt(math.log(max(blocks, 2))) * error + 1e-12)


def _distance(run: Estimates) -> Estimate:
    """Return how far a run is from fair, with its interval, as a share."""
    blocks, fair = len(run.luck), 1 / len(run.value)
    bounds = _bounds(run.value - fair, np.zeros(0), run.covariance, blocks)
    one = bounds.interval(distance(run.value), CONFIDENCE, int(run.n[0]))
    return Estimate(one.value, one.low if math.isnan(one.low) else max(0.0, one.low), one.high, one.n, one.effective)
