"""How far candidates are from their goals, and which of two is closer, on the deals that both played.

A deviation is measured in units of its goal's tolerance, so that a goal is met if no deviation is beyond ±1. The
distance is the largest deviation of all. It is a selected maximum, and its interval and the comparison of two distances
allow for that (`rogsim.stats.paired.fairness`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.results.results import Results
from rogsim.scenario.goals import Goal
from rogsim.stats.blocks import Floats, Ints
from rogsim.stats.contrasts import FEWEST_BLOCKS
from rogsim.stats.estimates import ALPHA, CONFIDENCE, Estimate, by_size
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, interval, measure
from rogsim.stats.paired.fairness import Bounds, bounds
from rogsim.stats.prospects import POWER, Bools, Outlook, Prospect, prospect

ROUNDING = 1e-6  # of a distance

GoalVerdict = Literal["true", "false", "open"]


@dataclass(frozen=True)
class Piece:
    """The deviations from one goal with one player count.

    Attributes
    ----------
    levels
        Names of the levels.
    value : float64[k]
        Deviations in units of the tolerance.
    deals : int64[m]
        Deals, ascending.
    influence : float64[m, k]
        Influence values by deal, as in `Estimates`.
    estimates
        The estimates that deviate, in their own unit.
    """

    goal: Goal
    players: int
    levels: tuple[str, ...]
    value: Floats
    deals: Ints
    influence: Floats
    estimates: Estimates

    @property
    def unit(self) -> float:
        """Return the size of a deviation of 1 in the goal's own unit (percentage points for shares)."""
        return self.goal.within * self.goal.scale

    @cached_property
    def carriers(self) -> Ints:
        """Return in how many blocks each level occurred, int64[k]; other blocks carry no information about it."""
        blocks = np.full(len(self.levels), len(self.deals))
        if self.goal.factor in ("", "seat"):
            return blocks
        moving = np.count_nonzero(self.influence, axis=0)
        return np.minimum(self.estimates.n, np.where(moving > 0, moving, blocks))

    @cached_property
    def shares(self) -> Floats:
        """Return what each block adds to each deviation, float64[m, k]; the squares add up to the variances."""
        blocks = len(self.deals)
        if blocks < 2:
            return np.full_like(self.influence, np.nan)
        return np.nan_to_num(self.influence) / math.sqrt(blocks * (blocks - 1))

    @cached_property
    def errors(self) -> Floats:
        """Return the standard errors of the deviations, float64[k]."""
        return np.sqrt(np.square(self.shares).sum(axis=0) + self.floor**2)

    @cached_property
    def floor(self) -> Floats:
        """Return an additional standard error of each deviation, float64[k]; its square is added to the variance.

        For a win share it is one win divided by the blocks: a share that never varied is not known exactly either.
        """
        least = 1.0 / (self.goal.within * np.maximum(self.carriers, 1))
        return least if self.goal.value == "win_share" else np.zeros(len(self.levels))

    @property
    def error(self) -> float:
        """Return the largest standard error of the deviations, without `floor`."""
        return float(np.nanmax(np.sqrt(np.square(self.shares).sum(axis=0))))

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one deviation with its interval, in the goal's unit; no interval for a level in too few blocks."""
        n, value = int(self.estimates.n[place]), self.unit * float(self.value[place])
        if self.carriers[place] < FEWEST_BLOCKS:
            return Estimate(value, math.nan, math.nan, n, float(n))
        return interval(value, self.unit * float(self.errors[place]), int(self.carriers[place]), n, confidence)


@dataclass(frozen=True)
class Deviations:
    """All deviations of one candidate.

    Attributes
    ----------
    pieces
        One for each goal and player count.
    games
        Number of games played with each player count.
    tries
        How many candidates are judged together, one of which will be chosen.
    """

    pieces: tuple[Piece, ...]
    games: int
    tries: int = 1

    @cached_property
    def distance(self) -> float:
        """Return the absolute value of the largest deviation, in units of the tolerance: 1 is just within it."""
        return max(float(np.nanmax(np.abs(piece.value))) for piece in self.pieces)

    @property
    def error(self) -> float:
        """Return the largest standard error of any deviation."""
        return max(piece.error for piece in self.pieces)

    @property
    def vector(self) -> Floats:
        """Return all deviations, float64[k], piece by piece, in units of the tolerance."""
        return np.concatenate([np.nan_to_num(piece.value) for piece in self.pieces])

    @property
    def farthest(self) -> tuple[Piece, int]:
        """Return the piece with the largest deviation and its place there; in a tie, that of the favoured level."""
        places = [(piece, place) for piece in self.pieces for place in range(len(piece.value))]
        return max(places, key=lambda found: by_size(float(found[0].value[found[1]])))

    @property
    def blocks(self) -> int:
        """Return the smallest number of blocks in which any level occurred."""
        return min(int(piece.carriers.min()) for piece in self.pieces)

    @property
    def confidence(self) -> float:
        """Return the confidence of intervals that hold together for all candidates, and so for the chosen one."""
        return 1 - (1 - CONFIDENCE) / self.tries

    def distance_interval(self, confidence: float | None = None) -> tuple[float, float]:
        """Return an interval for the distance that allows for the selection of the largest deviation.

        The ends are in units of the tolerance; nan if a level occurred in too few blocks.

        Parameters
        ----------
        confidence
            By default that with which the intervals of all candidates that are judged together hold together.
        """
        ends = self.bounds_against(()).interval(self.distance, confidence or self.confidence, self.games)
        return (ends.low if math.isnan(ends.low) else max(0.0, ends.low)), ends.high

    @property
    def farthest_estimate(self) -> Estimate:
        """Return the absolute value of the largest deviation with the interval of the distance, in its goal's unit."""
        piece, place = self.farthest
        low, high = self.distance_interval()
        n = int(piece.estimates.n[place])
        return Estimate(piece.unit * self.distance, piece.unit * low, piece.unit * high, n, float(n))

    def judged_among(self, tries: int) -> Deviations:
        """Return the same deviations, to be judged as one of that many candidates."""
        return replace(self, tries=tries)

    def bounds_against(self, base: Sequence[Piece]) -> Bounds:
        """Return bounds for the distance minus that of the pieces in `base`, or for the distance itself without any."""
        pieces = (*self.pieces, *base)
        value = np.concatenate([np.nan_to_num(piece.value) for piece in pieces])
        count = sum(len(piece.levels) for piece in self.pieces)
        blocks = min(int(piece.carriers.min()) for piece in pieces)
        return bounds(value[:count], value[count:], _spread(pieces), blocks)

    @cached_property
    def verdict(self) -> GoalVerdict:
        """Return whether the goals are met: clearly so, clearly not, or unknown.

        They are met if two one-sided tests at 5% show it for every level. They are not met if any level is clearly
        outside its tolerance, by Bonferroni's rule over the levels. The level of both tests is divided by `tries`.
        """
        if self.blocks < FEWEST_BLOCKS:
            return "open"
        alpha, count = ALPHA / self.tries, len(self.vector)
        inside, beyond = True, False
        for piece in self.pieces:
            for place in range(len(piece.levels)):
                near, sure = piece.estimate(place, 1 - 2 * alpha), piece.estimate(place, 1 - alpha / count)
                inside &= -piece.unit <= near.low and near.high <= piece.unit
                beyond |= sure.low > piece.unit or sure.high < -piece.unit
        return "true" if inside else "false" if beyond else "open"

    @cached_property
    def prospect(self) -> Prospect | None:
        """Return how many more games decide whether the goals are met, with a chance of 80%.

        None if it is decided, if too few blocks have been played, or if no number of games is likely to decide it.
        """
        if self.verdict != "open" or self.blocks < FEWEST_BLOCKS:
            return None
        outlook, alpha, count = Outlook(self.vector, _spread(self.pieces), 1.0), ALPHA / self.tries, len(self.vector)

        def decided(growth: float) -> tuple[Bools, Bools]:
            return outlook.within(growth, 1.0, alpha), outlook.beyond(growth, 1.0, alpha / 2 / count)

        return prospect(self.games, decided, POWER)


def deviations(results: Results, goals: Sequence[Goal], players: Sequence[int], games: int) -> Deviations:
    """Return how far a run is from its goals.

    Parameters
    ----------
    players
        Player counts to measure.
    games
        Number of games played with each of them.

    Raises
    ------
    RogsimError
        If a goal has no rows to be estimated from.
    """
    pieces = []
    for count in players:
        found = measure(results, count, [Estimand(goal.value, goal.factor) for goal in goals])
        for goal, estimates in zip(goals, found, strict=True):
            if not estimates.levels or goal.level not in ("", *estimates.levels):
                raise RogsimError(f"{goal.text}: nothing to estimate this from in {games:,} games with {count} players")
            pieces.append(piece_of(goal, count, estimates))
    return Deviations(tuple(pieces), games)


def closer(first: Deviations, second: Deviations) -> float:
    """Return the confidence that the first candidate is closer to its goals than the second, from 0 to 1.

    It is the confidence level of the widest interval for the difference that excludes 0. If two candidates are equally
    close, one is declared closer with at least 95% confidence in at most 5% of cases, and with 99% in at most 1%. 0.5
    means that neither is known to be closer.
    """
    if abs(first.distance - second.distance) < ROUNDING:
        return 0.5
    if first.distance > second.distance:
        return 1.0 - closer(second, first)
    p = second.bounds_against(first.pieces).p_above()
    return 0.5 if math.isnan(p) else max(0.5, 1.0 - 2.0 * p)


def surely_closer(first: Deviations, second: Deviations, alpha: float) -> bool:
    """Return whether `closer` is at least 1 - alpha; faster than computing it."""
    if second.distance - first.distance < ROUNDING:
        return False
    return second.bounds_against(first.pieces).is_above(alpha / 2)


def farther_by(first: Deviations, second: Deviations, confidence: float = CONFIDENCE) -> Estimate:
    """Return the distance of the first candidate minus that of the second, in units of the tolerance."""
    found = first.distance - second.distance
    if first.vector.shape == second.vector.shape and np.allclose(first.vector, second.vector, rtol=0, atol=ROUNDING):
        return Estimate(0.0, 0.0, 0.0, first.games, float(first.games))
    return first.bounds_against(second.pieces).interval(found, confidence, min(first.games, second.games))


def _spread(pieces: Sequence[Piece]) -> Floats:
    """Return the covariance of the deviations of several pieces, with the additional error of each."""
    return _covariance(pieces) + np.diag(np.concatenate([piece.floor for piece in pieces]) ** 2)


def _covariance(pieces: Sequence[Piece]) -> Floats:
    """Return the covariance of all deviations in some pieces, float64[k, k]; on the same deals they are correlated."""
    deals = np.unique(np.concatenate([piece.deals for piece in pieces]))
    columns = []
    for piece in pieces:
        column = np.zeros((len(deals), len(piece.levels)))
        column[np.searchsorted(deals, piece.deals)] = piece.shares
        columns.append(column)
    joined = np.concatenate(columns, axis=1)
    return np.asarray(joined.T @ joined)


def piece_of(goal: Goal, players: int, estimates: Estimates) -> Piece:
    """Return the deviations of estimates from a goal, with one player count.

    They are taken from the goal's aim; without one, from the fair share or from the mean over the levels.
    """
    value, influence = estimates.value, estimates.influence
    if goal.aim is not None:
        value = value - goal.aim
    elif goal.value == "win_share":
        value = value - 1 / players
    else:
        value, influence = value - np.nanmean(value), influence - influence.mean(axis=1, keepdims=True)
    kept = [place for place, level in enumerate(estimates.levels) if goal.level in ("", level)]
    levels = tuple(estimates.levels[place] or goal.value for place in kept)
    value, influence = value[kept] / goal.within, influence[:, kept] / goal.within
    return Piece(goal, players, levels, value, estimates.deals, influence, estimates.picked(kept))
