"""Series of effects over the rungs of a ladder, with the covariance of rungs that played the same deals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.settling import EffectSeries


def series_of(rungs: Sequence[Estimates], fair: float) -> tuple[EffectSeries, ...]:
    """Return one series for each level: win share minus fair share, in pp.

    The rungs play the same deals, but not all of them equally many. Only the deals that two rungs have in common make
    their estimates correlated.

    Parameters
    ----------
    rungs
        Estimates of the same estimand, the weakest rung first.
    fair
        The fair win share, 0 to 1.
    """
    names = dict.fromkeys(name for run in rungs for name in run.levels)
    spreads = _covariances(rungs, list(names))
    made = []
    for place, name in enumerate(names):
        values = np.array([_of(run, name, run.value) for run in rungs])
        blocks = np.array([_of(run, name, _held(run), 0.0) for run in rungs])
        made.append(EffectSeries(name, 100 * (values - fair), 100**2 * spreads[place], blocks))
    return tuple(made)


def _of(run: Estimates, name: str, values: Floats, missing: float = np.nan) -> float:
    return float(values[run.levels.index(name)]) if name in run.levels else missing


def _held(run: Estimates) -> Floats:
    """Return how many blocks have rows of each level, float64[k]."""
    if run.weights is None:
        return np.full(len(run.levels), float(len(run.deals)))
    return np.count_nonzero(run.weights, axis=0).astype(np.float64)


def _covariances(rungs: Sequence[Estimates], names: Sequence[str]) -> Floats:
    """Return the covariance of the rungs' shares for each level, float64[levels, rungs, rungs]."""
    found = np.full((len(names), len(rungs), len(rungs)), np.nan)
    influence = [_columns(run, names) for run in rungs]
    for i, first in enumerate(rungs):
        for j, second in enumerate(rungs[: i + 1]):
            _, a, b = np.intersect1d(first.deals, second.deals, assume_unique=True, return_indices=True)
            together = np.einsum("bk,bk->k", influence[i][a], influence[j][b])
            most = max(len(first.deals), len(second.deals))
            if most > 1:
                scale = len(first.deals) * len(second.deals) * (most - 1) / most
                found[:, i, j] = found[:, j, i] = together / scale
    return found


def _columns(run: Estimates, names: Sequence[str]) -> Floats:
    """Return the influence values of some levels, float64[blocks, levels]; nan for levels that did not occur."""
    columns = [
        run.influence[:, run.levels.index(name)] if name in run.levels else np.full(len(run.deals), np.nan)
        for name in names
    ]
    return np.stack(columns, axis=1)
