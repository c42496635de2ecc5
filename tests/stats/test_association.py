"""What is associated with winning, and the shape of games, against statsmodels and plain calculations."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from statsmodels.regression.linear_model import OLS
from statsmodels.tools import add_constant

from rogsim.results.results import Results
from rogsim.stats.balance.association import MOST, slopes
from rogsim.stats.balance.measure import PlayersBalance, balance
from tests.series import FIELD, SPEC, series

pytestmark = pytest.mark.once_uncompiled


@pytest.fixture(scope="module")
def results() -> Results:
    return series(np.random.default_rng(1), 400, 4, FIELD, skill=(0, 1, 2, 3))


@pytest.fixture(scope="module")
def found(results: Results) -> PlayersBalance:
    return balance(results, SPEC, only=("tools", "coins", "sources", "shape")).players[4]


def clustered(y: pl.Series, x: pl.Series, blocks: pl.Series) -> tuple[float, float]:
    """Slope and standard error of a straight line, by statsmodels with the blocks as clusters."""
    fitted = OLS(y.cast(pl.Float64).to_numpy(), add_constant(x.cast(pl.Float64).to_numpy())).fit(
        cov_type="cluster", cov_kwds={"groups": blocks.to_numpy()}
    )
    return float(fitted.params[1]), float(fitted.bse[1])


def test_having_a_member_is_a_difference_of_shares(results: Results, found: PlayersBalance) -> None:
    """Differences and their errors are those of a regression on having it, with blocks as clusters."""
    rows = results.seats().collect()
    for bit, row in enumerate(found.members["tools"].frame().iter_rows(named=True)):
        has = (rows["tools"] // 2**bit) % 2
        for name, column, scale in (("difference", "win_share", 100), ("points", "points", 1)):
            value, error = clustered(rows[column], has, rows["block"])
            assert row[name] == pytest.approx(value * scale, rel=1e-4)
            assert row[f"{name}_high"] - row[name] == pytest.approx(error * scale * 1.966, rel=0.005)
        assert row["n"] == has.sum()
        assert row["had"] == pytest.approx(has.mean())


def test_one_more_is_the_slope_of_a_straight_line(results: Results, found: PlayersBalance) -> None:
    """The slope and its error are those of statsmodels; having some compared with none is a difference of shares."""
    rows, row = results.seats().collect(), found.counts["coins"].slope
    value, error = clustered(rows["win_share"], rows["coins"], rows["block"])
    assert row["share"] == pytest.approx(100 * value, rel=1e-4)
    assert row["share_high"] - row["share"] == pytest.approx(100 * error * 1.966, rel=0.005)
    value, error = clustered(rows["points"], (rows["coins"] > 0).cast(pl.Int8), rows["block"])
    assert row["points_difference"] == pytest.approx(value)
    assert row["points_difference_high"] - value == pytest.approx(error * 1.966, rel=0.005)
    frame = slopes(list(found.counts.values()))
    assert frame["q"].to_list() == frame["p"].to_list()


def test_shares_by_number_are_plain_means(results: Results, found: PlayersBalance) -> None:
    """Means by number and by seat are those over all rows; large numbers are grouped."""
    rows = results.seats().collect()
    frame = found.counts["coins"].frame()
    assert frame["n"].sum() == rows.height
    for row in frame.iter_rows(named=True):
        some = rows.filter(pl.col("coins").clip(0, MOST) == int(row["value"].rstrip("+")))
        assert (row["n"], row["share"]) == (some.height, pytest.approx(some["win_share"].mean(), abs=1e-6))
        assert row["points"] == pytest.approx(some["points"].mean())
    by_seat = rows.group_by("seat").agg(pl.col("coins").mean()).sort("seat")
    assert found.counts["coins"].by_seat()["mean"].to_list() == pytest.approx(by_seat["coins"].to_list())


def test_parts_add_up_to_the_winners_lead(results: Results, found: PlayersBalance) -> None:
    """Winners' means are weighted by win share, the others' are plain, and the parts make up the whole lead."""
    rows, frame = results.seats().collect(), found.parts["sources"].frame()
    weight = rows["win_share"] / rows["win_share"].sum()
    for row in frame.iter_rows(named=True):
        assert row["winners"] == pytest.approx((rows[row["part"]] * weight).sum(), rel=1e-5)
        assert row["others"] == pytest.approx(rows.filter(pl.col("win_share") == 0)[row["part"]].mean())
        assert row["difference_low"] < row["difference"] < row["difference_high"]
    assert frame["of_gap"].sum() == pytest.approx(1)
    assert frame["mean"].sum() == pytest.approx(rows["points"].mean())


def test_the_shape_of_games_is_counted(results: Results, found: PlayersBalance) -> None:
    """Histograms count every game or seat, figures are means, and closeness counts games."""
    shape, rows, games = found.shape, results.seats().collect(), results.games().collect()
    assert shape is not None
    assert shape.turns.sort("value").equals(games.group_by(value="turns").len("count").cast(pl.Int64).sort("value"))
    best = rows.group_by("game").agg(pl.col("points").top_k(2).sort(descending=True))["points"]
    margin = best.list.get(0) - best.list.get(1)
    within = dict(shape.close.select("within", "share").iter_rows())
    assert within[3] == pytest.approx((margin <= 3).mean())
    figures = dict(shape.figures().select("name", "value").iter_rows())
    assert figures["points between first and second"] == pytest.approx(margin.mean())
    assert figures["games with a shared win"] == pytest.approx((margin == 0).mean())
    assert figures["games decided after the last turn"] == pytest.approx((games["lead_from"] < 0).mean())
    assert shape.since["count"].sum() == (games["lead_from"] >= 0).sum()


def test_the_fan_is_made_of_the_winners_leads(results: Results, found: PlayersBalance) -> None:
    """There are quantiles of the winner's lead over the best other seat at each step of progress."""
    assert found.shape is not None
    rows = results.seats().collect()
    step = rows["points_at_50"].to_numpy().reshape(-1, 4)
    winner = rows["win_share"].to_numpy().reshape(-1, 4).argmax(axis=1)
    leads = np.array([row[w] - np.delete(row, w).max() for row, w in zip(step, winner, strict=True)])
    row = found.shape.lead.filter(progress=0.5).row(0, named=True)
    expected = np.quantile(leads, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf")
    assert [row[name] for name in ("q05", "q25", "q50", "q75", "q95")] == expected.tolist()
    assert row["ahead"] == pytest.approx((leads >= 0).mean())


def test_a_game_that_does_not_tell_who_led_has_the_rest(results: Results) -> None:
    """Without columns for the lead its frames are empty, and the figures are there."""
    from dataclasses import replace

    shape = balance(results, replace(SPEC, lead=None), only=("shape",)).players[4].shape
    assert shape is not None
    assert shape.lead.height == shape.since.height == 0
    assert shape.figures().height == 6
