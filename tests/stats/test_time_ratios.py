"""Ratios of times: planted ratios are found, their intervals hold, and too few measurements give no interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rogsim.stats.time_ratios import FEWEST_PAIRS, paired_ratio, unpaired_ratio

PLANTED = 0.8


def times(generator: np.random.Generator, count: int, scale: float = 1.0) -> list[float]:
    """Times as on a busy machine: nothing is faster than `scale`, and some are much slower."""
    return [float(time) for time in scale * (1 + generator.exponential(0.05, count))]


def test_a_planted_ratio_is_found_in_pairs_on_a_machine_that_slows_down() -> None:
    """What slows down both measurements of a pair does not blur their ratio."""
    slowdown = np.linspace(1, 3, 15)
    before = slowdown * times(np.random.default_rng(1), 15)
    after = slowdown * times(np.random.default_rng(2), 15, PLANTED)
    found = paired_ratio(list(before), list(after))
    assert found.low < PLANTED < found.high
    assert found.high - found.low < 0.2
    assert found.verdict == "faster"
    assert paired_ratio(list(after), list(before)).verdict == "slower"


def test_a_planted_ratio_is_found_without_pairs() -> None:
    """The two benchmarks may have measured different numbers of times."""
    generator = np.random.default_rng(3)
    found = unpaired_ratio(times(generator, 11), times(generator, 9, PLANTED))
    assert found.low < PLANTED < found.high
    assert found.verdict == "faster"


@pytest.mark.parametrize("compare", [paired_ratio, unpaired_ratio])
def test_intervals_contain_the_true_ratio_in_95_percent_of_cases(compare: object) -> None:
    """Both intervals hold for times that are far from normal."""
    assert callable(compare)
    generator, cases = np.random.default_rng(4), 2_000
    found = [compare(times(generator, 11), times(generator, 11, PLANTED)) for _ in range(cases)]
    held = np.mean([ratio.low <= PLANTED <= ratio.high for ratio in found])
    assert held >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / cases)


def test_times_of_different_occasions_may_drift() -> None:
    """The same ratio, with a narrow interval around 1.04: a difference between pairs, but none between occasions."""
    before, after = [1.0, 1.001] * 6, [1.04, 1.041] * 6
    assert paired_ratio(before, after).verdict == "slower"
    assert unpaired_ratio(before, after).verdict == unpaired_ratio(after, before).verdict == "no clear difference"
    slower = [1.06, 1.061] * 6
    assert unpaired_ratio(before, slower).verdict == "slower"
    assert unpaired_ratio(slower, before).verdict == "faster"


def test_equal_times_show_no_difference() -> None:
    """An interval around 1 names neither as faster."""
    found = paired_ratio([1.0] * 9, [1.0] * 9)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)
    assert found.verdict == "no clear difference"


@pytest.mark.parametrize("compare", [paired_ratio, unpaired_ratio])
def test_too_few_measurements_give_no_interval(compare: object) -> None:
    """However different the times are."""
    assert callable(compare)
    for count, known in ((FEWEST_PAIRS - 1, False), (FEWEST_PAIRS, True)):
        found = compare([1.0] * count, [0.5] * count)
        assert (found.verdict == "faster") is known
        assert (found.low, found.high) == ((0.5, 0.5) if known else (0.0, math.inf))
