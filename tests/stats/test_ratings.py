"""Ratings: planted strengths are found again, the intervals cover them, ties give half."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest
from numpy.typing import NDArray

from rogsim.stats.ratings import ELO, Ratings, finishing_orders, largest_joined, rate

pytestmark = pytest.mark.once_uncompiled

STRENGTHS = np.array([120.0, 30.0, -20.0, -130.0])  # Elo, mean 0


def play(elo: NDArray[np.float64], fields: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Orders drawn from the model: the one with the largest log strength plus Gumbel noise comes first."""
    noise = np.random.default_rng(seed).gumbel(size=fields.shape)
    return np.take_along_axis(fields, np.argsort(-(elo[fields] / ELO + noise), axis=1), axis=1)


def fields(games: int, *bots: int) -> NDArray[np.int64]:
    return np.tile(np.array(bots), (games, 1))


def own_blocks(orders: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.arange(len(orders))


def rated(orders: NDArray[np.int64], count: int, draws: int = 200) -> Ratings:
    return rate(orders, own_blocks(orders), count, draws)


@pytest.mark.parametrize("table", [(0, 1, 2, 3), (0, 0, 1, 2, 3)], ids=["one of each", "one bot twice"])
def test_planted_strengths_are_found(table: tuple[int, ...]) -> None:
    """From 20,000 orders each strength is recovered within some points, whether or not a bot takes two seats."""
    found = rated(play(STRENGTHS, fields(20_000, *table), 1), 4)
    assert np.abs(found.value - STRENGTHS).max() < 6
    assert found.value.mean() == pytest.approx(0)


def test_bots_that_meet_in_turn_are_put_on_one_scale() -> None:
    """Strengths are found where no game has all bots, as with more bots than seats."""
    tables = [fields(8_000, *pair) for pair in ((0, 1), (1, 2), (2, 3))]
    found = rated(play(STRENGTHS, np.concatenate(tables), 2), 4)
    assert np.abs(found.value - STRENGTHS).max() < 12


def test_two_bots_are_rated_as_elo_does() -> None:
    """With two bots the difference is 400 times the decimal log of the odds, added games included."""
    orders = np.concatenate([fields(299, 0, 1), fields(99, 1, 0)])
    found = rated(orders, 2)
    assert found.value[0] - found.value[1] == pytest.approx(400 * math.log10(300 / 100))


def test_the_samples_are_fitted_as_choix_fits() -> None:
    """A sample in which blocks are drawn once or twice is rated as the library rates the same games."""
    orders = play(STRENGTHS, fields(60, 0, 1, 2, 3), 3)
    blocks = np.arange(60) // 4
    drawn = np.random.default_rng(20_240_413).integers(15, size=15)  # the first draw
    games = [orders[game].tolist() for block in drawn for game in np.flatnonzero(blocks == block)]
    games += [[i, j] for i in range(4) for j in range(4) if i != j]
    expected = choix.ilsr_rankings(4, games)
    assert rate(orders, blocks, 4, 1).draws[0] == pytest.approx(ELO * expected, abs=1e-3)


@pytest.mark.parametrize("last", [STRENGTHS[3], -5_000.0], ids=["all win", "one never wins"])
@pytest.mark.parametrize("table", [(0, 1, 2, 3), (0, 0, 1, 2, 3)], ids=["one of each", "one bot twice"])
def test_ratings_are_those_of_choix(table: tuple[int, ...], last: float) -> None:
    """The iteration of the library, from equal strengths until it ends, gives the same ratings."""
    orders = play(np.array([*STRENGTHS[:3], last]), fields(200, *table), 3)
    games = [*orders.tolist(), *([i, j] for i in range(4) for j in range(4) if i != j)]
    expected = ELO * choix.ilsr_rankings(4, games, tol=1e-12)
    found = rated(orders, 4).value
    assert found - found[0] == pytest.approx(expected - expected[0], abs=1e-6)


def test_intervals_cover_the_truth() -> None:
    """About 95% of 95% intervals contain the true rating (4 bots in 100 series, within 4 standard errors)."""
    covered = []
    for seed in range(100):
        found = rated(play(STRENGTHS, fields(400, 0, 1, 2, 3), 100 + seed), 4)
        covered += [(found.low <= STRENGTHS) & (found.high >= STRENGTHS)]
    share = np.mean(covered)
    assert abs(share - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 100) / 2  # the four are not independent
    assert np.mean(covered, axis=0).min() > 0.86


def test_equal_bots_are_not_told_apart() -> None:
    """In 40 series with equal bots the lead of one over another is rarely called a difference."""
    wrong = 0
    for seed in range(40):
        low, high = rated(play(np.zeros(4), fields(400, 0, 1, 2, 3), 300 + seed), 4).lead(0, 3)[1:]
        wrong += low > 0 or high < 0
    assert wrong <= 6  # 2 expected; more than 6 in one of 300 such tests


def test_games_of_a_block_count_as_one() -> None:
    """Games that repeat each other within a block add no information: the interval stays as wide."""
    orders = play(STRENGTHS, fields(400, 0, 1, 2, 3), 4)
    once = rate(orders, own_blocks(orders), 4)
    four = rate(np.repeat(orders, 4, axis=0), np.repeat(own_blocks(orders), 4), 4)
    as_if = rate(np.repeat(orders, 4, axis=0), np.arange(1_600), 4)
    width, repeated, wrong = (found.high - found.low for found in (once, four, as_if))
    assert repeated == pytest.approx(width, rel=0.03)
    assert wrong == pytest.approx(width / 2, rel=0.15)


def test_a_bot_that_always_loses_has_a_finite_rating_and_no_interval() -> None:
    """One added game each way keeps ratings finite and in order; the distance of the loser stays open."""
    orders = np.concatenate([fields(500, 0, 1, 2), fields(300, 1, 0, 2)])
    found = rated(orders, 3)
    assert np.isfinite(found.value).all()
    assert found.value[:2].mean() == pytest.approx(0)
    assert found.value[2] < found.value[1] - 500
    assert found.joined.tolist() == [True, True, False]
    assert np.isfinite([found.low, found.high]).all(axis=0).tolist() == [True, True, False]
    assert np.isfinite(found.lead(0, 1)).all()
    assert np.isfinite(found.lead(1, 2)).tolist() == [True, False, False]


def test_a_bot_that_is_compared_with_no_other_has_no_interval() -> None:
    """If one of two bots always wins, neither has one."""
    found = rated(fields(50, 0, 1), 2)
    assert np.isnan([found.low, found.high]).all()


def test_bots_are_joined_by_way_of_others() -> None:
    """Bots that beat each other in a circle are joined; one that only wins, or only loses, is not."""
    circle = [[0, 1], [1, 2], [2, 0]]
    assert largest_joined(np.array([*circle, [3, 0], [1, 4]]), 5).tolist() == [True, True, True, False, False]
    assert largest_joined(np.array([[1, 0]]), 2).sum() == 1


def test_one_block_gives_no_interval() -> None:
    """Games that share one deal are one observation: there is a rating and no interval."""
    found = rate(play(STRENGTHS, fields(4, 0, 1, 2, 3), 5), np.zeros(4, np.int64), 4, 10)
    assert np.isfinite(found.value).all()
    assert np.isnan([found.low, found.high]).all()


def test_a_lead_is_the_difference_with_an_interval_of_its_own() -> None:
    """The lead's interval is that of the difference, not the sum of two intervals."""
    found = rated(play(STRENGTHS, fields(2_000, 0, 1, 2, 3), 6), 4, 1_000)
    value, low, high = found.lead(0, 1)
    assert value == pytest.approx(found.value[0] - found.value[1])
    assert low < value < high
    assert high - low < (found.high - found.low)[:2].sum()


def test_the_same_games_give_the_same_ratings() -> None:
    """All randomness has a fixed seed."""
    orders = play(STRENGTHS, fields(50, 0, 1, 2, 3), 7)
    first, again = rated(orders, 4), rated(orders, 4)
    assert np.array_equal(first.value, again.value)
    assert np.array_equal(first.draws, again.draws)


def test_orders_follow_the_ranks() -> None:
    """First to last, whatever the seats."""
    ranks = np.array([[2, 1, 3], [3, 2, 1]])
    assert finishing_orders(np.array([[0, 1, 2], [2, 1, 0]]), ranks).tolist() == [[1, 0, 2], [0, 1, 2]]


def test_ties_are_broken_by_lot() -> None:
    """Each order of tied seats is equally frequent, and seats that are not tied keep their places."""
    games = 6_000
    bots, ranks = np.tile([0, 1, 2, 3], (games, 1)), np.tile([2, 1, 2, 2], (games, 1))
    orders = finishing_orders(bots, ranks)
    assert np.all(orders[:, 0] == 1)
    kinds, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(kinds) == 6
    assert np.abs(counts - games / 6).max() < 5 * math.sqrt(games * (1 / 6) * (5 / 6))


def test_bots_that_always_tie_are_rated_alike() -> None:
    """All games tied: the ratings are 0 within their intervals."""
    games = 4_000
    orders = finishing_orders(np.tile([0, 1, 2], (games, 1)), np.ones((games, 3), np.int64))
    found = rated(orders, 3)
    assert np.abs(found.value).max() < 12
    assert np.all((found.low < 0) & (found.high > 0))
