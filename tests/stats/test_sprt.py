"""The sequential test: its formula, what it refuses, and how often it errs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from rogsim.stats.sequential import SPRT_BLOCKS as FEWEST_BLOCKS
from rogsim.stats.sequential import EloLimits, expected_score, judge_lead, read_limits

pytestmark = pytest.mark.once_uncompiled

SERIES = 1_000
ROUND = 25  # blocks between two looks
HALVES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # scores of a block of two games with ties


def blocks_of(elo: float, rest: NDArray[np.float64], seed: int, count: int) -> NDArray[np.float64]:
    """Scores of blocks whose mean is that of a difference in Elo: one of the ends, or as `rest` says."""
    generator = np.random.default_rng(seed)
    mean, middle = expected_score(elo), float(rest @ HALVES)
    toward = 1.0 if mean > middle else 0.0
    weight = (mean - middle) / (toward - middle)
    ordinary = generator.choice(HALVES, p=rest, size=(SERIES, count))
    return np.where(generator.random(ordinary.shape) < weight, toward, ordinary)


def decide(scores: NDArray[np.float64], limits: EloLimits) -> str:
    for stop in range(ROUND, len(scores) + 1, ROUND):
        decision = judge_lead(scores[:stop], limits).decision
        if decision != "open":
            return decision
    return "open"


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    """The LLR is the log of the ratio of the two likelihoods of the mean, with the variance as estimated."""
    scores = np.array([0.5, 1.0, 0.75, 0.5, 0.0] * 10)
    limits = EloLimits(-10, 30)
    variance = np.append(scores, [0.0, 1.0]).var() / len(scores)
    wrong = [(scores.mean() - expected_score(elo)) ** 2 for elo in (-10, 30)]
    assert judge_lead(scores, limits).llr == pytest.approx((wrong[0] - wrong[1]) / (2 * variance))


def test_the_bounds_are_walds() -> None:
    """With both error rates at 5% the bounds are the logs of 19 and of 1/19."""
    verdict = judge_lead(np.full(5, 0.5), EloLimits(0, 10))
    assert (verdict.lower, verdict.upper) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))


def test_an_elo_difference_is_a_share() -> None:
    """400 points are ten to one."""
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize(
    "rest",
    [
        np.array([0.1, 0.2, 0.4, 0.2, 0.1]),
        np.array([0.0, 0.0, 1.0, 0.0, 0.0]),
        np.array([0.5, 0.0, 0.0, 0.0, 0.5]),
        np.array([0.0, 0.02, 0.08, 0.2, 0.7]),
    ],
    ids=["pairs", "nearly all even", "all or nothing", "one-sided"],
)
@pytest.mark.parametrize("width", [30, 80])
def test_each_error_is_made_in_five_of_a_hundred_series_or_fewer(rest: NDArray[np.float64], width: float) -> None:
    """If a hypothesis holds exactly, the other one is accepted in 5% of the series (within 5 standard errors)."""
    middle = float(rest @ HALVES)
    elo0 = round(-400 * math.log10(1 / middle - 1))
    limits = EloLimits(elo0, elo0 + width)
    allowed = 0.05 + 5 * math.sqrt(0.05 * 0.95 / SERIES)
    for truth, wrong, seed in ((limits.elo0, "elo1", 1), (limits.elo1, "elo0", 2)):
        decisions = [decide(scores, limits) for scores in blocks_of(truth, rest, seed, 3_000)]
        assert decisions.count(wrong) / SERIES <= allowed
        assert decisions.count("open") / SERIES <= 0.01


def test_a_clear_difference_ends_early() -> None:
    """Far outside the limits the test needs only a small part of the blocks."""
    scores = blocks_of(150, np.array([0.1, 0.2, 0.4, 0.2, 0.1]), 3, 200)
    assert all(judge_lead(series, EloLimits(0, 30)).decision == "elo1" for series in scores)


def test_nothing_is_decided_on_a_handful_of_blocks() -> None:
    """However one-sided the first blocks are, a minimum number is needed."""
    wins = np.ones(FEWEST_BLOCKS)
    assert judge_lead(wins[:-1], EloLimits(0, 400)).decision == "open"
    assert judge_lead(wins, EloLimits(0, 400)).decision == "elo1"
    assert judge_lead(1 - wins, EloLimits(0, 400)).decision == "elo0"
    assert judge_lead(wins[:0], EloLimits(0, 400)).decision == "open"


def test_limits_are_read() -> None:
    """Two numbers with a comma between them."""
    assert read_limits("-2.5, 4") == EloLimits(-2.5, 4)


@pytest.mark.parametrize("text", ["", "5", "0,5,9", "a,b", "5,5", "5,0", "nan,5", "0,inf", "0,1e9"])
def test_other_limits_are_refused(text: str) -> None:
    """Anything but two numbers, the second one larger, is refused, and the message quotes it."""
    with pytest.raises(ValueError, match=r"is not allowed: ") as fault:
        read_limits(text)
    assert f'"{text}"' in str(fault.value)


def test_a_long_limit_is_not_printed_in_full() -> None:
    """A message stays short, whatever was typed."""
    with pytest.raises(ValueError, match=r"…\S* is not allowed") as fault:
        read_limits("9" * 5_000)
    assert len(str(fault.value)) < 200
