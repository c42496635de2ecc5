"""Folders with tables and a manifest: what they contain, and how they are written."""

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
from rogsim.base.files import content_of, is_by_system, is_plain_file
from rogsim.base.plain_text import safe
from rogsim.base.version import __version__
from rogsim.game import compiler
from rogsim.scenario.fingerprint import engine_hash
from rogsim.scenario.model import Experiment
from rogsim.scenario.reconstructed import reconstructed_of


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
