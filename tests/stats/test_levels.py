"""Levels, cells and draws against exact values and plain calculations."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import polars as pl
import pytest

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.results.results import Results
from rogsim.stats.balance.level_by_seat import SumsBySeat, margins
from rogsim.stats.balance.measure import balance
from rogsim.stats.blocks import Sums, parts
from tests.dice_game import GAME, exact
from tests.series import FIELD, SPEC, of_chances, results_of, series

pytestmark = pytest.mark.once_compiled


@pytest.fixture(scope="module")
def planted() -> Results:
    return series(np.random.default_rng(1), 1_500, 4, FIELD, seats=(3,), hands=(4,), skill=(0, 1, 2, 3))


@pytest.mark.usefixtures("dice_race")
def test_the_dice_race_has_its_exact_seat_shares() -> None:
    """Intervals of seats contain the exactly known shares, and the test of all seats finds the advantage."""
    results = rogsim.run({"game": "dice-race", "players": [3], "games": 6_000, "seed": 5, "bots": ["runner"]})
    seats = balance(results, GAME, only=("seats",)).players[3].seats
    assert seats is not None
    known = exact.sudden([exact.RUNNER] * 3, 10)
    for level, truth in zip(seats.levels, known, strict=True):
        assert level.effect.low < (truth - 1 / 3) * 100 < level.effect.high
    assert seats.overall.p < 1e-9


def test_effects_are_shares_less_fair_and_points_less_the_others(planted: Results) -> None:
    """A row agrees with a plain calculation over all rows."""
    levels = balance(planted, SPEC, only=("hands",)).players[4].levels["hand"]
    rows = planted.seats().collect().with_columns(total=pl.col("points").sum().over("game"))
    ahead = pl.col("points") - (pl.col("total") - pl.col("points")) / 3
    plain = rows.group_by("hand").agg(pl.len(), pl.col("win_share").mean(), ahead=ahead.mean()).sort("hand")
    frame = levels.frame()
    assert frame["n"].to_list() == plain["len"].to_list()
    assert frame["share"].to_list() == pytest.approx(plain["win_share"].to_list())
    assert frame["effect"].to_list() == pytest.approx(((plain["win_share"] - 0.25) * 100).to_list())
    assert frame["ahead"].to_list() == pytest.approx(plain["ahead"].to_list())
    assert levels.levels[0].p_holm < 0.001


def test_a_column_that_is_empty_or_has_one_level_is_left_out(planted: Results) -> None:
    """If nothing was dealt there is nothing to compare, and no error."""
    chunk, seats, games = planted.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    blank = seats.with_columns(pl.lit(None, dtype=seats.schema["hand"]).alias("hand"))
    found = balance(Results(planted.manifest, None, [(chunk, blank, games)]), SPEC).players[4]
    assert "hand" not in found.levels
    assert found.model is not None
    assert not found.model.frame()["term"].str.starts_with("hand").any()


def test_rows_without_a_level_are_left_out(planted: Results) -> None:
    """A seat that was dealt nothing counts for no level."""
    chunk, seats, games = planted.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    some = seats.with_columns(pl.when(pl.col("seat") > 1).then("hand").alias("hand"))
    found = balance(Results(planted.manifest, None, [(chunk, some, games)]), SPEC, only=("hands",)).players[4]
    assert sum(level.n for level in found.levels["hand"].levels) == 3 * 6_000
    assert found.cells["hand"].frame().filter(seat=1)["share"].null_count() == 8


def test_cells_beyond_level_and_seat_are_plain_differences(planted: Results) -> None:
    """The cells are shares by level and seat; `beyond` is the share minus both effects."""
    frame = balance(planted, SPEC, only=("hands",)).players[4].cells["hand"].frame()
    rows = planted.seats().collect()
    overall = {key: dict(rows.group_by(key).agg(pl.col("win_share").mean()).iter_rows()) for key in ("hand", "seat")}
    cells = {
        (hand, seat): s for hand, seat, s in rows.group_by("hand", "seat").agg(pl.col("win_share").mean()).iter_rows()
    }
    for row in frame.iter_rows(named=True):
        plain = cells[row["level"], row["seat"]]
        assert row["share"] == pytest.approx(plain)
        beyond = plain - overall["hand"][row["level"]] - overall["seat"][row["seat"]] + 0.25
        assert row["beyond"] == pytest.approx(100 * beyond, abs=1e-4)


@pytest.mark.parametrize(
    ("only", "line"),
    [("seats", "must be a list of names"), (["seats", "seat"], "choose from seats, bots, board, shape, why, model")],
)
def test_only_takes_names_that_there_are(only: Collection[str], line: str) -> None:
    """A misspelt name is refused in one line: what it asks for would be missing otherwise."""
    with pytest.raises(RogsimError, match=f'only: "seats?" is not allowed: {line}'):
        balance(series(np.random.default_rng(3), 8), SPEC, only=only)


def test_a_planted_interaction_is_found_and_none_is_not() -> None:
    """Of the cells only that of a level that matters in one seat only differs from what level and seat predict."""
    generator = np.random.default_rng(3)
    plain = series(generator, 3_000)
    chunk, seats, games = plain.pieces[0]
    assert isinstance(seats, pl.DataFrame)
    favoured = (pl.col("hand") == "hand a") & (pl.col("seat") == 1)
    changed = seats.with_columns(win_share=pl.when(favoured).then(1.0).otherwise("win_share"))
    q = [
        balance(Results(plain.manifest, None, [(chunk, rows, games)]), SPEC, only=("hands",))
        .players[4].cells["hand"].frame()["q"].min()
        for rows in (seats, changed)
    ]  # fmt: skip
    assert q[0] > 0.05
    assert q[1] < 1e-6


def test_draws_tell_seats_members_and_games(planted: Results) -> None:
    """There are shares of seats and differences in points, turns and margins, by draw and by member."""
    draws = balance(planted, SPEC, only=("draws",)).players[4].draws["draw"]
    seats, games = planted.seats().collect(), planted.games().collect()
    rows = seats.join(games.select("game", "draw", "turns"), on="game")
    assert draws.by_member()["member"].unique().sort().to_list() == ["x", "y", "z"]
    first = draws.seats().row(0, named=True)
    plain = rows.filter(draw="x, y", seat=1)
    assert (first["n"], first["share"]) == (plain.height, pytest.approx(plain["win_share"].mean()))
    has = pl.col("draw").cast(pl.String).str.contains("z")
    member = draws.by_member().filter(member="z", seat=2).row(0, named=True)
    parts = [rows.filter(condition, seat=2)["win_share"].mean() for condition in (has, ~has)]
    assert [member["with"], member["without"]] == pytest.approx(parts)
    assert member["difference"] == pytest.approx(100 * (parts[0] - parts[1]))
    assert draws.games().filter(level="x, y")["points"].item() == pytest.approx(
        rows.filter(draw="x, y")["points"].mean()
    )
    assert draws.overall.p > 0.01


def test_the_margin_is_between_the_first_and_the_second() -> None:
    """Ties at the top have none."""
    assert margins(np.array([[3.0, 9.0, 7.0], [5.0, 5.0, 1.0]])).tolist() == [2.0, 0.0]


def test_levels_depend_on_each_other_as_seats_of_a_game_do() -> None:
    """The variance of a difference of two seats is (pA + pB - (pA - pB)^2) / n, and not that of two samples."""
    results = of_chances(np.random.default_rng(4), 5_000, (0.5, 0.3, 0.2))
    sums = Sums(6)
    for part in parts(results, 3, ["win_share"], []):
        sums.add_levels(part, np.tile(np.arange(3), (part.games.height, 1)), (part.wins,))
    means = SumsBySeat(1, 3, sums).each
    apart = means.combined(np.array([[1.0, -1.0, 0.0]]))
    a, b = means.value[:2]
    assert apart.covariance[0, 0] == pytest.approx((a + b - (a - b) ** 2) / 5_000, rel=0.01)


def test_results_of_one_block_have_no_intervals() -> None:
    """From a single block nothing is known of the spread: frames have nulls, and nothing fails."""
    _, seats, games = series(np.random.default_rng(5), 1, 4, FIELD).pieces[0]
    assert isinstance(seats, pl.DataFrame)
    assert isinstance(games, pl.DataFrame)
    found = balance(results_of(seats, games, FIELD), SPEC).players[4]
    assert found.seats is not None
    assert found.seats.frame()["share_low"].null_count() == 4
    assert found.seats.frame()["p"].null_count() == 4
