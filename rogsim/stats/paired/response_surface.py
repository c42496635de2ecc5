"""A response surface: predictions for candidates that were not played, from those that were.

Every response is modelled as a quadratic function of the searched values without interactions. Ridge regression keeps
it nearly linear unless the data show a curvature (Box and Draper 2007, "Response Surfaces, Mixtures, and Ridge
Analyses"). On the same deals the differences between candidates have little noise, so a few candidates are very
informative.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from rogsim.scenario.axes import Axis
from rogsim.stats.blocks import Floats, Ints

Point = tuple[int, ...]  # for each axis the index of its value
Points = Ints  # [n, axes]: several of them

MOST_LISTED = 1_000_000  # with at most this many points all are evaluated; with more, CMA-ES finds the best
STEADY = 1e-3  # ridge penalty of a slope: keeps it finite where the data do not determine it
STRAIGHT = 0.3  # ridge penalty of a curvature
COSTS_OF_CHANGE = (0.0, 0.01, 0.03, 0.1, 0.3)  # cost of a unit of change, relative to the distance
AT_A_TIME = 100_000  # points: limits memory
MOST_LOOKED_AT = 2_000  # points evaluated in one run of CMA-ES
ROUNDING = 1e-9
NEAR, SLACK = 6, 2.5  # number of points, and how much farther than the closest: few games are no more precise than that
TRIES = 2  # runs of CMA-ES for each cost, from different starts


@dataclass(frozen=True)
class Space:
    """All points: every combination of the values of the axes."""

    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        """Return the number of points."""
        return prod(len(axis.values) for axis in self.axes)

    def changes(self, points: Points) -> Floats:
        """Return how much each point changes, float64[n]: the sum of changes in numbers, and 1 for any other axis."""
        total = np.zeros(len(points))
        for axis, place in zip(self.axes, points.T, strict=True):
            changes = [abs(value - axis.current) if axis.is_number else value != axis.current for value in axis.values]
            total += np.array(changes, dtype=np.float64)[place]
        return total

    def features(self, points: Points) -> Floats:
        """Return the features of the surface, float64[n, f]: a constant, and for each axis its value and its square.

        An axis that is not a number has an indicator for each value but the first.
        """
        columns = [np.ones(len(points))]
        for axis, place in zip(self.axes, points.T, strict=True):
            columns += _of_axis(axis, place)
        return np.stack(columns, axis=1)

    def penalties(self) -> Floats:
        """Return the ridge penalty of each feature, float64[f]."""
        kinds = [0.0]
        for axis in self.axes:
            kinds += [STEADY, STRAIGHT] if axis.is_number else [STEADY] * (len(axis.values) - 1)
        return np.array(kinds)


def first_points(space: Space) -> list[Point]:
    """Return the starting points: nearest to the scenario's own values, then each axis alone at both of its ends."""
    middle = tuple(_nearest(axis) for axis in space.axes)
    points = [middle]
    for number, axis in enumerate(space.axes):
        places = (0, len(axis.values) - 1) if axis.is_number else range(len(axis.values))
        points += [(*middle[:number], place, *middle[number + 1 :]) for place in places]
    return list(dict.fromkeys(points))


def proposals(
    space: Space, played: Sequence[Point], responses: Floats, seed: int, most: int, refused: Collection[Point] = ()
) -> list[Point]:
    """Return at most `most` points that are most worth playing next, none of them played or refused before.

    By the surface, the proposed points trade off distance from the goals against change: first the closest point, then
    the one that reaches the goals with the least change, then the rest of this front from the closest on, and finally
    points that are hardly farther than the closest.

    Parameters
    ----------
    responses : float64[n, k]
        Deviations of the points played, in units of the tolerance.
    seed
        Seed of the search by CMA-ES.
    refused
        Points that cannot be played.
    """
    slopes = _fitted(space, np.array(played), responses)
    listed = _every(space) if space.size <= MOST_LISTED else _searched(space, slopes, played, seed)
    if refused:
        left = ~(listed[:, None] == np.array(list(refused))[None]).all(axis=2).any(axis=1)
        listed = listed[left]
    found, changes = _distance(space, slopes, listed), space.changes(listed)
    front: list[int] = []
    for place in np.lexsort((found, changes)):
        if not front or found[place] < found[front[-1]] - ROUNDING:
            front.append(int(place))
    reaching = [place for place in front if found[place] <= 1.0][:1]
    near = [int(place) for place in np.argsort(found, kind="stable")[:NEAR] if found[place] <= found.min() + SLACK]
    ranked = dict.fromkeys([*front[-1:], *reaching, *reversed(front), *near])
    points = [_point(listed[place]) for place in ranked]
    known = set(played)
    return [point for point in points if point not in known][:most]


def _fitted(space: Space, played: Points, responses: Floats) -> Floats:
    """Return the coefficients of the surface by ridge regression, float64[f, k]."""
    design = space.features(played)
    ridge = np.diag(space.penalties())
    return np.asarray(np.linalg.solve(design.T @ design + ridge, design.T @ responses), dtype=np.float64)


def _distance(space: Space, slopes: Floats, points: Points) -> Floats:
    """Return the predicted distance of points from the goals, float64[n]."""
    steps = range(0, len(points), AT_A_TIME)
    parts = [np.abs(space.features(points[step : step + AT_A_TIME]) @ slopes).max(axis=1) for step in steps]
    return np.concatenate(parts)


def _every(space: Space) -> Points:
    sizes = [len(axis.values) for axis in space.axes]
    return np.indices(sizes).reshape(len(sizes), -1).T


def _searched(space: Space, slopes: Floats, played: Sequence[Point], seed: int) -> Points:
    """Return all points that CMA-ES evaluates in its searches for the best ones, with several costs of change."""
    import cma  # loads matplotlib and scipy.stats: longer than everything else that `scenario check` needs

    tops = np.array([len(axis.values) - 1 for axis in space.axes])
    seen: dict[Point, None] = dict.fromkeys(played)
    best = played[int(np.argmin(_distance(space, slopes, np.array(played))))]
    for number, (cost, attempt) in enumerate(product(COSTS_OF_CHANGE, range(TRIES))):
        generator = np.random.RandomState([seed & 0xFFFFFFFF, number])
        start = np.array(best if attempt == 0 else [generator.randint(top + 1) for top in tops], dtype=np.float64)
        search = cma.CMAEvolutionStrategy(start, 1.0, _settings(tops, generator))
        while not search.stop():
            samples = search.ask()
            points = np.clip(np.round(samples), 0, tops).astype(np.int64)
            search.tell(samples, list(_distance(space, slopes, points) + cost * space.changes(points)))
            seen |= dict.fromkeys(map(_point, points))
    return np.array(list(seen))


def _settings(tops: Ints, generator: np.random.RandomState) -> dict[str, Any]:
    # Its own generator: cma would seed the one of the whole process. With verbosity below -9 it reads no file either.
    settings: dict[str, Any] = {"seed": np.nan, "randn": generator.randn, "verbose": -10, "verb_log": 0, "verb_disp": 0}
    settings |= {"bounds": [[0.0] * len(tops), list(np.maximum(tops, 1e-9))], "maxfevals": MOST_LOOKED_AT}
    settings |= {"integer_variables": list(range(len(tops))), "CMA_stds": list(np.maximum(tops / 4, 0.5))}
    return settings


def _point(places: Ints) -> Point:
    return tuple(int(place) for place in places)


def _of_axis(axis: Axis, place: Ints) -> list[Floats]:
    if axis.is_number:
        values = np.array(axis.values, dtype=np.float64)
        reach = max(1.0, float(values.max() - values.min())) / 2
        scaled = (values[place] - (values.max() + values.min()) / 2) / reach
        return [scaled, scaled**2]
    return [(place == value).astype(np.float64) for value in range(1, len(axis.values))]


def _nearest(axis: Axis) -> int:
    """Return the index of the value that is closest to the scenario's own."""
    if axis.is_number:
        return int(np.argmin([abs(value - axis.current) for value in axis.values]))
    return axis.values.index(axis.current) if axis.current in axis.values else 0
