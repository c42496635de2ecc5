"""Which rung plays the next games: the one where a game makes the verdicts most precise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.settling import RUNGS, EffectSeries

SHARES = 16  # equal parts into which the games of a look are divided
# How often each of the last three rungs is in one of the two changes that are tested.
IN_CHANGES = np.array([1.0, 1.0, 2.0])


def allocate(games: Sequence[int], more: int, spreads: Floats) -> tuple[int, ...]:
    """Return the games of the last rungs after `more` games have been dealt out among them.

    Each share goes to the rung where it lowers the variance of the two tested changes most. How long a game takes does
    not count, because it differs between machines and the plan must not. The covariance of rungs on the same deals is
    ignored: it is small for bots that play differently.

    Parameters
    ----------
    games
        Games of each of the last rungs so far.
    more
        Further games, all rungs together.
    spreads : float64[rungs]
        Variance of a claim's effect for one game of each rung.
    """
    counts, left = list(games), more
    share = max(1, more // SHARES)
    while left > 0:
        size = min(share, left)
        gains = [
            IN_CHANGES[place] * spreads[place] * (1 / count - 1 / (count + size)) for place, count in enumerate(counts)
        ]
        best = int(np.argmax(gains))
        counts[best] += size
        left -= size
    return tuple(counts)


def spreads_of(undecided: Sequence[EffectSeries], games: Sequence[int]) -> Floats:
    """Return the mean variance for one game over the undecided claims, of each of the last rungs, float64[rungs]."""
    places = range(-RUNGS, 0)
    found = [[series.covariance[place, place] * games[place] for place in places] for series in undecided]
    means = np.array([np.mean([row[place] for row in found if row[place] > 0] or [1.0]) for place in range(RUNGS)])
    return np.asarray(means, dtype=np.float64)
