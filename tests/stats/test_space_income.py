"""The regression of income on the uses of all spaces, where the income of each use is known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rogsim.game.topics import BoardMap, Spaces
from rogsim.stats.balance.regression import SpaceIncome, SpaceIncomeRows
from rogsim.stats.blocks import BlockRows

pytestmark = pytest.mark.once_uncompiled
SEATS, STOPS = 3, 6
TRUE = {"west": 2.0, "east": 0.0, "far": -1.0, "never": None, "hut": 3.0, "inn": 0.5}
RIVER = Spaces(
    "river",
    "",
    "",
    {name: name for name in ("west", "east", "far", "never")},
    ("west", "east", "far", "never"),
    "",
    "",
    (),
)
SHORE = Spaces("shore", "", "", {"hut": "1", "inn": "2"}, ("owned",), "", "", ())
BOARD = BoardMap("", (RIVER, SHORE), income=("koku", "rice"), income_unit="koku and rice")
SERIES = 400  # simulated, with which a coverage of 95% is known to about 1 point


def played(seed: int, blocks: int = 100, games: int = 2) -> BlockRows:
    """Return games in which each seat has six stops, so that a stop here is one fewer elsewhere. The games of a block
    and the seats of a game share luck, and spread differs from seat to seat.
    """
    generator = np.random.default_rng(seed)
    rows = blocks * games * SEATS
    stops = generator.multinomial(STOPS, [0.5, 0.3, 0.2], rows)
    owned = generator.integers(4, size=rows)
    block = np.repeat(np.arange(blocks), games * SEATS)
    seat = np.tile(np.arange(SEATS), blocks * games)
    luck = generator.normal(0, 3, (blocks, SEATS))[block, seat]  # of a seat in all games of its block
    koku = 2 * stops[:, 0] + 3 * (owned & 1) + luck + generator.normal(0, 1 + seat) + 5.0 * seat
    rice = -1 * stops[:, 2] + 0.5 * (owned >> 1) + generator.normal(0, 4, blocks * games)[np.arange(rows) // SEATS]
    seats = pl.DataFrame(
        {"game": np.arange(rows) // SEATS, "block": block, "seat": seat + 1, "koku": koku, "rice": rice}
        | {"west": stops[:, 0], "east": stops[:, 1], "far": stops[:, 2], "never": np.zeros(rows, np.int64)}
        | {"owned": owned.astype(np.uint8)}
    )
    return BlockRows(SEATS, seats, seats.filter(seat=1).select("game", "block"))


def measured(*parts: BlockRows) -> SpaceIncome:
    rows = SpaceIncomeRows(BOARD, {"owned": ("hut", "inn")})
    for part in parts:
        rows.add(part)
    return rows.result()


def spread_stops(part: BlockRows) -> BlockRows:
    """Return games whose numbers of stops in the east are not determined by those elsewhere."""
    more = np.random.default_rng(9).integers(3, size=part.seats.height)
    return BlockRows(SEATS, part.seats.with_columns(pl.col("east") + more), part.games)


def test_the_income_of_each_use_is_found() -> None:
    """Planted values lie in their intervals, a space without income has a large q, and one never used has nothing."""
    found = measured(spread_stops(played(1, 400)))
    rows = {row["space"]: row for kind in ("river", "shore") for row in found.frame(kind).rows(named=True)}
    for name, value in TRUE.items():
        if value is not None:
            assert rows[name]["income_low"] < value < rows[name]["income_high"], name
    assert rows["west"]["income_q"] < 0.001
    assert rows["east"]["income_q"] > 0.05
    assert rows["never"]["income"] is rows["never"]["income_low"] is None


def test_uses_that_the_others_determine_have_no_income() -> None:
    """With six stops for every seat, one more somewhere is always one fewer elsewhere: nothing can be said."""
    frame = measured(played(1)).frame("river")
    assert frame["income"].is_null().all()


def test_rows_added_in_parts_give_the_same() -> None:
    """Two parts of the blocks give the estimates of all at once."""
    part = spread_stops(played(2))
    half = part.games.height // 2
    first = BlockRows(SEATS, part.seats[: half * SEATS], part.games[:half])
    second = BlockRows(SEATS, part.seats[half * SEATS :], part.games[half:])
    whole, both = measured(part), measured(first, second)
    assert whole.frame("shore")["income_low"].to_list() == pytest.approx(both.frame("shore")["income_low"].to_list())


def test_few_blocks_give_no_interval() -> None:
    """With fewer than 30 blocks there is an estimate, but neither interval nor q."""
    row = measured(spread_stops(played(3, 20))).frame("shore").row(0, named=True)
    assert row["income"] is not None
    assert row["income_low"] is row["income_q"] is None


def test_intervals_hold_the_true_income_as_often_as_they_say() -> None:
    """Over many series of 60 blocks of two games, 95% of the intervals hold the planted value."""
    held = {name: 0 for name, value in TRUE.items() if value is not None}
    for seed in range(SERIES):
        found = measured(spread_stops(played(1_000 + seed, 60)))
        for kind in ("river", "shore"):
            for row in found.frame(kind).rows(named=True):
                if row["space"] in held:
                    value = TRUE[row["space"]]
                    held[row["space"]] += row["income_low"] <= value <= row["income_high"]
    shares = [count / SERIES for count in held.values()]
    assert all(0.915 <= share <= 0.98 for share in shares), held
    assert 0.935 <= sum(shares) / len(shares) <= 0.965, held
