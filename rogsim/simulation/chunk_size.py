"""How many games a worker plays at a time: chunks of about two seconds with any bots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from rogsim.simulation.chunks import Chunk

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
