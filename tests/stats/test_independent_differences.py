"""What changed between two runs that played separately: differences, their intervals, and the verdicts on them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from rogsim.stats.agreement import agreement
from rogsim.stats.estimates import Estimate
from rogsim.stats.independent_differences import independent_answer
from rogsim.stats.paired.difference_verdicts import judge_differences
from rogsim.stats.paired.differences import Answer, Question
from rogsim.stats.simultaneous import beyond
from scripts.studies.two_runs import as_on_a_page, found, judged
from tests.stats.test_verdicts import claim

pytestmark = pytest.mark.once_uncompiled

QUESTION = Question("seats", "Turn order", "pp", "level", margin=2.0)


def of(before: float, after: float) -> Answer:
    answer = independent_answer(QUESTION, "after", claim(before, error=0.3), claim(after, error=0.4))
    assert answer is not None
    return answer


def test_a_difference_is_after_minus_before() -> None:
    """The value is the difference of the effects, and the standard errors add as squares."""
    (first, *_) = of(1.0, 4.0).changes
    assert first.effect.value == pytest.approx(3.0)
    assert first.effect.half_width == pytest.approx(math.hypot(0.3, 0.4) * scipy.stats.norm.isf(0.025), rel=1e-3)
    assert (first.base.value, first.variant.value) == (1.0, 4.0)


def test_levels_of_only_one_run_are_left_out() -> None:
    """Only levels that both runs have are compared; without any there is no answer."""
    one, other = claim(1.0, -1.0), claim(2.0, -2.0)
    first, second = other.contrasts
    kept = replace(other, contrasts=(first, replace(second, name="seat 9")))
    answer = independent_answer(QUESTION, "after", one, kept)
    assert answer is not None
    assert [change.level for change in answer.changes] == ["seat 1"]
    alone = replace(other, contrasts=(replace(second, name="seat 9"),))
    assert independent_answer(QUESTION, "after", one, alone) is None


def test_equal_runs_rarely_changed() -> None:
    """Where nothing differs, results and pages are rarely said to have changed."""
    pages = [found(np.random.default_rng(seed), (200, 500)) for seed in range(8)]
    for part in (lambda claims: claims, lambda claims: [*map(as_on_a_page, claims)]):
        wrong = sum(any(verdict.kind == "changed" for verdict in judged(*map(part, page))) for page in pages)
        assert wrong <= scipy.stats.binom.isf(0.001, len(pages), 0.05)


def test_a_seat_that_gains_is_named() -> None:
    """Three more points for seat 1 in the second run: its seats changed, and seat 1 is named as gaining."""
    before, after = found(np.random.default_rng(1), (1_500, 1_500), seats=(3.0,))
    for verdicts in (judged(before, after), judged([*map(as_on_a_page, before)], [*map(as_on_a_page, after)])):
        seats = verdicts[0]
        assert seats.kind == "changed"
        assert seats.sure[0].level == "seat 1"
        assert seats.effect_of(seats.sure[0]).low > 0


def test_a_page_is_more_cautious_than_its_results() -> None:
    """Without the covariance, simultaneous intervals are at least as wide."""
    before, after = found(np.random.default_rng(2), (400, 400))
    exact, cautious = judged(before, after), judged([*map(as_on_a_page, before)], [*map(as_on_a_page, after)])
    for one, other in zip(exact, cautious, strict=True):
        for narrow, wide in zip(one.answer.together, other.answer.together, strict=True):
            assert math.isnan(narrow.low) or wide.half_width >= narrow.half_width - 0.02


def test_a_share_of_nothing_is_compared() -> None:
    """A seat that never wins in one run, up to rounding, and often in the other differs by more than chance."""
    (known,) = claim(0.0).contrasts
    never = replace(known, fair=0.25, effect=Estimate(-25 + 1e-14, -25.0, -24.5, 1_000, 1_000.0))
    often = replace(known, fair=0.25, effect=Estimate(5.0, 2.0, 8.0, 1_000, 1_000.0))
    before = replace(claim(0.0), contrasts=(never,), covariance=np.zeros((1, 1)))
    after = replace(claim(0.0), contrasts=(often,), covariance=np.array([[2.0]]))
    assert agreement([before, after], (0, 1)).alone[0] < 0.001
    answer = independent_answer(QUESTION, "after", before, after)
    assert answer is not None
    assert beyond(answer.together[0], 0.0)


def test_a_level_without_an_interval_has_no_difference() -> None:
    """A level with too few games in one run: its difference has no interval, is not named, and is not within."""
    before, after = claim(0.0, 5.0), claim(0.2, 40.0)
    first, second = before.contrasts
    blank = replace(second.effect, low=math.nan, high=math.nan)
    rare = replace(before, contrasts=(first, replace(second, effect=blank, effect90=blank)))
    answer = independent_answer(QUESTION, "after", rare, after)
    assert answer is not None
    for estimates in (answer.together, answer.one_sided, [change.effect for change in answer.changes]):
        assert not math.isnan(estimates[0].low)
        assert math.isnan(estimates[1].low)
        assert math.isnan(estimates[1].high)
    (verdict,) = judge_differences([answer])
    assert verdict.kind == "open"
    assert verdict.largest.level == "seat 1"
    assert verdict.sure == ()


def test_the_largest_clear_difference_is_named() -> None:
    """A level that differs clearly is named before one with a larger difference that may be chance."""
    before, after = claim(0.0, 0.0, error=0.3), claim(6.0, 9.0, error=0.3)
    first, second = after.contrasts
    wide = replace(second.effect, low=-20.0, high=38.0)
    covariance = np.diag([0.09, (29 / 1.96) ** 2])
    unsure = replace(after, contrasts=(first, replace(second, effect=wide, effect90=wide)), covariance=covariance)
    answer = independent_answer(QUESTION, "after", before, unsure)
    assert answer is not None
    (verdict,) = judge_differences([answer])
    assert (verdict.kind, verdict.beyond) == ("changed", True)
    assert [change.level for change in verdict.sure] == ["seat 1"]
    assert verdict.largest.level == "seat 1"


def test_where_no_interval_is_clear_the_largest_difference_is_named() -> None:
    """A test may find a change, and one beyond the margin, although the wider intervals of all levels hold 0."""
    answer = of(0.0, 6.0)
    wide = tuple(replace(effect, low=-20.0, high=30.0) for effect in answer.together)
    unsure = replace(answer, together=wide, one_sided=wide, overall=replace(answer.overall, p=0.001), p_beyond=0.001)
    (verdict,) = judge_differences([unsure])
    assert (verdict.kind, verdict.beyond, verdict.sure) == ("changed", True, ())
    assert verdict.largest == max(answer.changes, key=lambda change: abs(change.effect.value))
