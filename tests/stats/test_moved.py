"""How far retraining moves a difference: four runs on the same deals with known true values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rogsim.stats.effects import Effects
from rogsim.stats.paired.common_random_numbers import Estimand, Estimates
from rogsim.stats.paired.compared import difference_of_differences
from rogsim.stats.paired.differences import joint_test, untouched
from rogsim.stats.paired.fairness import distance, fairer, fairer_by_retraining
from rogsim.stats.paired.main_effects import Response, distance_change, move_of_distance_change, response_of
from tests.stats.test_differences import SHARES, run_of

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("few_draws")]

FAIR = [1 / 3, 1 / 3, 1 / 3]
SERIES, FEWER = 120, 30  # fewer where each takes long


def four_runs(generator: np.random.Generator, games: int, chances: Sequence[Sequence[float]]) -> list[Estimates]:
    """Base and variant with stale, then with retrained players; each game has the same luck in all four runs."""
    luck = generator.random(games)
    return [run_of(np.searchsorted(np.cumsum(shares)[:-1], luck), len(shares)) for shares in chances]


def moved(runs: Sequence[Estimates]) -> Effects:
    players, games = len(runs[0].levels), len(runs[0].deals)
    stale, retrained = (fairer(SHARES, players, "variant", base, other, games) for base, other in (runs[:2], runs[2:]))
    return fairer_by_retraining(SHARES, stale, retrained, runs, games)


def test_a_move_is_that_of_the_plain_calculation() -> None:
    """Its value and error are the mean and the standard error of each game's own difference of differences."""
    chances = [FAIR, [0.4, 0.3, 0.3], [0.45, 0.3, 0.25], [0.2, 0.4, 0.4]]
    runs = four_runs(np.random.default_rng(3), 500, chances)
    found = difference_of_differences(runs)
    pairs, move = found
    wins = [run.influence + run.value for run in runs]
    own = (wins[3] - wins[2]) - (wins[1] - wins[0])
    assert move.value == pytest.approx(own.mean(axis=0))
    assert np.sqrt(np.diag(move.covariance)) == pytest.approx(own.std(axis=0, ddof=1) / np.sqrt(500))
    assert pairs[1].value - pairs[0].value == pytest.approx(move.value)
    assert move.by_block == pytest.approx(own)


def test_deals_that_not_all_have_played_are_left_out() -> None:
    """Of 50 and 40 deals the common 40 count."""
    runs = four_runs(np.random.default_rng(3), 50, [FAIR] * 4)
    fewer = four_runs(np.random.default_rng(3), 40, [FAIR] * 4)
    assert difference_of_differences([*runs[:3], fewer[3]])[1].blocks == 40


def test_the_joint_test_seldom_finds_a_move_that_is_not_there() -> None:
    """The variant differs from the base, and by the same amount with both players."""
    rng = np.random.default_rng(8)
    chances = [FAIR, [0.5, 0.25, 0.25], FAIR, [0.5, 0.25, 0.25]]
    rejected = 0
    for _ in range(SERIES):
        stale, retrained = four_runs(rng, 400, chances), four_runs(rng, 400, chances)
        found = difference_of_differences([*stale[:2], *retrained[2:]])
        rejected += joint_test(found[1]).p < 0.05
    assert rejected <= 0.1 * SERIES


@pytest.mark.parametrize(
    "chances",
    [
        [FAIR, FAIR, FAIR, FAIR],  # all seats may be the farthest
        [[0.5, 0.3, 0.2], [0.4, 0.33, 0.27], [0.5, 0.3, 0.2], [0.4, 0.33, 0.27]],  # fairer, and not moved
        [[0.4, 0.33, 0.27], FAIR, [0.5, 0.3, 0.2], [0.42, 0.3, 0.28]],
        [[0.6, 0.4], [0.55, 0.45], [0.7, 0.3], [0.5, 0.5]],
    ],
)
def test_intervals_of_a_move_of_the_distance_from_fair_hold(chances: list[list[float]]) -> None:
    """In 95% of series or more; and where nothing moved it is seldom called a move."""
    rng = np.random.default_rng(5)
    far = [100 * distance(np.array(shares), 1 / len(shares)) for shares in chances]
    truth = (far[3] - far[2]) - (far[1] - far[0])
    held, false = 0, 0
    for _ in range(FEWER):
        retrained = four_runs(rng, 600, chances)
        change = moved([*four_runs(rng, 600, chances)[:2], *retrained[2:]]).contrasts[0]
        held += change.effect.low <= truth <= change.effect.high
        false += change.p < 0.05
        assert change.after is not None
        assert change.before is not None
        assert change.effect.value == pytest.approx(change.after.value - change.before.value, abs=1e-6)
    assert held >= 0.9 * FEWER
    if truth == 0:
        assert false <= 0.1 * FEWER


def test_a_move_of_the_distance_from_fair_is_found() -> None:
    """With one seat clearly the farthest the interval is the usual one, and narrower on the same deals."""
    chances = [[0.6, 0.2, 0.2], [0.5, 0.25, 0.25], [0.6, 0.2, 0.2], [0.4, 0.3, 0.3]]
    runs = four_runs(np.random.default_rng(1), 3_000, chances)
    (change,) = moved(runs).contrasts
    raw = difference_of_differences(runs)
    assert change.p < 0.001
    assert (change.effect.high - change.effect.low) / 2 == pytest.approx(
        196 * np.sqrt(raw[1].covariance[0, 0]), rel=0.03
    )
    assert change.effect.low < -10 < change.effect.high


def test_players_who_play_the_same_move_nothing() -> None:
    """Retraining that changed no game is told from a small move."""
    runs = four_runs(np.random.default_rng(1), 200, [FAIR, [0.5, 0.3, 0.2]])
    answer = moved([*runs, *runs])
    assert answer.untouched
    assert answer.contrasts[0].effect.value == 0
    found = difference_of_differences([*runs, *runs])
    assert untouched(found[1])


def responses(rng: np.random.Generator, chances: Sequence[Sequence[float]]) -> list[Response]:
    """The responses of four settings that share their deals."""
    found = []
    for run in four_runs(rng, 800, chances):
        size = (len(run.deals), len(run.levels))
        points = Estimates(Estimand("points", "seat"), run.levels, np.zeros(size[1]), run.n, run.deals, np.zeros(size))
        turns = Estimates(Estimand("turns"), ("",), np.zeros(1), run.n[:1], run.deals, np.zeros((size[0], 1)))
        found.append(response_of([run, points, turns], size[1]))
    return found


def test_the_move_of_a_change_of_root_mean_squares_lies_in_its_interval() -> None:
    """In about 95% of series for the distance that sweeps use, and a setting that is the same does not move."""
    chances = [[0.5, 0.3, 0.2], [0.4, 0.35, 0.25], [0.6, 0.25, 0.15], [0.4, 0.3, 0.3]]
    far = [100 * float(np.sqrt(np.mean((np.array(shares) - 1 / 3) ** 2))) for shares in chances]
    truth, rng, held = (far[3] - far[2]) - (far[1] - far[0]), np.random.default_rng(2), 0
    for _ in range(SERIES):
        base, other, new_base, new_other = responses(rng, chances)
        found = move_of_distance_change((base, other), (new_base, new_other))
        held += found.low <= truth <= found.high
        gap = distance_change(new_base, new_other).value - distance_change(base, other).value
        assert found.value == pytest.approx(gap)
    assert held >= 0.9 * SERIES
    same = move_of_distance_change((base, other), (base, other))
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
