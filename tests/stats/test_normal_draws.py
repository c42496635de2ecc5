"""Normal draws have the covariance asked for, and do not depend on the processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rogsim.stats.effects import exceedance, normal_draws, symmetric_root
from rogsim.stats.paired.fairness import bounds

pytestmark = pytest.mark.once_uncompiled

Floats = NDArray[np.float64]
EIGH = np.linalg.eigh
SHARES = np.eye(4) - 1 / 4  # of four seats, which add up to 1: three eigenvalues are equal, one is 0
UNEQUAL = np.array([[4.0, 1.0, 0.0], [1.0, 2.0, -0.5], [0.0, -0.5, 1.0]])


@pytest.mark.parametrize("covariance", [SHARES, UNEQUAL, np.zeros((2, 2))])
def test_draws_have_the_covariance(covariance: Floats) -> None:
    """The root squared is the covariance, and many draws have it to within chance."""
    assert np.allclose(symmetric_root(covariance) @ symmetric_root(covariance), covariance, atol=1e-12)
    drawn = normal_draws(covariance, 100_000)
    assert np.allclose(drawn.mean(axis=0), 0.0, atol=0.03)
    assert np.allclose(np.cov(drawn.T), covariance, atol=0.06)


@pytest.mark.parametrize("covariance", [SHARES, UNEQUAL])
@pytest.mark.parametrize(
    "statistic",
    [
        lambda covariance: normal_draws(covariance, 1_000),
        lambda covariance: exceedance(covariance / covariance.max(), 2.0),
        lambda covariance: (
            bounds(np.arange(float(len(covariance))), np.zeros(0), covariance, 500).interval(1.0, 0.95, 9).high
        ),
    ],
)
def test_other_eigenvectors_give_the_same(
    covariance: Floats, statistic: Callable[[Floats], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries for linear algebra differ in the signs of eigenvectors, and in their directions if values are equal."""
    before = statistic(covariance)
    monkeypatch.setattr(np.linalg, "eigh", other_eigenvectors)
    assert np.allclose(statistic(covariance), before, rtol=1e-9, atol=1e-7)


def other_eigenvectors(matrix: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a matrix, with other eigenvectors: turned where values are equal, and flipped."""
    values, vectors = EIGH(matrix)
    for value in values:
        equal = np.isclose(values, value, atol=1e-9)
        turn, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((equal.sum(), equal.sum())))
        vectors[:, equal] = -vectors[:, equal] @ turn
    return values, vectors
