"""Estimates against slow, obvious versions, other libraries, and known true values."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import fmean, variance

import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from rogsim.stats.estimates import Clusters, clusters, effective_games, mean, share, wilson

pytestmark = pytest.mark.once_uncompiled


def from_blocks(sums: np.ndarray, sizes: np.ndarray) -> Clusters:
    """Clusters of blocks, given each block's sum and size."""
    y, m = sums.astype(float), sizes.astype(float)
    return Clusters(len(y), int(m.sum()), y.sum(), (y * y).sum(), (y * m).sum(), (m * m).sum(), np.count_nonzero(y))


rows_of_blocks = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 2), st.integers(-5, 90)), min_size=1, max_size=60
)


@given(rows_of_blocks)
def test_sums_over_blocks_equal_a_plain_loop(rows: list[tuple[int, int, int]]) -> None:
    """Grouping in polars gives the same clusters as dicts and loops."""
    frame = pl.DataFrame(rows, schema=["block", "seat", "points"], orient="row")
    found = clusters(frame.with_columns(players=pl.lit(4)).lazy(), ["points"], ["players", "seat"])
    blocks: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for block, seat, points in rows:
        blocks[seat][block].append(points)
    assert list(found) == [(4, seat) for seat in sorted(blocks)]
    for seat, by_block in blocks.items():
        sums, sizes = map(np.array, zip(*((sum(p), len(p)) for p in by_block.values()), strict=True))
        expected = from_blocks(sums, sizes)
        group = found[4, seat]["points"]
        assert (group.blocks, group.rows) == (expected.blocks, expected.rows)
        assert [group.total, group.squares, group.cross, group.sizes] == pytest.approx(
            [expected.total, expected.squares, expected.cross, expected.sizes]
        )


def test_a_size_makes_the_mean_a_ratio_of_two_sums() -> None:
    """With a column of sizes the clusters are those of blocks of these sizes; with 1 for each row, those of rows."""
    generator = np.random.default_rng(5)
    frame = pl.DataFrame({"players": 4, "block": np.arange(60) // 3, "one": 1, "points": generator.integers(0, 9, 60)})
    frame = frame.with_columns(turns=pl.col("points") + generator.integers(1, 5, 60))
    ratio = clusters(frame.lazy(), ["points"], ["players"], "turns")[4,]["points"]
    points, turns = (frame[name].to_numpy().reshape(20, 3).sum(axis=1) for name in ("points", "turns"))
    assert ratio == from_blocks(points, turns)
    assert ratio.value == pytest.approx(frame["points"].sum() / frame["turns"].sum())
    residuals = points - ratio.value * turns
    assert ratio.variance == pytest.approx(20 * variance(residuals) / frame["turns"].sum() ** 2)
    assert clusters(frame.lazy(), ["points"], ["players"], "one") == clusters(frame.lazy(), ["points"], ["players"])


def test_many_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that are summed up a few at a time give the same clusters as all at once."""
    generator = np.random.default_rng(3)
    frame = pl.DataFrame({"players": 4, "block": np.arange(400) // 4, "bot": ["a", "b", "a", "c"] * 100})
    frame = frame.with_columns(points=pl.Series(generator.integers(0, 90, 400)))
    expected = clusters(frame.lazy(), ["points"], ["players", "bot"])
    monkeypatch.setattr("rogsim.stats.estimates.BLOCKS_AT_ONCE", 7)
    assert clusters(frame.lazy(), ["points"], ["players", "bot"]) == expected
    assert [group["points"].rows for group in expected.values()] == [200, 100, 100]


def test_blocks_of_other_player_counts_are_other_blocks() -> None:
    """Block 0 of two players and block 0 of three are not one cluster, even when grouped together."""
    frame = pl.DataFrame({"players": [2, 2, 3], "block": [0, 0, 0], "points": [1, 2, 3], "bot": ["a"] * 3})
    assert clusters(frame.lazy(), ["points"], ["bot"])["a",]["points"].blocks == 2


@given(st.lists(st.integers(-20, 120).filter(bool), min_size=2, max_size=50))
def test_the_mean_of_single_game_blocks_has_students_interval(points: list[int]) -> None:
    """With one game a block, value and interval are those of a textbook sample."""
    found = mean(from_blocks(np.array(points), np.ones(len(points))))
    assert found.value == pytest.approx(fmean(points))
    reach = scipy.stats.t.ppf(0.975, len(points) - 1) * math.sqrt(variance(points) / len(points))
    assert found.high - found.value == pytest.approx(reach, abs=1e-5)
    assert found.value - found.low == pytest.approx(reach, abs=1e-5)


def test_equal_blocks_count_as_one_value_each() -> None:
    """With blocks of equal size the interval is that of the block means."""
    generator = np.random.default_rng(1)
    blocks = generator.normal(60, 9, size=(80, 1)) + generator.normal(0, 5, size=(80, 4))
    found = mean(from_blocks(blocks.sum(axis=1), np.full(80, 4)))
    low, high = scipy.stats.t.interval(0.95, 79, fmean(blocks.mean(axis=1)), scipy.stats.sem(blocks.mean(axis=1)))
    assert [found.low, found.high] == pytest.approx([low, high])
    assert found.n == 320


@pytest.mark.parametrize(("wins", "n"), [(0, 10), (3, 10), (250, 1000), (1000, 1000), (1, 30_000)])
def test_wilson_agrees_with_statsmodels(wins: int, n: int) -> None:
    """The score interval equals that of another library, at the edges, too."""
    expected = proportion_confint(wins, n, alpha=0.05, method="wilson")
    assert wilson(wins / n, n, scipy.stats.norm.ppf(0.975)) == pytest.approx(expected, abs=1e-12)


def test_a_share_of_independent_games_has_wilsons_interval() -> None:
    """With one game per block the effective number of games is their number minus one for the estimate."""
    wins = np.repeat([1, 0], [260, 740])
    found = share(from_blocks(wins, np.ones(1000)))
    assert found.effective == pytest.approx(999)
    expected = proportion_confint(260, 1000, method="wilson")
    assert [found.low, found.high] == pytest.approx(expected, abs=2e-4)


def test_a_seat_that_never_wins_has_an_upper_limit() -> None:
    """Without any spread each block counts as a game: no wins in 100 leave room for a few percent."""
    found = share(from_blocks(np.zeros(100), np.ones(100)))
    assert (found.value, found.low, found.effective) == (0, 0, 100)
    assert 0.02 < found.high < 0.05


def test_blocks_that_all_come_out_the_same_still_have_an_interval() -> None:
    """A bot that wins exactly one game of four in each of 50 blocks is not known without error."""
    found = share(from_blocks(np.ones(50), np.full(50, 4)))
    assert found.effective == 50
    assert found.low < 0.15 < 0.25 < 0.35 < found.high


def test_one_block_gives_no_interval() -> None:
    """A single block gives no information about the spread."""
    single = from_blocks(np.array([2]), np.array([4]))
    for estimate in (share(single), mean(single)):
        assert estimate.value == 0.5
        assert math.isnan(estimate.low)
        assert math.isnan(estimate.high)


@pytest.mark.parametrize("truth", [0.05, 0.25, 0.5])
@pytest.mark.parametrize("together", [0.0, 0.6])
def test_intervals_hold_the_truth_as_often_as_they_promise(truth: float, together: float) -> None:
    """95% intervals cover the true share in about 95% of 2,000 series, with similar games in a block or not."""
    generator = np.random.default_rng(7)
    shape = (2_000, 150, 4)
    common = generator.random(shape[:2])[..., None]
    drawn = np.where(generator.random(shape) < together, common, generator.random(shape)) < truth
    estimates = [share(from_blocks(series.sum(axis=1), np.full(150, 4))) for series in drawn]
    covered = sum(estimate.low <= truth <= estimate.high for estimate in estimates) / len(estimates)
    assert 0.93 < covered < 0.97


def test_ignoring_blocks_would_promise_too_much() -> None:
    """If games of a block are similar, intervals that treat rows as independent miss far more often."""
    generator = np.random.default_rng(8)
    wins = np.repeat(generator.random((1_000, 100, 1)) < 0.25, 4, axis=2)
    intervals = [wilson(series.mean(), series.size, 1.96) for series in wins]
    assert sum(low <= 0.25 <= high for low, high in intervals) < 800


def test_intervals_of_means_hold_the_truth_with_blocks_of_different_size() -> None:
    """The ratio estimator covers in about 95% of 2,000 series when blocks have one to four rows."""
    generator = np.random.default_rng(9)
    covered = 0
    for _ in range(2_000):
        sizes = generator.integers(1, 5, size=120)
        sums = 60 * sizes + sizes * generator.normal(0, 6, 120) + generator.normal(0, 4, 120) * np.sqrt(sizes)
        found = mean(from_blocks(sums, sizes))
        covered += found.low <= 60 <= found.high
    assert 0.93 < covered / 2_000 < 0.97


def test_a_share_that_barely_varies_is_not_worth_millions_of_games() -> None:
    """Rotation makes rows worth more only if enough blocks differ; a single one that does proves little."""
    barely = np.ones(6_000)
    barely[0] = 2
    sizes = np.full(6_000, 4)
    assert share(from_blocks(barely, sizes)).effective == 24_000
    often = np.ones(6_000)
    often[:300:2], often[1:300:2] = 0, 2
    assert 24_000 < share(from_blocks(often, sizes)).effective < 30 * 24_000
    assert effective_games(0.25, 0.25 * 0.75 / 500, 500, 500) == pytest.approx(500)
