"""Folders with tables, plots and a manifest: what they hold, where they may be written, and writing them."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

import rogsim
from rogsim import jit
from rogsim.files import MEGABYTE, is_plain_file, is_plain_folder, parse_json, read_bytes
from rogsim.manifest import ResultsError
from rogsim.places import check_writable
from rogsim.plain_text import name_fault, safe
from rogsim.scenario import Experiment

PARTIAL = "manifest.json"  # of what is kept of something that stopped
PARTIAL_FORMAT = "rogsim-partial-results/1"
PARTIAL_ROWS = "finishes.parquet"
MOST_BYTES = 64 * MEGABYTE  # of a manifest


@dataclass(frozen=True)
class FolderKind:
    """What one kind of folder holds: tables as CSV and Parquet, plots, and `<name>.json`, the manifest."""

    name: str
    tables: tuple[str, ...]
    plots: tuple[str, ...]

    @property
    def manifest(self) -> str:
        """Return the name of the manifest's file."""
        return f"{self.name}.json"

    @property
    def format(self) -> str:
        """Return what the manifest calls its format."""
        return f"rogsim-{self.name}/1"

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of all files of such a folder."""
        tables = (f"{table}.{kind}" for table in self.tables for kind in ("csv", "parquet"))
        return (self.manifest, *tables, *self.plots)

    def check(self, folder: Path) -> None:
        """Refuse a place that holds something else: only an older folder of this kind may be replaced."""
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ResultsError(f"{folder}: is a file, and a {self.name} needs a folder")
        check_contents(folder, self.files, f"a {self.name}")
        if any(folder.iterdir()) and read_format(folder / self.manifest) != self.format:
            there = (folder / self.manifest).exists()
            why = f"{self.manifest} is not that of one" if there else f"there is no {self.manifest}"
            what = f"holds no whole {self.name}, {why}"
            raise ResultsError(f"{folder}: {what}; name another folder")

    def write(self, folder: Path, tables: Mapping[str, pl.DataFrame], manifest: Mapping[str, Any]) -> None:
        """Write the tables and the manifest; the plots are the caller's."""
        for name in self.tables:
            tables[name].write_csv(folder / f"{name}.csv", float_precision=6)
            tables[name].write_parquet(folder / f"{name}.parquet")
        _write_json(folder / self.manifest, manifest)


def check_contents(folder: Path, names: Collection[str], what: str, besides: Path | None = None) -> None:
    """Refuse a folder that holds anything but regular files of these names; ResultsError names it.

    besides: a folder that may be there, too.
    """
    for path in sorted(folder.iterdir()):
        if path == besides and is_plain_folder(path):
            continue
        if path.name not in names or not is_plain_file(path):
            raise ResultsError(f'{folder}: holds "{safe(path.name)}", which is no part of {what}; name another folder')


def read_format(path: Path) -> str | None:
    """Return the format that a JSON file says it is of; None if there is no such file, or it says nothing."""
    try:
        data = parse_json(read_bytes(path, MOST_BYTES)) if is_plain_file(path) else None
    except (OSError, ValueError):
        return None
    found = data.get("format") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None


def manifest_of(name: str, experiment: Experiment, started: datetime, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that is needed to know what was played: with which game, bots, seed and versions, and `more`."""
    spec = experiment.spec
    return {
        "format": f"rogsim-{name}/1",
        "rogsim": rogsim.__version__,
        "game": {"id": spec.id, "title": spec.title, "version": spec.version},
        "source_hash": jit.source_hash(),
        "bots": [
            {"name": bot.name, "source_hash": bot.source_hash, "weights_hash": bot.weights_hash}
            for bot in experiment.sources.values()
        ],
        "seed": experiment.scenario.seed,
        "options": experiment.scenario.options,
        **more,
        "started": started.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }


@contextmanager
def writing(folder: Path, check: Callable[[Path], None]) -> Iterator[Path]:
    """Give a new folder beside `folder` to write into, and put it in its place once all went well.

    Older results are replaced only then; if anything goes wrong they stay, and the new folder is removed.
    `check` refuses a place that holds something else.
    """
    if wrong := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {wrong}")
    check(folder)
    check_writable(folder)
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
            check(folder)  # something may have come to lie there meanwhile
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


def keep_draft(draft: Path, folder: Path, manifest: Mapping[str, Any], why: str) -> Path:
    """Keep a folder of which only a part was written, as `<folder>.partial`: the path. An older one is replaced."""
    target = folder.with_name(f"{folder.name}.partial")
    number = 2
    while (target.exists() or target.is_symlink()) and not _is_partial(target):
        target = folder.with_name(f"{folder.name}.partial-{number}")
        number += 1
    _remove(target)
    draft.rename(target)  # workers that are still at it write to the old name, and fail
    _write_json(target / PARTIAL, {**manifest, "format": PARTIAL_FORMAT, "stopped_by": why})
    return target


def _is_partial(folder: Path) -> bool:
    """Say whether a folder is what rogsim kept of something, and holds nothing else."""
    if not is_plain_folder(folder) or read_format(folder / PARTIAL) != PARTIAL_FORMAT:
        return False
    return all(path.name in (PARTIAL, PARTIAL_ROWS) and is_plain_file(path) for path in folder.iterdir())


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
