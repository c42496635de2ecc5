"""Results: the rows of a run as polars frames, in memory or in a folder of Parquet files with a manifest."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import polars as pl

import rogsim
from rogsim import jit
from rogsim.batch import Part, plans
from rogsim.errors import RogsimError
from rogsim.frames import game_columns, seat_columns
from rogsim.scenario import Experiment

FORMAT = "rogsim-results/1"
PARTIAL_FORMAT = "rogsim-partial-results/1"  # finished chunks of a run that stopped
MANIFEST = "manifest.json"
TABLES = ("seats", "games")
LIBRARIES = ("joblib", "numba", "llvmlite", "numpy", "polars", "pydantic", "scipy")


class ResultsError(RogsimError):
    """A results folder that cannot be read, or a place where none may be written."""


@dataclass(frozen=True)
class Results:
    """The rows of a run and the manifest that says how they came about.

    `seats()` has a row for each game and seat, `games()` a row for each game, both ordered by players (as in
    the scenario), game and seat. They are lazy, so that millions of games need not fit into memory;
    `.collect()` them.
    """

    manifest: Mapping[str, Any]
    folder: Path | None
    seat_parts: Sequence[Path | pl.DataFrame]
    game_parts: Sequence[Path | pl.DataFrame]

    @classmethod
    def open(cls, folder: str | Path) -> Results:
        """Open the results in a folder; ResultsError if there are none or files are missing."""
        folder = Path(folder)
        manifest = _read_manifest(folder)
        tables = {table: [folder / table / name for name in _chunk_files(folder, manifest)] for table in TABLES}
        for path in (path for paths in tables.values() for path in paths):
            if not path.is_file():
                raise ResultsError(f"{folder}: {path.relative_to(folder)} is missing")
        return cls(manifest, folder, tables["seats"], tables["games"])

    def seats(self) -> pl.LazyFrame:
        """Return one row for each game and seat."""
        return _lazy(self.seat_parts)

    def games(self) -> pl.LazyFrame:
        """Return one row for each game."""
        return _lazy(self.game_parts)

    def columns(self) -> pl.DataFrame:
        """Return what the columns mean: table, name, type, unit, meaning."""
        return pl.DataFrame(self.manifest["columns"], schema=["table", "name", "type", "unit", "meaning"], orient="row")


def build_manifest(experiment: Experiment, parts: Sequence[Part], started: datetime) -> dict[str, Any]:
    """Return all that is needed to know what was played, with which rules, bots and versions."""
    scenario = experiment.scenario.model_dump(mode="json")
    spec = experiment.spec
    return {
        "format": FORMAT,
        "rogsim": rogsim.__version__,
        "name": experiment.name,
        "question": experiment.question,
        "game": {"id": spec.id, "title": spec.title, "version": spec.version},
        "scenario": scenario,
        "scenario_hash": scenario_hash(scenario),
        "source_hash": jit.source_hash(),
        "compiled": jit.ENABLED,
        "bots": [
            {"name": bot.name, "source_hash": bot.source_hash, "weights_hash": bot.weights_hash}
            for bot in experiment.sources.values()
        ],
        "seed": experiment.scenario.seed,
        "games": {str(players): plan.games for players, plan in plans(experiment).items()},
        "factors": {"seat": list(spec.seat_factors), "game": list(spec.game_factors)},
        "columns": _column_rows(experiment),
        "chunks": [part.chunk.file for part in parts],
        "chunk_ranges": [list(asdict(part.chunk).values()) for part in parts],
        "libraries": {name: _version_of(name) for name in LIBRARIES},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "started": started.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def scenario_hash(scenario: Mapping[str, Any]) -> str:
    """Hash a resolved scenario, whatever the order of its keys: 16 hex digits."""
    text = json.dumps(scenario, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def check_target(folder: Path) -> None:
    """Refuse a place for results that holds something else: only older results may be replaced."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is a file, and results need a folder")
    foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in (MANIFEST, *TABLES))
    if foreign:
        raise ResultsError(f'{folder}: holds "{foreign[0]}", which is no part of results; name another folder')
    if any(folder.iterdir()):
        _read_manifest(folder)


@contextmanager
def writing(folder: Path, check: Callable[[Path], None] = check_target) -> Iterator[Path]:
    """Give a new folder beside `folder` to write into, and put it in its place once all went well.

    Older results are replaced only then; if anything goes wrong they stay, and the new folder is removed.
    `check` refuses a place that holds something else.
    """
    check(folder)
    folder = folder.resolve()
    unique = secrets.token_hex(4)
    draft = folder.with_name(f".{folder.name}.{unique}.new")
    old = folder.with_name(f".{folder.name}.{unique}.old")
    try:
        draft.mkdir(parents=True)
    except OSError as fault:
        raise ResultsError(f"{folder}: cannot be written: {fault.strerror}") from fault
    try:
        yield draft
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
    finally:
        if old.exists() and not folder.exists():
            old.rename(folder)
        _remove(draft)
        _remove(old)


def _remove(folder: Path) -> None:
    """Remove a folder to which an interrupted worker may still write: renamed, it lets nobody in."""
    if folder.exists():
        shutil.rmtree(folder.rename(folder.with_suffix(".gone")), ignore_errors=True)


def keep_partial(draft: Path, folder: Path, manifest: Mapping[str, Any], why: str) -> Path:
    """Keep the finished chunks of a run that stopped, as `<folder>.partial`: the path.

    draft: the folder that they were written to; what the manifest does not list is removed from it.
    """
    target = keep_draft(draft, folder, manifest, why)
    for table in TABLES:
        for path in (target / table).iterdir():
            if path.name not in manifest["chunks"]:
                path.unlink()
    return target


def keep_draft(draft: Path, folder: Path, manifest: Mapping[str, Any], why: str) -> Path:
    """Keep a folder of which only a part was written, as `<folder>.partial`: the path. An older one is replaced."""
    target = folder.with_name(f"{folder.name}.partial")
    number = 2
    while target.exists() and not _is_partial(target):
        target = folder.with_name(f"{folder.name}.partial-{number}")
        number += 1
    _remove(target)
    draft.rename(target)  # workers that are still at it write to the old name, and fail
    write_manifest(target, {**manifest, "format": PARTIAL_FORMAT, "stopped_by": why})
    return target


def _is_partial(folder: Path) -> bool:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("format") == PARTIAL_FORMAT


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest into a results folder."""
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ResultsError(f"{folder}: holds no results, there is no {MANIFEST}") from None
    except (OSError, ValueError) as fault:
        raise ResultsError(f"{folder}: {MANIFEST} cannot be read: {fault}") from fault
    if isinstance(manifest, dict) and manifest.get("format") == PARTIAL_FORMAT:
        raise ResultsError(
            f"{folder}: holds only the finished games of a run that stopped: {manifest.get('stopped_by')}"
        )
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ResultsError(f'{folder}: {MANIFEST} is not of the format "{FORMAT}"')
    return manifest


def _chunk_files(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Return the names of the files that a manifest lists; it may name nothing outside its folder."""
    chunks = manifest.get("chunks")
    if not isinstance(chunks, list) or not all(re.fullmatch(r"p\d+-\d+\.parquet", str(name)) for name in chunks):
        raise ResultsError(f'{folder}: "chunks" in {MANIFEST} must be a list of files such as p4-000000000.parquet')
    return [str(name) for name in chunks]


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


def _lazy(parts: Sequence[Path | pl.DataFrame]) -> pl.LazyFrame:
    """Return parts of one table as one lazy frame, in their order."""
    paths = [part for part in parts if isinstance(part, Path)]
    if paths:
        # A folder may be called "a[1]": the names are not patterns, and its parts no keys.
        return pl.scan_parquet(paths, glob=False, hive_partitioning=False)
    return pl.concat([part.lazy() for part in parts if isinstance(part, pl.DataFrame)])
