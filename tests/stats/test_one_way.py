"""Differences that go one way: their intervals, from all numbers of games that a change may give to a seat."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rogsim.stats.effects import Question
from rogsim.stats.estimates import Estimate, wilson
from rogsim.stats.paired.differences import differences, mean_difference, outward, sizes_of
from scripts.studies.one_way import rates
from scripts.studies.search import estimates

POINTS = Question("points", "Points", "points")


@pytest.mark.parametrize("expected", [2, 4, 7, 10])
def test_intervals_hold_if_a_few_games_go_to_one_seat(expected: int) -> None:
    """The difference, the effect in a sweep and the change of the distance hold in 95% of cases, on average."""
    found = rates(300, expected)
    assert min(found.gain, found.swept, found.distance) > 95
    assert found.too_low < 2.5


@pytest.mark.parametrize("games", [100, 150, 200])
def test_a_gain_as_large_as_the_margin_is_rarely_called_within_it(games: int) -> None:
    """Also if no game differs, a seat and a distance at the margin are called within it in 5% of cases at most."""
    found = rates(games, games * 0.02)
    assert found.within < 5
    assert found.distance_within < 5


def test_points_of_few_games_hold() -> None:
    """If about 5 of 300 games give ten points more, 95% of 300 intervals hold; those that no game shows, too."""
    generator = np.random.default_rng(5)
    held = []
    for _ in range(300):
        points, more = generator.normal(60, 8, (300, 1)), 10.0 * (generator.random((300, 1)) < 5 / 300)
        runs = [estimates(1, top, np.ones_like(top)) for top in (points, points + more)]
        found = differences(POINTS, 2, "variant", *runs, 300)
        assert found is not None
        held.append(found.contrasts[0].effect.low <= 5 / 30 <= found.contrasts[0].effect.high)
    assert np.mean(held) > 0.95


def test_the_end_away_from_zero_is_wilsons_and_the_other_stays() -> None:
    """If one of 100 blocks differs by 1, the interval ends above as Wilson's of 1 in 100 does, and below as before."""
    found = outward(Estimate(0.01, -0.018, 0.038, 100, 100.0), 1.0, 100, 1.96)
    assert (found.low, found.high) == (-0.018, wilson(0.01, 100, 1.96)[1])
    below = outward(Estimate(-0.01, -0.038, 0.018, 100, 100.0), 1.0, 100, 1.96)
    assert (below.low, below.high) == (-found.high, 0.018)


def test_without_a_difference_both_ends_are_wilsons() -> None:
    """Nothing shows in which direction a game may differ."""
    found = outward(Estimate(0.0, -0.02, 0.02, 100, 100.0), 1.0, 100, 1.96)
    assert found.high == -found.low == pytest.approx(wilson(0.0, 100, 1.96)[1])


def test_many_differences_in_both_directions_keep_their_interval() -> None:
    """Wilson's interval is then the narrower one; an unknown interval stays unknown."""
    usual = Estimate(0.02, -0.1, 0.14, 100, 100.0)
    assert outward(usual, 1.0, 100, 1.96) == usual
    unknown = Estimate(0.02, math.nan, math.nan, 1, 1.0)
    assert math.isnan(outward(unknown, 1.0, 1, 1.96).high)


def test_the_size_of_a_difference_counts_large_ones_more() -> None:
    """Without any difference it is the unit; ten quarters and one more of 1 are about a third."""
    assert sizes_of(np.zeros((50, 2)), 1.0).tolist() == [1.0, 1.0]
    assert sizes_of(np.repeat([0.0, 0.25], [40, 10])[:, None], 1.0)[0] == pytest.approx(1.625 / 3.5)


def test_the_difference_of_two_win_shares_is_that_of_a_comparison() -> None:
    """The mean of differences by deal has the interval that `answer` gives the same two runs."""
    generator = np.random.default_rng(7)
    before, after = (generator.integers(0, 2, (60, 1)).astype(np.float64) for _ in range(2))
    runs = [estimates(1, top, np.ones_like(top)) for top in (before, after)]
    found = differences(Question("seats", "Win share", "pp", share=True), 2, "variant", *runs, 60)
    assert found is not None
    alone = mean_difference((after - before)[:, 0], 60)
    expected = found.contrasts[0].effect
    assert (100 * alone.value, 100 * alone.low, 100 * alone.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )


@pytest.mark.parametrize("blocks", [30, 50, 2_000])
def test_if_no_deal_differs_the_interval_is_about_four_deals_wide(blocks: int) -> None:
    """With no difference in n deals it ends where Wilson's interval of 0 in n does: at about 4 / n, on both sides."""
    found = mean_difference(np.zeros(blocks), 2 * blocks)
    assert found.value == 0
    assert found.high == -found.low
    assert 3.6 / blocks < found.high < 4.2 / blocks
