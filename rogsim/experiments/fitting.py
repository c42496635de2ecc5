"""Fitting an evaluation to the values of lines.

The chance to win that the evaluation gives to the position after a line is fitted, by least squares, to the value that
was found by playing the line on. What counts is how the lines of one choice differ, because a bot only ever compares
these; how likely the seat is to win at all counts a tenth as much.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

BETWEEN_CHOICES = 0.1  # how much the mean of the lines of a choice counts, compared with their differences
RIDGE = 1e-6  # on changes of weights in units of the spread of their features
LEAST_SPREAD = 0.05  # of a feature: lines show hardly anything about one that varies less
MOST_STEPS = 300
HELD_OUT = 10  # one deal in ten is held out
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)  # toward a fit

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Lines:
    """Lines that were compared, with one number of players.

    features: float32[n, seats, features], after the line. place: float[n], between the moments. seat: int[n], whose
    line it is. ended, won: float[n], how often the line ended the game, and its win share then, times that. value:
    float[n], its chance to win. choice: int[n], a number that lines of the same choice share, in order and without
    gaps. deal: int[n], the game's deal. undealt: float[n], in which share of the worlds the game itself stood in.
    """

    features: NDArray[np.float32]
    place: Floats
    seat: NDArray[np.integer[Any]]
    ended: Floats
    won: Floats
    value: Floats
    choice: NDArray[np.integer[Any]]
    deal: NDArray[np.integer[Any]]
    undealt: Floats

    @property
    def choices(self) -> int:
        """Return how many choices were compared."""
        return int(self.choice[-1]) + 1 if len(self.choice) else 0

    @property
    def share_undealt(self) -> float:
        """Return in which share of all worlds the game itself stood in."""
        return float(self.undealt.mean()) if len(self.undealt) else 0.0

    def where(self, chosen: NDArray[np.bool_]) -> Lines:
        """Return the chosen lines; all lines of a choice are chosen, or none."""
        picked = {name: values[chosen] for name, values in vars(self).items()}
        return Lines(**picked | {"choice": np.unique(picked["choice"], return_inverse=True)[1]})

    def split(self) -> tuple[Lines, Lines]:
        """Return the lines to fit to, and those of held-out deals."""
        held_out = self.deal % HELD_OUT == 0
        return self.where(~held_out), self.where(held_out)

    def centred(self, numbers: Floats) -> NDArray[np.float64]:
        """Return how far each line's number is above the mean of its choice."""
        return np.asarray(numbers - self.means(numbers)[self.choice], dtype=np.float64)

    def means(self, numbers: Floats) -> NDArray[np.float64]:
        """Return the mean of the numbers of each choice."""
        return np.bincount(self.choice, numbers) / np.bincount(self.choice)


def _one_thread() -> threadpool_limits:
    """Use one thread for linear algebra: several would add up in another order, and give other weights."""
    return threadpool_limits(limits=1, user_api="blas")


def fit(lines: Lines, start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights that fit the values of lines best.

    Parameters
    ----------
    lines
        The lines to fit to.
    start : float64[moments, features]
        The weights to start from. Where the lines show nothing, they stay as they are.

    Returns
    -------
    float64[moments, features]
        The weights.
    """
    spread = np.maximum(lines.features.std(axis=(0, 1), dtype=np.float64), LEAST_SPREAD)
    scaled = lines.features / spread.astype(np.float32)
    shares, own = moment_shares(lines.place, len(start)), np.arange(len(lines.seat))
    wanted, level = lines.centred(lines.value), lines.means(lines.value)
    first, left = start * spread, 1.0 - lines.ended

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = chances(scaled, shares, flat.reshape(start.shape))
        mine = odds[own, lines.seat]
        given = lines.won + left * mine
        missed, off = lines.centred(given) - wanted, lines.means(given) - level
        change = flat - first.ravel()
        total = (missed**2).mean() + BETWEEN_CHOICES * (off[lines.choice] ** 2).mean() + RIDGE * float(change @ change)
        slope = 2.0 * (missed + BETWEEN_CHOICES * off[lines.choice]) / len(given) * left * mine
        by_seat = -slope[:, None] * odds
        by_seat[own, lines.seat] += slope
        summed = np.einsum("ns,nsf->nf", by_seat.astype(np.float32), scaled, optimize=True)
        return float(total), (shares.T @ summed).ravel().astype(np.float64) + 2.0 * RIDGE * change

    with _one_thread():
        found = minimize(loss, first.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS})
    return np.asarray(found.x.reshape(start.shape) / spread)


def best_step(lines: Lines, start: NDArray[np.float64], end: NDArray[np.float64]) -> float:
    """Return how far to go from one set of weights toward another: the one of STEPS that explains held-out lines best.

    A fit to few lines follows their chance. The fewer there are, the less of the way to it is worth going.
    """
    with _one_thread():
        found = [explained(lines, start + step * (end - start)) for step in STEPS]
    return STEPS[int(np.argmax(found))]


def explained(lines: Lines, weights: NDArray[np.float64]) -> float:
    """Return the share of the variance within choices that weights, float64[moments, features], explain."""
    odds = chances(lines.features, moment_shares(lines.place, len(weights)), weights)
    given = lines.won + (1.0 - lines.ended) * odds[np.arange(len(lines.seat)), lines.seat]
    wanted = lines.centred(lines.value)
    missed = lines.centred(given) - wanted
    return 1.0 - float((missed**2).sum() / max((wanted**2).sum(), 1e-12))


def moment_shares(place: Floats, moments: int) -> NDArray[np.float32]:
    """Return how much the weights of each moment count, float32[n, moments]: what `chance_to_win` mixes them by."""
    return np.maximum(0.0, 1.0 - np.abs(place[:, None] - np.arange(moments))).astype(np.float32)


def chances(
    features: NDArray[np.float32], shares: NDArray[np.float32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the chance of each seat to win, float64[n, seats]."""
    worth = np.einsum("nsf,nf->ns", features, shares @ weights.astype(np.float32), optimize=True).astype(np.float64)
    odds = np.exp(worth - worth.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
