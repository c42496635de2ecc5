"""The games of a run kept in memory, and the manifest that describes a run."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from rogsim.base.version import __version__
from rogsim.bots.bot_names import read_bot_name
from rogsim.bots.loading import BotSource
from rogsim.game import compiler
from rogsim.results.column_rows import NAMES
from rogsim.results.manifest import FORMAT, BotRecord, Manifest, PlaySession, StoredChunk
from rogsim.results.results import Results
from rogsim.scenario.fingerprint import identity_of, key_of, scenario_hash
from rogsim.scenario.model import Experiment
from rogsim.simulation.chunks import TABLES, Chunk, PlayedChunk, free_ranges
from rogsim.simulation.rows import game_columns, seat_columns

LIBRARIES = ("joblib", "numba", "llvmlite", "numpy", "polars", "pydantic", "scipy")

State = Literal["running", "stopped", "complete"]


@dataclass
class Log:
    """A record of the current session.

    Attributes
    ----------
    found
        Requested games that were already stored.
    replayed
        Games played again because their files were broken.
    played
        Games by player count.
    clock
        Monotonic time of the start, in seconds.
    """

    backend: str = "threads"
    workers: int = 1
    found: int = 0
    replayed: int = 0
    played: dict[str, int] = field(default_factory=dict)
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.monotonic)

    def add(self, chunk: Chunk) -> None:
        """Count the games of a played chunk."""
        players = str(chunk.players)
        self.played[players] = self.played.get(players, 0) + chunk.games

    @property
    def games(self) -> int:
        """Return the number of games played."""
        return sum(self.played.values())

    @property
    def seconds(self) -> float:
        """Return the duration of the session so far."""
        return time.monotonic() - self.clock

    def session(self, stopped_by: str | None, ended: bool) -> PlaySession:
        """Return the session as an entry of the manifest.

        Parameters
        ----------
        stopped_by
            Why it stopped early, None if it did not.
        ended
            Whether it has ended.
        """
        return PlaySession(
            started=self.started.isoformat(timespec="seconds"),
            ended=datetime.now(UTC).isoformat(timespec="seconds") if ended else None,
            seconds=round(self.seconds, 3),
            played=dict(self.played),
            replayed=self.replayed,
            backend=self.backend,
            workers=self.workers,
            stopped_by=stopped_by,
            rogsim=__version__,
            python=platform.python_version(),
            platform=platform.platform(),
            libraries={name: _version_of(name) for name in LIBRARIES},
            compiled=compiler.ENABLED,
        )


class MemoryStore:
    """The games of a run so far, kept in memory."""

    def __init__(self, experiment: Experiment) -> None:
        """Begin without games."""
        self.log = Log()
        self.identity = identity_of(experiment)
        self.key = key_of(self.identity)
        self._experiment = experiment
        self._parts: dict[Chunk, PlayedChunk] = {}

    @property
    def file_key(self) -> str | None:
        """Return the key that names the files; None if rows are kept as frames."""
        return None

    @property
    def where(self) -> Path | None:
        """Return the folder, None if rows are kept in memory."""
        return None

    def chunks(self) -> list[Chunk]:
        """Return the games played so far, in the order of the scenario."""
        return self._in_order(self._parts)

    def missing(self, players: int, games: int) -> list[range]:
        """Return which of the first `games` games of a player count are missing."""
        return free_ranges((chunk for chunk in self.chunks() if chunk.players == players), 0, games)

    def count_missing(self, games: Mapping[int, int]) -> int:
        """Return how many of the first `games` games of each player count are missing."""
        return sum(len(gap) for players, count in games.items() for gap in self.missing(players, count))

    def begin(self, games: Mapping[int, int]) -> None:
        """Prepare for chunks; called before any is added, with the requested games by player count."""

    def add(self, part: PlayedChunk) -> None:
        """Keep a played chunk."""
        self._parts[part.chunk] = part
        self.log.add(part.chunk)

    def results(self, games: Mapping[int, int]) -> Results:
        """Return the first `games` games of each player count; none may be missing."""
        manifest = self._describe("complete", games, [], [self.log.session(None, ended=True)])
        return Results.of_parts(manifest, [self._parts[chunk] for chunk in self.chunks()])

    def finish(self, games: Mapping[int, int]) -> Results:
        """Return the results of a run that has played all its games."""
        return self.results(games)

    def stop(self, games: Mapping[int, int], why: str) -> int:
        """Close a run that could not continue, and return how many games its folder holds."""
        return 0

    def _in_order(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        place = {players: number for number, players in enumerate(self._experiment.scenario.players)}
        return sorted(chunks, key=lambda chunk: (place[chunk.players], chunk.start))

    def _describe(
        self,
        state: State,
        games: Mapping[int, int],
        chunks: Sequence[StoredChunk],
        sessions: Sequence[PlaySession],
        looks: Sequence[Mapping[str, int]] = (),
    ) -> Manifest:
        return describe(self._experiment, self.identity, state, games, chunks, sessions, looks)


def describe(
    experiment: Experiment,
    identity: Mapping[str, Any],
    state: State,
    games: Mapping[int, int],
    chunks: Sequence[StoredChunk],
    sessions: Sequence[PlaySession],
    looks: Sequence[Mapping[str, int]] = (),
) -> Manifest:
    """Return the manifest of a run.

    Parameters
    ----------
    identity
        Everything that determines the rows.
    games
        Requested games, by player count.
    chunks
        Chunks stored so far.
    sessions
        Sessions in order.
    looks
        Games by player count at each look.
    """
    scenario, spec = experiment.scenario.model_dump(mode="json"), experiment.spec
    with_files = any(read_bot_name(name).needs_folder for name in experiment.sources)
    return Manifest(
        format=FORMAT,
        state=state,
        name=experiment.name,
        question=experiment.question,
        title=spec.title,
        key=key_of(identity),
        identity=dict(identity),
        scenario=scenario,
        scenario_hash=scenario_hash(scenario),
        scenario_folder=str(experiment.folder.resolve()) if with_files else None,
        bots=[_bot_record(source) for source in experiment.sources.values()],
        games={str(players): count for players, count in games.items()},
        factors={"seat": list(spec.seat_factors), "game": list(spec.game_factors)},
        columns=_column_rows(experiment),
        chunks=list(chunks),
        sessions=list(sessions),
        looks=[dict(look) for look in looks],
    )


def _bot_record(source: BotSource) -> BotRecord:
    names = source.weight_names or [str(place) for place in range(len(source.weights))]
    return BotRecord(
        name=source.name,
        source_hash=source.source_hash,
        weights_hash=source.weights_hash,
        weights=dict(zip(names, source.weights.tolist(), strict=True)),
    )


def _column_rows(experiment: Experiment) -> list[list[str]]:
    tables = zip(TABLES, (seat_columns(experiment.spec), game_columns(experiment.spec)), strict=True)
    return [
        [table, column.name, NAMES if column.labels else column.dtype, column.unit, column.meaning]
        for table, columns in tables
        for column in columns
    ]


@cache
def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "unknown"
