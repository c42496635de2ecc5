"""Chunks: ranges of games with one player count that are played together and stored as two Parquet files.

The name of a file states its content (player count, first game, the game after the last), its run, and the hash of the
content. So each file can be checked by itself: whether it is complete, and whether it belongs to the run.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PanicException, PolarsError

from rogsim.base.files import MEGABYTE, opened, parse_json
from rogsim.base.validation import not_allowed
from rogsim.game.columns import Column
from rogsim.game.fair import Sides

Wrong = tuple[str, NDArray[Any], str]  # a column, where it is wrong (bool for each row), and what it must be


def fault_of_results(seats: pl.DataFrame, sides: Sides) -> str:
    """Return what is wrong with the ranks and win shares of whole games; empty if nothing is."""
    return next((fault_in(seats, *wrong) for wrong in wrong_results(seats, sides) if wrong[1].any()), "")


def wrong_results(rows: pl.DataFrame, sides: Sides) -> Iterator[Wrong]:
    """Yield where ranks do not follow from each other, and where win shares do not follow from them."""
    players = len(sides.of_seats)
    shares = _by_seat(rows["win_share"], players)
    first = shares > 0
    if "rank" in rows.columns and rows["rank"].dtype.is_integer():
        ranks = _by_seat(rows["rank"], players)
        behind = sum((ranks > other).astype(np.uint8) for other in ranks)
        yield "rank", (ranks != 1 + behind).T.ravel(), "must be one more than the number of seats with a lower rank"
        first = ranks == 1
    rule = "all seats have 1, or all have 0" if sides.is_one else "the winners share 1 equally, and the others have 0"
    yield "win_share", ~sides.fit(first, shares).T.ravel(), rule


def _by_seat(column: pl.Series, players: int) -> NDArray[Any]:
    """Return a column as an array [players, games]: adding up seats is ten times as fast then."""
    return np.ascontiguousarray(column.to_numpy().reshape(-1, players).T)


def fault_in(rows: pl.DataFrame, name: str, wrong: NDArray[Any], rule: str) -> str:
    """Return what is wrong with the first wrong value of a column: its column, its row, and what it must be."""
    place = int(np.argmax(wrong))
    row, value = rows.row(place, named=True), rows[name][place]
    seat = f", seat {row['seat']}" if name != "seat" and "seat" in row else ""
    where = f"row {place:,}" if name in ("players", "game", "seat") else f"game {row['game']}{seat}"
    return f'column "{name}", {where}: {not_allowed(value, rule)}'


def read_schema(path: Path) -> Mapping[str, pl.DataType]:
    """Return the columns of a file and their types."""
    with opened(path) as file:
        return pl.read_parquet_schema(file)


def read_metadata(path: Path) -> Mapping[str, str]:
    """Return the metadata of a file, as key and value."""
    with opened(path) as file:
        return pl.read_parquet_metadata(file)


def scan(paths: Sequence[Path]) -> pl.LazyFrame:
    """Return the rows of files with the same columns as one lazy frame, in the order of the files."""
    return pl.scan_parquet([path.absolute() for path in paths], glob=False, hive_partitioning=False)


TABLES = ("seats", "games")
METADATA = "rogsim"  # the key of a Parquet file's description of itself
FORMAT = "rogsim-chunk/1"
NAME = re.compile(r"p(\d{1,3})-(\d{9,10})-(\d{9,10})-([0-9a-f]{16})-([0-9a-f]{16})\.parquet")
COMPRESSION: Any = "zstd"
MOST_BYTES = 4096 * MEGABYTE  # of one file
LEVEL = 1  # three times as fast as the default, and the files are hardly larger


@dataclass(frozen=True, order=True)
class Chunk:
    """The games start..stop-1 for one player count."""

    players: int
    start: int
    stop: int

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.stop - self.start


@dataclass(frozen=True)
class PlayedChunk:
    """A played chunk.

    Attributes
    ----------
    seats
        Its rows of seats, as a frame or as a Parquet file that is not yet written.
    games
        Its rows of games, in the same form.
    seconds
        Seconds that it took.
    """

    chunk: Chunk
    seats: pl.DataFrame | bytes
    games: pl.DataFrame | bytes
    seconds: float = 0.0


@dataclass(frozen=True)
class ChunkName:
    """The parts of a file's name.

    Attributes
    ----------
    key
        Key of the run.
    content
        The first 16 hex digits of the file's SHA-256.
    """

    chunk: Chunk
    key: str
    content: str

    @classmethod
    def read(cls, name: str) -> ChunkName | None:
        """Parse a name; None if it is not the name of a chunk's file."""
        found = NAME.fullmatch(name)
        if not found:
            return None
        chunk = Chunk(int(found[1]), int(found[2]), int(found[3]))
        read = cls(chunk, found[4], found[5])
        # A number can be written in several ways, but only one of them is valid in a name.
        return read if chunk.start < chunk.stop and str(read) == name else None

    def __str__(self) -> str:
        """Return the file's name."""
        chunk = self.chunk
        return f"p{chunk.players}-{chunk.start:09d}-{chunk.stop:09d}-{self.key}-{self.content}.parquet"


def encode(frame: pl.DataFrame, table: str, chunk: Chunk, key: str, columns: Iterable[Column]) -> bytes:
    """Return rows as a Parquet file whose metadata describe it: table, run, games, and the meaning of the columns.

    Parameters
    ----------
    table
        "seats" or "games".
    key
        Key of the run.
    """
    about = {
        **_about(table, chunk, key),
        "columns": {column.name: {"meaning": column.meaning, "unit": column.unit} for column in columns},
    }
    file = io.BytesIO()
    frame.write_parquet(
        file,
        compression=COMPRESSION,
        compression_level=LEVEL,
        metadata={METADATA: json.dumps(about, ensure_ascii=False)},
    )
    return file.getvalue()


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits; OSError if the file is too large for a chunk."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES / MEGABYTE:g} MB", str(path))
        return hashlib.file_digest(file, "sha256").hexdigest()


def checksum_if_whole(path: Path, table: str, name: ChunkName) -> str | None:
    """Return the SHA-256 of a file whose content matches its name; None if it is missing or does not match."""
    try:
        found = checksum(path)
        about = parse_json(read_metadata(path)[METADATA].encode())
    except (OSError, PolarsError, PanicException, KeyError, ValueError):
        return None
    matches = isinstance(about, dict) and _about(table, name.chunk, name.key).items() <= about.items()
    return found if matches and found.startswith(name.content) else None


def free_ranges(taken: Iterable[Chunk], start: int, stop: int) -> list[range]:
    """Return the games of start..stop-1 that are in no chunk, as ranges in ascending order."""
    free, at = [], start
    for chunk in sorted(taken, key=lambda chunk: chunk.start):
        if chunk.start > at:
            free.append(range(at, min(chunk.start, stop)))
        at = max(at, chunk.stop)
    free.append(range(at, stop))
    return [games for games in free if games]


def taken_games(taken: Iterable[Chunk], start: int, stop: int) -> int:
    """Return how many of the games start..stop-1 are in a chunk."""
    return stop - start - sum(map(len, free_ranges(taken, start, stop)))


def without_overlap(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks in order, without those that repeat a game of an earlier one."""
    kept: list[Chunk] = []
    for chunk in sorted(chunks):
        if not kept or kept[-1].players != chunk.players or kept[-1].stop <= chunk.start:
            kept.append(chunk)
    return kept


def _about(table: str, chunk: Chunk, key: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "table": table,
        "run": key,
        "players": chunk.players,
        "start": chunk.start,
        "stop": chunk.stop,
    }


SECONDS = 2.0  # per chunk: limits what a killed run loses, and keeps writes rare
LEAST_SECONDS = 0.1  # towards the end, so that all workers finish together
SHARES = 3  # chunks for each of several workers into which the remaining games are divided
FIRST, GROWTH = 16, 16  # games of the first chunk, while the speed is unknown; growth of later ones at most
MOST = 50_000  # games: limits memory
QUICK = 0.02  # seconds: a batch that takes no longer is not worth several threads


class ChunkSize:
    """Measures how long games take, and divides the games to play into chunks.

    Parameters
    ----------
    size
        A fixed number of games per chunk, regardless of the speed.
    seconds_each
        Seconds per game by player count, as far as they are known; what is measured is written there.
    """

    def __init__(self, workers: int, size: int | None = None, seconds_each: dict[int, float] | None = None) -> None:
        """Begin with the speeds that are known."""
        self._parts, self._size = workers * (SHARES if workers > 1 else 1), size
        self._each = {} if seconds_each is None else seconds_each
        self._largest = MOST if self._each else 0
        self._left: dict[int, int] = {}

    def learn(self, chunk: Chunk, seconds: float) -> None:
        """Record how long a chunk took: a quick one shows the speed, and so does one that took too long.

        Any other may have waited for the worker, or been so small that preparing it took longer than its games.
        """
        each = max(seconds / chunk.games, 1e-9)
        if each < self._each.get(chunk.players, math.inf) or seconds > SECONDS:
            self._each[chunk.players] = each
        self._largest = max(self._largest, chunk.games)

    def cut(self, todo: Mapping[int, Sequence[range]]) -> Iterator[Chunk]:
        """Divide ranges of games, by player count, into chunks; the size of each uses all measurements so far."""
        self._left = {players: sum(map(len, ranges)) for players, ranges in todo.items()}
        for players, ranges in todo.items():
            for games in ranges:
                start = games.start
                while start < games.stop:
                    stop = min(start + self._next_size(players), games.stop)
                    self._left[players] -= stop - start
                    yield Chunk(players, start, stop)
                    start = stop

    def is_quick(self, todo: Mapping[int, Sequence[range]]) -> bool:
        """Return whether these ranges of games, by player count, are known to take at most QUICK seconds."""
        games = {players: sum(map(len, ranges)) for players, ranges in todo.items()}
        return sum(count * self._each.get(players, math.inf) for players, count in games.items() if count) <= QUICK

    def _next_size(self, players: int) -> int:
        if self._size is not None:
            return self._size
        each = self._seconds_each(players)
        if each is None:
            return FIRST
        left = sum(games * (self._seconds_each(count) or each) for count, games in self._left.items())
        seconds = min(SECONDS, max(LEAST_SECONDS, left / self._parts))
        return max(1, min(round(seconds / each), GROWTH * self._largest, MOST))

    def _seconds_each(self, players: int) -> float | None:
        """Return the seconds per game with this player count, or with another one while this is unknown."""
        if players in self._each:
            return self._each[players]
        return next(iter(list(self._each.values())), None)  # a copy: `learn` may be called in another thread
