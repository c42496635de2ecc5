"""The tables of a report as CSV files."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from rogsim.base.text import safe
from rogsim.report.document import Report, plain

WORKBOOK, TABLES = "report.xlsx", "tables"  # names of the file and of the folder with the CSV files


def file_names(report: Report) -> list[str]:
    """Return the workbook and the CSV files of a report, relative to its folder."""
    return [WORKBOOK, *(f"{TABLES}/{table.name}.csv" for table in report.tables)]


def write_tables(report: Report, folder: Path) -> None:
    """Write each table as CSV, with all rows and columns at full precision, into a new folder in `folder`."""
    (folder / TABLES).mkdir()
    for table in report.tables:
        (folder / TABLES / f"{table.name}.csv").write_bytes(_csv(table.grid.frame).encode())


def _csv(frame: pl.DataFrame) -> str:
    """Return a frame as CSV; lists and structures in it as JSON."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested() or kind == pl.Object]
    texts = [
        pl.Series(name, [None if entry is None else json.dumps(plain(entry)) for entry in frame[name].to_list()])
        for name in nested
    ]
    return safe(frame.with_columns(texts).write_csv())
