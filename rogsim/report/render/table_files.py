"""The tables of a report as files: the name of each, and its CSV file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rogsim.base.plain_text import safe
from rogsim.report.document import Grid, Report, Section, plain

WORKBOOK, TABLES = "report.xlsx", "tables"  # names of the file and of the folder with the CSV files
LONGEST = 31  # characters of the name of a sheet
TAKEN = {"overview", "history"}  # the first sheet, and a name that spreadsheets keep for themselves
NUMBERED = 4  # characters kept for a number that makes a name unique


@dataclass(frozen=True)
class NamedTable:
    """A table of a report with its section, None for provenance, and a name that is unique in the report."""

    name: str
    section: Section | None
    grid: Grid


def named_tables(report: Report) -> list[NamedTable]:
    """Return all tables of a report with names that suit both a sheet and a file, whatever the letters' case."""
    names = set(TAKEN)
    tables: list[NamedTable] = []
    for section, grid in _tables(report):
        name = _unique(re.sub(r"[^A-Za-z0-9_-]+", "-", grid.name).strip("-")[:LONGEST] or "table", names)
        names.add(name.lower())
        tables.append(NamedTable(name, section, grid))
    return tables


def file_names(report: Report) -> list[str]:
    """Return the workbook and the CSV files of a report, relative to its folder."""
    return [WORKBOOK, *(f"{TABLES}/{table.name}.csv" for table in named_tables(report))]


def write_tables(report: Report, folder: Path) -> None:
    """Write each table as CSV, with all rows and columns at full precision, into a new folder in `folder`."""
    (folder / TABLES).mkdir()
    for table in named_tables(report):
        (folder / TABLES / f"{table.name}.csv").write_bytes(_csv(table.grid.frame).encode())


def _tables(report: Report) -> Iterator[tuple[Section | None, Grid]]:
    for section in report.sections:
        for grid in section.all_grids:
            yield section, grid
    for grid in report.provenance:
        yield None, grid


def _unique(name: str, names: set[str]) -> str:
    found, number = name, 1
    while found.lower() in names:
        number += 1
        found = f"{name[: LONGEST - NUMBERED]}-{number}"
    return found


def _csv(frame: pl.DataFrame) -> str:
    """Return a frame as CSV; lists and structures in it as JSON."""
    nested = [name for name, kind in frame.schema.items() if kind.is_nested() or kind == pl.Object]
    texts = [
        pl.Series(name, [None if entry is None else json.dumps(plain(entry)) for entry in frame[name].to_list()])
        for name in nested
    ]
    return safe(frame.with_columns(texts).write_csv())
