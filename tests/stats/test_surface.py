"""The response surface: on known functions it finds the best points, for any amount of change."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.scenario.axes import Axis
from rogsim.stats.paired import response_surface
from rogsim.stats.paired.response_surface import Space, first_points, proposals

pytestmark = pytest.mark.once_uncompiled

AXES = (
    Axis("a", "parameter", tuple(range(5, 13)), 7),
    Axis("b", "parameter", tuple(range(5, 13)), 8),
    Axis("word", "option", ("x", "y", "z"), "x"),
)
SPACE = Space(AXES)


def truth(points: np.ndarray) -> np.ndarray:
    """Deviations that are exactly 0 at a = 10, b = 6, word = "y"."""
    a, b, word = points[:, 0] + 5, points[:, 1] + 5, points[:, 2]
    off = np.array([0.8, 0.0, 2.0])[word]
    return np.stack([(a - 10) + 0.2 * (b - 6) + off, -(b - 6) + off, 0.5 * (a - 10) - off], axis=1).astype(float)


def searched(space: Space) -> list[response_surface.Point]:
    played = first_points(space)
    for _ in range(10):
        more = proposals(space, played, truth(np.array(played)), 1, 4)
        if not more:
            break
        played += more
    return played


def test_the_first_points_are_the_own_values_and_each_value_alone_at_its_ends() -> None:
    """The scenario's own point comes first; of an axis that is not a number every value is tried."""
    points = first_points(SPACE)
    assert points[0] == (2, 3, 0)
    assert set(points[1:]) == {(0, 3, 0), (7, 3, 0), (2, 0, 0), (2, 7, 0), (2, 3, 1), (2, 3, 2)}


def test_the_best_point_is_found() -> None:
    """The only point without a deviation is among those that are played."""
    assert (5, 1, 1) in searched(SPACE)


def test_cma_finds_it_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are too many points to evaluate all, CMA-ES finds the same ones, and the same every time."""
    monkeypatch.setattr(response_surface, "MOST_LISTED", 10)
    monkeypatch.setattr(response_surface, "MOST_LOOKED_AT", 200)
    found = searched(SPACE)
    assert (5, 1, 1) in found
    assert found == searched(SPACE)


def test_for_less_change_the_best_that_it_can_give() -> None:
    """Proposed points form a front: none is both closer and less of a change than another."""
    played = first_points(SPACE)
    responses = truth(np.array(played))
    found = proposals(SPACE, played, responses, 1, 100)
    slopes = response_surface._fitted(SPACE, np.array(played), responses)
    listed = response_surface._every(SPACE)
    distance, change = response_surface._distance(SPACE, slopes, listed), SPACE.changes(listed)
    for point in found[:3]:
        at = int(np.flatnonzero((listed == point).all(axis=1))[0])
        assert not ((distance < distance[at] - 1e-6) & (change <= change[at])).any()


def test_changes_are_steps_of_numbers_and_ones_of_words() -> None:
    """a from 7 to 10, b from 8 to 6 and another word: 3 + 2 + 1."""
    assert SPACE.changes(np.array([[5, 1, 1], [2, 3, 0]])).tolist() == [6.0, 0.0]


def test_what_was_played_or_refused_is_not_proposed() -> None:
    """No point is proposed twice, and none that the game refused."""
    played = first_points(SPACE)
    first = proposals(SPACE, played, truth(np.array(played)), 1, 4)
    again = proposals(SPACE, played, truth(np.array(played)), 1, 4, refused=set(first))
    assert not set(first) & {*played, *again}
