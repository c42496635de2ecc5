"""Normal vectors with a given covariance, the same on every processor."""

from __future__ import annotations

import numpy as np

from rogsim.stats.blocks import Floats

SEED = 20_240_229  # any fixed number: the same draws each time


def normal_draws(covariance: Floats, draws: int) -> Floats:
    """Return normal vectors with mean 0 and a covariance, float64[draws, k].

    Parameters
    ----------
    covariance : float64[k, k]
    """
    return np.random.default_rng(SEED).standard_normal((draws, len(covariance))) @ symmetric_root(covariance)


def symmetric_root(covariance: Floats) -> Floats:
    """Return the symmetric matrix whose square is a covariance, float64[k, k].

    It is unique. A root made of eigenvectors is not: their signs, and their directions where eigenvalues are equal,
    depend on the processor.

    Parameters
    ----------
    covariance : float64[k, k]
    """
    spread, axes = np.linalg.eigh(covariance)
    return np.asarray(axes * np.sqrt(np.maximum(spread, 0.0)) @ axes.T, dtype=np.float64)
