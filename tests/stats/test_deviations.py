"""Deviations from goals: their intervals, verdicts and comparison, on series with known true values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rogsim.scenario.goals import Goal
from rogsim.stats.paired.common_random_numbers import Estimates, side_by_side
from rogsim.stats.paired.deviations import Deviations, closer, deviations_of

pytestmark = pytest.mark.once_uncompiled

GOAL = Goal("win_share", "seat", None, 0.02, "seat_share equal ± 2 pp")
BLOCKS = 2_000


def candidate(
    truth: float, rng: np.random.Generator, deals: np.ndarray | None = None, noise: float = 0.2
) -> Deviations:
    """Return a candidate with two seats that deviate by ± truth tolerances, with common luck and noise."""
    common = rng.normal(size=BLOCKS) if deals is None else deals
    influence = 0.02 * 15 * (common + noise * rng.normal(size=BLOCKS))
    off = 0.02 * truth + influence.mean()
    both = np.stack([influence - influence.mean(), -(influence - influence.mean())], axis=1)
    value = np.array([0.5 + off, 0.5 - off])
    return deviations_of(
        [(GOAL, 2, Estimates(("1", "2"), value, np.full(2, BLOCKS), np.arange(BLOCKS), both, fair=np.array(0.5)))]
    )


def test_intervals_hold_the_truth() -> None:
    """95% intervals of a deviation, in the goal's unit, contain it in 95% of 1,000 series."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(1_000):
        found = candidate(0.5, rng)
        interval = found.estimate(0)
        hits += interval.low <= 1.0 <= interval.high  # half of 2 pp
    assert 932 <= hits <= 968


@pytest.mark.parametrize(("truth", "wrong"), [(1.0, "within"), (0.999, "beyond")])
def test_verdicts_are_seldom_wrong(truth: float, wrong: str) -> None:
    """At the edge of the tolerance each wrong verdict occurs in at most about 5% of series."""
    rng = np.random.default_rng(2)
    kinds = [candidate(truth, rng).kind for _ in range(1_000)]
    assert kinds.count(wrong) <= 70  # 5% and three standard errors


def test_clear_cases_are_told() -> None:
    """On the goal it is within, far from it beyond, and in between it advises more games."""
    rng = np.random.default_rng(3)
    assert candidate(0.0, rng).kind == "within"
    assert candidate(3.0, rng).kind == "beyond"
    between = candidate(0.0, rng, noise=2.5)
    assert between.kind == "open"
    assert between.prospect is not None
    assert between.prospect.chance >= 0.8


def test_common_deals_tells_two_candidates_apart() -> None:
    """What separate deals leave open, the same deals settle; and a candidate is as close as itself."""
    rng = np.random.default_rng(4)
    deals = rng.normal(size=BLOCKS)
    near, far = (candidate(truth, rng, deals, noise=0.05) for truth in (1.5, 2.0))
    assert closer(near, far) > 0.99
    assert closer(far, near) < 0.01
    assert closer(near, candidate(2.0, rng, noise=0.05)) < 0.99
    assert closer(near, near) == pytest.approx(0.5)


def test_estimates_side_by_side_keep_their_covariance() -> None:
    """Also on different deals; what both have in common correlates them, and other deals do not."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=(300, 2))
    runs = [
        Estimates(("1",), each.mean(keepdims=True), np.array([len(each)]), deals, (each - each.mean())[:, None])
        for each, deals in ((values[:200, 0], np.arange(200)), (values[100:, 1], np.arange(100, 300)))
    ]
    both = side_by_side(runs)
    assert (both.levels, len(both.deals)) == (("1", "1"), 300)
    assert np.diag(both.covariance) == pytest.approx([float(run.covariance[0, 0]) for run in runs])
    common = runs[0].influence[100:, 0] @ runs[1].influence[:100, 0]
    assert both.covariance[0, 1] == pytest.approx(common / (200 * 199))


def test_the_distance_is_the_largest_deviation_and_lies_in_its_interval() -> None:
    """It is never negative, and its interval never below 0."""
    rng = np.random.default_rng(5)
    found = candidate(-1.2, rng)
    low, high = found.distance_interval()
    assert found.distance == pytest.approx(abs(found.value[0]))
    assert 0 <= low <= found.distance <= high
    assert candidate(0.0, rng).distance_interval()[0] == 0.0


def test_the_interval_of_the_closest_of_many_candidates_holds() -> None:
    """Judged among ten that are equally close, that of the closest contains the truth in 95% of 300 searches."""
    rng = np.random.default_rng(6)
    held = []
    for _ in range(300):
        listed = [replace(candidate(1.0, rng), tries=10) for _ in range(10)]
        low, high = min(listed, key=lambda found: found.distance).distance_interval()
        held.append(low <= 1.0 <= high)
    assert np.mean(held) > 0.95


def test_the_interval_of_a_single_candidate_is_its_own() -> None:
    """Nothing was chosen: the confidence is 95%; of five that are judged together each has 99%."""
    found = candidate(1.0, np.random.default_rng(7))
    assert found.confidence == pytest.approx(0.95)
    assert found.distance_interval() == found.distance_interval(0.95)
    assert replace(found, tries=5).distance_interval() == found.distance_interval(0.99)


@pytest.mark.parametrize("rounding", [0.0, 1e-15, -1e-15])
def test_of_two_equal_deviations_that_of_the_favoured_seat_is_the_farthest(rounding: float) -> None:
    """Both seats of two players are equally far off; which is farther in the last digit depends on the processor."""
    for first in (0.5, -0.5):
        found = candidate(0.0, np.random.default_rng(6))
        found = replace(found, value=np.array([first, -first * (1 + rounding)]))
        assert found.farthest == int(first < 0)
