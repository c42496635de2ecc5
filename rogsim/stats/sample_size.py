"""Sample size: the games needed to estimate an effect with some precision, to detect it, or to show that it is small.

`spread` is the standard deviation of an effect for one game, that is its standard error times the square root of the
number of games, in the effect's unit. It includes the correlation within blocks and between the seats of a game. The
rules are the usual ones for a normal estimate (Chow, Shao, Wang and Lokhnygina 2017, "Sample Size Calculations in
Clinical Research", 3.1).
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from scipy.special import ndtr, ndtri

from rogsim.stats.balance.levels import Levels
from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import CONFIDENCE

POWER = 0.8
ALPHA = 1 - CONFIDENCE
WIDTHS = (2.0, 1.0, 0.5)  # half widths in percentage points that a plan lists


def games_for(effect: float, spread: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the number of games with which a two-sided test detects an effect of that size with that power.

    alpha: divide it by the number of tests where several are made.
    """
    return float(((ndtri(power) - ndtri(alpha / 2)) * spread / effect) ** 2)


def power_for(effect: float, spread: float, games: float, alpha: float = ALPHA) -> float:
    """Return the power of a two-sided test for an effect of that size with that number of games."""
    z, shift = -ndtri(alpha / 2), effect / spread * math.sqrt(games)
    return float(ndtr(shift - z) + ndtr(-z - shift))


def games_for_width(half_width: float, spread: float, confidence: float = CONFIDENCE) -> float:
    """Return the number of games with which an interval has that half width."""
    return float((ndtri((1 - confidence) / 2) * spread / half_width) ** 2)


def games_for_fair(
    margin: float, spread: float, effect: float = 0.0, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return the number of games that show an effect to be within the margin, by two one-sided tests at `alpha`.

    effect: its true value; infinitely many games if that is not within the margin. The rule is conservative if both
    ends matter: its power is at least `power`.
    """
    room = margin - abs(effect)
    if room <= 0:
        return math.inf
    quantile = ndtri((1 + power) / 2) if effect == 0 else ndtri(power)
    return float(((quantile - ndtri(alpha)) * spread / room) ** 2)


def power_of_test(effects: Floats, covariance: Floats, games: float, blocks: float, alpha: float = ALPHA) -> float:
    """Return the power of the joint test of all levels for these effects with that number of games.

    effects: float64[k]. covariance: float64[k, k], of the effects for one game (multiplied by the games). blocks: the
    number of blocks in these games.
    """
    from scipy.stats import f, ncf  # slower to load than `run` is to start

    precision = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    df = int(np.linalg.matrix_rank(covariance, tol=1e-9 * float(np.abs(covariance).max()), hermitian=True))
    shift = games * float(effects @ precision @ effects)
    return float(ncf.sf(f.isf(alpha, df, blocks - df), df, blocks - df, shift))


def spread_of(levels: Levels) -> float:
    """Return the largest spread of any level's win share, in percentage points."""
    errors = [one.share.value * (1 - one.share.value) / one.share.effective for one in levels.levels]
    return 100 * math.sqrt(max(errors) * levels.games)


def plan(levels: Levels, margin: float) -> pl.DataFrame:
    """Return what more games would show about these levels: question, total games (rounded up to two digits)."""
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
    """Round up to two significant digits: more would be false precision."""
    whole = max(1, math.ceil(count - 1e-9))
    unit = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit
