"""Where the games of a run go: into memory, or chunk by chunk into a folder, so that a run can stop and continue.

Only one process at a time writes in a folder; it holds a lock. The files of a chunk appear completely or not at all,
under names that state their content; the manifest follows. So whatever happens, each file is either intact or
recognisably broken.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from rogsim.base import __version__
from rogsim.base.errors import ResultsError
from rogsim.base.files import locked, naming_path, write_whole
from rogsim.bots.loading import BotSource
from rogsim.bots.names import read_bot_name
from rogsim.game import compiler
from rogsim.results.inventory import (
    LOCK,
    Inventory,
    check_outside_results,
    check_place,
    clear,
    files_of_other_runs,
    is_ours,
    remove,
    rows_of_game,
    take_stock,
    without_impossible,
)
from rogsim.results.manifest import (
    FORMAT,
    MANIFEST,
    NAMES,
    BotRecord,
    Manifest,
    PlaySession,
    StoredChunk,
    StoredFile,
    full_hash,
    read_manifest,
    write_manifest,
)
from rogsim.results.results import Results, stored_results
from rogsim.scenario.fingerprint import differences, identity_of, key_of, scenario_hash, short_hash
from rogsim.scenario.model import Experiment
from rogsim.simulation.chunks import TABLES, Chunk, ChunkName, PlayedChunk, free_ranges, taken_games
from rogsim.simulation.rows import game_columns, seat_columns

LIBRARIES = ("joblib", "numba", "llvmlite", "numpy", "polars", "pydantic", "scipy")

_known: set[StoredChunk] = set()  # chunks, by run and content, that this process has written or checked

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


WAY_OUT = "name another folder with --out, or discard the old rows with --replace"
PATIENCE = 0.3  # seconds to wait for a lock: whoever asks whether a folder is locked locks it for a moment
BUSY = "another run is writing there; wait for it to finish, or name another folder"

Say = Callable[[str], None]


class Store(MemoryStore):
    """A results folder while this process alone writes into it (see `open_store`)."""

    def __init__(
        self, folder: Path, experiment: Experiment, older: Manifest | None, stock: Inventory, say: Say
    ) -> None:
        """Begin with the chunks that are already stored; `say` receives a line about broken ones."""
        super().__init__(experiment)
        self._folder, self._older, self._begun, self._say = folder, older, False, say
        self._chunks = {chunk.chunk: chunk for chunk in stock.whole}
        self._broken, self._told = stock.broken, set[Chunk]()

    @property
    def file_key(self) -> str:
        """Return the key that names the files."""
        return self.key

    @property
    def where(self) -> Path:
        """Return the folder."""
        return self._folder

    def chunks(self) -> list[Chunk]:
        """Return the stored games, in the order of the scenario."""
        return self._in_order(self._chunks)

    def begin(self, games: Mapping[int, int]) -> None:
        """Write a manifest that says what is being played; without it, the files would belong to an unknown run."""
        self._tell_broken(games)
        if not self._begun:
            with naming_path(self._folder):
                for table in TABLES:
                    (self._folder / table).mkdir(exist_ok=True)
            self._write(self._manifest("running", games, None, ended=False))
            self._begun = True

    def add(self, part: PlayedChunk) -> None:
        """Write both files of a played chunk in full; ResultsError if that fails."""
        stored = {}
        with naming_path(self._folder):
            for table, content in zip(TABLES, (part.seats, part.games), strict=True):
                assert isinstance(content, bytes)
                name = str(ChunkName(part.chunk, self.key, short_hash(content)))
                write_whole(self._folder / table / name, content)
                stored[table] = StoredFile(file=name, sha256=full_hash(content), bytes=len(content))
        chunk = part.chunk
        self._chunks[chunk] = StoredChunk(players=chunk.players, start=chunk.start, stop=chunk.stop, **stored)
        _known.add(self._chunks[chunk])
        self.log.add(chunk)
        self.log.replayed += taken_games(self._broken_with(chunk.players), chunk.start, chunk.stop)

    def results(self, games: Mapping[int, int]) -> Results:
        """Return the first `games` games of each player count; none may be missing."""
        return stored_results(self._folder, self._manifest("complete", games, None))

    def finish(self, games: Mapping[int, int]) -> Results:
        """Write the manifest of a run that has played all its games, if it changed, and return the results."""
        manifest = self._manifest("complete", games, None)
        if manifest != self._older:
            self._write(manifest)
        return stored_results(self._folder, manifest)

    def stop(self, games: Mapping[int, int], why: str) -> int:
        """Record in the manifest why a run could not continue, and return how many games the folder holds."""
        if self._begun:
            with suppress(ResultsError):  # the chunks describe themselves, and the next run writes the manifest
                self._write(self._manifest("stopped", games, why))
        return sum(chunk.games for chunk in self._chunks)

    def _tell_broken(self, games: Mapping[int, int]) -> None:
        """Say how many of the games to play are in broken chunks; once for each chunk, as some runs begin again."""
        again, count = set[Chunk](), 0
        for players, most in games.items():
            broken = self._broken_with(players)
            for gap in self.missing(players, most):
                again |= {chunk for chunk in broken if taken_games([chunk], gap.start, gap.stop)}
                count += taken_games(broken, gap.start, gap.stop)
        if again - self._told:
            files = "chunk is" if len(again) == 1 else "chunks are"
            self._say(f"{len(again):,} {files} broken: {count:,} games are played again.")
        self._told |= again

    def _broken_with(self, players: int) -> list[Chunk]:
        return [chunk for chunk in self._broken if chunk.players == players]

    def _manifest(self, state: State, games: Mapping[int, int], why: str | None, ended: bool = True) -> Manifest:
        past = list(self._older.sessions) if self._older else []
        did_something = self.log.games or not past or not ended or why
        sessions = [*past, self.log.session(why, ended)] if did_something else past
        chunks = [self._chunks[chunk] for chunk in self.chunks()]
        return self._describe(state, games, chunks, sessions, self._looks(state, games))

    def _looks(self, state: State, games: Mapping[int, int]) -> list[dict[str, int]]:
        """Return all looks at the folder; complete results with another number of games are a new look."""
        past = self._older.looks if self._older else []
        now = {str(players): count for players, count in games.items()}
        return [*past, now] if state == "complete" and now not in past else past

    def _write(self, manifest: Manifest) -> None:
        with naming_path(self._folder):
            write_manifest(self._folder, manifest)


@contextmanager
def open_store(folder: Path, experiment: Experiment, replace: bool, say: Say) -> Iterator[Store]:
    """Open a new folder, or one left by an earlier run, for the rows of an experiment, and hold its lock.

    Broken chunks and drafts of an earlier run are removed. A new folder that stays empty is removed in the end. Call
    `check_target` first: here it is called once the folder is locked.

    Parameters
    ----------
    replace
        Remove rows of another run instead of refusing them.
    say
        Receives a line about broken chunks.

    Raises
    ------
    ResultsError
        If the folder holds the rows of another run (the message lists the differences) or anything else, if another
        process writes to it, or if it cannot be written.
    """
    empty = not folder.exists()
    try:
        with ExitStack() as held:
            with naming_path(folder):
                folder.mkdir(parents=True, exist_ok=True)
                try:
                    held.enter_context(locked(folder / LOCK, PATIENCE))
                except TimeoutError:
                    empty = False
                    raise ResultsError(f"{folder}: {BUSY}") from None
            check_target(folder, experiment, replace)
            store = _stocked(folder, experiment, say)
            try:
                yield store
            finally:
                empty = empty and not store.chunks()
                if empty:
                    with suppress(OSError):
                        clear(folder)
    finally:
        if empty:
            with suppress(OSError):  # something else appeared there in the meantime
                remove(folder, folder / LOCK)
                folder.rmdir()


def check_target(folder: Path, experiment: Experiment, replace: bool) -> None:
    """Refuse a folder that holds anything but results, or rows of another run unless `replace` is true."""
    check_place(folder)
    check_outside_results(folder)
    if replace or not folder.exists():
        return
    ours = identity_of(experiment)
    older = _older_manifest(folder, say=lambda line: None)
    if older is not None and older.key != key_of(ours):
        lines = differences(older.identity, ours)
        raise ResultsError(
            "\n".join([f"{folder}: holds the rows of another run:", *(f"  {line}" for line in lines), f"  {WAY_OUT}"])
        )
    if others := files_of_other_runs(folder, key_of(ours)):
        name = others[0].relative_to(folder).as_posix()
        raise ResultsError(f'{folder}: holds "{name}", which belongs to another run: {WAY_OUT}')


def check_free(folder: Path) -> None:
    """Refuse a folder to which another run is writing."""
    if is_locked(folder):
        raise ResultsError(f"{folder}: {BUSY}")


def is_locked(folder: Path) -> bool:
    """Return whether a run is writing to the folder."""
    if not is_ours(folder, folder / LOCK):
        return False
    try:
        with locked(folder / LOCK, PATIENCE):
            return False
    except TimeoutError:
        return True
    except OSError:
        return False


def _stocked(folder: Path, experiment: Experiment, say: Say) -> Store:
    """Return the store of a folder that may be written into, after removing what is of no use to this run."""
    key = key_of(identity_of(experiment))
    older = _older_manifest(folder, say)
    if older is not None and older.key != key:
        clear(folder)
        older = None
    expected = rows_of_game(experiment.spec, experiment.scenario.bots, experiment.mirrored)
    stock, _ = without_impossible(take_stock(folder, key, older.chunks if older else ()), folder, expected, _known)
    _known.update(stock.whole)
    for path in (*stock.leftovers, *files_of_other_runs(folder, key)):
        remove(folder, path)
    return Store(folder, experiment, older, stock, say)


def _older_manifest(folder: Path, say: Say) -> Manifest | None:
    """Return the manifest of a folder; None if it is missing or broken, which can be repaired."""
    if not (folder / MANIFEST).exists():
        return None
    try:
        return read_manifest(folder)
    except ResultsError as fault:
        say(f"{fault}; it will be rewritten.")
        return None
