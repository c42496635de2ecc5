"""The numbers of a report: all of it as JSON, and its tables as CSV files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.files import MEGABYTE
from rogsim.base.text import safe
from rogsim.report.document import Finding, Grid, Picture, Report, Section, Sheet, plain

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


FORMAT = "rogsim-report/2"
DATA = "report.json"  # name of the file
MOST_BYTES = 256 * MEGABYTE


def as_json(report: Report) -> str:
    """Return the report as the text of a JSON file."""
    return to_text(as_data(report))


def to_text(data: Any) -> str:
    """Return data as JSON text; a list or object without nested ones, such as a row of a table, is on one line."""
    return safe(_lines(plain(data), "")) + "\n"


def _lines(data: Any, indent: str) -> str:
    inside = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    if not any(isinstance(entry, dict | list) for entry in inside):
        return json.dumps(data, ensure_ascii=False, allow_nan=False)
    deeper = indent + " "
    if isinstance(data, dict):
        lines = [
            f"{deeper}{json.dumps(key, ensure_ascii=False)}: {_lines(entry, deeper)}" for key, entry in data.items()
        ]
    else:
        lines = [deeper + _lines(entry, deeper) for entry in data]
    opening, closing = ("{", "}") if isinstance(data, dict) else ("[", "]")
    return "\n".join([opening, ",\n".join(lines), indent + closing])


def as_data(report: Report) -> dict[str, Any]:
    """Return the report as plain data. Shares and differences of shares are from -1 to 1."""
    return {
        "format": FORMAT,
        "title": report.title,
        "question": report.question,
        "answer": report.answer,
        "verdict": report.verdict,
        "context": report.context,
        **({"reconstructed": report.reconstructed} if report.reconstructed else {}),
        "figures": [_picture_data(report.picture)] if report.picture else [],
        "steps": [vars(step) for step in report.steps],
        "balance_sheet": _sheet_data(report.sheet) if report.sheet else None,
        "sections": [section_data(section) for section in report.sections],
        "how_sure": report.family,
        "provenance": [grid_data(grid) for grid in report.provenance],
        "scenarios": [{"name": name, "text": text} for name, text in report.scenarios],
        "command": report.command,
        "files": file_names(report),
        **report.more,
    }


def section_data(section: Section) -> dict[str, Any]:
    """Return one section as plain data."""
    return {
        "name": section.name,
        "title": section.title,
        "question": section.question,
        "answer": section.answer,
        "verdict": section.verdict,
        "n": section.n,
        **({"rests_on": section.rests_on} if section.rests_on else {}),
        "findings": [finding_data(finding) for finding in section.findings],
        "figures": [_picture_data(picture) for picture in section.pictures],
        "tables": [grid_data(grid) for grid in section.all_grids],
        "method": section.method,
        "anchor": section.anchor,
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return one finding as plain data."""
    return {"verdict": finding.verdict, "text": finding.text, **finding.data}


def _picture_data(picture: Picture) -> dict[str, Any]:
    return {"name": picture.name, "caption": picture.caption, "alt": picture.alt}


def _sheet_data(sheet: Sheet) -> dict[str, Any]:
    """Return the balance sheet as plain data; a cell without a number is null."""
    rows = [{**vars(row), "cells": [vars(cell) if cell else None for cell in row.cells]} for row in sheet.rows]
    return {"columns": list(sheet.columns), "rows": rows}


def grid_data(grid: Grid) -> dict[str, Any]:
    """Return a table with everything in its frame, including what no column shows."""
    return {
        "name": grid.name,
        "caption": grid.caption,
        "columns": [{"key": column.key, "head": column.head, "kind": column.kind} for column in grid.columns],
        "rows": grid.frame.to_dicts(),
        "notes": list(grid.notes),
    }
