"""Sample size: the games needed to estimate an effect with some precision, to detect it, or to show that it is small.

`spread` is the standard deviation of an effect for one game: its standard error times the square root of the number of
games, in the effect's unit. It includes the correlation within blocks and between the seats of a game. The formulas are
the usual ones for a normal estimate (Chow, Shao, Wang and Lokhnygina 2017, "Sample Size Calculations in Clinical
Research", 3.1).
"""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from rogsim.stats.balance.levels import Levels
from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import CONFIDENCE
from rogsim.stats.special_functions import ndtr, ndtri

POWER = 0.8
ALPHA = 1 - CONFIDENCE
WIDTHS = (2.0, 1.0, 0.5)  # half widths in percentage points that a plan lists


def games_for(effect: float, spread: float, power: float = POWER, alpha: float = ALPHA) -> float:
    """Return the number of games with which a two-sided test detects an effect with the given power.

    Parameters
    ----------
    effect, spread
        Effect and its spread for one game, in the same unit.
    alpha
        Level of the test; divide it by the number of tests if there are several.
    """
    return float(((ndtri(power) - ndtri(alpha / 2)) * spread / effect) ** 2)


def power_for(effect: float, spread: float, games: float, alpha: float = ALPHA) -> float:
    """Return the power of a two-sided test for an effect.

    Parameters
    ----------
    effect, spread
        Effect and its spread for one game, in the same unit.
    games
        Number of games played.
    alpha
        Level of the test; divide it by the number of tests if there are several.
    """
    z, shift = -ndtri(alpha / 2), effect / spread * math.sqrt(games)
    return float(ndtr(shift - z) + ndtr(-z - shift))


def games_for_width(half_width: float, spread: float, confidence: float = CONFIDENCE) -> float:
    """Return the number of games with which an interval has this half width, given in the unit of `spread`."""
    return float((ndtri((1 - confidence) / 2) * spread / half_width) ** 2)


def games_for_fair(
    margin: float, spread: float, effect: float = 0.0, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return the number of games that show an effect to be within the margin, by two one-sided tests at `alpha`.

    The power is at least `power`; it is more if both ends of the margin matter.

    Parameters
    ----------
    margin, spread
        Margin and spread for one game, in the same unit.
    effect
        True value of the effect in that unit; if it is outside the margin, the number of games is infinite.
    """
    room = margin - abs(effect)
    if room <= 0:
        return math.inf
    quantile = ndtri((1 + power) / 2) if effect == 0 else ndtri(power)
    return float(((quantile - ndtri(alpha)) * spread / room) ** 2)


def power_of_test(effects: Floats, covariance: Floats, games: float, blocks: float, alpha: float = ALPHA) -> float:
    """Return the power of the joint test of all levels, by the noncentral F distribution.

    Parameters
    ----------
    effects : float64[k]
        The true effects.
    covariance : float64[k, k]
        Covariance of the estimates times the number of games they are from.
    games
        Number of games to be played.
    blocks
        Number of blocks in these games.
    """
    from scipy.stats import f, ncf  # slower to load than `run` is to start

    precision = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    df = int(np.linalg.matrix_rank(covariance, tol=1e-9 * float(np.abs(covariance).max()), hermitian=True))
    shift = games * float(effects @ precision @ effects)
    return float(ncf.sf(f.isf(alpha, df, blocks - df), df, blocks - df, shift))


def spread_of(levels: Levels) -> float:
    """Return the largest spread of any level's win share, in percentage points."""
    shares = [level.share for level in levels.levels]
    variances = [share.value * (1 - share.value) / share.effective for share in shares]
    return 100 * math.sqrt(max(variances) * levels.games)


def plan(levels: Levels, margin: float) -> pl.DataFrame:
    """Return what more games would show about these levels.

    Parameters
    ----------
    margin
        Margin of equivalence, in percentage points.

    Returns
    -------
    pl.DataFrame
        Columns question and games: the total number of games, rounded up to two significant digits.
    """
    spread = spread_of(levels)
    alpha = ALPHA / len(levels.levels)
    needed = {f"each share within ±{width:g} pp (95%)": games_for_width(width, spread) for width in WIDTHS}
    needed |= {
        f"find an effect of {margin:g} pp in 8 of 10 cases": games_for(margin, spread, alpha=alpha),
        f"find an effect of {margin / 2:g} pp in 8 of 10 cases": games_for(margin / 2, spread, alpha=alpha),
        f"show that levels that are equal are within ±{margin:g} pp, each in 8 of 10 cases": games_for_fair(
            margin, spread
        ),
    }
    known = {question: two_figures(games) for question, games in needed.items() if math.isfinite(games)}
    return pl.DataFrame({"question": list(known), "games": list(known.values())})


def two_figures(count: float) -> int:
    """Round up to two significant digits: more would be false precision."""
    whole = max(1, math.ceil(count - 1e-9))
    unit = 10 ** max(0, len(str(whole)) - 2)
    return -(-whole // unit) * unit
