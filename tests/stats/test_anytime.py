"""Intervals that hold at all looks: their formula, and how often they miss in runs with known true values."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
import scipy.optimize
import scipy.stats

import rogsim
from rogsim.experiments.run import look_schedule
from rogsim.game import compiler
from rogsim.stats.estimates import ALPHA, Clusters, mean, share, wilson
from rogsim.stats.sequential import ANYTIME_BLOCKS as FEWEST_BLOCKS
from rogsim.stats.sequential import TUNED_FOR, anytime_mean, anytime_share, blocks_needed, boundary
from scripts.studies.anytime import CASES, Case, follow, limits_of
from tests.dice_game.exact import MOODY, RUNNER, WALKER, sudden

pytestmark = pytest.mark.once_compiled

RUNS = 1_000


def from_blocks(sums: np.ndarray, sizes: np.ndarray) -> Clusters:
    y, m = sums.astype(float), sizes.astype(float)
    return Clusters(len(y), int(m.sum()), y.sum(), (y * y).sum(), (y * m).sum(), (m * m).sum())


def mixture(sum_: float, n: float, rho: float) -> float:
    """The mean over all drifts from a normal distribution, of scale rho, of how likely a sum of n is beside drift 0."""
    drifts = np.linspace(-12 * rho, 12 * rho, 20_001)
    ratios = np.exp(drifts * sum_ - drifts**2 * n / 2) * scipy.stats.norm.pdf(drifts, scale=rho)
    return float(np.trapezoid(ratios, drifts))


@pytest.mark.parametrize("n", [100, 1_000, 50_000])
def test_the_boundary_is_where_the_mixture_is_one_over_alpha(n: int) -> None:
    """At c(n) the mixed likelihood ratio is 20, which by Ville's inequality one run in 20 ever reaches."""
    v = scipy.optimize.brentq(lambda v: v - math.log(v + 1) + 2 * math.log(ALPHA), 1, 50)
    rho = math.sqrt(v / TUNED_FOR)
    assert mixture(boundary(n) * math.sqrt(n), n, rho) == pytest.approx(1 / ALPHA, rel=1e-6)


def test_the_boundary_is_least_where_it_is_tuned_for() -> None:
    """The boundary is smallest at 5,000 blocks; from 1,000 to 100,000 it is at most a tenth larger."""
    counts = np.geomspace(100, 10_000_000, 500)
    reach = [boundary(count) for count in counts]
    assert boundary(TUNED_FOR) <= min(reach)
    middle = [boundary(count) for count in np.geomspace(1_000, 100_000, 50)]
    assert max(middle) < 1.11 * boundary(TUNED_FOR)


def test_the_intervals_are_those_for_one_look_with_a_wider_reach() -> None:
    """Value, n and effective are as in the tables; c(n) replaces the quantile, also in Wilson's interval."""
    generator = np.random.default_rng(1)
    group = from_blocks(generator.binomial(4, 0.3, 700), np.full(700, 4))
    for plain, wide in ((share(group), anytime_share(group)), (mean(group), anytime_mean(group))):
        assert (plain.value, plain.n, plain.effective) == (wide.value, wide.n, wide.effective)
    found = anytime_share(group)
    assert (found.low, found.high) == wilson(found.value, found.effective, boundary(700))
    assert anytime_mean(group).half_width == pytest.approx(boundary(700) * math.sqrt(group.variance))


def test_before_some_blocks_there_is_no_interval() -> None:
    """With fewer than 100 blocks low and high are nan, with 100 they are not."""
    wins = np.arange(FEWEST_BLOCKS) % 4 == 0
    for estimate in (anytime_share, anytime_mean):
        early, known = (estimate(from_blocks(wins[:count], np.ones(count))) for count in (99, 100))
        assert math.isnan(early.low) and math.isnan(early.high) and early.value == pytest.approx(25 / 99)
        assert known.low < 0.25 < known.high


def test_who_never_wins_has_an_upper_limit() -> None:
    """Without any spread each block counts as a game, and limits stay within 0 and 1."""
    found = anytime_share(from_blocks(np.zeros(200), np.ones(200)))
    assert found.low == 0 and 0 < found.high < 0.2
    found = anytime_share(from_blocks(np.full(200, 4.0), np.full(200, 4)))
    assert found.high == 1 and 0.8 < found.low < 1


@pytest.mark.parametrize("blocks", [100, 3_000, 400_000])
@pytest.mark.parametrize("wanted", [0.5, 0.1, 0.9])
def test_the_blocks_needed_make_the_interval_that_narrow(blocks: int, wanted: float) -> None:
    """With the same spread, the interval after so many blocks has the wanted half width."""
    needed = blocks_needed(1.0, blocks, wanted)
    assert boundary(needed) / math.sqrt(needed) == pytest.approx(wanted * boundary(blocks) / math.sqrt(blocks))
    assert blocks_needed(wanted, blocks, wanted) == blocks


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_simulation_draws_what_it_says(case: Case) -> None:
    """The true value is the ratio of the means, and limits of whole arrays are those of the functions, run by run."""
    sums, sizes = case.draw(np.random.default_rng(2), (100, 4_000))
    error = np.std(sums - case.truth * sizes) / math.sqrt(sums.size) / sizes.mean()
    assert abs(sums.sum() / sizes.sum() - case.truth) < 4 * error
    limits = limits_of(sums[:3], sizes[:3], case.is_share)
    estimate = anytime_share if case.is_share else anytime_mean
    for run in range(3):
        for blocks in (100, 101, 1_234, 4_000):
            found = estimate(from_blocks(sums[run, :blocks], sizes[run, :blocks]))
            expected = [max(0, found.low), found.high] if case.is_share else [found.low, found.high]
            place = blocks - FEWEST_BLOCKS
            low = limits[1][run, place]
            assert [max(0, low) if case.is_share else low, limits[2][run, place]] == pytest.approx(expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_at_most_one_run_in_twenty_ever_misses_the_truth(case: Case) -> None:
    """Of 1,000 runs, each looked at after every block, at most 5% miss at any look or where they stop."""
    found = follow(case, RUNS)
    assert found.any_block <= ALPHA, found
    assert found.stop <= found.any_look <= found.any_block
    assert 1_000 < found.blocks < 5_000  # stopped for being narrow, and not at the first look


def test_an_interval_for_one_look_misses_when_looked_at_often() -> None:
    """Looked at after every block, plain 95% intervals miss in a third of the runs or more: the test can fail."""
    found = follow(CASES[0], RUNS, plain=True)
    assert found.any_block > 1 / 3
    assert found.any_look > 0.1


def test_seats_of_one_game_keep_the_promise_each() -> None:
    """With four unequal seats to ±0.5 pp and the looks of a run, each seat misses in at most 5% of 1,000 runs."""
    truth, target, cap = np.array([0.28, 0.26, 0.24, 0.22]), 0.005, 400_000
    generator, games = np.random.default_rng(3), np.array(look_schedule(cap, 4))
    steps = np.diff(games, prepend=0)
    missed, stops = np.zeros((RUNS, 4), bool), []
    for run in range(RUNS):
        wins = np.cumsum(generator.multinomial(steps, truth), axis=0)
        for count, won in zip(games, wins, strict=True):
            found = [anytime_share(Clusters(count, count, total, total, total, count)) for total in won.tolist()]
            missed[run] |= [
                not estimate.low <= true <= estimate.high for estimate, true in zip(found, truth, strict=True)
            ]
            if max(estimate.half_width for estimate in found) <= target:
                break
        stops.append(count)
    assert missed.mean(axis=0).max() <= ALPHA
    assert max(stops) < cap


@pytest.mark.skipif(not compiler.ENABLED, reason="750,000 games take too long uncompiled")
@pytest.mark.usefixtures("dice_race")
def test_bots_of_the_dice_race_keep_the_promise() -> None:
    """In 1,000 series of real games with blocks of three rotations, at most 5% miss a bot's exact share."""
    blocks, steps = 250, {"runner": RUNNER, "walker": WALKER, "moody": MOODY}
    keys = {"game": "dice-race", "players": [3], "games": RUNS * blocks * 3, "seed": 4, "bots": list(steps)}
    seats = rogsim.run(keys | {"options": {"long": 20, "short": 20}}).seats()
    sums = seats.group_by("bot", "block").agg(pl.col("win_share").sum()).sort("block").collect()
    rotations = [np.roll(list(steps), places) for places in range(3)]
    exact = [dict(zip(order, sudden([steps[bot] for bot in order], 20), strict=True)) for order in rotations]
    for bot in steps:
        truth = np.mean([shares[bot] for shares in exact])
        won = sums.filter(pl.col("bot") == bot)["win_share"].to_numpy().astype(float).reshape(RUNS, blocks)
        _, low, high = limits_of(won, np.full(won.shape, 3.0), True)
        assert ((low > truth) | (high < truth)).any(axis=1).mean() <= ALPHA
        assert abs(won.mean() / 3 - truth) < 0.003
