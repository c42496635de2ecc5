"""Pooled estimates: exact calculations, how often they are right, and how a report shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rogsim.report import words
from rogsim.report.balance.sections import topic_section
from rogsim.report.balance.sources import Material, Source
from rogsim.stats.balance.measure import Balance, balance
from rogsim.stats.balance.pooled_levels import pooled_draws, pooled_levels
from rogsim.stats.partial_pooling import TAILS, TYPICAL, pool
from rogsim.stats.verdicts import claims, judge
from scripts.studies.pooling import CASES, deciles, draws_series, one_series, rows_of
from tests.series import HANDS, SPEC, joined, series

pytestmark = pytest.mark.once_uncompiled

ONE = [(4, 0)]
SIX = [(players, bots) for bots in (0, 1) for players in (2, 3, 4)]


@pytest.fixture(scope="module")
def folders() -> list[Balance]:
    """Two folders with two player counts, in which the first hand is too strong."""
    generator = np.random.default_rng(1)
    return [
        balance(joined(*(series(generator, 900, players, hands=(4,)) for players in (2, 4))), SPEC) for _ in range(2)
    ]


def test_the_grid_gives_what_sampling_from_the_prior_gives() -> None:
    """Posterior means and probabilities are those of a million draws from the model, weighted by their likelihood."""
    generator, size = np.random.default_rng(2), 1_000_000
    y, noise = np.array([6.0, -1.0, 0.5]), np.array([4.0, 1.0, 2.0])
    tau = TYPICAL * np.abs(generator.standard_cauchy(size))
    nu = generator.choice(TAILS, size)
    gamma = np.where(np.isinf(nu), 1.0, generator.chisquare(np.where(np.isinf(nu), 1, nu), (3, size)) / nu)
    effects = tau / np.sqrt(gamma) * generator.standard_normal((3, size))
    weight = np.exp(-((y[:, None] - effects) ** 2 / noise[:, None] / 2).sum(axis=0))
    weight /= weight.sum()
    found = pool(y[:, None], noise[:, None], ONE, 2.0)
    assert found.value[:, 0] == pytest.approx(effects @ weight, abs=0.1)
    assert found.chance[:, 0] == pytest.approx((np.abs(effects) > 2) @ weight, abs=0.02)
    inside = (effects >= found.low[:, :1]) & (effects <= found.high[:, :1])
    assert inside @ weight == pytest.approx(np.full(3, 0.95), abs=0.01)


def test_many_games_leave_estimates_as_they_are_and_few_draw_them_to_fair() -> None:
    """Without noise nothing is pooled; the noisier, the closer to 0."""
    y = np.array([[5.0], [-3.0], [1.0], [0.2]])
    exact, noisy = (pool(y, np.full_like(y, noise), ONE, 2.0) for noise in (1e-4, 25.0))
    assert exact.value[:, :1] == pytest.approx(y, abs=0.001)
    assert exact.chance[:, 0] == pytest.approx([1, 1, 0, 0], abs=1e-6)
    assert (np.abs(noisy.value[:, :1]) < 0.6 * np.abs(y)).all()
    assert (np.abs(noisy.chance - 0.5) < 0.4).all()


def test_the_other_sign_gives_the_other_sign() -> None:
    """Pooling is symmetric: effects with opposite signs, and levels in another order, give the same results."""
    y = np.random.default_rng(3).normal(0, 3, (8, 6))
    noise = np.full_like(y, 2.0)
    there, back = pool(y, noise, SIX, 2.0), pool(-y[::-1], noise, SIX, 2.0)
    assert back.value[::-1] == pytest.approx(-there.value)
    assert back.low[::-1] == pytest.approx(-there.high, abs=1e-4)
    assert back.chance[::-1] == pytest.approx(there.chance)


def test_contexts_that_agree_lend_each_other_strength() -> None:
    """An effect with all player counts and bots is more certain than one with a single one of them."""
    shared, lone = np.zeros((8, 6)), np.zeros((8, 6))
    shared[0], lone[0, 0] = 4.0, 4.0
    noise = np.full_like(shared, 4.0)
    common, single = pool(shared, noise, SIX, 2.0), pool(lone, noise, SIX, 2.0)
    assert common.chance[0, 0] > 0.75 > 0.45 > single.chance[0, 0]
    assert common.high[0, -1] - common.low[0, -1] < common.high[0, 0] - common.low[0, 0]
    assert common.value[0, -1] == pytest.approx(common.value[0, :6].mean())


def test_one_huge_effect_leaves_the_small_ones_small() -> None:
    """The tails are heavy enough for one level at 25 pp among seven near 0."""
    y = np.array([[25.0], [1.0], [-1.0], [0.5], [-0.5], [0.2], [-0.8], [0.6]])
    found = pool(y, np.full_like(y, 1.0), ONE, 2.0)
    assert found.value[0, 0] > 24
    assert found.chance[0, 0] > 0.99
    assert (found.chance[1:, 0] < 0.15).all()


def test_what_is_missing_changes_nothing_for_the_others() -> None:
    """A level without rows is treated as missing."""
    y = np.array([[4.0], [-1.0], [1.0], [np.nan]])
    found, without = pool(y, np.full_like(y, 2.0), ONE, 2.0), pool(y[:3], np.full((3, 1), 2.0), ONE, 2.0)
    assert found.value[:3] == pytest.approx(without.value, abs=1e-3)


def test_of_levels_given_80_to_90_per_cent_80_to_90_per_cent_are_out() -> None:
    """The same holds for every tenth, within two Monte Carlo errors."""
    frame = rows_of(lambda seed: _drawn(np.random.default_rng([4, seed])), 250)
    for place, (n, _, share, error) in enumerate(deciles(frame)):
        assert n > 60
        assert place / 10 - 2 * error <= share <= (place + 1) / 10 + 2 * error
    covered = frame.select(pl.col("truth").is_between("pooled_low", "pooled_high").mean()).item()
    assert 0.93 < covered < 0.97


def _drawn(generator: np.random.Generator) -> list[dict[str, float]]:
    """Estimates of 24 levels with a spread of 0.5 to 8 pp and noise of 0.5 to 4 pp."""
    spread, noise = 0.5 * 16 ** generator.random(), 0.5 * 8 ** generator.random()
    truth = spread * generator.normal(size=(24, 1))
    found = pool(truth + generator.normal(0, noise, truth.shape), np.full_like(truth, noise**2), ONE, 2.0)
    names = {"chance": found.chance, "pooled_low": found.low, "pooled_high": found.high}
    return [{"truth": truth[row, 0]} | {name: figures[row, 0] for name, figures in names.items()} for row in range(24)]


def test_whole_games_are_pooled_as_well_as_plain_numbers() -> None:
    """From games: intervals contain true values, estimates are closer to them, chances are calibrated."""
    case = CASES["spread of 2 pp, 4,000 games"]
    frame = pl.concat(
        [
            rows_of(lambda seed: one_series(case, seed), 25).select(pl.exclude("plain")),
            rows_of(lambda seed: draws_series(2.0, 8_000, seed), 4).select(pl.exclude("plain")),
        ]
    )
    assert frame.select(pl.col("truth").is_between("pooled_low", "pooled_high").mean()).item() > 0.9
    assert frame["chance"].mean() == pytest.approx((frame["truth"].abs() > 2).mean(), abs=0.07)


def test_pooling_halves_the_error_where_effects_are_small() -> None:
    """If plain estimates are mostly noise, pooled ones are much closer to the true values."""
    frame = rows_of(lambda seed: one_series(CASES["all exactly fair, 2,000 games"], seed), 15)
    pooled, plain = (
        frame.select((pl.col(name) - pl.col("truth")).pow(2).mean()).item() for name in ("pooled", "plain")
    )
    assert pooled < plain / 4
    assert frame["chance"].max() < 0.8


def test_levels_with_few_rows_have_no_pooled_estimate() -> None:
    """With fewer than 30 rows there is none; the share of a level that never or always wins has a variance, too."""
    results = series(np.random.default_rng(5), 12)
    assert pooled_levels([balance(results, SPEC, only=("hands",))], "hand", 2.0).each["chance"].null_count() == 8
    never = series(np.random.default_rng(6), 100, hands=(-1_000,))
    found = pooled_levels([balance(never, SPEC, only=("hands",))], "hand", 2.0).each.row(0, named=True)
    assert found["pooled_low"] < found["pooled_high"] < -5
    assert found["pooled_high"] - found["pooled_low"] > 3


def test_every_context_has_its_rows_and_all_together_have_theirs(folders: list[Balance]) -> None:
    """Levels are pooled over player counts and folders, draws over folders."""
    hands, draws = pooled_levels(folders, "hand", 2.0), pooled_draws(folders, "draw", 2.0)
    assert hands.each.height == 4 * len(HANDS)
    assert hands.overall["level"].to_list() == list(HANDS)
    assert hands.overall["chance"][0] > 0.99
    assert hands.overall["plain_low"][0] < hands.overall["pooled"][0] < hands.overall["plain_high"][0]
    assert draws.each.height == 2 * 3 * (2 + 4)
    assert draws.overall.group_by("players").len().sort("players")["len"].to_list() == [6, 12]


def test_a_report_shows_pooled_figures_beside_the_plain_ones(folders: list[Balance]) -> None:
    """Sections of levels and of draws have the columns, one table over all, a figure, and their meaning."""
    for kept in (folders[:1], folders):
        sources = tuple(
            Source(f"bot {place}", {}, Path("x"), balance, claims=claims([balance], SPEC.topics))
            for place, balance in enumerate(kept)
        )
        verdicts = judge([claim for source in sources for claim in source.claims], 2.0)
        material = Material(SPEC, sources, verdicts, 2.0)
        for topic in SPEC.topics[:2]:
            section = topic_section(material, topic)
            assert section is not None
            heads = [column.head for grid in section.grids for column in grid.columns]
            assert "chance beyond ±2 pp" in heads
            assert "against fair, pp (95%)" in heads or "against all games, pp (95%)" in heads
            (picture,) = [picture for picture in section.pictures if picture.name == f"{topic.name}-pooled"]
            assert picture.draw().axes
            names = [grid.name for grid in section.grids]
            assert (f"{topic.name}-pooled" in names) == (topic.kind == "level" or len(kept) > 1)
            assert any("games between these bots" in text for text in section.method)


def test_a_chance_is_never_told_as_certain() -> None:
    """It is in whole percent, "<1%" or ">99%" at the ends, and "too few" if there is none."""
    text = [words.chance(value) for value in (0.0, 0.004, 0.25, 0.992, 1.0, None, float("nan"))]
    assert text == ["<1%", "<1%", "25%", ">99%", ">99%", "too few", "too few"]
