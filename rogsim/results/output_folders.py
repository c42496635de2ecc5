"""Folders with tables and a manifest, and how any folder is written: completely or not at all.

A folder is drafted beside its target and moved there at the end. While a folder `name` is written, there is an empty,
locked file `.name.<8 digits>.rogsim-draft` beside it. The system releases the lock when the process ends, however it
ends. So the next process that writes there can identify what a killed process left, and removes only that.
"""

from __future__ import annotations

import io
import json
import re
import secrets
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base import __version__
from rogsim.base.errors import ResultsError
from rogsim.base.files import content_of, drafts_of, is_by_system, is_plain_file, is_plain_folder, locked, naming_path
from rogsim.base.text import safe
from rogsim.game import compiler
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.model import Experiment
from rogsim.scenario.reconstructed import reconstructed_of

MARK = ".rogsim-draft"  # suffix of the file that marks a writer
NEW, OLD = ".new", ".old"  # suffixes of the draft, and of the folder that it replaces
PATIENCE = 5.0  # seconds to wait for another process to finish cleaning up
BUSY = "another command is working on it; wait for it to finish, or name another file"

Check = Callable[[Path], None]


@contextmanager
def writing(folder: Path, check: Check) -> Iterator[Path]:
    """Yield a new folder beside `folder` to write into, and move it into place after success.

    Older results are replaced only then; after an error they stay, and the new folder is removed. Whatever a killed
    attempt left is removed first.

    Parameters
    ----------
    check
        Refuses a folder that must not be replaced. Call it before the work that leads to the results, too: here it is
        called at the end.

    Raises
    ------
    ResultsError
        If anything cannot be written; it names the folder.
    """
    with naming_path(folder), _draft_of(folder.resolve(), check) as draft:
        yield draft


@contextmanager
def alone_at(path: Path, files: Iterable[Path]) -> Iterator[None]:
    """Lock a file, so that no other process works on it; ResultsError if one does already.

    Parameters
    ----------
    path
        Path of the file.
    files
        Files that `rogsim.base.files.whole_file` writes while the lock is held. Their drafts that a killed process left
        are removed.
    """
    with ExitStack() as held:
        with naming_path(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                held.enter_context(_marked(path.with_name(f".{path.name}{MARK}"), patience=0))
            except TimeoutError:
                raise ResultsError(f"{path}: {BUSY}") from None
        for draft in (draft for file in files for draft in drafts_of(file)):
            with suppress(OSError):
                draft.unlink()
        yield


@contextmanager
def _draft_of(folder: Path, check: Check) -> Iterator[Path]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _clear_leftovers(folder)
    mark = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}{MARK}")
    with _marked(mark, PATIENCE):
        draft = mark.with_suffix(NEW)
        try:
            draft.mkdir()
            yield draft
            if folder.exists():
                check(folder)
                folder.rename(mark.with_suffix(OLD))
            draft.rename(folder)
        finally:
            _settle(folder, mark)


@contextmanager
def _marked(mark: Path, patience: float) -> Iterator[None]:
    """Hold the lock of a mark, which is removed in the end."""
    with locked(mark, patience):
        try:
            yield
        finally:
            with suppress(OSError):
                mark.unlink(missing_ok=True)


def _clear_leftovers(folder: Path) -> None:
    """Remove what killed processes left while writing this folder; a live process holds its lock."""
    name = re.compile(rf"\.{re.escape(folder.name)}\.[0-9a-f]{{8}}{re.escape(MARK)}")
    for mark in [path for path in folder.parent.iterdir() if name.fullmatch(path.name) and is_plain_file(path)]:
        with suppress(OSError), _marked(mark, patience=0):  # its process may remove it at any time
            _settle(folder, mark)


def _settle(folder: Path, mark: Path) -> None:
    """Make sure that either the older or the new folder is in place, and remove everything else."""
    draft, old = mark.with_suffix(NEW), mark.with_suffix(OLD)
    if is_plain_folder(old) and not folder.exists():
        old.rename(folder)
    if is_plain_folder(old):
        _keep_files_of_systems(old, folder)
    for left in filter(is_plain_folder, (draft, old)):
        shutil.rmtree(left, ignore_errors=True)


def _keep_files_of_systems(old: Path, folder: Path) -> None:
    for path in filter(is_by_system, list(old.rglob("*"))):
        kept = folder / path.relative_to(old)
        if kept.parent.is_dir() and not kept.exists():
            path.rename(kept)


@dataclass(frozen=True)
class FolderKind:
    """A kind of folder: its tables, as CSV and Parquet, and `<name>.json`, its manifest."""

    name: str
    tables: tuple[str, ...]

    @property
    def manifest(self) -> str:
        """Return the file name of the manifest."""
        return f"{self.name}.json"

    @property
    def format(self) -> str:
        """Return the format that its manifests state."""
        return f"rogsim-{self.name}/1"

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of all files of such a folder."""
        tables = (f"{table}.{kind}" for table in self.tables for kind in ("csv", "parquet"))
        return (self.manifest, *tables)

    def write(self, folder: Path, tables: Mapping[str, pl.DataFrame], manifest: Mapping[str, Any]) -> None:
        """Write the tables and the manifest."""
        for name in self.tables:
            (folder / f"{name}.csv").write_bytes(tables[name].write_csv(float_precision=6).encode())
            (folder / f"{name}.parquet").write_bytes(_parquet(tables[name]))
        _write_json(folder / self.manifest, manifest)


def check_contents(folder: Path, names: Collection[str], subfolders: Collection[str], what: str) -> None:
    """Refuse a folder that holds anything else, apart from what systems leave; ResultsError names it.

    Parameters
    ----------
    names
        The regular files that may be there, as paths in the folder.
    subfolders
        The subfolders that may be there.
    what
        The kind of folder, for the message.
    """
    for path in sorted(content_of(folder, subfolders)):
        name = path.relative_to(folder).as_posix()
        if not ((name in names and is_plain_file(path)) or is_by_system(path)):
            raise ResultsError(f'{folder}: holds "{safe(name)}", which does not belong to {what}; name another folder')


def manifest_of(name: str, experiment: Experiment, started: datetime, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest: everything needed to know what was played.

    Parameters
    ----------
    name
        Name of the kind of folder.
    started
        Time in UTC.
    more
        Further keys.
    """
    spec = experiment.spec
    return {
        "format": f"rogsim-{name}/1",
        "rogsim": __version__,
        "game": {"id": spec.id, "title": spec.title, "version": spec.version},
        "source_hash": compiler.source_hash(),
        "engine": engine_hash(spec.bots_package),
        "bots": [
            {"name": bot.name, "source_hash": bot.source_hash, "weights_hash": bot.weights_hash}
            for bot in experiment.sources.values()
        ],
        "seed": experiment.scenario.seed,
        "options": experiment.scenario.options,
        **({"reconstructed": found} if (found := reconstructed_of(experiment).data()) else {}),
        **more,
        "started": started.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _parquet(table: pl.DataFrame) -> bytes:
    content = io.BytesIO()  # polars would not report a full disk as an OSError
    table.write_parquet(content)
    return content.getvalue()


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
