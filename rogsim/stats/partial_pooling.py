"""Partial pooling: estimates of many levels that borrow strength from each other.

Each item (a level, or a level in a seat) has an effect in each of some contexts (a player count, a set of bots):

    estimate of item i = effects of item i + noise,           noise ~ N(0, the estimates' variances)
    effects of item i  ~ N(0, scale_i^2 * T),                 T: what contexts have in common, 1 on its diagonal
    scale_i^2          = tau^2 * nu / chi^2(nu),              so an effect is Student's t with nu degrees of freedom

T mixes parts: one that all contexts share, one for each player count, one for each set of bots, and one for each
context by itself. Priors: half-Cauchy on tau, equal weights for a few values of nu, and a Dirichlet distribution with
all parameters 1/2 on the shares of the parts. All three are summed out on a grid, so nothing is sampled, and the
uncertainty about them is part of every interval. (The prior: Gelman 2006, "Prior distributions for variance parameters
in hierarchical models", Bayesian Analysis 1(3). Scale mixtures of normals: Stephens 2017, "False discovery rates: a new
deal", Biostatistics 18(2).)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from scipy.special import chdtrc, ndtr
from scipy.stats import halfcauchy

from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import CONFIDENCE

TYPICAL = 4.0  # pp: median of the prior on tau, which has a heavy tail
STEP = 1.3  # ratio of neighbouring scales of the grid
TAUS = 0.05 * STEP ** np.arange(25)  # pp, up to 27
SCALES = 0.02 * STEP ** np.arange(34)  # pp, up to 115
TAILS = (2.0, 4.0, np.inf)  # degrees of freedom: from a few huge effects among small ones to normal
TWO_PARTS, FOUR_PARTS = 10, 4  # grid steps for the shares of two or of four parts of T
UNKNOWN = 1e9  # pp^2: the variance of a missing estimate
HALVINGS = 30  # of the interval that contains a quantile
TINY = 1e-9  # pp or pp^2, instead of 0
LIGHT = 1e-6  # weight below which a component is negligible

Context = tuple[int, int]  # a player count, and the index of a set of bots


@dataclass(frozen=True)
class Pooled:
    """Effects after pooling, in percentage points; the last column is the mean over the contexts.

    Attributes
    ----------
    value : float64[items, contexts + 1]
        Posterior means.
    low, high : float64[items, contexts + 1]
        Ends of the 95% credible interval.
    chance : float64[items, contexts + 1]
        Posterior probability, 0 to 1, that the effect is farther from 0 than the margin.
    """

    value: Floats
    low: Floats
    high: Floats
    chance: Floats


def pool(
    estimates: Floats, variances: Floats, contexts: Sequence[Context], margin: float, free: Floats | None = None
) -> Pooled:
    """Return the effects of several items in several contexts after pooling.

    Parameters
    ----------
    estimates : float64[items, contexts]
        Differences from fair in pp, nan where there is none.
    variances : float64[items, contexts]
        Variances of the estimates, in pp squared.
    contexts
        Player count and set of bots of each column.
    margin
        Margin of equivalence, in pp.
    free : float64[items]
        The share of each estimate that is free to vary: (k - 1) / k for k levels whose shares add up to 1. It is
        the weight of the item's likelihood for tau, nu and T; given these, the other items do not matter.
    """
    missing = np.isnan(estimates) | np.isnan(variances)
    noise = np.where(missing, UNKNOWN, np.maximum(variances, TINY))
    y = np.where(missing, 0.0, estimates)
    free = np.ones(len(y)) if free is None else free
    shapes, prior = _shapes(contexts)
    roots = np.sqrt(noise)[:, None, :]
    spread, axes = np.linalg.eigh(shapes / (roots[..., :, None] * roots[..., None, :]))
    spread = np.maximum(spread, 0.0)  # [items, shapes, contexts]
    z = np.einsum("isab,ia->isb", axes, y / roots[:, 0])
    weights = _weights(_likelihood(spread, z), np.log(prior), free)
    wanted = np.vstack([np.eye(y.shape[1]), np.full(y.shape[1], 1 / y.shape[1])])
    loadings = wanted @ (roots[..., None] * axes)  # [items, shapes, contexts + 1, contexts]
    kept = _shrinkage(spread)
    mean = np.einsum("isac,isgc,isc->iasg", loadings, kept, z)
    error = np.sqrt(np.einsum("isac,isgc->iasg", loadings**2, kept))
    return _summary(weights, mean, np.maximum(error, TINY), margin)


def _shapes(contexts: Sequence[Context]) -> tuple[Floats, Floats]:
    """Return the matrices T of the grid, float64[shapes, contexts, contexts], and their prior weights."""
    single = np.eye(len(contexts))
    players, bots = np.array(contexts).T
    same = [(kind[:, None] == kind).astype(np.float64) for kind in (players, bots)]
    every = np.ones_like(single)
    crossed = all(not np.array_equal(part, other) for part in same for other in (single, every))
    parts = [every, *same, single] if crossed else [every, single] if len(contexts) > 1 else [single]
    portions = FOUR_PARTS if crossed else TWO_PARTS
    picks = combinations_with_replacement(range(len(parts)), portions)
    counts = np.array([np.bincount(pick, minlength=len(parts)) for pick in picks])
    prior = np.prod((counts + 0.25) ** -0.5, axis=1)  # a quarter keeps the density finite where a share is 0
    return np.einsum("sp,pab->sab", counts / portions, np.array(parts)), prior


def _shrinkage(spread: Floats) -> Floats:
    """Return the factor of an estimate along each axis and with each scale, float64[items, shapes, scales, axes]."""
    signal = spread[:, :, None, :] * SCALES[:, None] ** 2
    return signal / (signal + 1)


def _likelihood(spread: Floats, z: Floats) -> Floats:
    """Return the likelihood of each item's estimates relative to its largest, float64[items, shapes, scales]."""
    variance = spread[:, :, None, :] * SCALES[:, None] ** 2 + 1
    log = -0.5 * (np.log(variance) + z[:, :, None, :] ** 2 / variance).sum(axis=-1)
    return np.exp(log - log.max(axis=(1, 2), keepdims=True))


def _priors() -> tuple[Floats, Floats]:
    """Return for each tau and nu the weights of the scales, float64[priors, scales], and its log prior weight."""
    edges = np.append(SCALES[:-1] * STEP**0.5, np.inf)
    ratios = (TAUS[:, None] / edges) ** 2
    below = [
        np.asarray(chdtrc(nu, nu * ratios) if np.isfinite(nu) else (ratios <= 1), dtype=np.float64) for nu in TAILS
    ]
    weights = np.diff(np.concatenate(below), axis=1, prepend=0.0)
    log = np.log(halfcauchy.pdf(TAUS, scale=TYPICAL) * TAUS)  # the grid is even in log(tau)
    return weights, np.tile(log, len(TAILS))


def _weights(likelihood: Floats, shapes: Floats, free: Floats) -> Floats:
    """Return the posterior weight of each shape and scale for each item, float64[items, shapes, scales].

    shapes: float64[shapes], logarithms of the prior weights.
    """
    scales, log = _priors()
    given = likelihood @ scales.T  # [items, shapes, priors]
    total = shapes[:, None] + log + np.einsum("i,isp->sp", free, np.log(np.maximum(given, 1e-300)))
    posterior = np.exp(total - total.max())
    posterior /= posterior.sum()
    return likelihood * ((posterior / np.maximum(given, 1e-300)) @ scales)


def _summary(weights: Floats, mean: Floats, error: Floats, margin: float) -> Pooled:
    """Summarise mixtures of normals; weights [items, shapes, scales], mean and error [items, contexts + 1, ...]."""
    shape = mean.shape[:2]
    weights, mean, error = _heaviest(weights, *(part.reshape(*shape, -1) for part in (mean, error)))

    def below(limit: Floats | float) -> Floats:
        limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), shape)
        return np.einsum("ik,iak->ia", weights, ndtr((limits[..., None] - mean) / error))

    value = np.einsum("ik,iak->ia", weights, mean)
    low, high = (mean - 8 * error).min(axis=-1), (mean + 8 * error).max(axis=-1)
    tail = (1 - CONFIDENCE) / 2
    chance = np.clip(below(-margin) + 1 - below(margin), 0.0, 1.0)
    return Pooled(value, _quantile(below, low, high, tail), _quantile(below, low, high, 1 - tail), chance)


def _heaviest(weights: Floats, mean: Floats, error: Floats) -> tuple[Floats, Floats, Floats]:
    """Leave out components whose weight is negligible in every item."""
    flat = weights.reshape(len(weights), -1)
    flat = flat / flat.sum(axis=1, keepdims=True)
    count = int((flat > LIGHT).sum(axis=1).max())
    order = np.argsort(-flat, axis=1)[:, :count]
    kept = np.take_along_axis(flat, order, axis=1)
    mean, error = (np.take_along_axis(part, order[:, None, :], axis=2) for part in (mean, error))
    return kept / kept.sum(axis=1, keepdims=True), mean, error


def _quantile(below: Callable[[Floats], Floats], low: Floats, high: Floats, p: float) -> Floats:
    """Return the p-quantile of a distribution function, which lies between low and high."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        more = below(middle) < p
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return (low + high) / 2
