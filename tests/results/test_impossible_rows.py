"""Rows that no game can have, in files whose names and checksums are right: as a stranger might send them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rogsim
from rogsim.base.errors import ResultsError
from rogsim.game.spec import GameSpec
from rogsim.game.topics import Topic
from rogsim.results.inventory import check_rows
from rogsim.results.manifest import MANIFEST, full_hash
from rogsim.results.results import Results
from rogsim.results.verify import status_as_data, status_lines, status_of
from rogsim.simulation.chunks import Chunk, ChunkName
from tests.command_line import Run

pytestmark = pytest.mark.once_uncompiled

KEYS: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 6, "seed": 3, "bots": ["runner", "random"]}
Change = Callable[[pl.DataFrame], pl.DataFrame]


@pytest.fixture
def folder(dice_race: GameSpec, tmp_path: Path) -> Path:
    """Six games of two bots: game 0 and 1 are one block, with the bots in either order."""
    rogsim.run(KEYS, out=tmp_path / "out", chunk=6, jobs=1)
    return tmp_path / "out"


def rewrite(
    folder: Path, table: str, change: Change, columns: Callable[[list[Any]], None] = lambda columns: None
) -> str:
    """Change the rows of the only chunk, and whatever must agree with them; return the name of the new file."""
    data = json.loads((folder / MANIFEST).read_text())
    stored = data["chunks"][0][table]
    path = folder / table / stored["file"]
    about = {"rogsim": pl.read_parquet_metadata(path)["rogsim"]}
    change(pl.read_parquet(path)).write_parquet(path, metadata=about)
    content = path.read_bytes()
    old = ChunkName.read(path.name)
    assert old is not None
    new = path.with_name(str(dataclasses.replace(old, content=full_hash(content)[:16])))
    path.rename(new)
    stored |= {"file": new.name, "sha256": full_hash(content), "bytes": len(content)}
    columns(data["columns"])
    (folder / MANIFEST).write_text(json.dumps(data))
    return new.name


def put(column: str, value: Any, row: int = 1) -> Change:
    """Return a change that puts a value into one row of a column."""

    def change(rows: pl.DataFrame) -> pl.DataFrame:
        kind = rows.schema[column]
        values = [*rows[column].to_list()[:row], value, *rows[column].to_list()[row + 1 :]]
        return rows.with_columns(pl.Series(column, values, kind))

    return change


IMPOSSIBLE: dict[str, tuple[str, Change, str]] = {
    "block": ("seats", put("block", 5), 'column "block", game 0, seat 2: 5 is not allowed: must be 0, as the games'),
    "no-block": ("games", put("block", None), 'column "block", game 1: null is not allowed: must be 0, as the games'),
    "bot": ("seats", put("bot", "runner"), 'column "bot", game 0, seat 2: "runner" is not allowed: must be "random"'),
    "no-bot": ("seats", put("bot", None), 'column "bot", game 0, seat 2: null is not allowed: must be "random"'),
    "game": ("games", put("game", 7), 'column "game", row 1: 7 is not allowed: must be 1, as the games were planned'),
    "seat": ("seats", put("seat", 3), 'column "seat", row 1: 3 is not allowed: must be 2, as the games were planned'),
    "points": ("seats", put("points", None), 'column "points", game 0, seat 2: null is not allowed: must be a number'),
    "shares": ("seats", put("win_share", 0.5), 'column "win_share", game 0, seat 1: '),
    "not-a-number": ("seats", put("win_share", float("nan")), 'column "win_share", game 0, seat 2: nan is not allowed'),
}


@pytest.mark.parametrize("kind", IMPOSSIBLE)
def test_opening_refuses_rows_that_no_game_can_have(folder: Path, kind: str, command: Run) -> None:
    """The error names file, column, game and seat; status counts the games as broken, and a run plays them again."""
    table, change, message = IMPOSSIBLE[kind]
    name = rewrite(folder, table, change)
    with pytest.raises(ResultsError) as error:
        Results.open(folder)
    fault = f"{table}/{name} holds rows that no game can have: {message}"
    assert str(error.value).startswith(f"{folder}: {fault}")
    assert str(error.value).endswith("; the same `rogsim run` plays its games again")
    ended = command("seats", str(folder))
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    status = status_of(folder)
    assert not status.is_complete
    assert status.faults[0].startswith(fault)
    rogsim.run(KEYS, out=folder, jobs=1)
    assert Results.open(folder).seats().collect().equals(rogsim.run(KEYS).seats().collect())


def test_status_names_rows_that_no_game_can_have(folder: Path) -> None:
    """It says what is wrong and what to do, for people and for scripts."""
    name = rewrite(folder, "seats", put("bot", None))
    fault = (
        f"seats/{name} holds rows that no game can have: "
        'column "bot", game 0, seat 2: null is not allowed: must be "random", as the games were planned'
    )
    status = status_of(folder)
    assert status_lines(status)[-3:] == [
        "2 players: 0 of 6 games, 6 missing (6 of them broken)",
        f"{fault}.",
        "Files are missing or broken. The same rogsim run command plays their games again.",
    ]
    data = status_as_data(status)
    assert (data["complete"], data["faults"]) == (False, [fault])


def test_status_reads_the_columns_that_opening_does_not(folder: Path, dice_race: GameSpec) -> None:
    """A number missing elsewhere is found by status, and before statistics are computed."""
    rewrite(folder, "games", put("rounds", None))
    lacking = 'the column "rounds" lacks a value'
    assert status_of(folder).faults[0].endswith(lacking)
    with pytest.raises(ResultsError, match=lacking):
        check_rows(Results.open(folder), dice_race)


COLUMNS: dict[str, tuple[Change, str]] = {
    "other": (lambda rows: rows.rename({"turns": "moves"}), 'has a column "moves", which the game does not have'),
    "none": (lambda rows: rows.drop("turns"), 'has no column "turns"'),
    "order": (lambda rows: rows.select(reversed(rows.columns)), "has its columns in another order"),
    "type": (lambda rows: rows.with_columns(pl.col("block").cast(pl.Int8)), ': the column "block" has the wrong type'),
    "names": (lambda rows: rows.with_columns(pl.lit("x").alias("track")), ': the column "track" has the wrong type'),
    "fewer": (lambda rows: rows.head(2), "has 2 rows, but its games have 6"),
    "more": (lambda rows: pl.concat([rows, rows]), "has 12 rows, but its games have 6"),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_opening_refuses_other_columns_and_numbers_of_rows(folder: Path, kind: str) -> None:
    """The error names the file and the column."""
    change, message = COLUMNS[kind]
    name = rewrite(folder, "games", change)
    with pytest.raises(ResultsError, match=f"{name} ?{message}"):
        Results.open(folder)


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([1, 2], ""),
        ([1, 3], "game 0, seat 2: 3 is not allowed: must be one more than the number of seats with a lower rank"),
        ([1, None], "game 0, seat 2: null is not allowed: must be a number"),
        ([2, 1], 'column "win_share", game 0, seat 1: '),
    ],
)
def test_ranks_fit_together_and_with_win_shares(folder: Path, ranks: list[int | None], message: str) -> None:
    """A rank counts the seats before a seat, and those of rank 1 share the win."""

    def with_ranks(rows: pl.DataFrame) -> pl.DataFrame:
        true = [1 if share else 2 for share in rows["win_share"]]
        return rows.with_columns(pl.Series("rank", [*ranks, *true[2:]], pl.Int8)) if rows["win_share"][0] == 1 else rows

    rewrite(folder, "seats", with_ranks, lambda columns: columns.append(["seats", "rank", "i1", "", "place"]))
    if not message:
        assert Results.open(folder).seats().collect()["rank"][0] == 1
        return
    with pytest.raises(ResultsError) as error:
        Results.open(folder)
    assert message in str(error.value)


def test_a_name_that_was_dealt_is_not_missing(folder: Path, dice_race: GameSpec) -> None:
    """Each seat is dealt a level: without one, statistics would silently leave the seat out."""
    topic = Topic("rolls", "First rolls", "Does the first roll matter?", "level", ("first_roll",), dealt={})
    spec = dataclasses.replace(dice_race, topics=(topic,))
    rewrite(folder, "seats", lambda rows: rows.with_columns(pl.lit("1", rows.schema["first_roll"]).alias("first_roll")))
    check_rows(Results.open(folder), spec)
    rewrite(folder, "seats", put("first_roll", None))
    with pytest.raises(ResultsError, match=': seats: the column "first_roll" lacks a value'):
        check_rows(Results.open(folder), spec)


def test_a_chunk_of_many_games_in_a_short_file_is_refused_at_once(folder: Path) -> None:
    """A name that states billions of games does not make rogsim plan them."""
    data = json.loads((folder / MANIFEST).read_text())
    chunk = data["chunks"][0]
    chunk["stop"] = 9_000_000_000
    for table in ("seats", "games"):
        name = ChunkName.read(chunk[table]["file"])
        assert name is not None
        new = str(dataclasses.replace(name, chunk=Chunk(2, 0, chunk["stop"])))
        (folder / table / chunk[table]["file"]).rename(folder / table / new)
        chunk[table]["file"] = new
    (folder / MANIFEST).write_text(json.dumps(data))
    with pytest.raises(ResultsError, match="has 12 rows, but its games have 18,000,000,000"):
        Results.open(folder)
