"""Candidates of a search, and the choice of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from rogsim.experiments.design_points import DesignPoint
from rogsim.stats.estimates import CONFIDENCE
from rogsim.stats.paired.deviations import ROUNDING, Deviations, closer, surely_closer
from rogsim.stats.paired.response_surface import Point

SURE, LIKELY = 0.99, 0.8  # confidence that one candidate is closer than another: to drop it, to prefer the closer one


@dataclass
class Candidate:
    """Values that may be the answer.

    Attributes
    ----------
    point
        The indices of the values on their axes; None for the scenario as it is.
    change
        The amount of change: the sum of steps for whole numbers, 1 for any other changed value.
    found, first
        The deviations from the goals, now and at the first look.
    """

    point: Point | None
    design_point: DesignPoint
    change: float
    found: Deviations
    first: Deviations  # at the first look

    @property
    def distance(self) -> float:
        """Return the largest deviation from the goals, as a multiple of the tolerance."""
        return self.found.distance


@dataclass(frozen=True)
class Confirmed:
    """A candidate with its deviations on new deals."""

    candidate: Candidate
    found: Deviations

    @property
    def change(self) -> float:
        """Return the amount of change."""
        return self.candidate.change

    @property
    def distance(self) -> float:
        """Return the largest deviation on new deals, as a multiple of the tolerance."""
        return self.found.distance


AnyEntrant = Candidate | Confirmed
Entrant = TypeVar("Entrant", Candidate, Confirmed)


def answer(confirmed: Sequence[Confirmed], unchanged_allowed: bool) -> Confirmed:
    """Return the answer among the candidates on new deals.

    A candidate that changes no game is never the answer.

    Parameters
    ----------
    confirmed
        The scenario as it is, then the candidates.
    unchanged_allowed
        Whether changing nothing may be the answer even if it does not reach the goals.
    """
    base, *rest = confirmed
    moving = [candidate for candidate in rest if not same(candidate.found, base.found)]
    if base.found.verdict == "true" or not moving:
        return base
    return choose([base, *moving] if unchanged_allowed else moving)


def choose(entrants: Sequence[Entrant]) -> Entrant:
    """Return the entrant with the least change that clearly reaches the goals.

    If none does, return the entrant with the least change among those nearly as close as the closest one (which is not
    closer with 80% confidence), leaving out any that another one beats with no more change and an interval that does
    not overlap.
    """
    surely = [entrant for entrant in entrants if entrant.found.verdict == "true"]
    if surely:
        return min(surely, key=lambda entrant: (entrant.change, entrant.distance))
    closest = min(entrants, key=lambda entrant: (entrant.distance, entrant.change))
    near = [entrant for entrant in entrants if entrant is closest or closer(closest.found, entrant.found) < LIKELY]
    unbeaten = [entrant for entrant in near if not any(beaten(entrant, other) for other in entrants)]
    return min(unbeaten or near, key=lambda entrant: (entrant.change, entrant.distance))


def beaten(candidate: AnyEntrant, other: AnyEntrant) -> bool:
    """Return whether another candidate is closer to the goals with no more change, and the intervals do not overlap.

    These are the individual intervals: wider ones, which hold for all candidates together, overlap more often.
    """
    if other.change > candidate.change or other.distance >= candidate.distance:
        return False
    return other.found.distance_interval(CONFIDENCE)[1] < candidate.found.distance_interval(CONFIDENCE)[0]


def same(first: Deviations, second: Deviations) -> bool:
    """Return whether two candidates have the same games, as far as the goals depend on them."""
    pairs = list(zip(first.pieces, second.pieces, strict=True))
    if any(a.influence.shape != b.influence.shape for a, b in pairs):
        return False
    alike = all(
        np.array_equal(a.deals, b.deals) and np.allclose(a.influence, b.influence, atol=ROUNDING) for a, b in pairs
    )
    return alike and bool(np.allclose(first.vector, second.vector, rtol=0, atol=ROUNDING))


def pareto(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the Pareto front by amount of change: no other candidate is closer to the goals with no more change."""
    front: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: (candidate.change, candidate.distance)):
        if not front or candidate.distance < front[-1].distance:
            front.append(candidate)
    return front


def not_surely_worse(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out each candidate that is clearly farther from the goals than another one.

    The other one must change no more, unless the candidate clearly misses the goals.
    """
    return [
        candidate
        for candidate in candidates
        if not any(_beats(other, candidate) for other in candidates if other is not candidate)
    ]


def _beats(candidate: Candidate, other: Candidate) -> bool:
    if candidate.distance >= other.distance:
        return False
    if candidate.change > other.change and other.found.verdict != "false":
        return False
    return surely_closer(candidate.found, other.found, 1 - SURE)


def thinned(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """Return at most this many items of a list, evenly spread and including both ends."""
    if len(candidates) <= most:
        return list(candidates)
    return [candidates[round(place)] for place in np.linspace(0, len(candidates) - 1, most)]
