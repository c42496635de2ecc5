"""What the rows of a run must look like: their columns, and the plan of its games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl

from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec
from rogsim.results.column_rows import NAMES
from rogsim.results.manifest import Manifest
from rogsim.simulation.chunks import TABLES, Chunk
from rogsim.simulation.rows import BOT, game_columns, planned_games, planned_seats, seat_columns
from rogsim.simulation.schedule import Plan, plan


@dataclass(frozen=True)
class ExpectedRows:
    """The rows of a run: their columns by table, its bots, and whether line-ups were also played in the other order.

    A column has its type; None: any names.
    """

    columns: Mapping[str, Mapping[str, pl.DataType | None]]
    bots: tuple[str, ...]
    mirrored: bool

    def planned(self, table: str, chunk: Chunk) -> dict[str, pl.Series]:
        """Return the columns of a chunk that the plan decides."""
        whole = _plan(self.bots, chunk.players, self.mirrored)
        games = whole.slice(chunk.start, chunk.stop)
        if table == "games":
            return planned_games(whole, games)
        return planned_seats(whole, games, list(dict.fromkeys(self.bots)))


def rows_of_manifest(manifest: Manifest) -> ExpectedRows:
    """Return what a manifest says about its rows; it does not say which names a column may hold."""
    bots = tuple(manifest.scenario["bots"])
    columns: dict[str, dict[str, pl.DataType | None]] = {table: {} for table in TABLES}
    for table, name, kind, *_ in manifest.columns:
        columns[table][name] = None if kind == NAMES else _kind(kind, bots if name == BOT.name else None)
    return ExpectedRows(columns, bots, manifest.identity["mirrored"])


def rows_of_game(spec: GameSpec, bots: Sequence[str], mirrored: bool) -> ExpectedRows:
    """Return what the rows of a game must look like."""
    columns = {"seats": _expected(seat_columns(spec), bots), "games": _expected(game_columns(spec), bots)}
    return ExpectedRows(columns, tuple(bots), mirrored)


def _expected(columns: Iterable[Column], bots: Sequence[str]) -> dict[str, pl.DataType | None]:
    return {column.name: _kind(column.dtype, bots if column.name == BOT.name else column.labels) for column in columns}


def _kind(dtype: str, labels: Sequence[str] | None) -> pl.DataType:
    if labels is not None:
        return pl.Enum(list(dict.fromkeys(labels)))
    return pl.Series(np.zeros(0, dtype)).dtype


@lru_cache(maxsize=8)  # each chunk asks for it, and with many bots it is long
def _plan(bots: tuple[str, ...], players: int, mirrored: bool) -> Plan:
    return plan(bots, players, 1, mirrored)
