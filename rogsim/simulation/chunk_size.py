"""How many games a worker plays at a time: chunks of about two seconds with any bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rogsim.simulation.chunks import Chunk

SECONDS = 2.0  # per chunk: limits what a killed run loses, and keeps writes rare
LEAST_SECONDS = 0.1  # towards the end, so that all workers finish together
SHARES = 3  # chunks for each of several workers into which the remaining games are divided
FIRST, GROWTH = 16, 16  # games of the first chunk, while the speed is unknown; growth of later ones at most
MOST = 50_000  # games: limits memory


class ChunkSize:
    """Measures how long games take, and divides the games to play into chunks.

    Parameters
    ----------
    size
        A fixed number of games per chunk, regardless of the speed.
    """

    def __init__(self, workers: int, size: int | None = None) -> None:
        """Begin without a measured speed."""
        self._parts, self._size = workers * (SHARES if workers > 1 else 1), size
        self._games: dict[int, int] = {}
        self._seconds: dict[int, float] = {}
        self._largest = 0
        self._left: dict[int, int] = {}

    def learn(self, chunk: Chunk, seconds: float) -> None:
        """Record how long a chunk took."""
        players = chunk.players
        self._games[players] = self._games.get(players, 0) + chunk.games
        self._seconds[players] = self._seconds.get(players, 0.0) + seconds
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
        known = players if players in self._games else next(iter(self._games), None)
        return None if known is None else max(self._seconds[known] / self._games[known], 1e-9)
