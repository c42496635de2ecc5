"""The plan of games, and their rows as polars frames.

In a block all games share a deal, and the bots are rotated over the seats. The plan repeats in cycles. A cycle plays
every line-up of bots once, each in all its different seat rotations. So a plan of any length is a short table, and any
range of its games can be computed directly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rogsim.game.columns import Column
from rogsim.game.spec import GameSpec


@dataclass(frozen=True)
class Games:
    """Several planned games.

    Attributes
    ----------
    game : int64[n]
        Their indices in the plan.
    block : int64[n]
        Games of one block are rotations of one line-up and share a deal.
    deals : int64[n]
        Number of the deal.
    line_up : int64[n]
        Index into the plan's line-ups.
    seating : int8[n, players]
        For each seat the index of its bot in the line-up.
    """

    game: NDArray[np.int64]
    block: NDArray[np.int64]
    deals: NDArray[np.int64]
    line_up: NDArray[np.int64]
    seating: NDArray[np.int8]


@dataclass(frozen=True)
class Plan:
    """All games for one player count.

    Attributes
    ----------
    games
        The requested number, rounded up to whole cycles.
    line_ups
        Names of the bots of each line-up.
    cycle_line_up : int64[cycle]
        The line-up of each game of a cycle.
    cycle_seating : int8[cycle, players]
        For each seat the index of its bot in the line-up.
    """

    players: int
    games: int
    line_ups: tuple[tuple[str, ...], ...]
    cycle_line_up: NDArray[np.int64]
    cycle_seating: NDArray[np.int8]

    @property
    def cycle(self) -> int:
        """Return the number of games in a cycle."""
        return len(self.cycle_line_up)

    def slice(self, start: int, stop: int) -> Games:
        """Return the games start..stop-1 of the plan."""
        return self.pick(np.arange(start, stop, dtype=np.int64))

    def pick(self, game: NDArray[np.int64]) -> Games:
        """Return the games with these indices in the plan, int64[n]."""
        cycle, within = np.divmod(game, self.cycle)
        line_up = self.cycle_line_up[within]
        block = cycle * len(self.line_ups) + line_up
        return Games(game=game, block=block, deals=block, line_up=line_up, seating=self.cycle_seating[within])


def plan(bots: Sequence[str], players: int, games: int, mirrored: bool = False) -> Plan:
    """Plan at least `games` games: one bot takes every seat, several are combined into line-ups of `players`.

    Parameters
    ----------
    mirrored
        Also rotate each line-up in the opposite order, on the same deals. Each of two bots then sits before the
        other equally often, at every distance.

    Raises
    ------
    ValueError
        If there are several bots, but fewer than players.
    """
    line_ups = line_ups_of(bots, players)
    seatings = [rotations(line_up, mirrored) for line_up in line_ups]
    cycle_line_up = np.repeat(np.arange(len(line_ups)), [len(seating) for seating in seatings])
    cycle = len(cycle_line_up)
    return Plan(players, -(-games // cycle) * cycle, line_ups, cycle_line_up, np.concatenate(seatings))


def line_ups_of(bots: Sequence[str], players: int) -> tuple[tuple[str, ...], ...]:
    """Return the line-ups of one cycle: each combination of the bots, repeated as often as repeated bots require.

    ValueError if there are several bots, but fewer than players.
    """
    if len(bots) == 1:
        return ((bots[0],) * players,)
    if len(bots) < players:
        raise ValueError(f"{len(bots)} bots are too few for {players} players")
    together = sorted(bots, key=list(bots).index)  # so that equal line-ups list their bots in the same order
    counts = Counter(combinations(together, players))
    shared = reduce(math.gcd, counts.values())
    return tuple(line_up for line_up, count in counts.items() for _ in range(count // shared))


def rotations(line_up: Sequence[str], mirrored: bool = False) -> NDArray[np.int8]:
    """Return the distinct seat rotations, int8[rotations, players]: for each seat the index of its bot."""
    players = len(line_up)
    different: dict[tuple[str, ...], list[int]] = {}
    for direction in (1, -1) if mirrored else (1,):
        for first in range(players):
            places = [(first + direction * seat) % players for seat in range(players)]
            different.setdefault(tuple(line_up[place] for place in places), places)
    return np.array(list(different.values()), dtype=np.int8)


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
