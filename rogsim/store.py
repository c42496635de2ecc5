"""Writing a run into its results folder, chunk by chunk, so that it can stop at any moment and go on later.

One process at a time writes there and holds a lock. A chunk's files appear whole or not at all, under names that tell
what they are; the manifest follows. So whatever happens, each file is either right or known to be broken.
"""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

import rogsim
from rogsim import jit
from rogsim.bots import names_a_file
from rogsim.chunks import TABLES, Chunk, ChunkName, Part, free_ranges
from rogsim.frames import game_columns, seat_columns
from rogsim.identity import differences, identity_of, key_of, scenario_hash, short_hash
from rogsim.inventory import LOCK, Inventory, check_place, clear, take_stock
from rogsim.manifest import (
    FORMAT,
    MANIFEST,
    Manifest,
    ResultsError,
    Session,
    StoredChunk,
    StoredFile,
    full_hash,
    read_manifest,
    write_manifest,
    write_whole,
)
from rogsim.results import Results, stored_results
from rogsim.scenario import Experiment

LIBRARIES = ("joblib", "numba", "llvmlite", "numpy", "polars", "pydantic", "scipy")
WAY_OUT = "name another folder with --out, or throw the old rows away with --replace"

Say = Callable[[str], None]
State = Literal["running", "stopped", "complete"]


@dataclass
class Log:
    """What this session did: games played by player count, games mended, and how."""

    backend: str = "threads"
    workers: int = 1
    found: int = 0  # games that were there before, of those asked for
    mended: int = 0
    played: dict[str, int] = field(default_factory=dict)
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.monotonic)

    def add(self, chunk: Chunk) -> None:
        """Count the games of a chunk that was played."""
        players = str(chunk.players)
        self.played[players] = self.played.get(players, 0) + chunk.games

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return sum(self.played.values())

    @property
    def seconds(self) -> float:
        """Return how long the session has lasted."""
        return time.monotonic() - self.clock

    def session(self, stopped_by: str | None, ended: bool) -> Session:
        """Return the session as the manifest tells it."""
        return Session(
            started=self.started.isoformat(timespec="seconds"),
            ended=datetime.now(UTC).isoformat(timespec="seconds") if ended else None,
            seconds=round(self.seconds, 3),
            played=dict(self.played),
            mended=self.mended,
            backend=self.backend,
            workers=self.workers,
            stopped_by=stopped_by,
            rogsim=rogsim.__version__,
            python=platform.python_version(),
            platform=platform.platform(),
            libraries={name: _version_of(name) for name in LIBRARIES},
            compiled=jit.ENABLED,
        )


class Shelf:
    """What a run has played so far, kept in memory."""

    def __init__(self, experiment: Experiment) -> None:
        """Begin without a game."""
        self.log = Log()
        self.identity = identity_of(experiment)
        self.key = key_of(self.identity)
        self._experiment = experiment
        self._parts: dict[Chunk, Part] = {}

    @property
    def file_key(self) -> str | None:
        """Return the key that files are named by; None where rows are kept as frames."""
        return None

    @property
    def where(self) -> Path | None:
        """Return the folder, if there is one."""
        return None

    def chunks(self) -> list[Chunk]:
        """Return which games are there, in the order of the scenario."""
        return self._in_order(self._parts)

    def missing(self, players: int, games: int) -> list[range]:
        """Return which of the first `games` games of a player count are not there yet."""
        return free_ranges((chunk for chunk in self.chunks() if chunk.players == players), 0, games)

    def count_missing(self, games: Mapping[int, int]) -> int:
        """Return how many of the first `games` games of each player count are not there yet."""
        return sum(len(gap) for players, count in games.items() for gap in self.missing(players, count))

    def begin(self, games: Mapping[int, int]) -> None:
        """Get ready to take chunks; called before any is added, with the games by player count that are wanted."""

    def add(self, part: Part) -> None:
        """Keep a played chunk."""
        self._parts[part.chunk] = part
        self.log.add(part.chunk)

    def results(self, games: Mapping[int, int]) -> Results:
        """Return the first `games` games of each player count; all of them must be there."""
        manifest = self._describe("complete", games, [], [self.log.session(None, ended=True)])
        return Results.of_parts(manifest, [self._parts[chunk] for chunk in self.chunks()])

    def finish(self, games: Mapping[int, int]) -> Results:
        """Return the results of a run that has played all it should."""
        return self.results(games)

    def stop(self, games: Mapping[int, int], why: str) -> int:
        """Close a run that could not go on, and return how many games can be found in the folder."""
        return 0

    def _in_order(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        place = {players: number for number, players in enumerate(self._experiment.scenario.players)}
        return sorted(chunks, key=lambda chunk: (place[chunk.players], chunk.start))

    def _describe(
        self, state: State, games: Mapping[int, int], chunks: Sequence[StoredChunk], sessions: Sequence[Session]
    ) -> Manifest:
        return describe(self._experiment, self.identity, state, games, chunks, sessions)


class Store(Shelf):
    """A results folder while this process alone writes into it (see `open_store`)."""

    def __init__(self, folder: Path, experiment: Experiment, older: Manifest | None, stock: Inventory) -> None:
        """Begin with what is there already."""
        super().__init__(experiment)
        self._folder, self._older, self._begun = folder, older, False
        self._chunks = {chunk.chunk: chunk for chunk in stock.whole}

    @property
    def file_key(self) -> str:
        """Return the key that files are named by."""
        return self.key

    @property
    def where(self) -> Path:
        """Return the folder."""
        return self._folder

    def chunks(self) -> list[Chunk]:
        """Return which games are there, in the order of the scenario."""
        return self._in_order(self._chunks)

    def begin(self, games: Mapping[int, int]) -> None:
        """Write a manifest that tells what is being played: without one, files would be of an unknown run."""
        if not self._begun:
            with self._saying_where():
                for table in TABLES:
                    (self._folder / table).mkdir(exist_ok=True)
            self._write(self._manifest("running", games, None, ended=False))
            self._begun = True

    def add(self, part: Part) -> None:
        """Write a played chunk, both files whole; ResultsError if that cannot be done."""
        stored = {}
        with self._saying_where():
            for table, content in zip(TABLES, (part.seats, part.games), strict=True):
                assert isinstance(content, bytes)
                name = str(ChunkName(part.chunk, self.key, short_hash(content)))
                write_whole(self._folder / table / name, content)
                stored[table] = StoredFile(file=name, sha256=full_hash(content), bytes=len(content))
        chunk = part.chunk
        self._chunks[chunk] = StoredChunk(players=chunk.players, start=chunk.start, stop=chunk.stop, **stored)
        self.log.add(chunk)

    def results(self, games: Mapping[int, int]) -> Results:
        """Return the first `games` games of each player count; all of them must be there."""
        return stored_results(self._folder, self._manifest("complete", games, None))

    def finish(self, games: Mapping[int, int]) -> Results:
        """Write the manifest of a run that has played all it should, if that changes it, and return the results."""
        manifest = self._manifest("complete", games, None)
        if manifest != self._older:
            self._write(manifest)
        return stored_results(self._folder, manifest)

    def stop(self, games: Mapping[int, int], why: str) -> int:
        """Say in the manifest why a run could not go on, and return how many games the folder holds."""
        if self._begun:
            with suppress(ResultsError):  # the chunks tell of themselves, and the next run writes it
                self._write(self._manifest("stopped", games, why))
        return sum(chunk.games for chunk in self._chunks)

    def _manifest(self, state: State, games: Mapping[int, int], why: str | None, ended: bool = True) -> Manifest:
        past = list(self._older.sessions) if self._older else []
        worth_telling = self.log.games or self.log.mended or not past or not ended
        sessions = [*past, self.log.session(why, ended)] if worth_telling else past
        return self._describe(state, games, [self._chunks[chunk] for chunk in self.chunks()], sessions)

    def _write(self, manifest: Manifest) -> None:
        with self._saying_where():
            write_manifest(self._folder, manifest)

    @contextmanager
    def _saying_where(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            raise ResultsError(f"{self._folder}: cannot be written: {fault.strerror or fault}") from fault


def describe(
    experiment: Experiment,
    identity: Mapping[str, Any],
    state: State,
    games: Mapping[int, int],
    chunks: Sequence[StoredChunk],
    sessions: Sequence[Session],
) -> Manifest:
    """Return the manifest of a run."""
    scenario, spec = experiment.scenario.model_dump(mode="json"), experiment.spec
    with_files = any(names_a_file(name) for name in experiment.sources)
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
        bots=[_told(source) for source in experiment.sources.values()],
        games={str(players): count for players, count in games.items()},
        factors={"seat": list(spec.seat_factors), "game": list(spec.game_factors)},
        columns=_column_rows(experiment),
        chunks=list(chunks),
        sessions=list(sessions),
    )


@contextmanager
def open_store(folder: Path, experiment: Experiment, replace: bool, say: Say) -> Iterator[Store]:
    """Open a folder for the rows of an experiment, new or as an earlier run left it, and hold its lock.

    Broken chunks and drafts of an earlier run are removed. Rows of another run are refused with what differs
    (ResultsError), or removed if `replace` says so. A new folder in which nothing came to lie does not stay.
    """
    check_target(folder, experiment, replace)
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise ResultsError(f"{folder}: another run is writing there; wait for it, or name another folder") from None
    except OSError as fault:
        raise ResultsError(f"{folder}: cannot be written: {fault.strerror}") from fault
    try:
        check_target(folder, experiment, replace)
        store = _stocked(folder, experiment, replace, say)
        yield store
    finally:
        empty = is_new and not any(folder.glob("*/*.parquet"))
        if empty:
            with suppress(OSError):
                clear(folder)
        lock.release()
        if empty:
            shutil.rmtree(folder, ignore_errors=True)


def check_target(folder: Path, experiment: Experiment, replace: bool) -> None:
    """Refuse a place that holds something else than results, or rows of another run unless they are to be replaced."""
    check_place(folder)
    if replace or not folder.exists():
        return
    ours = identity_of(experiment)
    older = _older_manifest(folder, say=lambda line: None)
    if older is not None and older.key != key_of(ours):
        lines = differences(older.identity, ours)
        raise ResultsError(
            "\n".join([f"{folder}: holds the rows of another run:", *(f"  {line}" for line in lines), f"  {WAY_OUT}"])
        )
    if older is None:
        stock = take_stock(folder, key_of(ours))
        if stock.others and not stock.whole:
            raise ResultsError(f"{folder}: holds the rows of another run, without its manifest: {WAY_OUT}")


def is_locked(folder: Path) -> bool:
    """Say whether a run is writing into the folder right now."""
    if not (folder / LOCK).exists():
        return False
    try:
        with FileLock(folder / LOCK, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False


def _stocked(folder: Path, experiment: Experiment, replace: bool, say: Say) -> Store:
    key = key_of(identity_of(experiment))
    older = None if replace and _is_of_another_run(folder, key) else _older_manifest(folder, say)
    if replace and _is_of_another_run(folder, key):
        clear(folder)
    stock = take_stock(folder, key)
    for path in stock.waste:
        path.unlink(missing_ok=True)
    store = Store(folder, experiment, older, stock)
    store.log.mended = sum(chunk.games for chunk in stock.broken)
    if stock.broken:
        files = "chunk is" if len(stock.broken) == 1 else "chunks are"
        say(f"{len(stock.broken):,} {files} broken: {store.log.mended:,} games are played again.")
    return store


def _is_of_another_run(folder: Path, key: str) -> bool:
    """Say whether a folder holds anything that this run cannot use."""
    try:
        return read_manifest(folder).key != key
    except ResultsError:
        stock = take_stock(folder, key)
        return bool(stock.others) or not stock.whole


def _older_manifest(folder: Path, say: Say) -> Manifest | None:
    """Return the manifest that lies in a folder; None if it is lost or broken, which can be mended."""
    if not (folder / MANIFEST).exists():
        return None
    try:
        return read_manifest(folder)
    except ResultsError as fault:
        say(f"{fault}; it is written anew.")
        return None


def _told(source: Any) -> dict[str, Any]:
    names = source.weight_names or [str(place) for place in range(len(source.weights))]
    return {
        "name": source.name,
        "source_hash": source.source_hash,
        "weights_hash": source.weights_hash,
        "weights": dict(zip(names, source.weights.tolist(), strict=True)),
    }


def _column_rows(experiment: Experiment) -> list[list[str]]:
    tables = zip(TABLES, (seat_columns(experiment.spec), game_columns(experiment.spec)), strict=True)
    return [
        [table, column.name, "name" if column.labels else column.dtype, column.unit, column.meaning]
        for table, columns in tables
        for column in columns
    ]


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "unknown"
