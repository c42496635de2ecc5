"""How many games a worker should play at a time: chunks of about two seconds, whatever the bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rogsim.simulation.chunks import Chunk

SECONDS = 2.0  # that a chunk should take: what a kill can lose, and rarely enough to write
LEAST_SECONDS = 0.1  # towards the end, so that all workers finish together
SHARES = 3  # of what is left, as many chunks for each worker
FIRST, GROWTH = 16, 16  # games of the first chunk, when nothing is known, and how much larger the next may be
MOST = 50_000  # games: bounds the memory


class ChunkSize:
    """Learns how long games take, and cuts what is to be played into chunks; `size` fixes their size instead."""

    def __init__(self, workers: int, size: int | None = None) -> None:
        """Begin without knowing anything."""
        self._workers, self._size = workers, size
        self._games: dict[int, int] = {}
        self._seconds: dict[int, float] = {}
        self._largest = 0
        self._left: dict[int, int] = {}

    def learn(self, chunk: Chunk, seconds: float) -> None:
        """Take into account how long a chunk took."""
        players = chunk.players
        self._games[players] = self._games.get(players, 0) + chunk.games
        self._seconds[players] = self._seconds.get(players, 0.0) + seconds
        self._largest = max(self._largest, chunk.games)

    def cut(self, todo: Mapping[int, Sequence[range]]) -> Iterator[Chunk]:
        """Cut ranges of games, by player count, into chunks; what was learned meanwhile counts for the next one."""
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
        seconds = min(SECONDS, max(LEAST_SECONDS, left / (SHARES * self._workers)))
        return max(1, min(round(seconds / each), GROWTH * self._largest, MOST))

    def _seconds_each(self, players: int) -> float | None:
        """Return the seconds that a game takes with so many players, or with others while that is not known."""
        known = players if players in self._games else next(iter(self._games), None)
        return None if known is None else max(self._seconds[known] / self._games[known], 1e-9)
