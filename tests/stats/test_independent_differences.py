"""What changed between two runs that played separately: differences, their intervals, and the verdicts on them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from rogsim.stats.effects import Effects, Question, beyond
from rogsim.stats.estimates import Estimate
from rogsim.stats.judgement import agreement, judge
from rogsim.stats.paired.differences import independent_differences
from rogsim.stats.paired.fairness import independent_distance
from scripts.studies.two_runs import as_on_a_page, found, judged
from tests.stats.test_judgement import claim

pytestmark = pytest.mark.once_uncompiled

QUESTION = Question("seats", "Turn order", "pp", "level", margin=2.0)


def of(before: float, after: float) -> Effects:
    answer = independent_differences(QUESTION, "after", claim(before, error=0.3), claim(after, error=0.4))
    assert answer is not None
    return answer


def test_a_difference_is_after_minus_before() -> None:
    """The value is the difference of the effects, and the standard errors add as squares."""
    (first, *_) = of(1.0, 4.0).contrasts
    (one, *_), (other, *_) = claim(1.0, error=0.3).contrasts, claim(4.0, error=0.4).contrasts
    assert first.effect.value == pytest.approx(3.0)
    assert first.effect.half_width == pytest.approx(math.hypot(0.3, 0.4) * scipy.stats.norm.isf(0.025), rel=1e-3)
    assert (first.before, first.after) == (one.effect, other.effect)


def test_levels_of_only_one_run_are_left_out() -> None:
    """Only levels that both runs have are compared; without any there is no answer."""
    one, other = claim(1.0, -1.0), claim(2.0, -2.0)
    first, second = other.contrasts
    kept = replace(other, contrasts=(first, replace(second, name="seat 9")))
    answer = independent_differences(QUESTION, "after", one, kept)
    assert answer is not None
    assert [change.name for change in answer.contrasts] == ["seat 1"]
    alone = replace(other, contrasts=(replace(second, name="seat 9"),))
    assert independent_differences(QUESTION, "after", one, alone) is None


def test_equal_runs_rarely_changed() -> None:
    """Where nothing differs, results and pages are rarely said to have changed."""
    pages = [found(np.random.default_rng(seed), (200, 500)) for seed in range(8)]
    for part in (lambda claims: claims, lambda claims: [*map(as_on_a_page, claims)]):
        wrong = sum(any(verdict.kind in ("beyond", "slight") for verdict in judged(*map(part, page))) for page in pages)
        assert wrong <= scipy.stats.binom.isf(0.001, len(pages), 0.05)


def test_a_seat_that_gains_is_named() -> None:
    """Three more points for seat 1 in the second run: its seats changed, and seat 1 is named as gaining."""
    before, after = found(np.random.default_rng(1), (1_500, 1_500), seats=(3.0,))
    for verdicts in (judged(before, after), judged([*map(as_on_a_page, before)], [*map(as_on_a_page, after)])):
        seats = verdicts[0]
        assert seats.kind in ("beyond", "slight")
        assert seats.differing[0] == "seat 1"
        assert seats.effect_of("seat 1").low > 0


def test_a_page_is_more_cautious_than_its_results() -> None:
    """Without the covariance, simultaneous intervals are at least as wide."""
    before, after = found(np.random.default_rng(2), (400, 400))
    exact, cautious = judged(before, after), judged([*map(as_on_a_page, before)], [*map(as_on_a_page, after)])
    for one, other in zip(exact, cautious, strict=True):
        for narrow, wide in zip(one.intervals, other.intervals, strict=True):
            assert math.isnan(narrow.low) or wide.half_width >= narrow.half_width - 0.02


def test_a_share_of_nothing_is_compared() -> None:
    """A seat that never wins in one run, up to rounding, and often in the other differs by more than chance."""
    (known,) = claim(0.0).contrasts
    never = replace(known, fair=0.25, effect=Estimate(-25 + 1e-14, -25.0, -24.5, 1_000, 1_000.0))
    often = replace(known, fair=0.25, effect=Estimate(5.0, 2.0, 8.0, 1_000, 1_000.0))
    before = replace(claim(0.0), contrasts=(never,), covariance=np.zeros((1, 1)))
    after = replace(claim(0.0), contrasts=(often,), covariance=np.array([[2.0]]))
    assert agreement([before, after], (0, 1)).alone[0] < 0.001
    answer = independent_differences(QUESTION, "after", before, after)
    assert answer is not None
    assert beyond(answer.intervals(0.05)[0], 0.0)


def test_a_level_without_an_interval_has_no_difference() -> None:
    """A level with too few games in one run: its difference has no interval, is not named, and is not within."""
    before, after = claim(0.0, 5.0), claim(0.2, 40.0)
    first, second = before.contrasts
    blank = replace(second.effect, low=math.nan, high=math.nan)
    rare = replace(before, contrasts=(first, replace(second, effect=blank, effect90=blank)))
    answer = independent_differences(QUESTION, "after", rare, after)
    assert answer is not None
    for estimates in (answer.intervals(0.05), answer.one_sided(0.05), [change.effect for change in answer.contrasts]):
        assert not math.isnan(estimates[0].low)
        assert math.isnan(estimates[1].low)
        assert math.isnan(estimates[1].high)
    (verdict,) = judge([answer])
    assert verdict.kind == "open"
    assert verdict.largest.name == "seat 1"
    assert verdict.differing == ()


def test_the_largest_clear_difference_is_named() -> None:
    """A level that differs clearly is named before one with a larger difference that may be chance."""
    before, after = claim(0.0, 0.0, error=0.3), claim(6.0, 9.0, error=0.3)
    first, second = after.contrasts
    wide = replace(second.effect, low=-20.0, high=38.0)
    covariance = np.diag([0.09, (29 / 1.96) ** 2])
    unsure = replace(after, contrasts=(first, replace(second, effect=wide, effect90=wide)), covariance=covariance)
    answer = independent_differences(QUESTION, "after", before, unsure)
    assert answer is not None
    (verdict,) = judge([answer])
    assert (verdict.kind, verdict.beyond) == ("beyond", ("seat 1",))
    assert verdict.differing == ("seat 1",)
    assert verdict.largest.name == "seat 1"


def test_a_run_that_is_farther_from_fair() -> None:
    """The distance is the largest deviation of either run, and its change is found; not without covariances."""
    before, after = (
        replace(claim(*effects, error=0.3), covariance=np.diag([0.09] * 3))
        for effects in ((1.0, 0.5, -1.5), (6.0, -4.0, -2.0))
    )
    found = independent_distance(QUESTION, "after", before, after)
    assert found is not None
    (change,) = found.contrasts
    assert change.before is not None
    assert change.after is not None
    assert (change.before.value, change.after.value) == (pytest.approx(1.5), pytest.approx(6.0))
    assert change.effect.low > 2
    assert judge([found])[0].kind == "beyond"
    assert independent_distance(QUESTION, "after", replace(before, covariance=None), after) is None
