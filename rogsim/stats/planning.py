"""How many games it takes: to know an effect so well, to find one, to show that there is none.

`spread` is the standard deviation that an effect has in one game, that is its standard error times the root of the
games; the effect's unit. It has in it how alike games of a block and seats of a game are. The rules are the usual ones
for a normal estimate (Chow, Shao, Wang and Lokhnygina 2017, "Sample Size Calculations in Clinical Research", 3.1).
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from scipy.special import ndtr, ndtri

from rogsim.stats.blocks import Floats
from rogsim.stats.levels import Levels
from rogsim.stats.rates import CONFIDENCE

POWER = 0.8
ALPHA = 1 - CONFIDENCE
WIDTHS = (2.0, 1.0, 0.5)  # half widths in percentage points that a plan tells


def games_for(effect: float, spread: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return after how many games a two-sided test finds an effect of that size with that power.

    alpha: divide it by the number of tests where several are made.
    """
    return float(((ndtri(power) - ndtri(alpha / 2)) * spread / effect) ** 2)


def power_for(effect: float, spread: float, games: float, alpha: float = ALPHA) -> float:
    """Return how likely a two-sided test finds an effect of that size after so many games."""
    z, shift = -ndtri(alpha / 2), effect / spread * math.sqrt(games)
    return float(ndtr(shift - z) + ndtr(-z - shift))


def games_for_width(half_width: float, spread: float, confidence: float = CONFIDENCE) -> float:
    """Return after how many games an interval has that half width."""
    return float((ndtri((1 - confidence) / 2) * spread / half_width) ** 2)


def games_for_fair(
    margin: float, spread: float, effect: float = 0.0, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return after how many games an effect is shown to lie within the margin, by two one-sided tests at `alpha`.

    effect: what it really is; infinitely many games if that is not within the margin. The rule is on the safe side
    where both ends matter: its power is at least `power`.
    """
    room = margin - abs(effect)
    if room <= 0:
        return math.inf
    quantile = ndtri((1 + power) / 2) if effect == 0 else ndtri(power)
    return float(((quantile - ndtri(alpha)) * spread / room) ** 2)


def power_of_test(effects: Floats, covariance: Floats, games: float, blocks: float, alpha: float = ALPHA) -> float:
    """Return how likely the test of all levels at once finds these effects after so many games.

    effects: float64[k]. covariance: float64[k, k], of the effects in one game (times the games). blocks: that these
    games make.
    """
    from scipy.stats import f, ncf  # takes longer to load than `run` takes to start

    precision = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    df = int(np.linalg.matrix_rank(covariance, tol=1e-9 * float(np.abs(covariance).max()), hermitian=True))
    shift = games * float(effects @ precision @ effects)
    return float(ncf.sf(f.isf(alpha, df, blocks - df), df, blocks - df, shift))


def spread_of(levels: Levels) -> float:
    """Return the largest spread of any level's win share, in percentage points."""
    errors = [one.share.value * (1 - one.share.value) / one.share.effective for one in levels.levels]
    return 100 * math.sqrt(max(errors) * levels.games)


def plan(levels: Levels, margin: float) -> pl.DataFrame:
    """Return what more games would tell about these levels: question, games in all (rounded up to two figures)."""
    spread = spread_of(levels)
    alpha = ALPHA / len(levels.levels)
    asked = {f"each share within ±{width:g} pp (95%)": games_for_width(width, spread) for width in WIDTHS}
    asked |= {
        f"find an effect of {margin:g} pp in 8 of 10 cases": games_for(margin, spread, alpha=alpha),
        f"find an effect of {margin / 2:g} pp in 8 of 10 cases": games_for(margin / 2, spread, alpha=alpha),
        f"show that levels that are equal are within ±{margin:g} pp, each in 8 of 10 cases": games_for_fair(
            margin, spread
        ),
    }
    known = {question: two_figures(games) for question, games in asked.items() if math.isfinite(games)}
    return pl.DataFrame({"question": list(known), "games": list(known.values())})


def two_figures(count: float) -> int:
    """Round up to two figures: more is not known."""
    whole = max(1, math.ceil(count - 1e-9))
    unit = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit
