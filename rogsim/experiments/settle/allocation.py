"""Which rung plays the next games: the one where a second of play makes the verdicts most precise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rogsim.results.results import Results
from rogsim.stats.blocks import Floats
from rogsim.stats.settling import RUNGS, EffectSeries

SHARES = 16  # the games of a look are dealt out in so many equal shares
# How often each of the last three rungs is in one of the two changes that are tested.
IN_CHANGES = np.array([1.0, 1.0, 2.0])


def allocate(games: Sequence[int], more: int, spreads: Floats, seconds: Sequence[float]) -> tuple[int, ...]:
    """Return the games of the last rungs after `more` games have been dealt out among them.

    Each share goes to the rung where it lowers the variance of the two tested changes most for each second of play. The
    covariance of rungs on the same deals is ignored: it is small for bots that play differently.

    Parameters
    ----------
    games
        Games of each of the last rungs so far.
    more
        Further games, all rungs together.
    spreads : float64[rungs]
        Variance of a claim's effect for one game of each rung.
    seconds
        Seconds of play for one game of each rung.
    """
    counts, left = list(games), more
    share = max(1, more // SHARES)
    while left > 0:
        size = min(share, left)
        gains = [
            IN_CHANGES[place] * spreads[place] * (1 / count - 1 / (count + size)) / (size * seconds[place])
            for place, count in enumerate(counts)
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


def seconds_a_game(results: Results, first: int) -> float:
    """Return about how long a game of this run takes, as a power of two.

    It is measured on the first sessions into the folder, up to `first` games. Later sessions do not change it, so the
    same folder always gives the same plan.
    """
    sessions: Sequence[Mapping[str, Any]] = results.manifest["sessions"]
    games, seconds = 0, 0.0
    for session in sessions:
        games += sum(session["played"].values())
        seconds += session["seconds"]
        if games >= first:
            break
    return float(2.0 ** round(math.log2(seconds / games))) if games and seconds > 0 else 1.0
