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

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.results.results import Results
from rogsim.scenario.goals import Goal
from rogsim.stats.contrasts import FEWEST_BLOCKS
from rogsim.stats.effects import beyond
from rogsim.stats.estimates import ALPHA, CONFIDENCE, Estimate, by_size
from rogsim.stats.judgement import Kind
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates, interval, measure, side_by_side
from rogsim.stats.paired.fairness import Bounds, bounds
from rogsim.stats.prospects import POWER, Bools, Outlook, Prospect, prospect

ROUNDING = 1e-6  # of a distance


@dataclass(frozen=True, kw_only=True)
class Deviations(Estimates):
    """All deviations of one candidate, in units of the tolerance: those of each goal with each player count.

    Attributes
    ----------
    goals, players
        The goal and the player count of each deviation.
    measured
        What deviates, in its own unit.
    tries
        How many candidates are judged together, one of which will be chosen.
    """

    goals: tuple[Goal, ...]
    players: tuple[int, ...]
    measured: tuple[Estimate, ...]
    tries: int = 1

    @property
    def distance(self) -> float:
        """Return the absolute value of the largest deviation, in units of the tolerance: 1 is just within it."""
        return float(np.abs(self.value).max())

    @property
    def error(self) -> float:
        """Return the largest standard error of any deviation, without what `least` adds."""
        return math.sqrt(float(np.diag(self.covariance).max()))

    @property
    def farthest(self) -> int:
        """Return the place of the largest deviation; in a tie, that of the favoured level."""
        return max(range(len(self.levels)), key=lambda place: by_size(float(self.value[place])))

    @property
    def confidence(self) -> float:
        """Return the confidence of intervals that hold together for all candidates, and so for the chosen one."""
        return 1 - (1 - CONFIDENCE) / self.tries

    def places(self, goal: Goal, players: int = 0) -> list[int]:
        """Return the places of the deviations from a goal, by default with all player counts."""
        pairs = zip(self.goals, self.players, strict=True)
        return [place for place, found in enumerate(pairs) if found[0] == goal and players in (0, found[1])]

    def unit(self, place: int) -> float:
        """Return the size of a deviation of 1 in its goal's own unit (percentage points for shares)."""
        return self.goals[place].within * self.goals[place].scale

    def estimate(self, place: int, confidence: float = CONFIDENCE) -> Estimate:
        """Return one deviation with its interval, in its goal's unit; no interval for a level in too few blocks."""
        unit, held, n = self.unit(place), int(self.held[place]), int(self.n[place])
        error = unit * float(self.errors[place]) if held >= FEWEST_BLOCKS else math.nan
        return interval(unit * float(self.value[place]), error, held, n, confidence)

    def distance_interval(self, confidence: float | None = None) -> tuple[float, float]:
        """Return an interval for the distance that allows for the selection of the largest deviation.

        The ends are in units of the tolerance; nan if a level occurred in too few blocks.

        Parameters
        ----------
        confidence
            By default that with which the intervals of all candidates that are judged together hold together.
        """
        ends = _bounds(self).interval(self.distance, confidence or self.confidence, self.games)
        return (ends.low if math.isnan(ends.low) else max(0.0, ends.low)), ends.high

    @property
    def farthest_estimate(self) -> Estimate:
        """Return the absolute value of the largest deviation with the interval of the distance, in its goal's unit."""
        unit, n = self.unit(self.farthest), int(self.n[self.farthest])
        low, high = self.distance_interval()
        return Estimate(unit * self.distance, unit * low, unit * high, n, float(n))

    @cached_property
    def kind(self) -> Kind:
        """Return whether the goals are met: clearly so ("within"), clearly not ("beyond"), or unknown ("open").

        They are met if two one-sided tests at 5% show it for every level. They are not met if any level is clearly
        outside its tolerance, by Bonferroni's rule over the levels. The level of both tests is divided by `tries`.
        """
        if self.held.min() < FEWEST_BLOCKS:
            return "open"
        alpha, count = ALPHA / self.tries, len(self.levels)
        near, sure = (
            [self.estimate(place, confidence) for place in range(count)]
            for confidence in (1 - 2 * alpha, 1 - alpha / count)
        )
        units = [self.unit(place) for place in range(count)]
        if all(-unit <= found.low and found.high <= unit for unit, found in zip(units, near, strict=True)):
            return "within"
        return "beyond" if any(map(beyond, sure, units)) else "open"

    @cached_property
    def prospect(self) -> Prospect | None:
        """Return how many more games decide whether the goals are met, with a chance of 80%.

        None if it is decided, if too few blocks have been played, or if no number of games is likely to decide it.
        """
        if self.kind != "open" or self.held.min() < FEWEST_BLOCKS:
            return None
        outlook, alpha, count = Outlook(self.value, self.spread, 1.0), ALPHA / self.tries, len(self.levels)

        def decided(growth: float) -> tuple[Bools, Bools]:
            return outlook.within(growth, 1.0, alpha), outlook.beyond(growth, 1.0, alpha / 2 / count)

        return prospect(self.games, decided, POWER)


def deviations(results: Results, goals: Sequence[Goal], players: Sequence[int]) -> Deviations:
    """Return how far a run is from its goals.

    Parameters
    ----------
    players
        Player counts to measure.

    Raises
    ------
    RogsimError
        If a goal has no rows to be estimated from.
    """
    found = []
    for count in players:
        measured = measure(results, count, [Estimand(goal.value, goal.factor) for goal in goals])
        for goal, estimates in zip(goals, measured, strict=True):
            if not estimates.levels or goal.level not in ("", *estimates.levels):
                played = f"{estimates.games:,} games with {count} players"
                raise RogsimError(f"{goal.text}: nothing to estimate this from in {played}")
            found.append((goal, count, estimates))
    return deviations_of(found)


def deviations_of(measured: Sequence[tuple[Goal, int, Estimates]]) -> Deviations:
    """Return how far some estimates are from their goals. measured: goals, player counts, and what deviates."""
    kept = [
        (goal, players, estimates, [place for place, level in enumerate(estimates.levels) if goal.level in ("", level)])
        for goal, players, estimates in measured
    ]
    joined = side_by_side([_off(goal, estimates, places) for goal, _, estimates, places in kept])
    return Deviations(
        **vars(joined),
        goals=tuple(goal for goal, _, _, places in kept for _ in places),
        players=tuple(players for _, players, _, places in kept for _ in places),
        measured=tuple(estimates.estimate(place) for _, _, estimates, places in kept for place in places),
    )


def _off(goal: Goal, estimates: Estimates, places: Sequence[int]) -> Estimates:
    """Return how far some levels are from a goal: from its aim, or from the fair share or the mean over all levels.

    The additional error of a win share is one win divided by the blocks with the level: a share that never varied is
    not known exactly either.
    """
    value, influence = estimates.value, estimates.influence
    if goal.aim is not None:
        value = value - goal.aim
    elif goal.is_fair_share:
        value = value - estimates.fair
    else:
        value, influence = value - value.mean(), influence - influence.mean(axis=1, keepdims=True)
    held = np.full(len(value), len(estimates.deals))
    if goal.factor not in ("", "seat"):
        moving = np.count_nonzero(influence, axis=0)
        held = np.minimum(estimates.n, np.where(moving > 0, moving, held))
    least = 1.0 / (goal.within * np.maximum(held, 1)) if goal.value == "win_share" else np.zeros(len(value))
    levels = tuple(level or goal.value for level in estimates.levels)
    value, influence = value / goal.within, influence / goal.within
    off = replace(estimates, levels=levels, value=value, influence=influence, weights=None, held=held, least=least)
    return off.picked(places)


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
    p = _bounds(second, first).p_above()
    return 0.5 if math.isnan(p) else max(0.5, 1.0 - 2.0 * p)


def surely_closer(first: Deviations, second: Deviations, alpha: float) -> bool:
    """Return whether `closer` is at least 1 - alpha; faster than computing it."""
    if second.distance - first.distance < ROUNDING:
        return False
    return _bounds(second, first).is_above(alpha / 2)


def farther_by(first: Deviations, second: Deviations, confidence: float = CONFIDENCE) -> Estimate:
    """Return the distance of the first candidate minus that of the second, in units of the tolerance."""
    found = first.distance - second.distance
    if first.value.shape == second.value.shape and np.allclose(first.value, second.value, rtol=0, atol=ROUNDING):
        return Estimate(0.0, 0.0, 0.0, first.games, float(first.games))
    return _bounds(first, second).interval(found, confidence, min(first.games, second.games))


def _bounds(found: Deviations, *base: Deviations) -> Bounds:
    """Return bounds for the distance of a candidate, or for its distance minus that of another one."""
    both, size = side_by_side([found, *base]), len(found.levels)
    return bounds(both.value[:size], both.value[size:], both.spread, int(both.held.min()))
