"""Tests under the null hypothesis: against enumeration and exact distributions, for sure effects and rare levels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats

from rogsim.results.results import Results
from rogsim.stats import contrasts
from rogsim.stats.balance.association import CountSums, MemberSums, slopes
from rogsim.stats.balance.level_by_seat import DrawSums
from rogsim.stats.balance.levels import LevelSums
from rogsim.stats.balance.measure import balance, claims
from rogsim.stats.blocks import BlockRows
from rogsim.stats.contrasts import MOST_FLIPPED, Exchanged, flip_test, score_test, share_p_values
from rogsim.stats.judgement import judge
from tests.series import FIELD, SPEC, TOPICS, of_chances, series

pytestmark = pytest.mark.once_uncompiled


def part_of(wins: Any, block: Any = None, **columns: Any) -> BlockRows:
    """Games as a part: wins float64[games, players]; columns of seats [games, players] or of games [games]."""
    wins = np.asarray(wins, dtype=np.float64)
    games, players = wins.shape
    block = np.arange(games) if block is None else np.asarray(block)
    key = {"game": np.arange(games), "block": block}
    of_seats = {name: np.ravel(column) for name, column in columns.items() if np.ndim(column) == 2}
    seats = {name: np.repeat(column, players) for name, column in key.items()}
    seats |= {"seat": np.tile(np.arange(1, players + 1), games), "win_share": wins.ravel(), "points": wins.ravel()}
    of_games = {name: np.asarray(column) for name, column in columns.items() if np.ndim(column) == 1}
    return BlockRows(players, pl.DataFrame(seats | of_seats), pl.DataFrame(key | {"turns": np.ones(games)} | of_games))


def winners(generator: np.random.Generator, games: int, players: int) -> np.ndarray:
    return np.eye(players)[generator.integers(players, size=games)]


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 3, 1)])
def test_the_covariance_is_that_of_all_exchanges(sizes: tuple[int, ...]) -> None:
    """It equals the covariance over all assignments of a block's columns of results to its seats."""
    generator = np.random.default_rng(1)
    block = np.repeat(np.arange(len(sizes)), sizes)
    wins = winners(generator, len(block), 3)
    wins[0] = (0.5, 0.5, 0)
    codes = generator.integers(-1, 4, wins.shape)
    found = Exchanged(4)
    found.add_codes(part_of(wins, block), codes)
    expected = np.zeros((4, 4))
    for place in range(len(sizes)):
        x = (codes[block == place, :, None] == np.arange(4)).astype(float)
        won = wins[block == place] - 1 / 3
        sums = np.array([np.einsum("gsl,gs->l", x, won[:, list(order)]) for order in itertools.permutations(range(3))])
        assert sums.mean(axis=0) == pytest.approx(0)
        expected += np.cov(sums.T, bias=True)
    assert found.covariance == pytest.approx(expected)


def test_for_single_games_the_test_of_levels_is_pearsons() -> None:
    """With a seat as the level, and one winner a game, the statistic is the chi-squared one, exactly."""
    wins = winners(np.random.default_rng(2), 200, 4)
    sums = LevelSums("seat", range(1, 5), 4)
    sums.add(part_of(wins))
    found = sums.result()
    textbook = scipy.stats.chisquare(wins.sum(axis=0))
    assert found.overall.df == 3
    assert found.overall.statistic * 3 == pytest.approx(textbook.statistic)
    assert found.overall.p == pytest.approx(textbook.pvalue)


@pytest.mark.parametrize(("wins", "games"), [(0, 40), (40, 40), (3, 40), (15, 40), (10, 40), (0, 3_000)])
def test_p_values_of_shares_are_binomial(wins: int, games: int) -> None:
    """For whole numbers of wins the p is twice the smaller tail of the binomial distribution."""
    z = (wins - games / 4) / math.sqrt(games * 3 / 16)
    tail = min(scipy.stats.binom.cdf(wins, games, 0.25), scipy.stats.binom.sf(wins - 1, games, 0.25))
    assert share_p_values(np.array([z]), 0.25, np.array([games]))[0] == pytest.approx(min(1, 2 * tail))


@pytest.mark.parametrize("games", [0.0, -1.2e20, np.nan])
def test_without_independent_games_a_share_has_no_p_value(games: float) -> None:
    """As where a single level was drawn: its standard error is nothing but rounding."""
    assert np.isnan(share_p_values(np.array([1.0, np.nan]), 0.25, np.array([games, games]))).all()


@pytest.mark.parametrize(("games", "players"), [(100, 2), (100, 3), (100, 4), (40, 2), (40, 3), (40, 4)])
def test_a_seat_that_always_wins_is_found_and_named(games: int, players: int) -> None:
    """Although its share has no spread, the page says imbalanced, names it, and gives Wilson's interval."""
    results = of_chances(np.random.default_rng(3), games, (1.0, *[0.0] * (players - 1)))
    found = balance(results, SPEC, only=("seats",))
    (verdict,) = judge(claims([found], TOPICS))
    assert verdict.kind == "beyond"
    assert verdict.largest.name == "seat 1"
    assert "seat 1" in verdict.beyond
    seats, fair = found.players[players].seats, 100 / players
    assert seats is not None
    effect = seats.levels[0].effect
    assert effect.value == effect.high == pytest.approx(100 - fair)
    assert 88 - fair < effect.low < 97 - fair


@pytest.mark.parametrize("blocks", [10, 25])
def test_a_seat_that_always_wins_is_found_with_bots_that_rotate(blocks: int) -> None:
    """Blocks of four games that all come out the same still give a test."""
    results = series(np.random.default_rng(4), blocks, 4, FIELD, seats=(1_000,))
    found = balance(results, SPEC, only=("seats",))
    (verdict,) = judge(claims([found], TOPICS))
    assert verdict.kind == "beyond"
    assert "seat 1" in verdict.beyond
    seats = found.players[4].seats
    assert seats is not None
    assert seats.levels[0].effect.low > 25


def test_a_seat_that_never_wins_is_found_and_named() -> None:
    """A seat without a win in 3,000 games is named, and its interval ends just above 0."""
    results = of_chances(np.random.default_rng(5), 3_000, (1 / 3, 1 / 3, 1 / 3, 0.0))
    (verdict,) = judge(claims([balance(results, SPEC, only=("seats",))], TOPICS))
    assert verdict.kind == "beyond"
    assert "seat 4" in verdict.beyond
    seats = balance(results, SPEC, only=("seats",)).players[4].seats
    assert seats is not None
    assert (seats.levels[3].effect.low, seats.levels[3].p) == (-25, pytest.approx(0, abs=1e-9))
    assert -25 < seats.levels[3].effect.high < -24.8


def test_nothing_that_differs_is_no_effect() -> None:
    """If one bot wins wherever it sits, all seats are equally good, and the test says so."""
    results = series(np.random.default_rng(6), 50, 4, FIELD, skill=(0, 0, 0, 1_000))
    seats = balance(results, SPEC, only=("seats",)).players[4].seats
    assert seats is not None
    assert seats.overall.p == 1


def test_thin_draws_are_not_found_more_often_than_promised() -> None:
    """Of 120 fair series of 20 draws by 4 seats with 35 games each, about 5% seem to have an effect."""
    generator = np.random.default_rng(7)
    names = [f"draw {place}" for place in range(20)]
    found, marked = [], []
    for _ in range(120):
        draws = DrawSums("draw", names, 4, False)
        draws.add(part_of(winners(generator, 700, 4), draw=np.array(names)[generator.integers(20, size=700)]))
        result = draws.result()
        found.append(result.overall.p < 0.05)
        marked.append((result.seats()["q"].fill_null(1) < 0.05).any())
    assert 0.0 < np.mean(found) < 0.1
    assert np.mean(marked) < 0.1


def test_a_certain_effect_of_a_draw_is_found() -> None:
    """A draw with which one seat always wins is found, and the cell is marked."""
    wins = winners(np.random.default_rng(8), 700, 2)
    draw = np.repeat(["a", "b", "c", "d", "e"], 140)
    wins[draw == "c"] = (1, 0)
    draws = DrawSums("draw", ["a", "b", "c", "d", "e"], 2, False)
    draws.add(part_of(wins, draw=draw))
    found = draws.result()
    assert found.overall.p < 1e-12
    cell = found.seats().filter(level="c", seat=1).row(0, named=True)
    assert cell["q"] < 1e-9
    assert cell["beyond_low"] > 0


def members_of(bits: np.ndarray, wins: np.ndarray, names: list[str]) -> pl.DataFrame:
    sums = MemberSums("tools", names, wins.shape[1])
    sums.add(part_of(wins, tools=bits.astype(np.uint64)))
    return sums.result().frame()


@pytest.mark.parametrize("most", [False, True])
def test_intervals_of_members_that_few_or_nearly_all_have_hold(most: bool) -> None:
    """With about 40 seats that have it (or do not) the interval of the difference contains 0 in 94% or more."""
    generator = np.random.default_rng(9)
    held = []
    for _ in range(250):
        bits = generator.random((700, 4)) < 0.06 / 4
        row = members_of(~bits if most else bits, winners(generator, 700, 4), ["axe"]).row(0, named=True)
        if row["difference_low"] is not None:
            held.append(row["difference_low"] <= 0 <= row["difference_high"])
    assert len(held) > 200
    assert np.mean(held) > 0.93


def test_what_hardly_anybody_has_shows_its_number_and_nothing_else() -> None:
    """If it was had once, never, or by all but one, there is n, but neither an interval nor a p."""
    bits = np.full((1_500, 4), 4)
    bits[0, 0] = 1
    frame = members_of(bits, winners(np.random.default_rng(10), 1_500, 4), ["once", "never", "nearly all"])
    assert frame["n"].to_list() == [1, 0, 5_999]
    for name in ("difference_low", "difference_high", "points_low", "points_high", "p", "q"):
        assert frame[name].null_count() == 3


def test_a_number_that_one_seat_has_gives_no_slope() -> None:
    """One claim in 6,000 rows gives no slope, difference or p; without any the interval is not [0, 0]."""
    wins = winners(np.random.default_rng(11), 1_500, 4)
    once, never = np.zeros((1_500, 4)), np.zeros((1_500, 4))
    once[3, 2] = 1
    counts = []
    for column, values in (("once", once), ("never", never)):
        sums = CountSums(column, 4)
        sums.add(part_of(wins, **{column: values}))
        counts.append(sums.result())
    frame = slopes(counts)
    assert frame["having"].to_list() == [1, 0]
    for name in ("share_low", "points_low", "difference_low", "points_difference_low", "p", "p_difference"):
        assert frame[name].null_count() == 2, name


def test_the_slope_of_a_rare_number_holds() -> None:
    """If 50 of 2,800 seats have any, some of them much, the interval of the slope contains 0."""
    generator = np.random.default_rng(12)
    held = []
    for _ in range(200):
        x = np.where(generator.random((700, 4)) < 0.02, generator.integers(1, 4, (700, 4)), 0)
        sums = CountSums("x", 4)
        sums.add(part_of(winners(generator, 700, 4), x=x))
        slope = sums.result().slope
        if not math.isnan(slope["share_low"]):
            held.append(slope["share_low"] <= 0 <= slope["share_high"])
    assert len(held) > 100
    assert np.mean(held) > 0.92


def test_a_member_that_makes_sure_of_winning_is_found() -> None:
    """Forty seats that have it and all win: a difference with an interval well above 0, and a small q."""
    wins = winners(np.random.default_rng(13), 1_000, 4)
    bits = np.zeros((1_000, 4), dtype=int)
    bits[:40] = wins[:40].astype(int)
    row = members_of(bits, wins, ["axe"]).row(0, named=True)
    assert row["q"] < 1e-12
    assert 60 < row["difference_low"] < 70
    assert 75 < row["difference_high"] < 79


def test_what_is_left_open_by_level_and_seat_is_no_effect() -> None:
    """A score test with nuisance columns ignores what they explain and finds what they do not."""
    columns = np.vstack([np.kron(np.eye(3), np.ones((1, 3))), np.kron(np.ones((1, 3)), np.eye(3))]).T
    additive = columns @ np.arange(6.0)
    assert score_test(additive, np.eye(9), 100, columns).p == pytest.approx(1)
    found = score_test(additive + 9 * np.eye(9)[4], np.eye(9), 100, columns)
    assert (found.df, found.p < 0.001) == (4, True)


def test_results_with_one_game_have_no_test() -> None:
    """From a single game nothing is tested, and nothing fails."""
    results = series(np.random.default_rng(14), 1)
    assert isinstance(results, Results)
    found = balance(results, SPEC).players[4]
    assert found.seats is not None
    assert math.isnan(found.seats.overall.p)
    assert math.isnan(found.draws["draw"].overall.p)


def test_sign_flips_of_one_figure_are_the_exact_tests() -> None:
    """Of wins that changed hands it is McNemar's exact test, of means scipy's permutation test."""
    for gained, lost in ((7, 0), (9, 2), (5, 4)):
        moved = np.r_[np.ones(gained), -np.ones(lost), np.zeros(40)][:, None]
        exact = scipy.stats.binomtest(gained, gained + lost).pvalue
        assert flip_test(moved).p == pytest.approx(exact)
    sample = np.random.default_rng(1).normal(0.4, 1, 12)
    expected = scipy.stats.permutation_test((sample,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert flip_test(sample[:, None]).p == pytest.approx(expected)


@pytest.fixture
def few_flips(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """1,000 sign flips instead of 10,000: the test is as exact, and ten times as fast."""
    monkeypatch.setattr(contrasts, "FLIPS", 999)
    contrasts._signs.cache_clear()
    yield
    contrasts._signs.cache_clear()


@pytest.mark.usefixtures("few_flips")
def test_sign_flips_keep_their_level_with_few_blocks() -> None:
    """Of 600 samples without a difference 5% are called different, with 10, 20 and 50 blocks, normal and skewed."""
    generator = np.random.default_rng(2)
    for blocks in (10, 20, 50):
        for draw in (generator.standard_normal, lambda size: generator.exponential(1, size) ** 2):
            pairs = draw((2, 600, blocks, 3))
            rejected = [flip_test(differences).p < 0.05 for differences in pairs[0] - pairs[1]]
            assert 0.023 < np.mean(rejected) < 0.077  # 5% and three standard errors


def test_sign_flips_find_what_differs() -> None:
    """One of three is off by 1; with as many directions as blocks nothing can be found, with 9 there is no test."""
    sample = np.random.default_rng(3).standard_normal((40, 3)) + np.array([1, 0, 0])
    assert flip_test(sample).p < 0.001
    assert flip_test(sample[:12, [0]] + 5).p == pytest.approx(2**-11)
    assert flip_test(np.random.default_rng(4).standard_normal((12, 20)) + 5).p == pytest.approx(1)
    assert math.isnan(flip_test(sample[:9]).p)
    assert flip_test(np.zeros((12, 3))).p == 1


def test_sign_flips_do_not_count_what_is_bound() -> None:
    """Shares that add up to 1 have one degree of freedom less; levels that are not known are left out."""
    sample = np.random.default_rng(5).standard_normal((40, 2))
    both = flip_test(np.column_stack([sample, -sample.sum(axis=1), np.full(40, np.nan)]))
    assert (both.df, both.blocks) == (2, 40)
    assert both.p == pytest.approx(flip_test(sample).p)
    assert math.isnan(flip_test(np.full((40, 2), np.nan)).p)


def test_many_blocks_take_the_chi_squared_tail() -> None:
    """About the same p on both sides of the limit; a level that differs in few blocks has the bound instead."""
    sample = np.random.default_rng(6).standard_normal((MOST_FLIPPED, 2)) + np.array([0.11, 0])
    flipped, tail = flip_test(sample), flip_test(np.vstack([sample, np.full((1, 2), 1e-8)]))
    assert 0.01 < flipped.p < 0.3
    assert tail.p == pytest.approx(flipped.p, rel=0.15)
    thin = np.vstack([sample, np.full((1, 2), 1e-8)])
    thin = np.column_stack([thin, np.r_[np.ones(12), np.zeros(MOST_FLIPPED - 11)]])
    found = flip_test(thin)
    assert found.p == pytest.approx(min(1.0, 2 * math.e**3 / 9 * scipy.stats.chi2.sf(3 * found.statistic, 3)))
