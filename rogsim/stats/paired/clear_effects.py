"""Which effects of a sweep are clear: statements that hold together for the whole sweep.

About one in twenty of the effects that a screen marks is due to chance, and an interval that is quoted because its
effect is large misses too often. So what is called clear is decided for the whole sweep at once. Both questions about
each effect (does it move any share, does it move the distance from fair) with each number of players are one family,
whose p-values are adjusted by Holm's method. The quoted intervals hold together for all effects and seats (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rogsim.stats.contrasts import holm
from rogsim.stats.sample_size import ALPHA, games_for, two_figures

if TYPE_CHECKING:
    from rogsim.stats.paired.main_effects import Effect

SMALL_EFFECT = 1.0  # percentage points: an effect on a win share that is worth detecting


@dataclass(frozen=True)
class EffectFamily:
    """All effects of a sweep, which are judged together.

    Attributes
    ----------
    undecided
        Number of hypotheses that were tested and not rejected, of both questions and all numbers of players.
    intervals
        Number of intervals that hold together: for each effect one for each level.
    """

    undecided: int = 1
    intervals: int = 1

    @property
    def confidence(self) -> float:
        """Return the confidence of a single interval with which all hold together in 95% of sweeps."""
        return 1 - ALPHA / max(1, self.intervals)

    def level(self, levels: int) -> float:
        """Return the level at which a further effect is found clear; levels: how many are judged separately."""
        return ALPHA / max(self.undecided * levels, self.intervals, 1)


BY_ITSELF = EffectFamily()  # of a single effect


def judged_together(tables: Iterable[Sequence[Effect]]) -> list[list[Effect]]:
    """Return the effects of a sweep with p-values that are adjusted for all of them.

    Parameters
    ----------
    tables
        The effects with each number of players.
    """
    found = [list(effects) for effects in tables]
    effects = [effect for table in found for effect in table]
    p_values = holm(
        [effect.change.p_shares() for effect in effects] + [effect.change.p("distance") for effect in effects]
    )
    shares, fair = p_values[: len(effects)], p_values[len(effects) :]
    changing = [effect.change for effect in effects if not effect.change.is_nothing]
    family = EffectFamily(int((p_values >= ALPHA).sum()), sum(change.free_levels for change in changing))
    judged = iter(
        [
            replace(effect, p_seats=float(p_seats), p_fair=float(p_fair), family=family)
            for effect, p_seats, p_fair in zip(effects, shares, fair, strict=True)
        ]
    )
    return [[next(judged) for _ in table] for table in found]


def games_to_find(effects: Sequence[Effect], games: int, size: float = SMALL_EFFECT) -> int | None:
    """Return with how many games per setting an effect on a level would be found clear in 8 of 10 cases, or more.

    The spread is that of the least precise effect, for the level whose effects are least precise. To it is added that
    of a change of this size in one direction, which an effect that hardly changes a game does not have.

    Parameters
    ----------
    effects
        The effects that may have this size, with one number of players.
    games
        Games per setting so far.
    size
        Effect on a level's win share, in percentage points.

    Returns
    -------
    int or None
        To two significant digits; None if no spread is known.
    """
    known = [effect for effect in effects if effect.change.is_enough]
    if not known:
        return None
    variances = np.array([np.diag(effect.change.covariance()) for effect in known])
    levels = variances.mean(axis=0)  # over all effects: the largest of all variances would mostly be an unlucky one
    least_precise = levels.max() / levels.mean() * variances.mean(axis=1)
    one_way = [max(0.0, size * (100 * effect.change.unit - size)) for effect in known]
    spread = math.sqrt(float((games * least_precise + one_way).max()))
    return two_figures(games_for(size, spread, alpha=known[0].family.level(known[0].change.free_levels)))
