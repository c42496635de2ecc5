"""Folders with tables, plots and a manifest: what they contain, when they may be replaced, how they are written."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.errors import ResultsError
from rogsim.base.files import MEGABYTE, is_plain_file, is_plain_folder, parse_json, read_bytes
from rogsim.base.plain_text import safe
from rogsim.base.version import __version__
from rogsim.game import compiler
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.model import Experiment
from rogsim.scenario.reconstructed import reconstructed_of

MOST_BYTES = 64 * MEGABYTE  # of a manifest


@dataclass(frozen=True)
class FolderKind:
    """A kind of folder: its tables, as CSV and Parquet, its plots, and `<name>.json`, its manifest.

    workbook: the name of its workbook. A folder has one only if its manifest names it: in an older folder, a file of
    this name is not rogsim's.
    """

    name: str
    tables: tuple[str, ...]
    plots: tuple[str, ...]
    workbook: str = ""

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
        return (self.manifest, *tables, *self.plots, *([self.workbook] if self.workbook else []))

    def check(self, folder: Path, more: Collection[str] = (), besides: Collection[Path] = ()) -> None:
        """Refuse a folder that holds anything else: only an older folder of this kind may be replaced.

        more, besides: further files by name, and subfolders, that may be there.
        """
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ResultsError(f"{folder}: is a file; a {self.name} needs a folder")
        manifest = _read_manifest(folder / self.manifest)
        own = self.workbook and manifest.get("workbook") == self.workbook
        names = [name for name in self.files if own or name != self.workbook]
        check_contents(folder, [*names, *more], f"a {self.name}", besides)
        if any(folder.iterdir()) and manifest.get("format") != self.format:
            exists = (folder / self.manifest).exists()
            why = f"{self.manifest} is not its manifest" if exists else f"{self.manifest} is missing"
            what = f"holds no complete {self.name}: {why}"
            raise ResultsError(f"{folder}: {what}; name another folder")

    def write(self, folder: Path, tables: Mapping[str, pl.DataFrame], manifest: Mapping[str, Any]) -> None:
        """Write the tables and the manifest; the caller writes the plots."""
        for name in self.tables:
            (folder / f"{name}.csv").write_bytes(tables[name].write_csv(float_precision=6).encode())
            (folder / f"{name}.parquet").write_bytes(_parquet(tables[name]))
        _write_json(folder / self.manifest, manifest)


def check_contents(folder: Path, names: Collection[str], what: str, besides: Collection[Path] = ()) -> None:
    """Refuse a folder that holds anything but regular files with these names; ResultsError names the first other file.

    Parameters
    ----------
    what
        The kind of folder, for the message.
    besides
        Subfolders that are also allowed.
    """
    for path in sorted(folder.iterdir()):
        if path in besides and is_plain_folder(path):
            continue
        if path.name not in names or not is_plain_file(path):
            found = f'holds "{safe(path.name)}", which does not belong to {what}'
            raise ResultsError(f"{folder}: {found}; name another folder")


def read_format(path: Path) -> str | None:
    """Return the format that a JSON file states; None if there is no such file, or no format in it."""
    found = _read_manifest(path).get("format")
    return found if isinstance(found, str) else None


def _read_manifest(path: Path) -> dict[str, Any]:
    """Return the content of a JSON file; empty if there is no such file, or no object in it."""
    try:
        data = parse_json(read_bytes(path, MOST_BYTES)) if is_plain_file(path) else None
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


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
