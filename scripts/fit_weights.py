"""Fit the weights of an evaluation to positions and the results of their games.

The first step is least squares: how many points a seat finishes ahead of the mean, given how far its features
are ahead. Points carry more information than who won, so few games are enough; but winning counts. So the weights
are then refined as those of a conditional logit (McFadden 1974), as the evaluation uses them, by maximum likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from rogsim.base.errors import RogsimError
from rogsim.games.river_of_gold.bots.evaluation import LAST, MOMENTS

HELD_OUT = 10  # one game in ten is held out
LOGIT_PER_POINT = 0.12  # what a point ahead adds to the log odds, as a first guess
LEAST_SPREAD = 0.05  # of a feature: games carry hardly any information about a feature that varies less
POINTS_RIDGE, LOGIT_RIDGE = 1e-7, 1e-6  # on weights of features in units of their spread
ROWS = 20_000  # positions at once


@dataclass(frozen=True)
class Sample:
    """Positions of one player count.

    features: float[n, seats, features]. left: float[n], the time left, negative in the last turns. points, win_share:
    float[n, seats], of the finished game. game: int[n], its number.
    """

    features: NDArray[np.floating]
    left: NDArray[np.floating]
    points: NDArray[np.floating]
    win_share: NDArray[np.floating]
    game: NDArray[np.integer]

    def where(self, chosen: NDArray[np.bool_]) -> Sample:
        """Return the positions chosen."""
        parts = (self.features, self.left, self.points, self.win_share, self.game)
        return Sample(*(part[chosen] for part in parts))

    def split(self) -> tuple[Sample, Sample]:
        """Return the positions to fit to, and those of held-out games; RogsimError if there are none of either."""
        held_out = self.game % HELD_OUT == 0
        if held_out.all() or not held_out.any():
            raise RogsimError(f"--games: too few, {len(self.game)} positions were recorded")
        return self.where(~held_out), self.where(held_out)

    @property
    def games(self) -> int:
        """Return the number of games with a position in this sample."""
        return len(np.unique(self.game))


@dataclass(frozen=True)
class Fit:
    """The fit for one player count, and how well it predicts held-out games.

    weights: float64[moments, features]. r2: share of the variance of centred points that the least squares explain.
    log_loss: of the weights, mean over positions in natural units; before: with the weights of the least squares;
    even: with equal chances.
    """

    weights: NDArray[np.float64]
    fitted: Sample
    held_out: Sample
    r2: float
    log_loss: float
    before: float
    even: float


def fit(sample: Sample, steps: int) -> Fit:
    """Fit to nine tenths of the games and measure on the rest; `steps` of the logit at most, 0 for none."""
    fitted, held_out = sample.split()
    spread = np.maximum(fitted.features.std(axis=(0, 1), dtype=np.float64), LEAST_SPREAD)
    by_points = least_squares(fitted, spread)
    first = by_points * LOGIT_PER_POINT
    weights = conditional_logit(fitted, spread, first, steps) if steps else first
    even = np.zeros_like(weights)
    losses = [log_loss(held_out, trial) for trial in (weights, first, even)]
    return Fit(weights, fitted, held_out, explained(held_out, by_points), *losses)


def least_squares(sample: Sample, spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights in points, float64[moments, features]."""
    size = len(MOMENTS) * sample.features.shape[2]
    squares, products, rows = np.zeros((size, size)), np.zeros(size), 0
    for begin in range(0, len(sample.left), ROWS):
        part = slice(begin, begin + ROWS)
        ahead = centred(sample.features[part]) / spread
        columns = (moment_shares(sample.left[part])[:, None, :, None] * ahead[:, :, None, :]).reshape(-1, size)
        squares += columns.T @ columns
        products += columns.T @ centred(sample.points[part]).ravel()
        rows += len(columns)
    found = np.linalg.solve(squares / rows + POINTS_RIDGE * np.eye(size), products / rows)
    return found.reshape(len(MOMENTS), -1) / spread


def conditional_logit(
    sample: Sample, spread: NDArray[np.float64], start: NDArray[np.float64], steps: int
) -> NDArray[np.float64]:
    """Return weights in log odds, float64[moments, features], by L-BFGS from `start`."""
    scaled = sample.features / spread
    shares = moment_shares(sample.left)

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = chances(values(scaled, shares, flat.reshape(start.shape)))
        miss = (odds - sample.win_share) / len(odds)
        slope = np.einsum("nk,nf->kf", shares, np.einsum("ns,nsf->nf", miss, scaled))
        total = _log_loss(odds, sample.win_share) + LOGIT_RIDGE * float(flat @ flat)
        return total, slope.ravel() + 2 * LOGIT_RIDGE * flat

    found = minimize(loss, (start * spread).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return found.x.reshape(start.shape) / spread


def moment_shares(left: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return how much the weights of each moment count, float64[n, moments]: what `weigh_moment` mixes them by."""
    place = (1.0 - np.minimum(left, 1.0)) * (LAST - 1)
    shares = np.maximum(0.0, 1.0 - np.abs(place[:, None] - np.arange(len(MOMENTS))))
    shares[left < 0] = np.arange(len(MOMENTS)) == LAST
    return shares


def values(
    features: NDArray[np.floating], shares: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the value of each seat, float64[n, seats]."""
    return np.einsum("nsf,nf->ns", features, shares @ weights)


def chances(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance of each seat to win, float64[n, seats]."""
    odds = np.exp(worth - worth.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def log_loss(sample: Sample, weights: NDArray[np.float64]) -> float:
    """Return the mean log loss of the chances to win, in natural units."""
    worth = values(sample.features, moment_shares(sample.left), weights)
    return _log_loss(chances(worth), sample.win_share)


def explained(sample: Sample, weights: NDArray[np.float64]) -> float:
    """Return the share of the variance of centred points that weights in points explain."""
    points = centred(sample.points)
    missed = points - centred(values(sample.features, moment_shares(sample.left), weights))
    return 1.0 - float((missed**2).sum() / (points**2).sum())


def centred(numbers: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return how far each seat is ahead of the mean of all."""
    return np.asarray(numbers - numbers.mean(axis=1, keepdims=True, dtype=np.float64), dtype=np.float64)


def _log_loss(odds: NDArray[np.float64], win_share: NDArray[np.floating]) -> float:
    return -float((win_share * np.log(np.maximum(odds, 1e-12))).sum(axis=1).mean())
