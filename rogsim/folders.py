"""Folders with tables, plots and a manifest: what they hold, where they may be written, and writing them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

import rogsim
from rogsim import jit
from rogsim.results import ResultsError
from rogsim.scenario import Experiment


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
        inside = sorted(entry.name for entry in folder.iterdir())
        foreign = [name for name in inside if name not in self.files]
        if foreign:
            what = f'holds "{foreign[0]}", which is no part of a {self.name}'
            raise ResultsError(f"{folder}: {what}; name another folder")
        if inside and self.manifest not in inside:
            what = f"holds no whole {self.name}, there is no {self.manifest}"
            raise ResultsError(f"{folder}: {what}; name another folder")

    def write(self, folder: Path, tables: Mapping[str, pl.DataFrame], manifest: Mapping[str, Any]) -> None:
        """Write the tables and the manifest; the plots are the caller's."""
        for name in self.tables:
            tables[name].write_csv(folder / f"{name}.csv", float_precision=6)
            tables[name].write_parquet(folder / f"{name}.parquet")
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        (folder / self.manifest).write_text(text, encoding="utf-8")


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
