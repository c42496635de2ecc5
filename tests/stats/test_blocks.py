"""Sums over blocks against plain loops, and estimates from them against those of `estimates`."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import polars as pl
import pytest
import scipy.stats
import statsmodels.stats.multitest

from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import BlockRows, Bundle, Sums, levels_of, parts, places
from rogsim.stats.contrasts import (
    Means,
    benjamini_hochberg,
    holm,
    ratios,
    selector,
    wald,
)
from rogsim.stats.estimates import clusters, mean, share
from tests.series import FIELD, SPEC, of_chances, series

pytestmark = pytest.mark.once_uncompiled


def uneven(levels: int, seed: int = 1) -> tuple[BlockRows, np.ndarray, np.ndarray]:
    """Blocks of one to three games of two seats, some rows without a level."""
    generator = np.random.default_rng(seed)
    block = np.repeat(np.arange(40), generator.integers(1, 4, 40))
    games = pl.DataFrame({"game": np.arange(len(block)), "block": block})
    seats = games.select(pl.all().repeat_by(2).list.explode()).with_columns(seat=np.tile([1, 2], len(block)))
    return (
        BlockRows(2, seats, games),
        generator.integers(-1, levels, (len(block), 2)),
        generator.normal(60, 9, (len(block), 2)),
    )


@pytest.mark.parametrize("few", [0, 100])
@pytest.mark.parametrize("levels", [3, 9])
def test_sums_by_level_equal_a_plain_loop(levels: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals and products of block sums are those of dicts and loops, for blocks of uneven size, in each way."""
    monkeypatch.setattr("rogsim.stats.blocks.FEW_SUMS", few)
    part, codes, values = uneven(levels)
    values[values < 60] = 0
    sums = Sums(2 * levels)
    sums.add_levels(part, codes, (values,))
    blocks: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(2 * levels))
    for game, block in enumerate(part.games["block"].to_list()):
        for seat in range(2):
            level = codes[game, seat]
            if level >= 0:
                blocks[block][level] += 1
                blocks[block][levels + level] += values[game, seat]
            else:
                blocks[block] += 0
    table = np.array(list(blocks.values()))
    assert sums.blocks == 40
    assert sums.total == pytest.approx(table.sum(axis=0))
    assert sums.products == pytest.approx(table.T @ table)
    assert sums.present == pytest.approx((table != 0).sum(axis=0))


def test_a_bundle_is_many_sets_of_sums() -> None:
    """Each set of a bundle equals the sums of its six columns."""
    generator = np.random.default_rng(2)
    specific, common = generator.normal(size=(50, 3, 4)), generator.normal(size=(50, 3))
    bundle, single = Bundle(4), Sums(6)
    bundle.add(specific[:20], common[:20])
    bundle.add(specific[20:], common[20:])
    single.add(np.concatenate([specific[:, :, 2], common], axis=1))
    found = bundle.sums(2)
    assert found.total == pytest.approx(single.total)
    assert found.products == pytest.approx(single.products)
    assert found.blocks == 50


def test_rows_come_in_order_and_in_whole_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """However rows are stored, parts contain them game by game and seat by seat, and no block is split."""
    results = series(np.random.default_rng(3), 30, 4, FIELD)
    chunk, seats, games = results.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    mixed = type(results)(results.manifest, None, [(chunk, seats.sample(fraction=1.0, shuffle=True, seed=1), games)])
    monkeypatch.setattr("rogsim.stats.blocks.ROWS_AT_ONCE", 100)
    found = list(parts(mixed, 4, ["points"], ["turns"]))
    assert len(found) > 1
    assert pl.concat([part.seats for part in found]).equals(seats.select("game", "block", "seat", "points"))
    assert all(part.games.height == 4 * len(part.starts) for part in found)


def test_places_of_levels_are_the_same_for_every_type_of_column() -> None:
    """Names, enums and numbers are found in the same way; null and other levels are -1."""
    names = pl.Series(["b", None, "a", "c"])
    expected = [1, -1, 0, -1]
    assert places(names, ["a", "b"]).tolist() == expected
    assert places(names.cast(pl.Enum(["c", "b", "a"])), ["a", "b"]).tolist() == expected
    assert places(pl.Series([2, None, 1, 3]), [1, 2]).tolist() == expected
    assert levels_of(pl.LazyFrame({"x": names}), ["x"]) == {"x": ["a", "b", "c"]}


def test_estimates_are_those_of_rates() -> None:
    """Shares and means by level have the value and interval that the tables of a run show."""
    results = series(np.random.default_rng(4), 200, 4, FIELD, skill=(0, 2, 4, 6))
    expected = clusters(results.seats(), ["win_share", "points"], ["hand"])
    names = [name for (name,) in expected]
    sums = Sums(3 * len(names))
    for part in parts(results, 4, ["hand", "win_share", "points"], []):
        sums.add_levels(part, part.codes("hand", names), (part.wins, part.points))
    size = len(sums.total)
    rows, wins, points = (selector(range(k * len(names), (k + 1) * len(names)), size) for k in range(3))
    shares, means = ratios(sums, wins, rows), ratios(sums, points, rows)
    for place, name in enumerate(names):
        for found, known in (
            (shares.share(place), share(expected[name,]["win_share"])),
            (means.estimate(place), mean(expected[name,]["points"])),
        ):
            assert [found.value, found.low, found.high] == pytest.approx([known.value, known.low, known.high], rel=1e-4)
            assert found.n == known.n


def independent(values: list[float], error: float, blocks: float = 1e6) -> Means:
    count = len(values)
    return Means(np.array(values), error**2 * np.eye(count), np.full(count, 1e6), np.full(count, blocks))


def test_the_test_of_seats_is_the_chi_squared_one() -> None:
    """For independent games the test that all seats are fair is close to the textbook test of a multinomial."""
    results = of_chances(np.random.default_rng(5), 20_000, (0.255, 0.25, 0.25, 0.245))
    seats = balance(results, SPEC, only=("seats",)).players[4].seats
    assert seats is not None
    wins = [level.share.value * level.n for level in seats.levels]
    textbook = scipy.stats.chisquare(wins)
    assert seats.overall.df == 3
    assert seats.overall.statistic * 3 == pytest.approx(textbook.statistic, rel=0.04)
    assert seats.overall.p == pytest.approx(textbook.pvalue, rel=0.2)


def test_the_test_of_several_means_is_hotellings() -> None:
    """With blocks as observations the statistic is Hotelling's T squared, here of one mean: Student's t squared."""
    sample = np.random.default_rng(6).normal(0.2, 1, 50)
    means = Means(np.array([sample.mean()]), np.array([[sample.var(ddof=1) / 50]]), np.array([50.0]), np.array([50.0]))
    assert wald(means, 50).p == pytest.approx(scipy.stats.ttest_1samp(sample, 0).pvalue)


def test_bound_estimates_take_no_degree_of_freedom() -> None:
    """Of shares that add up to 1 the last carries no information, and too few blocks give no test."""
    generator = np.random.default_rng(7)
    sample = generator.normal(size=(500, 3))
    sample -= sample.mean(axis=1, keepdims=True)
    means = Means(sample.mean(axis=0), np.cov(sample.T) / 500, np.full(3, 500.0), np.full(3, 500.0))
    assert wald(means, 500).df == 2
    assert math.isnan(wald(independent([1.0, 2.0], 1.0, blocks=20), 20).p)


def test_adjusted_p_values_are_those_of_statsmodels() -> None:
    """Holm and Benjamini-Hochberg agree with another library; nan stays nan and does not count."""
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.9, 0.02])
    for adjust, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = statsmodels.stats.multitest.multipletests(p, method=method)[1]
        assert adjust(p) == pytest.approx(expected)
        with_gap = adjust(np.insert(p, 2, math.nan))
        assert math.isnan(with_gap[2])
        assert np.delete(with_gap, 2) == pytest.approx(expected)
    assert len(holm([])) == 0
