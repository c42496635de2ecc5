"""Tests of whether a question has the same effects in several folders, that is with all sets of bots.

Folders are independent samples, so this is a test of equal mean vectors with unequal covariances. The statistic is
Cochran's Q for vectors, each weighted by its precision. Its F distribution is Johansen's (1980, "The Welch-James
approximation to the distribution of the residual sum of squares in a weighted linear regression", Biometrika 67), which
is Welch's for one level and two folders. If anything, folders on the same deals agree more closely than independent
ones; the test is then conservative.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import f, norm

from rogsim.results.interim_looks import joint_look
from rogsim.stats.alpha_spending import adjusted, weight
from rogsim.stats.blocks import Floats
from rogsim.stats.contrasts import ALONE, FEWEST_BLOCKS, JointTest, holm
from rogsim.stats.effects import Contrast, Effects
from rogsim.stats.estimates import CONFIDENCE

ALPHA = 1 - CONFIDENCE
ROUNDING = 1e-12  # a variance this small is that of a share of 0 or 1


@dataclass(frozen=True)
class Agreement:
    """Whether several claims on one question have the same effects.

    Attributes
    ----------
    places
        Indices of the claims in the family.
    overall
        The test that all effects are equal.
    names
        The levels that all claims have.
    by_level
        For each of these levels the p of equal effects, adjusted by Holm's method over the levels.
    look
        Number of the look at all folders together.
    p
        p-value of `overall`, adjusted by Holm's method over the family and for the looks.
    alone
        `by_level` without the adjustment.
    """

    places: tuple[int, ...]
    overall: JointTest
    names: tuple[str, ...]
    by_level: tuple[float, ...]
    look: int = 1
    p: float = math.nan
    alone: tuple[float, ...] = ()

    @property
    def depends(self) -> bool:
        """Return whether the effects clearly differ."""
        return self.p < ALPHA

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the levels whose effects clearly differ, the clearest first."""
        limit = ALPHA * weight(self.look) if self.depends else 0.0
        return tuple(self.names[place] for place in self._order if self.by_level[place] < limit)

    @property
    def clearest(self) -> str:
        """Return the level that differs most clearly; "" if no level can be compared."""
        return self.names[self._order[0]] if self.names else ""

    @property
    def _order(self) -> list[int]:
        return [int(place) for place in np.argsort(self.by_level, kind="stable")]

    def judged(self, p: float) -> Agreement:
        """Return this test with its p-value after all adjustments."""
        return replace(self, p=p)


def agreements(family: Sequence[Effects]) -> tuple[Agreement, ...]:
    """Return a test for every question of a family that several folders answer with the same number of players.

    Differences between runs are not tested: each variant has its own.
    """
    groups: dict[tuple[str, str, int], list[int]] = {}
    for place, claim in enumerate(family):
        if claim.question.against:
            groups.setdefault((claim.question.topic, claim.question.title, claim.players), []).append(place)
    return tuple(agreement([family[place] for place in group], group) for group in groups.values() if len(group) > 1)


def agreement_alone(claims: Sequence[Effects]) -> Agreement:
    """Return the test of some claims as the only test of its family."""
    found = agreement(claims, range(len(claims)))
    return found.judged(float(adjusted([found.overall.p], [found.look])[0]))


def agreement(claims: Sequence[Effects], places: Sequence[int]) -> Agreement:
    """Test whether two or more claims on one question have the same effects.

    Parameters
    ----------
    places
        The indices of the claims in their family, stored as `Agreement.places`.
    """
    usable = [
        {contrast.name: place for place, contrast in enumerate(claim.contrasts) if _usable(contrast)}
        for claim in claims
    ]
    names = [contrast.name for contrast in claims[0].contrasts if all(contrast.name in found for found in usable)]
    look = joint_look([claim.look for claim in claims])
    if not names:
        return Agreement(tuple(places), JointTest(math.nan, 0, 0, math.nan), (), (), look)
    # From here on one row for each claim, one column for each name that all of them can compare.
    places_of = [[found[name] for name in names] for found in usable]
    contrasts = [[claim.contrasts[place] for place in row] for claim, row in zip(claims, places_of, strict=True)]
    effects = np.array([[contrast.effect.value for contrast in row] for row in contrasts])
    spreads = np.array([_covariance(claim, row) for claim, row in zip(claims, places_of, strict=True)])
    spreads *= _levelled(contrasts)
    blocks = np.array(
        [
            [min(contrast.blocks, claim.overall.blocks) for contrast in row]
            for claim, row in zip(claims, contrasts, strict=True)
        ]
    )
    free = min((claim.overall.df for claim in claims if claim.overall.df > 0), default=len(names))
    overall = equal_means(effects, spreads, blocks.min(axis=1), free)
    single = [equal_means(effects[:, [i]], spreads[:, [i]][:, :, [i]], blocks[:, i], 1).p for i in range(len(names))]
    return Agreement(
        tuple(places), overall, tuple(names), tuple(map(float, holm(single))), look, alone=tuple(map(float, single))
    )


def equal_means(effects: Floats, spreads: Floats, blocks: Floats, free: int) -> JointTest:
    """Test that several vectors of estimates have the same mean (Johansen 1980).

    Parameters
    ----------
    effects : float64[folders, k]
    spreads : float64[folders, k, k]
        Their covariances.
    blocks : float64[folders]
        Observations behind each.
    free
        How many of the k can vary freely; the directions that vary least are left out because the others determine
        them.
    """
    count = len(effects)
    basis = _free_directions(spreads.sum(axis=0), free)
    size = basis.shape[1]
    fewest = int(min(blocks.min(), 10**9))
    if size == 0 or np.isnan(effects).any() or fewest < FEWEST_BLOCKS + 2 * size:
        return JointTest(math.nan, size, fewest, math.nan)
    found = effects @ basis
    precisions = [np.linalg.pinv(basis.T @ matrix @ basis, hermitian=True) for matrix in spreads]
    total = np.linalg.pinv(sum(precisions), hermitian=True)
    middle = total @ sum(matrix @ value for matrix, value in zip(precisions, found, strict=True))
    squares = sum(float(off @ matrix @ off) for matrix, off in zip(precisions, found - middle, strict=True))
    free_by = (count - 1) * size
    shares = [np.eye(size) - total @ matrix for matrix in precisions]
    freedom = [
        (np.trace(matrix @ matrix) + np.trace(matrix) ** 2) / (number - 1)
        for matrix, number in zip(shares, blocks, strict=True)
    ]
    amount = sum(freedom) / 2
    scale = free_by + 2 * amount - 6 * amount / (free_by + 2)
    degrees = free_by * (free_by + 2) / (3 * amount) if amount > 0 else 1e9
    return JointTest(squares / scale, free_by, fewest, float(f.sf(squares / scale, free_by, degrees)))


def _free_directions(spread: Floats, free: int) -> Floats:
    """Return the directions in which standardised estimates vary most, float64[k, at most free]."""
    errors = np.sqrt(np.diag(spread))
    strength, axes = np.linalg.eigh(spread / np.outer(errors, errors))
    kept = [place for place in np.argsort(-strength)[:free] if strength[place] > ALONE * strength[-1]]
    return np.asarray(axes[:, kept] / errors[:, None], dtype=np.float64)


def _levelled(contrasts: Sequence[Sequence[Contrast]]) -> Floats:
    """Return factors for the covariances that give every share the variance of the folders' common share.

    If the effects are equal, so are the shares; a share that is small by chance must not appear more precise.
    """
    fair = np.array([[contrast.fair for contrast in row] for row in contrasts])
    shares = np.clip(
        np.array([[contrast.effect.value for contrast in row] for row in contrasts]) / 100 + fair, 0.0, 1.0
    )
    games = np.array([[contrast.effect.effective for contrast in row] for row in contrasts])
    common = (shares * games).sum(axis=0) / games.sum(axis=0)
    separate, pooled = shares * (1 - shares), common * (1 - common)
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.sqrt(pooled / separate)
    factors = np.where(np.isfinite(factors) & (separate > ROUNDING), factors, 1.0)
    return np.asarray(factors[:, :, None] * factors[:, None, :], dtype=np.float64)


def _covariance(claim: Effects, places: Sequence[int]) -> Floats:
    """Return the covariance of some effects; variances that are not known follow from the intervals."""
    found = np.zeros((len(places), len(places)))
    if claim.covariance is not None:
        found = np.nan_to_num(claim.covariance[np.ix_(places, places)])
    blank = np.flatnonzero(np.diag(found) <= 0)
    found[blank, blank] = [_error(claim.contrasts[places[place]]) ** 2 for place in blank.tolist()]
    return found


def _error(contrast: Contrast) -> float:
    return (contrast.effect.high - contrast.effect.low) / 2 / float(norm.isf(ALPHA / 2))


def _usable(contrast: Contrast) -> bool:
    return contrast.effect.high > contrast.effect.low and contrast.blocks >= FEWEST_BLOCKS
