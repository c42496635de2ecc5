"""How far a candidate is from its goals, and which of two candidates is closer, on the luck that both played.

A deviation is told in units of what its goal allows, so that a goal is true where none is beyond ±1. The distance is
the largest deviation of all. Two distances are compared by drawing both sets of deviations from their joint normal
distribution, which the pulls of common blocks give: a parametric bootstrap (Efron and Tibshirani 1993, "An Introduction
to the Bootstrap", 6.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.stats import norm

from rogsim.errors import RogsimError
from rogsim.goals import Goal
from rogsim.results import Results
from rogsim.stats.blocks import Floats, Ints
from rogsim.stats.common_luck import Asked, Estimates, covariance, interval, measure
from rogsim.stats.planning import ALPHA, games_for_fair, two_figures
from rogsim.stats.rates import Estimate

DRAWS = 4_000
SEED = 19_830_511  # any fixed number: the same figures each time
ROUNDING = 1e-6  # of a distance


@dataclass(frozen=True)
class Piece:
    """The deviations of one goal with one number of players.

    levels: their names. value: float64[k], in units of the tolerance. pulls: float64[m, k], by luck, as in `Estimates`.
    estimates: what the deviations are of, in their own unit.
    """

    goal: Goal
    players: int
    levels: tuple[str, ...]
    value: Floats
    luck: Ints
    pulls: Floats
    estimates: Estimates

    def estimate(self, place: int, confidence: float = 0.95) -> Estimate:
        """Return one deviation with its interval, in the goal's unit (percentage points for shares)."""
        scale = self.goal.within * self.goal.scale
        error = math.sqrt(float(covariance(self.pulls[:, [place]], self.pulls[:, [place]])[0, 0]))
        n = int(self.estimates.n[place])
        return interval(scale * float(self.value[place]), scale * error, len(self.luck), n, confidence)


@dataclass(frozen=True)
class Verdict:
    """Whether the goals are true of a candidate: surely (kind "true"), surely not ("false"), or not known ("open").

    more: about how many games in all would tell with 80% certainty; None if it is known, or never would be.
    """

    kind: Literal["true", "false", "open"]
    more: int | None


@dataclass(frozen=True)
class Deviations:
    """All deviations of one candidate; `games` for each player count."""

    pieces: tuple[Piece, ...]
    games: int

    @cached_property
    def distance(self) -> float:
        """Return the largest deviation: 1 is just within what is allowed."""
        return max(float(np.nanmax(np.abs(piece.value))) for piece in self.pieces)

    @property
    def error(self) -> float:
        """Return the largest standard error of any deviation."""
        return max(float(np.sqrt(np.nanmax(np.diag(covariance(one.pulls, one.pulls))))) for one in self.pieces)

    @property
    def vector(self) -> Floats:
        """Return all deviations, one piece after the other."""
        return np.concatenate([np.nan_to_num(piece.value) for piece in self.pieces])

    @property
    def farthest(self) -> tuple[Piece, int]:
        """Return the piece that holds the largest deviation, and its place there."""
        piece = max(self.pieces, key=lambda one: float(np.nanmax(np.abs(one.value))))
        return piece, int(np.nanargmax(np.abs(piece.value)))

    def distance_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return an interval of the distance: from the largest that every deviation surely has, to what none exceeds.

        Simultaneous for all levels, so it is on the safe side: its lower end is that of the farthest level.
        """
        count = sum(len(piece.levels) for piece in self.pieces)
        own = 1 - (1 - confidence) / count
        lows, highs = [0.0], [0.0]
        for piece in self.pieces:
            for place in range(len(piece.levels)):
                one = piece.estimate(place, own)
                scale = piece.goal.within * piece.goal.scale
                if not math.isnan(one.low):
                    lows.append(max(one.low, -one.high, 0.0) / scale)
                    highs.append(max(abs(one.low), abs(one.high)) / scale)
        return max(lows), max(highs)

    def verdict(self, tries: int = 1) -> Verdict:
        """Say whether the goals are true.

        They are if for every level two one-sided tests at 5% say so, and are not if any level is beyond for sure, by
        Bonferroni's rule over the levels. tries: how many candidates are judged together, of which one is to be
        taken; the level of both is divided by it.
        """
        alpha = ALPHA / tries
        count = sum(len(piece.levels) for piece in self.pieces)
        inside, beyond, games = True, False, [0.0]
        for piece in self.pieces:
            scale = piece.goal.within * piece.goal.scale
            for place in range(len(piece.levels)):
                near, sure = piece.estimate(place, 1 - 2 * alpha), piece.estimate(place, 1 - alpha / count)
                inside &= -scale <= near.low and near.high <= scale
                beyond |= sure.low > scale or sure.high < -scale
                spread = near.half_width / norm.isf(alpha)
                games.append(self.games * games_for_fair(scale, spread, near.value) if spread > 0 else 0.0)
        if inside or beyond:
            return Verdict("true" if inside else "false", None)
        most = max(games)
        return Verdict("open", two_figures(most) if 0 < most < math.inf else None)


def deviations(results: Results, goals: Sequence[Goal], players: Sequence[int], games: int) -> Deviations:
    """Return how far a run is from its goals, with each number of players."""
    pieces = []
    for count in players:
        found = measure(results, count, [Asked(goal.value, goal.factor) for goal in goals])
        for goal, estimates in zip(goals, found, strict=True):
            if not estimates.levels or goal.level not in ("", *estimates.levels):
                raise RogsimError(f"{goal.text}: there is nothing of that in {games:,} games with {count} players")
            pieces.append(_piece(goal, count, estimates))
    return Deviations(tuple(pieces), games)


def closer(first: Deviations, second: Deviations) -> float:
    """Return how likely the first candidate is closer to its goals than the second, from 0 to 1 (a tie counts half)."""
    rng = np.random.default_rng(SEED)
    ours, theirs = np.zeros(DRAWS), np.zeros(DRAWS)
    for a, b in zip(first.pieces, second.pieces, strict=True):
        luck = np.intersect1d(a.luck, b.luck, assume_unique=True)
        pulls = np.concatenate([_on(a, luck), _on(b, luck)], axis=1)
        middle = np.nan_to_num(np.concatenate([a.value, b.value]))
        spread = np.nan_to_num(covariance(pulls, pulls))
        drawn = np.abs(rng.multivariate_normal(middle, spread, DRAWS, check_valid="ignore", method="eigh"))
        ours = np.maximum(ours, drawn[:, : len(a.value)].max(axis=1))
        theirs = np.maximum(theirs, drawn[:, len(a.value) :].max(axis=1))
    equal = np.isclose(ours, theirs, rtol=0, atol=ROUNDING)
    return float(((ours < theirs) & ~equal).mean() + equal.mean() / 2)


def _piece(goal: Goal, players: int, estimates: Estimates) -> Piece:
    value, pulls = estimates.value, estimates.pulls
    if goal.aim is not None:
        value = value - goal.aim
    elif goal.value == "win_share":
        value = value - 1 / players
    else:
        value, pulls = value - np.nanmean(value), pulls - pulls.mean(axis=1, keepdims=True)
    kept = [place for place, level in enumerate(estimates.levels) if goal.level in ("", level)]
    levels = tuple(estimates.levels[place] or goal.value for place in kept)
    value, pulls = value[kept] / goal.within, pulls[:, kept] / goal.within
    return Piece(goal, players, levels, value, estimates.luck, pulls, estimates.picked(kept))


def _on(piece: Piece, luck: Ints) -> Floats:
    return np.nan_to_num(piece.pulls[np.searchsorted(piece.luck, luck)])
