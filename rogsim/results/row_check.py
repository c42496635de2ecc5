"""Checks that the rows of a results folder, which may come from somebody else, can be rows of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from polars import selectors
from polars.exceptions import PanicException, PolarsError

from rogsim.base.errors import ResultsError
from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results
from rogsim.simulation.chunks import TABLES, Chunk
from rogsim.simulation.rows import BOT, game_columns, seat_columns

CLOSE = 1e-3  # win shares are stored with seven digits


def check_rows(results: Results, spec: GameSpec) -> None:
    """Refuse a folder whose rows cannot come from its games; ResultsError says what is wrong with them.

    This checks the columns, the number and order of rows, that no number is missing or infinite, and that win shares
    are shares. Only `rogsim verify` can check that the games were really played with these results.
    """
    if results.folder is None:
        return
    try:
        bots = [str(bot["name"]) for bot in results.manifest["bots"]]
        fault = _wrong_columns(results.pieces, bots, spec) or _wrong_rows(results)
    except (PolarsError, PanicException, OSError) as broken:
        raise ResultsError(f"{results.folder}: its rows cannot be read ({type(broken).__name__})") from broken
    if fault:
        raise ResultsError(f"{results.folder}: {fault}; its rows cannot be used")


def is_sound(chunk: Chunk, seats: Path, games: Path, bots: Sequence[str], spec: GameSpec) -> bool:
    """Return whether the rows of a stored chunk can be those of its games; see `check_rows`."""
    try:
        return not (_wrong_columns([(chunk, seats, games)], bots, spec) or _wrong_chunk(chunk, seats, games))
    except (PolarsError, PanicException, OSError):
        return False


def _wrong_columns(pieces: Sequence[tuple[Chunk, Any, Any]], bots: Sequence[str], spec: GameSpec) -> str:
    for table, columns in zip(TABLES, (seat_columns(spec), game_columns(spec)), strict=True):
        for chunk, seats, games in pieces:
            path = seats if table == "seats" else games
            if not isinstance(path, Path):
                continue
            found = pl.read_parquet_schema(path.absolute())  # polars would replace a ~ at the start
            expected = [column for column in columns if column.name in found or not column.later]
            if list(found) != [column.name for column in expected]:
                return f"{table} of {chunk.players} players have different columns from the game"
            for column, kind in zip(expected, found.values(), strict=True):
                if not _fits(column, kind, bots):
                    return f'the column "{column.name}" of {table} has the wrong type'
    return ""


def _fits(column: Column, kind: pl.DataType, bots: Sequence[str]) -> bool:
    labels = bots if column.name == BOT.name else column.labels
    if labels is not None:
        return kind == pl.Enum(list(dict.fromkeys(labels)))
    return kind == pl.Series(np.zeros(0, column.dtype)).dtype


def _wrong_rows(results: Results) -> str:
    """Return what is wrong with the number of rows or their values; empty if nothing is."""
    wanted = {int(players): int(games) for players, games in results.manifest["games"].items()}
    for table, each in (("seats", True), ("games", False)):
        counts = _summary(getattr(results, table)(), each)
        if set(counts) != set(wanted):
            return f"{table} have other player counts than the manifest states"
        needed = {players: games * (players if each else 1) for players, games in wanted.items()}
        if fault := _fault_of(counts.values(), needed):
            return f"{table}: {fault}"
    return ""


def _wrong_chunk(chunk: Chunk, seats: Path, games: Path) -> str:
    for path, each in ((seats, True), (games, False)):
        counts = _summary(pl.scan_parquet(path.absolute(), glob=False), each, chunk.start)
        if set(counts) != {chunk.players}:
            return "other player counts than the chunk's"
        if fault := _fault_of(counts.values(), {chunk.players: chunk.games * (chunk.players if each else 1)}):
            return fault
    return ""


def _summary(rows: pl.LazyFrame, each: bool, first: int = 0) -> dict[int, dict[str, Any]]:
    """Return by player count what `_fault_of` judges; each: a row for each seat; first: the first game."""
    place = pl.col("game").cast(pl.Int64) - first
    if each:
        place = place * pl.col("players") + pl.col("seat") - 1
    summary = (
        rows.group_by("players")
        .agg(
            pl.len().alias("rows"),
            (place == pl.int_range(pl.len())).all().alias("in_order"),
            *_whole(),
            *(_shares() if each else ()),
        )
        .collect()
    )
    return {row["players"]: row for row in summary.iter_rows(named=True)}


def _whole() -> Sequence[pl.Expr]:
    return (
        pl.sum_horizontal(selectors.numeric().null_count()).alias("nulls"),
        pl.all_horizontal(pl.lit(True), selectors.float().is_finite().all()).alias("finite"),
    )


def _shares() -> Sequence[pl.Expr]:
    share = pl.col("win_share")
    return (share.is_between(0, 1).all().alias("shares"), share.cast(pl.Float64).sum().alias("won"))


def _fault_of(counts: Iterable[Mapping[str, Any]], wanted: Mapping[int, int]) -> str:
    for row in counts:
        players, games = row["players"], wanted[row["players"]]
        if row["rows"] != games:
            return f"there are {row['rows']:,} rows with {players} players, but there should be {games:,}"
        if not row["in_order"]:
            return f"games or seats with {players} players are missing, duplicated, or out of order"
        if row["nulls"] or not row["finite"]:
            return "a number is missing or infinite"
        if "won" in row and not (row["shares"] and abs(row["won"] * players - games) < CLOSE * games):
            return "win shares are not between 0 and 1, or do not add up to 1"
    return ""
