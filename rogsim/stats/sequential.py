"""Statistics that hold although results are looked at more than once.

- *Alpha spending* divides an error rate among the looks at a folder. The first look may use 70% of it, look k > 1 may
  use 30% / (k (k - 1)). The shares of all looks add up to 1. So by Bonferroni's inequality the probability of a wrong
  conclusion at any look is at most the whole rate, however many looks there are and for whatever reason (Lan and DeMets
  1983, "Discrete sequential boundaries for clinical trials", Biometrika 70).
- *Intervals that hold at all looks at once*, so that a run may stop after any block, are asymptotic confidence
  sequences: with n blocks and a standard error s, the interval is the estimate ± c(n) s, where

      c(n)^2 = 2 (v + 1) / v * log(sqrt(v + 1) / alpha),   v = rho^2 n.

  This is the normal-mixture boundary of Robbins for Brownian motion, which the sum over blocks approaches (Waudby-
  Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic confidence
  sequences", Annals of Statistics 52(6), theorem 2.2 and section 2.3 on the choice of rho; arXiv:2103.06476). A plain
  95% interval has c = 1.96 and holds at one look only. The guarantee is for each interval separately: with a
  probability of at least 95% it contains the true value at all looks. Several intervals need the error rate divided
  among them.
- *A bettor's wealth* tests whether a bot is stronger than another one. A score is the share of meetings in which it
  finished ahead, from 0 to 1. A bettor starts with a wealth of 1 and stakes a fraction l of it on each score, which
  multiplies it by 1 + l (score - 1/2). If the true mean is at most 1/2, the probability that the wealth ever reaches
  1 / p is at most p, however many scores there are (Ville's inequality). So one over the largest wealth so far is a
  p-value. The wealth is first divided equally among several fractions, because the best one depends on the lead
  (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting", JRSS Series B 86(1)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import holm
from rogsim.stats.estimates import ALPHA, Clusters, Estimate, mean, share
from rogsim.stats.special_functions import ndtri

FIRST = 0.7  # of the error rate, for the first look, which is the only one for most folders
ANYTIME_BLOCKS = 100  # with fewer, sums over blocks may be far from normal: no interval
TUNED_FOR = 5_000  # blocks at which c(n) is smallest; from 1,000 to 100,000 it is at most a tenth larger

FRACTIONS = np.geomspace(0.03, 1.9, 12)  # from leads of a few Elo points to one of two bots that always wins


def weight(look: int) -> float:
    """Return the share of an error rate that a look may use; looks count from 1."""
    return FIRST if look <= 1 else (1 - FIRST) / (look * (look - 1))


def adjusted(p: Sequence[float], looks: Sequence[int]) -> Floats:
    """Return p-values adjusted for the looks, to be compared with the whole error rate; nan stays nan.

    Parameters
    ----------
    looks
        For each p-value the number of its look, from 1.
    """
    values = np.asarray(p, dtype=np.float64) / np.array([weight(look) for look in looks])
    return np.minimum(values, 1.0)


def cost(look: int, power: float) -> float:
    """Return the games that a two-sided test with this power needs at this look, relative to a single look."""
    both = [ndtri(power) - ndtri(ALPHA * share / 2) for share in (weight(look), 1.0)]
    return float((both[0] / both[1]) ** 2)


def anytime_share(group: Clusters) -> Estimate:
    """Estimate a win share, 0 to 1, with an interval that holds at all looks at once.

    It is that of `estimates.share` with c(n) in place of Student's quantile; nan with fewer than ANYTIME_BLOCKS blocks.
    """
    return share(group, boundary(group.blocks) if group.blocks >= ANYTIME_BLOCKS else math.nan)


def anytime_mean(group: Clusters) -> Estimate:
    """Estimate a mean, in its own unit, with an interval that holds at all looks at once.

    It is that of `estimates.mean` with c(n) in place of Student's quantile; nan with fewer than ANYTIME_BLOCKS blocks.
    """
    return mean(group, boundary(group.blocks) if group.blocks >= ANYTIME_BLOCKS else math.nan)


def boundary(blocks: float, together: int = 1) -> float:
    """Return c(n): the half width of the interval in standard errors after n > 0 blocks.

    together: how many intervals contain their true values at all looks, with a probability of at least 95% for all of
    them (Bonferroni).
    """
    v = _tuning() * blocks
    return math.sqrt(2 * (v + 1) / v * math.log(math.sqrt(v + 1) * together / ALPHA))


def blocks_needed(half_width: float, blocks: int, wanted: float) -> float:
    """Return about how many blocks an interval needs to be as narrow as wanted.

    The standard error is assumed to fall with the square root of the number of blocks.

    Parameters
    ----------
    half_width
        Half width of the interval after `blocks` blocks, more than 0.
    wanted
        The half width to reach, in the same unit.
    """
    from scipy.optimize import brentq  # takes as long to load as polars, and a run without a target does not need it

    if half_width <= wanted:
        return float(blocks)

    def too_wide(log_blocks: float) -> float:
        count = math.exp(log_blocks)
        reach = half_width * boundary(count) / boundary(blocks) * math.sqrt(blocks / count)
        return math.log(reach / wanted)

    start = math.log(blocks)
    end = start + 1
    while too_wide(end) > 0:
        end += 1
    return math.exp(brentq(too_wide, start, end))


@cache
def _tuning() -> float:
    """Return rho^2: where c(n) is smallest, v solves v + 1 - log(v + 1) = 1 - 2 log(alpha)."""
    from scipy.special import lambertw  # loads the whole package, and only --until needs it

    v = -float(lambertw(-(ALPHA**2) / math.e, -1).real) - 1
    return v / TUNED_FOR


def elo_of(score: float) -> float:
    """Return the lead in Elo points that an expected score means."""
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class StrengthTest:
    """How far one bot leads another, in Elo points; low and high are nan where the games do not determine them.

    Attributes
    ----------
    low, high
        The 95% interval at one look.
    p_stronger, p_weaker
        p-values of the claims that it is stronger and that it is weaker, adjusted for the other steps and all looks.
    """

    lead: float
    low: float
    high: float
    p_stronger: float
    p_weaker: float


def judge_steps(steps: Sequence[Floats], games: int, tables: int) -> tuple[StrengthTest, ...]:
    """Test each step of a ladder with one number of players.

    Parameters
    ----------
    steps : float64[scores] each
        Scores of the stronger bot of each step; those of one step are independent.
    games
        Games behind each score.
    tables
        How many numbers of players the ladder has.
    """
    stronger, weaker = (
        np.minimum(tables * holm([p_above_half(side * (scores - 0.5) + 0.5) for scores in steps]), 1.0)
        for side in (1, -1)
    )
    return tuple(
        StrengthTest(*lead_of(scores, games), float(p_stronger), float(p_weaker))
        for scores, p_stronger, p_weaker in zip(steps, stronger, weaker, strict=True)
    )


def p_above_half(scores: Floats) -> float:
    """Return a p-value of the claim that the mean of scores is above 1/2, valid at every look.

    Parameters
    ----------
    scores : float64[scores]
        Each from 0 to 1, in the order in which they were played.
    """
    wealth = np.cumsum(np.log1p(np.outer(scores - 0.5, FRACTIONS)), axis=0)
    most = wealth.max(axis=1, initial=-math.inf)
    total = most + np.log(np.exp(wealth - most[:, None]).mean(axis=1))
    return math.exp(-float(total.max(initial=0.0)))


def lead_of(scores: Floats, games: int) -> tuple[float, float, float]:
    """Return the lead that a mean score means, with both ends of its 95% interval, in Elo points.

    One game won and one game lost are added for the lead, so that it is finite.
    """
    count, won = len(scores), games * scores
    total, rows = float(won.sum()), games * count
    found = share(Clusters(count, rows, total, float(won @ won), games * total, float(games * rows)))
    known = 0 < found.low <= found.high < 1
    low, high = (elo_of(end) if known else math.nan for end in (found.low, found.high))
    return elo_of((total + 1) / (rows + 2)), low, high
