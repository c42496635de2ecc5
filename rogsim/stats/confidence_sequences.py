"""Intervals that hold at all looks at once, so that results may be checked after every block and a run may stop then.

They are asymptotic confidence sequences: with n blocks and a standard error s, the interval is the estimate ± c(n) s,
where

    c(n)^2 = 2 (v + 1) / v * log(sqrt(v + 1) / alpha),   v = rho^2 n.

This is the normal-mixture boundary of Robbins for Brownian motion, which the sum over blocks approaches (Waudby-Smith,
Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic confidence sequences",
Annals of Statistics 52(6), theorem 2.2 and section 2.3 on the choice of rho; arXiv:2103.06476). A plain 95% interval
has c = 1.96 and holds at one look only.

The guarantee is for each interval separately: with a probability of at least 95% it contains the true value at all
looks. It is not a guarantee for several intervals together.
"""

from __future__ import annotations

import math
from functools import cache

from rogsim.stats.estimates import CONFIDENCE, Clusters, Estimate, effective_games, wilson

ALPHA = 1 - CONFIDENCE
FEWEST_BLOCKS = 100  # with fewer, sums over blocks may be far from normal: no interval
TUNED_FOR = 5_000  # blocks at which c(n) is smallest; from 1,000 to 100,000 it is at most a tenth larger
NAME = "asymptotic confidence sequence (normal mixture) on the sums of blocks"


def anytime_share(group: Clusters) -> Estimate:
    """Estimate a win share, 0 to 1, with an interval that holds at all looks at once.

    It is Wilson's interval on the effective number of independent games, as in `estimates.share`, with c(n) in place of
    Student's quantile. With fewer than FEWEST_BLOCKS blocks low and high are nan.
    """
    if group.blocks < FEWEST_BLOCKS:
        return Estimate(group.value, math.nan, math.nan, group.rows, math.nan)
    effective = effective_games(group.value, group.variance, group.rows, group.blocks)
    low, high = wilson(group.value, effective, boundary(group.blocks))
    return Estimate(group.value, low, high, group.rows, effective)


def anytime_mean(group: Clusters) -> Estimate:
    """Estimate a mean, in its own unit, with an interval that holds at all looks at once.

    The blocks are the clusters, as in `estimates.mean`. With fewer than FEWEST_BLOCKS blocks low and high are nan.
    """
    known = group.blocks >= FEWEST_BLOCKS
    reach = boundary(group.blocks) * math.sqrt(group.variance) if known else math.nan
    return Estimate(group.value, group.value - reach, group.value + reach, group.rows, float(group.blocks))


def boundary(blocks: float) -> float:
    """Return c(n): the half width of the interval in standard errors after n > 0 blocks."""
    v = _tuning() * blocks
    return math.sqrt(2 * (v + 1) / v * math.log(math.sqrt(v + 1) / ALPHA))


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
