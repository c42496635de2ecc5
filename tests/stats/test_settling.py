"""Settling: verdicts on series of known limit, and how often they are wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rogsim.stats.estimates import ALPHA as LEVEL
from rogsim.stats.paired.common_random_numbers import Estimates
from rogsim.stats.settling import LOOKS, EffectSeries, Settling, series_of, settle, settling_tests
from scripts.studies.settling import FIRST, LADDERS, MARGIN, Ladder, drift, measure, shrinking

pytestmark = pytest.mark.once_uncompiled

REPEATS = 1_500


def series(values: tuple[float, ...], error: float, blocks: float = 10_000) -> EffectSeries:
    return EffectSeries(
        "1", np.array(values), np.eye(len(values)) * error**2, np.full(len(values), blocks, dtype=np.float64)
    )


def verdict(values: tuple[float, ...], error: float, **more: float) -> Settling:
    (found,) = settle([series(values, error, **more)], 2.0)
    return found


def test_an_effect_that_stays_is_settled() -> None:
    """Two small changes with small errors are within the margin; what the weak bots did does not matter."""
    found = verdict((30.0, 5.0, 5.1, 5.2), 0.3)
    assert found.verdict == "settled"
    assert (found.last_step.value, found.last_two.value) == pytest.approx((0.1, 0.2))
    assert math.isnan(found.growth)


def test_a_slow_drift_that_one_step_hides_is_not_settled() -> None:
    """The last step alone is within the margin, both together are not."""
    found = verdict((0.0, 1.4, 2.8), 0.15)
    assert found.verdict == "still moving"
    assert found.last_two.value == pytest.approx(2.8)


def test_with_few_games_nothing_is_known() -> None:
    """Large errors decide nothing; the advice is more games, the more the larger the errors."""
    few, fewer = verdict((1.0, 1.2, 1.1), 1.5), verdict((1.0, 1.2, 1.1), 3.0)
    assert few.verdict == fewer.verdict == "not known yet"
    assert fewer.growth == pytest.approx(4 * few.growth)


def test_the_advice_is_about_enough() -> None:
    """With errors as small as the advised games give, an effect that does not change is settled."""
    error = 1.5
    found = verdict((1.0, 1.0, 1.0), error)
    assert verdict((1.0, 1.0, 1.0), error / math.sqrt(found.growth)).verdict == "settled"


def test_a_settled_effect_stays_settled_and_shows_the_new_estimates() -> None:
    """An earlier verdict stands, beside the p-values of all games; only a moving effect may still become settled."""
    earlier = {"1": verdict((1.0, 1.0, 1.0), 0.3)}
    (found,) = settle([series((1.0, 1.0, 2.5), 0.3)], 2.0, 2, earlier)
    assert (found.verdict, found.look, found.last_step.value) == ("settled", 1, 1.5)
    (fresh,) = settle([series((1.0, 1.0, 2.5), 0.3)], 2.0, 2)
    assert (found.p_settled, found.p_moving) == (fresh.p_settled, fresh.p_moving)
    moving = verdict((1.0, 1.0, 2.5), 0.3)
    (still,) = settle([series((1.0, 1.0, 1.5), 0.5)], 2.0, 2, {"1": moving})
    (now,) = settle([series((1.0, 1.0, 1.5), 0.2)], 2.0, 3, {"1": moving})
    assert (moving.verdict, still.verdict, still.look, now.verdict) == ("still moving", "still moving", 1, "settled")


def test_an_effect_that_moves_by_less_than_the_margin_is_not_decided() -> None:
    """More games may show that it is settled; an effect that moves by more is decided."""
    little, much = verdict((1.0, 1.0, 2.5), 0.3), verdict((1.0, 1.0, 4.0), 0.3)
    assert little.verdict == much.verdict == "still moving"
    assert (little.is_decided, much.is_decided) == (False, True)
    assert little.growth > 1


def test_too_few_blocks_give_no_test() -> None:
    """With fewer than 30 blocks there is no p-value and no advice."""
    found = verdict((1.0, 1.0, 1.0), 0.1, blocks=29)
    assert found.verdict == "not known yet"
    assert math.isnan(found.p_settled)
    assert math.isnan(found.growth)


def test_a_level_that_never_occurred_is_not_known() -> None:
    """A missing estimate gives no verdict, and does not disturb the rest of the family."""
    missing = EffectSeries("2", np.array([1.0, np.nan, 1.0]), np.full((3, 3), np.nan), np.array([9.0, 0.0, 9.0]))
    first, second = settle([series((5.0, 5.0, 5.0), 0.2), missing], 2.0)
    assert (first.verdict, second.verdict) == ("settled", "not known yet")


def test_a_family_needs_more_evidence_than_a_single_claim() -> None:
    """Holm: what one claim alone would show, it does not show among twenty."""
    one = series((1.0, 1.0, 1.0), 0.5)
    assert settle([one], 2.0)[0].verdict == "settled"
    assert settle([one] * 20, 2.0)[0].verdict == "not known yet"


@pytest.mark.parametrize("look", [0, LOOKS + 1])
def test_only_planned_looks_are_allowed(look: int) -> None:
    """A look that is not planned would spend error rate that is not there."""
    with pytest.raises(ValueError, match="planned"):
        settle([series((1.0, 1.0, 1.0), 0.5)], 2.0, look)


def test_a_ladder_needs_three_rungs() -> None:
    """Two rungs have one step only."""
    with pytest.raises(ValueError, match="rungs"):
        settle([series((1.0, 1.0), 0.5)], 2.0)


def test_the_same_deals_make_changes_more_precise() -> None:
    """Positive covariance of the rungs lowers the errors of the changes."""
    values, apart = np.zeros(3), np.eye(3)
    together = 0.5 * np.eye(3) + 0.5
    assert (settling_tests(values, together, 999, 2.0).errors < settling_tests(values, apart, 999, 2.0).errors).all()


def test_rungs_are_correlated_only_by_the_deals_that_they_share() -> None:
    """The covariance of two rungs with the same results on a half of their deals, computed by hand."""
    generator = np.random.default_rng(5)
    wins = generator.random(400) < 0.3
    runs = [_run(wins[:200].astype(float), 0), _run(wins.astype(float), 0), _run(wins.astype(float), 400)]
    (found,) = series_of(runs)
    share = [wins[:200].mean(), wins.mean(), wins.mean()]
    assert found.values == pytest.approx([100 * (value - 0.25) for value in share])
    assert found.covariance[0, 0] == pytest.approx(100**2 * wins[:200].var(ddof=1) / 200)
    assert found.covariance[0, 2] == found.covariance[1, 2] == 0.0
    expected = ((wins[:200] - share[0]) * (wins[:200] - share[1])).sum() / 200 / 400 * 400 / 399
    assert found.covariance[0, 1] == pytest.approx(100**2 * expected)


def _run(wins: np.ndarray, first: int) -> Estimates:
    value, deals = wins.mean(), np.arange(first, first + len(wins))
    return Estimates(
        ("1",), np.array([value]), np.array([len(wins)]), deals, (wins - value)[:, None], fair=np.array(0.25)
    )


@pytest.mark.parametrize("ladder", [ladder for ladder in LADDERS if not ladder.is_settled][:3], ids=lambda x: x.name)
def test_false_settled_is_rare(ladder: Ladder) -> None:
    """With as much to come as the margin, or with a drift at the margin, at most 5% of families call a seat settled."""
    allowed = LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / REPEATS)
    assert measure(ladder, REPEATS, seed=3).any_settled <= allowed


def test_the_assumption_is_needed() -> None:
    """An effect that drifts for ever by less than half the margin is called settled in the end, as documented."""
    assert measure(drift(0.5), 300, seed=3).settled[-1] > 0.7


def test_a_constant_effect_is_found_to_be_settled_and_rarely_to_move() -> None:
    """The power grows with the games: about 30% with 12,800 games of each rung, 97% with 25,600."""
    rates = measure(LADDERS[0], REPEATS, seed=4)
    games = [FIRST * 2**look for look in range(LOOKS)]
    assert rates.settled[games.index(12_800)] > 0.25
    assert rates.settled[games.index(25_600)] > 0.94
    assert rates.any_moving <= LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / REPEATS)


def test_what_is_still_to_come_is_less_than_the_last_two_changes() -> None:
    """The reason for two steps: with changes that shrink by 0.7, to come is at most what the last two steps changed."""
    for ratio in (0.1, 0.5, 0.7):
        found = shrinking(ratio, MARGIN)
        assert abs(found.effects[2] - found.effects[0]) > MARGIN
