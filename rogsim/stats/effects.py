"""Effects: how far each level of one question is from fair, or from another run, with intervals that hold together.

Every question ends here, whatever it compares: a game with a fair one, a changed rule with the printed one, two runs.
`judgement` judges effects, and pages draw and list them.

An individual interval misses the true value more often than promised if the level was selected for its size.
Simultaneous intervals hold for whichever level is selected. Their width is the quantile of the largest of several
correlated normal variables, whose distribution is found by importance sampling over the union of the events, which is
accurate in the far tail, too (Naiman and Priebe 2001, "Computing scan statistic p values using importance sampling",
Journal of Computational and Graphical Statistics 10).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache

import numpy as np

from rogsim.stats.blocks import Floats, Ints
from rogsim.stats.contrasts import JointTest
from rogsim.stats.estimates import CONFIDENCE, Estimate, by_size, wilson
from rogsim.stats.special_functions import log_ndtr, ndtr, ndtri, ndtri_exp, stdtr, stdtrit

FARTHEST = 37.0  # standard errors: beyond this, probabilities underflow to 0
CLOSE = 1e-3  # standard errors: how closely the reach of an interval is found
DRAWS = 4_000
STEP = 1e-5  # standard errors: how closely a bound is found
SEED = 20_240_229  # any fixed number: the same draws each time


@dataclass(frozen=True)
class Contrast:
    """One effect, in the unit of its question: 0 where nothing differs.

    Attributes
    ----------
    effect
        The effect with its 95% interval; nan ends if there are too few blocks.
    effect90
        The effect with its 90% interval.
    p
        p-value of the effect being 0.
    fair
        For a share, its value (0 to 1) without an effect; otherwise nan.
    blocks
        Number of blocks from which the effect is estimated.
    before, after
        What a difference is between, each with its 95% interval; shares are from 0 to 1.
    saving
        How many times as many games two runs on different deals would need for an interval of this width; nan if that
        is not known.
    """

    name: str
    effect: Estimate
    effect90: Estimate
    p: float
    fair: float = math.nan
    blocks: float = math.inf
    before: Estimate | None = None
    after: Estimate | None = None
    saving: float = math.nan


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    topic
        The section of a page that it belongs to.
    title
        What is estimated.
    unit
        Unit of the effects.
    noun
        What a level is called; empty if there are none.
    share
        Whether the effects are of shares; they are then in percentage points.
    margin
        The largest effect that does not matter, in that unit; None where nothing is judged.
    against
        What a level is compared with, in words; empty for a difference between two runs.
    """

    topic: str
    title: str
    unit: str = "pp"
    noun: str = ""
    share: bool = False
    margin: float | None = None
    against: str = ""

    @property
    def scale(self) -> float:
        """Return the factor that converts an effect to the question's unit."""
        return 100.0 if self.share else 1.0

    @property
    def most(self) -> float:
        """Return the largest difference that is possible, in the question's unit."""
        return 100.0 if self.share else math.inf


@dataclass(frozen=True)
class Effects:
    """The effects of one question with one number of players, in one run or between two.

    Attributes
    ----------
    run
        The results folder, or the label of the variant.
    overall
        The joint test that all effects are 0.
    games
        Number of games, of the variant if two runs are compared.
    most
        The largest effect that is possible, in the question's unit.
    blocks
        Number of blocks common to both runs that are compared.
    covariance : float64[k, k]
        Covariance of the effects; None if it is not known, which counts as independent.
    look
        Number of the look at the results, from 1.
    untouched
        Whether every block came out the same in both runs.
    """

    question: Question
    players: int
    run: str
    contrasts: tuple[Contrast, ...]
    overall: JointTest
    games: int
    bots: tuple[str, ...] = ()
    most: float = math.inf
    blocks: float = math.inf
    covariance: Floats | None = field(default=None, compare=False, repr=False)
    look: int = 1
    untouched: bool = False

    @cached_property
    def known(self) -> Ints:
        """Return the places of the effects that have an interval."""
        return np.flatnonzero([not math.isnan(contrast.effect.low) for contrast in self.contrasts])

    @cached_property
    def correlation(self) -> Floats:
        """Return the correlation of the effects that have an interval, float64[known, known]."""
        found = np.eye(len(self.known))
        if self.covariance is None:
            return found
        kept = self.covariance[np.ix_(self.known, self.known)]
        errors = np.sqrt(np.maximum(np.diag(kept), 0.0))
        sure = np.flatnonzero((errors > 0) & ~np.isnan(kept).any(axis=1))
        found[np.ix_(sure, sure)] = kept[np.ix_(sure, sure)] / np.outer(errors[sure], errors[sure])
        return np.clip(found, -1.0, 1.0)

    @property
    def order(self) -> list[int]:
        """Return the places of the effects by size, the largest first; those without an interval come last."""
        sizes = [by_size(c.effect.value if not math.isnan(c.effect.low) else math.nan) for c in self.contrasts]
        return sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True)

    def of(self, name: str) -> Contrast:
        """Return the effect of a level; KeyError if there is none of this name."""
        found = {contrast.name: contrast for contrast in self.contrasts}
        return found[name]

    def only(self, name: str) -> Effects:
        """Return the effect of one level that was chosen before the games; KeyError if there is none of this name."""
        contrast = self.of(name)
        test = JointTest(math.nan, 1, self.overall.blocks, contrast.p)
        return replace(self, contrasts=(contrast,), overall=test, covariance=None)

    def intervals(self, alpha: float) -> tuple[Estimate, ...]:
        """Return every effect with its simultaneous interval: all hold together with probability 1 - alpha."""
        reach = quantile(self.correlation, alpha)
        return tuple(possible(interval(contrast, reach), self.most) for contrast in self.contrasts)

    def one_sided(self, alpha: float) -> tuple[Estimate, ...]:
        """Return every effect between its individual one-sided bounds at alpha.

        They may show that it is within a margin. If all effects must be, no adjustment for their number is needed.

        References
        ----------
        Berger 1982, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24.
        """
        reach = -float(ndtri(alpha))
        return tuple(possible(interval(contrast, reach, narrow=True), self.most) for contrast in self.contrasts)

    def p_beyond(self, margin: float) -> float:
        """Return the p-value of no effect being beyond the margin; nan if no effect has an interval."""
        effects = [self.contrasts[place] for place in self.known]
        if not effects:
            return math.nan

        def excludes(reach: float) -> bool:
            return any(beyond(interval(contrast, reach), margin) for contrast in effects)

        return exceedance(self.correlation, farthest(excludes)) if excludes(0.0) else 1.0

    def p_within(self, margin: float) -> float:
        """Return the p-value of some effect being beyond the margin; nan if some effect has no interval."""
        if len(self.known) < len(self.contrasts):
            return math.nan

        def holds(reach: float) -> bool:
            return all(within(interval(contrast, reach, narrow=True), margin) for contrast in self.contrasts)

        return float(ndtr(-farthest(holds))) if holds(0.0) else 1.0


def possible(found: Estimate, most: float) -> Estimate:
    """Return an effect whose interval ends at the largest possible effect, in both directions."""
    return replace(found, low=float(np.maximum(found.low, -most)), high=float(np.minimum(found.high, most)))


def within(effect: Estimate, margin: float) -> bool:
    """Return whether an interval lies within ±margin; False for nan."""
    return -margin < effect.low and effect.high < margin


def beyond(effect: Estimate, margin: float) -> bool:
    """Return whether an interval lies beyond the margin, on either side; False for nan."""
    return effect.low > margin or effect.high < -margin


def interval(contrast: Contrast, reach: float, narrow: bool = False) -> Estimate:
    """Return an effect with an interval of another width.

    The interval that came with the effect is scaled by the ratio of Student's quantiles with the blocks behind the
    effect; for a share, each end is the wider one of this and of Wilson's interval.

    Parameters
    ----------
    reach
        Half width in standard errors of a normal variable.
    narrow
        Start from the 90% interval, not the 95% one.
    """
    given, confidence = (contrast.effect90, 0.90) if narrow else (contrast.effect, CONFIDENCE)
    value, fair = given.value, contrast.fair
    student = _student(reach, contrast.blocks)
    ratio = student / _student_of(0.5 + confidence / 2, contrast.blocks)
    low, high = value - (value - given.low) * ratio, value + (given.high - value) * ratio
    if not math.isnan(fair):
        share, games = value / 100 + fair, given.effective
        if games > 0 and math.isfinite(games):
            ends = [100 * (end - fair) for end in wilson(min(max(share, 0.0), 1.0), games, student)]
            low, high = min(low, ends[0]), max(high, ends[1])
        low, high = max(low, -100 * fair), min(high, 100 * (1 - fair))
    return Estimate(value, low, high, given.n, given.effective)


def farthest(holds: Callable[[float], bool], low: float = 0.0, high: float = FARTHEST) -> float:
    """Return the largest reach for which something holds that holds for the lowest, by halving."""
    while high - low > CLOSE:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _student(reach: float, blocks: float) -> float:
    """Return Student's quantile with the same tail probability as a normal variable beyond `reach`."""
    if not 2 <= blocks < math.inf:
        return reach
    return -_student_of(math.exp(log_ndtr(-reach)), blocks)


def _student_of(probability: float, blocks: float) -> float:
    degrees = blocks - 1 if 2 <= blocks < math.inf else math.inf
    if math.isinf(degrees):
        return float(ndtri_exp(math.log(probability)))
    found = float(stdtrit(degrees, probability))
    # In the far tail scipy's inverse fails before its distribution function does.
    return found if math.isfinite(found) and stdtr(degrees, found) > 0 else -math.inf


def exceedance(correlation: Floats, bound: float) -> float:
    """Return the probability that the largest |Z| of several standard normal variables exceeds a bound.

    Parameters
    ----------
    correlation : float64[k, k]
        Correlation of the variables.
    bound
        Bound in standard errors.
    """
    count = len(correlation)
    if count == 0 or math.isnan(bound):
        return math.nan
    return _Union(correlation).exceedance(bound)


def quantile(correlation: Floats, alpha: float) -> float:
    """Return the bound that the largest |Z| of several standard normal variables exceeds with probability alpha.

    Parameters
    ----------
    correlation : float64[k, k]
        Correlation of the variables.
    """
    count = len(correlation)
    if count == 0:
        return math.nan
    narrow, wide = (-float(ndtri_exp(math.log(alpha / 2 / number))) for number in (1, count))
    union = _Union(correlation)
    if count == 1 or union.exceedance(narrow) <= alpha:
        return narrow
    # By halving, because scipy.optimize takes as long to load as polars and this is all that `run` would need of it.
    steps = range(math.ceil((wide - narrow) / STEP) + 1_000)
    return narrow + STEP * bisect_left(steps, -alpha, key=lambda step: -union.exceedance(narrow + STEP * step))


class _Union:
    """The event that any of several variables exceeds a bound; what does not depend on the bound is computed once."""

    def __init__(self, correlation: Floats) -> None:
        self.count = len(correlation)
        if self.count == 1:
            return
        # [k, draws], which is fast to work on
        self._picked, spread = np.arange(DRAWS) % self.count, _spread(self.count)
        self._drawn = np.ascontiguousarray((spread @ symmetric_root(correlation)).T)
        self._weights = np.ascontiguousarray(correlation[self._picked].T)
        self._own = self._drawn[self._picked, _ROWS]

    def exceedance(self, bound: float) -> float:
        """Return the probability of the union."""
        single = 2 * math.exp(log_ndtr(-bound))
        if self.count == 1 or single == 0:
            return single
        tail = _tail(bound)
        drawn = self._weights * (tail - self._own)
        drawn += self._drawn
        drawn[self._picked, _ROWS] = tail
        beyond = np.add.reduce(np.abs(drawn, out=drawn) > bound, axis=0, dtype=np.int32).clip(1)
        return float(min(1.0, self.count * single * (1 / beyond).mean()))


_ROWS = np.arange(DRAWS)


@lru_cache(maxsize=128)
def _tail(bound: float) -> Floats:
    """Return, for each draw, the variable that is picked, which lies beyond the bound."""
    return np.asarray(-ndtri_exp(log_ndtr(-bound) + _log_depth()))


@cache
def _log_depth() -> Floats:
    """Return the logarithm of how deep in its tail the variable that is picked lies, the same for every bound."""
    return np.asarray(np.log(1 - np.random.default_rng(SEED).random(DRAWS)))


@cache
def _spread(count: int) -> Floats:
    """Return normal draws that serve for every bound, float64[draws, k]."""
    generator = np.random.default_rng(SEED)
    generator.random(DRAWS)  # those of `_log_depth`
    return generator.standard_normal((DRAWS, count))


def normal_draws(covariance: Floats, draws: int) -> Floats:
    """Return normal vectors with mean 0 and a covariance, float64[draws, k].

    Parameters
    ----------
    covariance : float64[k, k]
    """
    return np.random.default_rng(SEED).standard_normal((draws, len(covariance))) @ symmetric_root(covariance)


def symmetric_root(covariance: Floats) -> Floats:
    """Return the symmetric matrix whose square is a covariance, float64[k, k].

    It is unique. A root made of eigenvectors is not: their signs, and their directions where eigenvalues are equal,
    depend on the processor.

    Parameters
    ----------
    covariance : float64[k, k]
    """
    spread, axes = np.linalg.eigh(covariance)
    return np.asarray(axes * np.sqrt(np.maximum(spread, 0.0)) @ axes.T, dtype=np.float64)
