"""The distance from fair and the effect of each parameter, on known true values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rogsim.scenario.axes import Axis
from rogsim.stats.blocks import Floats
from rogsim.stats.paired.common_random_numbers import Estimates, combine, difference
from rogsim.stats.paired.main_effects import (
    contrasts,
    direction,
    distance,
    effects,
    judged_together,
)

pytestmark = pytest.mark.once_uncompiled

BLOCKS = 400
SPREAD = np.eye(4) - 0.25  # of shares that add up to 1, all as well known


@pytest.mark.parametrize("truth", [[0, 0, 0, 0], [0.5, -0.5, 0, 0], [1.5, 0, 0, -1.5], [4, 1, -2, -3]])
def test_the_interval_of_a_distance_holds_the_truth(truth: list[float]) -> None:
    """It does so far from 0, close to it and at 0 in about 95% of series; and the square is unbiased."""
    rng = np.random.default_rng(1)
    found = rng.multivariate_normal(truth, SPREAD, size=1_000, method="eigh")
    real = float(np.sqrt(np.mean(np.square(truth))))
    estimates = [distance(vector, SPREAD, 10_000, 1) for vector in found]
    assert 0.935 <= np.mean([estimate.low <= real + 1e-9 and real <= estimate.high for estimate in estimates]) <= 1.0
    squares = np.mean([np.mean(vector**2) for vector in found]) - np.trace(SPREAD) / 4
    assert squares == pytest.approx(real**2, abs=0.15 * (1 + real))
    assert all(estimate.low <= estimate.value <= estimate.high for estimate in estimates)


def test_a_distance_without_noise_is_what_it_is() -> None:
    """Without noise there is no interval, and neither with a single block."""
    exact = distance(np.array([3.0, -3.0]), np.zeros((2, 2)), 100, 7)
    assert (exact.value, exact.low, exact.high, exact.n) == (3.0, 3.0, 3.0, 7)
    assert distance(np.zeros(2), np.zeros((2, 2)), 100, 7).high == 0
    assert math.isnan(distance(np.ones(2), np.eye(2), 1, 7).low)


def test_intervals_of_clear_distances_go_over_into_normal_ones() -> None:
    """It agrees on both sides of the switch between the two methods, and far beyond."""
    for noise in (0.099, 0.0101, 0.0099, 1e-5):
        found = distance(np.array([1.0, -1.0]), noise**2 * np.array([[0.5, -0.5], [-0.5, 0.5]]), 100_000, 1)
        assert (found.high - found.low) / noise == pytest.approx(2 * 1.96 / np.sqrt(2), rel=0.01)
        assert found.low < 1 < found.high


def test_few_blocks_widen_the_interval() -> None:
    """Student's quantile replaces the normal one."""
    many, few = (distance(np.array([3.0, -3.0]), np.eye(2), blocks, 7) for blocks in (10_000, 5))
    assert few.low < many.low < many.high < few.high


def test_the_direction_is_the_slope_of_the_distance() -> None:
    """It is that of a small step in each difference."""
    off = np.array([2.0, -1.0, 0.5])
    steps = [np.sqrt(np.mean((off + 1e-6 * unit) ** 2)) - np.sqrt(np.mean(off**2)) for unit in np.eye(3)]
    assert direction(off) == pytest.approx(np.array(steps) / 1e-6, rel=1e-4)
    assert not direction(np.zeros(3)).any()


AXES = (
    Axis("a", "parameter", (1, 2, 3), 2),
    Axis("b", "parameter", (0, 10), 0),
    Axis("c", "option", ("x", "y"), "x"),
)
GRID = [{"a": a, "b": b, "c": c} for a in (1, 2, 3) for b in (0, 10) for c in ("x", "y")]


def planted(settings: list[dict[str, object]], seed: int = 1, own_noise: float = 0.3) -> list[Estimates]:
    """Win shares of two seats on the same deals: a adds 2 pp a step to seat 1, c = y takes 3 pp off, b does nothing."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 0.4, BLOCKS)
    made = []
    for setting in settings:
        luck = common + rng.normal(0, own_noise * 0.4, BLOCKS)
        planted = 2 * (int(str(setting.get("a", 2))) - 2) - 3 * (setting.get("c", "x") == "y")
        share, influence = 0.5 + planted / 100 + luck.mean(), luck - luck.mean()
        value, both = np.array([share, 1 - share]), np.column_stack([influence, -influence])
        made.append(Estimates(("1", "2"), value, np.full(2, BLOCKS), np.arange(BLOCKS), both, fair=np.array(0.5)))
    return made


def test_planted_slopes_are_found() -> None:
    """Each interval contains the planted effect; a parameter without an effect is not marked."""
    found = {(effect.axis.name, effect.value): effect for effect in effects(AXES, GRID, planted(GRID), 2)}
    assert set(found) == {("a", ""), ("b", ""), ("c", "y")}
    for key, truth in {("a", ""): 2.0, ("b", ""): 0.0, ("c", "y"): -3.0}.items():
        gain = found[key].contrasts[0].effect
        assert gain.low < truth < gain.high
    assert found["a", ""].overall.p < 0.001
    assert found["c", "y"].overall.p < 0.001
    assert found["b", ""].overall.p > 0.05


def test_the_strongest_comes_first() -> None:
    """Effects are sorted by how much they change shares: an option's value by 3, a step by 2, no effect last."""
    assert [effect.axis.name for effect in effects(AXES, GRID, planted(GRID), 2)] == ["c", "a", "b"]


def test_common_deals_makes_intervals_narrow() -> None:
    """With separate deals for each design point they would be several times as wide."""
    apart = [planted(GRID, seed)[place] for place, seed in zip(range(len(GRID)), range(100, 200), strict=False)]
    widths = [
        next(each for each in effects(AXES, GRID, cells, 2) if each.axis.name == "a").contrasts[0].effect.half_width
        for cells in (planted(GRID), apart)
    ]
    assert widths[0] < widths[1] / 2


def test_one_axis_at_a_time_is_judged_by_its_own_cells() -> None:
    """The slope of a is half the difference of its ends; other design points have no weight in it."""
    settings = [{}, {"a": 1}, {"a": 3}, {"b": 10}, {"c": "y"}]
    weights = {axis.name: weight for axis, _, weight in contrasts(AXES, settings)}
    assert weights["a"] == pytest.approx([0, -0.5, 0.5, 0, 0])
    assert weights["b"] == pytest.approx([-0.1, 0, 0, 0.1, 0])
    assert weights["c"] == pytest.approx([-1, 0, 0, 0, 1])


def test_what_cells_do_not_tell_apart_is_left_out() -> None:
    """Two axes that always change together have no separate effects; a third one still has."""
    together = [{}, {"a": 3, "b": 10}, {"a": 3, "b": 10, "c": "y"}, {"c": "y"}]
    assert [axis.name for axis, _, _ in contrasts(AXES, together)] == ["c"]


def test_of_many_figures_without_an_effect_hardly_any_is_called() -> None:
    """With 40 axes without effects and 20 sweeps, about one of 20 calls any clear."""
    axes = [Axis(f"n{place}", "parameter", (1,), 0) for place in range(40)]
    settings = [{}, *({axis.name: 1} for axis in axes)]
    called = [
        any(effect.p < 0.05 for effect in judged_together([effects(axes, settings, planted(settings, seed), 2)])[0])
        for seed in range(20)
    ]
    assert sum(called) <= 3


def test_the_same_games_are_nothing_at_all() -> None:
    """Equal design points differ by exactly 0, regardless of rounding, and have no p."""
    base = planted([{}])[0]
    settings = [{}, {"a": 1}, {"a": 3}]
    (effect,) = effects(AXES[:1], settings, [base, base, base], 2)
    assert effect.untouched
    assert math.isnan(effect.overall.p)
    assert difference(base, base).is_nothing


def test_weighted_sums_are_those_of_the_pulls() -> None:
    """Values and influence values get the same weights."""
    a, b = planted([{}, {"a": 3}])
    weights: Floats = np.array([0.25, -2.0])
    both = combine([a, b], weights)
    assert both.value == pytest.approx(0.25 * a.value - 2 * b.value)
    assert both.influence == pytest.approx(0.25 * a.influence - 2 * b.influence)
    assert both.games == 2 * BLOCKS
