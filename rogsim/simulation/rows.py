"""Rows of games as polars frames: the harness's columns first, codes converted to names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec
from rogsim.simulation.schedule import Games, Plan

PLAYERS = Column("players", "u1", "number of players", "players")
GAME = Column("game", "u4", "place of the game in the plan for this number of players, from 0")
BLOCK = Column("block", "u4", "games of one block share a deal: the same bots, rotated over the seats")
SEAT = Column("seat", "u1", "place in turn order: seat 1 begins")
BOT = Column("bot", "u1", "who decided in this seat")


def seat_columns(spec: GameSpec) -> tuple[Column, ...]:
    """Return the columns of the table with one row for each game and seat."""
    return (PLAYERS, GAME, BLOCK, SEAT, BOT, *spec.seat_columns)


def game_columns(spec: GameSpec) -> tuple[Column, ...]:
    """Return the columns of the table with one row for each game."""
    return (PLAYERS, GAME, BLOCK, *spec.game_columns)


def seat_frame(spec: GameSpec, plan: Plan, games: Games, rows: NDArray[Any], bots: Sequence[str]) -> pl.DataFrame:
    """Return the rows of seats as a frame.

    Parameters
    ----------
    rows
        Structured array, game by game and seat by seat.
    bots
        Names of all bots of the run, the categories of the column `bot`.
    """
    return pl.DataFrame(planned_seats(plan, games, bots) | _game_series(spec.seat_columns, rows))


def game_frame(spec: GameSpec, plan: Plan, games: Games, rows: NDArray[Any]) -> pl.DataFrame:
    """Return the rows of games as a frame.

    Parameters
    ----------
    rows
        Structured array with one entry for each game.
    """
    return pl.DataFrame(planned_games(plan, games) | _game_series(spec.game_columns, rows))


def planned_seats(plan: Plan, games: Games, bots: Sequence[str]) -> dict[str, pl.Series]:
    """Return the columns of the table of seats that the plan decides; bots: as for `seat_frame`."""
    players, count = plan.players, len(games.game)
    codes = np.array([[bots.index(name) for name in line_up] for line_up in plan.line_ups], dtype=np.uint8)
    return {
        "players": _numbers(PLAYERS, np.full(count * players, players)),
        "game": _numbers(GAME, np.repeat(games.game, players)),
        "block": _numbers(BLOCK, np.repeat(games.block, players)),
        "seat": _numbers(SEAT, np.tile(np.arange(1, players + 1), count)),
        "bot": _names("bot", np.take_along_axis(codes[games.line_up], games.seating, axis=1).ravel(), bots),
    }


def planned_games(plan: Plan, games: Games) -> dict[str, pl.Series]:
    """Return the columns of the table of games that the plan decides."""
    return {
        "players": _numbers(PLAYERS, np.full(len(games.game), plan.players)),
        "game": _numbers(GAME, games.game),
        "block": _numbers(BLOCK, games.block),
    }


def _game_series(columns: Sequence[Column], rows: NDArray[Any]) -> dict[str, pl.Series]:
    return {
        column.name: _numbers(column, rows[column.name])
        if column.labels is None
        else _names(column.name, rows[column.name], column.labels)
        for column in columns
    }


def _numbers(column: Column, values: NDArray[Any]) -> pl.Series:
    return pl.Series(column.name, np.ascontiguousarray(values, dtype=column.dtype))


def _names(name: str, codes: NDArray[Any], labels: Sequence[str]) -> pl.Series:
    """Convert codes to names from a fixed list, which may repeat a name; a negative code becomes null."""
    unnamed = codes < 0
    dictionary = pl.Series(name, labels, dtype=pl.Enum(list(dict.fromkeys(labels))))
    names = dictionary[np.where(unnamed, 0, codes)]
    return names.set(pl.Series(unnamed), None) if unnamed.any() else names
