"""Folders with the same bots as one: rows, blocks and shares of all of them, and no game twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError
from rogsim.game.registry import register, unregister
from rogsim.results.results import Results, pool_folders, sets_of_bots
from rogsim.stats.balance.measure import balance
from tests.dice_game import GAME

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2, 3], "games": 40, "seed": 5, "bots": ["runner"]}
FIELD = {"bots": ["runner", "walker"], "players": [2]}


@pytest.fixture(scope="module", autouse=True)
def race() -> Iterator[None]:
    register(GAME)
    yield
    unregister(GAME.id)


def played(**keys: Any) -> Results:
    return rogsim.run(KEYS | keys, jobs=1)


def numbered(rows: pl.DataFrame, games: int, blocks: int) -> pl.DataFrame:
    return rows.with_columns(pl.col("game") + games, pl.col("block") + blocks)


def test_rows_are_those_of_all_folders_one_after_the_other(tmp_path: Path) -> None:
    """Games and blocks are numbered consecutively for each number of players; nothing else in a row changes."""
    first = rogsim.run(KEYS, games=40, out=tmp_path / "one", jobs=1)
    second = rogsim.run(KEYS | {"players": [3]}, games=30, seed=6, out=tmp_path / "two", jobs=1)
    third = played(games=20, seed=7)
    found = pool_folders([first, second, third])
    assert found.manifest["games"] == {"2": 60, "3": 90}
    assert found.manifest["name"].startswith("one + two")
    for rows in ("seats", "games"):
        two, three = (getattr(found, rows)().filter(players=count).collect() for count in (2, 3))
        parts = [getattr(part, rows)().collect() for part in (first, second, third)]
        of = [[part.filter(players=count) for part in parts] for count in (2, 3)]
        # One bot in every seat: each game is a block.
        assert two.equals(pl.concat([of[0][0], numbered(of[0][2], 40, 40)]))
        assert three.equals(pl.concat([of[1][0], numbered(of[1][1], 40, 40), numbered(of[1][2], 70, 70)]))


def test_blocks_of_several_games_stay_whole_and_apart() -> None:
    """If bots rotate, a block has several games; those of the second folder are separate blocks."""
    parts = [played(**FIELD, seed=seed, games=12) for seed in (5, 6)]
    rows = pool_folders(parts).games().collect()
    blocks = [part.games().collect()["block"].n_unique() for part in parts]
    assert rows["block"].n_unique() == sum(blocks)
    assert rows["game"].n_unique() == rows.height == 24
    assert rows.group_by("block").len()["len"].unique().to_list() == [12 // blocks[0]]


def test_shares_are_those_of_all_games_together() -> None:
    """A pooled share is the mean of both, weighted by games; the blocks behind it are those of both."""
    parts = [played(players=[2], games=games, seed=seed) for games, seed in ((400, 5), (100, 6))]
    first, second, both = (balance(part, GAME, only=("seats",)).players[2] for part in (*parts, pool_folders(parts)))
    assert both.blocks == first.blocks + second.blocks == 500
    shares = [found.seats.frame()["share"] for found in (first, second, both) if found.seats is not None]
    assert shares[2].to_list() == pytest.approx((0.8 * shares[0] + 0.2 * shares[1]).to_list())


def test_results_are_grouped_by_bots_and_settings() -> None:
    """Other seeds and numbers of games are the same group; other bots, parameters or player counts are not."""
    base, more = played(), played(seed=6, games=20)
    bots, figures = played(bots=["walker"]), played(change={"head_start.2": 1})
    assert sets_of_bots([base, bots, more, figures]) == [[base, more], [bots], [figures]]
    two, three, both = played(players=[2]), played(players=[3]), played(seed=6)
    assert sets_of_bots([two, three]) == [[two], [three]]
    assert sets_of_bots([two, both, three]) == [[two, both, three]]
    assert sets_of_bots([two, three, both]) == [[two, three, both]]
    assert pool_folders([base]) is base


def test_the_same_bots_in_another_order_are_the_same_games() -> None:
    """They sit at the same tables, so they are no second set of bots; with another seed they are."""
    first = played(bots=["walker", "runner"], players=[2])
    with pytest.raises(ResultsError, match="holds the same games as"):
        sets_of_bots([first, played(bots=["runner", "walker"], players=[2])])
    other = played(bots=["runner", "walker"], players=[2], seed=6)
    assert sets_of_bots([first, other]) == [[first], [other]]


@pytest.mark.parametrize("keys", [{}, {"games": 20}, {"players": [3]}])
def test_the_same_games_twice_are_refused(keys: dict[str, Any], tmp_path: Path) -> None:
    """Results with the same bots, settings and seed hold the same games; one line names both folders."""
    folders = [tmp_path / "one", tmp_path / "two"]
    opened = [
        rogsim.run(KEYS | changes, out=folder, jobs=1) for changes, folder in zip(({}, keys), folders, strict=True)
    ]
    between = played(seed=6)
    with pytest.raises(ResultsError) as error:
        sets_of_bots([opened[0], between, opened[1]])
    line = (
        f"{folders[1]}: holds the same games as {folders[0]} (same bots, settings and seed): name only one of them, or"
    )
    assert str(error.value) == f"{line} play other games with --seed"
