"""The tables of the bots that played, and of the files beside a page."""

from __future__ import annotations

import polars as pl

from rogsim.report.document import Grid, TableColumn
from rogsim.results.output_folders import FolderKind
from rogsim.scenario.model import Experiment


def bots_grid(experiment: Experiment) -> Grid:
    """Return the bots with the hashes of their sources and weights."""
    rows = [
        {"bot": bot.name, "source": bot.source_hash, "weights": bot.weights_hash} for bot in experiment.sources.values()
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    heads = {"source": "hash of its source", "weights": "hash of its weights"}
    shown = tuple(TableColumn(name, heads.get(name, name)) for name in frame.columns)
    return Grid("bots-used", "Who played", shown, frame)


def files_grid(kind: FolderKind) -> Grid:
    """Return the files of a folder with a page."""
    rows = [
        *((f"{name}.csv, {name}.parquet", "the same table as in the section, for programs") for name in kind.tables),
        (kind.manifest, "what was played, when, and with which versions"),
        ("report.json, report.xlsx, report.md", "this page as data, as a workbook and as text"),
        ("tables/, figures/", "each table as CSV, each figure as PNG and SVG"),
    ]
    columns = (TableColumn("file", "file"), TableColumn("holds", "what it holds"))
    frame = pl.DataFrame(rows, schema=["file", "holds"], orient="row")
    return Grid("files", "Files in the folder of this page", columns, frame)
