"""What the rows of a run must look like: their columns, and the plan of its games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl

from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec
from rogsim.results.column_rows import NAMES, NEEDED
from rogsim.results.manifest import Manifest
from rogsim.simulation.chunks import TABLES, Chunk
from rogsim.simulation.rows import BOT, game_columns, planned_games, planned_seats, seat_columns
from rogsim.simulation.schedule import Plan, plan


@dataclass(frozen=True)
class ExpectedColumn:
    """A column: its name, its type (None: any names), and whether rows of an older version may lack it."""

    name: str
    kind: pl.DataType | None
    may_lack: bool

    def fits(self, kind: pl.DataType) -> bool:
        """Return whether the column may have this type."""
        return isinstance(kind, pl.Enum) if self.kind is None else kind == self.kind


@dataclass(frozen=True)
class ExpectedRows:
    """The columns of the rows of a run by table, its bots, and whether line-ups were also played in the other order."""

    columns: Mapping[str, Sequence[ExpectedColumn]]
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
    columns = {
        table: [
            ExpectedColumn(name, _kind_in_manifest(name, kind, bots), name not in NEEDED[table])
            for where, name, kind, *_ in manifest.columns
            if where == table
        ]
        for table in TABLES
    }
    return ExpectedRows(columns, bots, bool(manifest.identity.get("mirrored")))


def rows_of_game(spec: GameSpec, bots: Sequence[str], mirrored: bool) -> ExpectedRows:
    """Return what the rows of a game must look like."""
    columns = {"seats": _expected(seat_columns(spec), bots), "games": _expected(game_columns(spec), bots)}
    return ExpectedRows(columns, tuple(bots), mirrored)


def _expected(columns: Iterable[Column], bots: Sequence[str]) -> list[ExpectedColumn]:
    return [
        ExpectedColumn(
            column.name, _kind(column.dtype, bots if column.name == BOT.name else column.labels), column.later
        )
        for column in columns
    ]


def _kind_in_manifest(name: str, kind: str, bots: Sequence[str]) -> pl.DataType | None:
    return None if kind == NAMES else _kind(kind, bots if name == BOT.name else None)


def _kind(dtype: str, labels: Sequence[str] | None) -> pl.DataType:
    if labels is not None:
        return pl.Enum(list(dict.fromkeys(labels)))
    return pl.Series(np.zeros(0, dtype)).dtype


@lru_cache(maxsize=8)  # each chunk asks for it, and with many bots it is long
def _plan(bots: tuple[str, ...], players: int, mirrored: bool) -> Plan:
    return plan(bots, players, 1, mirrored)
