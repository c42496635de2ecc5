"""How many games a search plans, and which tolerances are too small to be judged."""

from __future__ import annotations

import math

from scipy.stats import norm

from rogsim.base.validation import show
from rogsim.scenario.goals import MOST_PLANNED
from rogsim.scenario.model import ScenarioError
from rogsim.stats.estimates import ALPHA
from rogsim.stats.paired.deviations import Deviations
from rogsim.stats.prospects import POWER

PILOT = 400  # games to estimate how noisy the goals are
FEWEST = 1_000
ROUGH, FINE = 0.7, 0.25  # standard errors of a deviation, in units of the tolerance: in the search, after the race
LOOKS = 100  # search and race may take this many times the games of a first look
EXAMPLE = 20_000  # games for which a message shows the feasible tolerance


def games_for_error(pilot: Deviations, error: float, limited: bool = False) -> int:
    """Return how many games reduce the standard error of every deviation to a given value.

    Parameters
    ----------
    pilot
        Deviations from a few games.
    error
        The standard error, in units of the tolerance.
    limited
        Whether the user has set the numbers of games, so that there is nothing to plan.

    Raises
    ------
    ScenarioError
        If that is more than can be planned; the message names the smallest feasible tolerance.
    """
    needed = pilot.games * (pilot.error / error) ** 2
    if not needed <= MOST_PLANNED:
        if limited:
            return MOST_PLANNED
        raise ScenarioError(_too_small(pilot, needed))
    return max(FEWEST, math.ceil(needed))


def games_to_confirm(games: int, tries: int) -> int:
    """Return how many games give several candidates that are judged together the power of `games` for a single one."""
    strict, plain = (norm.isf(ALPHA / count) + norm.ppf(POWER) for count in (tries, 1))
    return math.ceil(games * (strict / plain) ** 2)


def _too_small(pilot: Deviations, needed: float) -> str:
    piece = max(pilot.pieces, key=lambda piece: piece.error)
    unit = f" {piece.goal.unit}".rstrip()
    least, example = (
        _rounded_up(piece.error * piece.unit * math.sqrt(pilot.games / games) / FINE)
        for games in (MOST_PLANNED, EXAMPLE)
    )
    many = f"about {needed:,.0f} games" if needed < 1e15 else "more games than anyone can play"
    return (
        f"goal {show(piece.goal.text)}: judging one candidate would take {many}, and {MOST_PLANNED:,} is the most "
        f"that can be planned; the smallest feasible tolerance is ± {least:g}{unit}, and ± {example:g}{unit} with "
        f"{EXAMPLE:,} games"
    )


def _rounded_up(value: float) -> float:
    """Round up to two significant digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / step - 1e-9) * step, 12)
