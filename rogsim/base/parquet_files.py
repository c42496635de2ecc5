"""Reading Parquet files by their exact paths: to polars, `[`, `*`, `?`, `=` and `~` in a path have a meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from rogsim.base.files import opened


def read_schema(path: Path) -> Mapping[str, pl.DataType]:
    """Return the columns of a file and their types."""
    with opened(path) as file:
        return pl.read_parquet_schema(file)


def read_metadata(path: Path) -> Mapping[str, str]:
    """Return the metadata of a file, as key and value."""
    with opened(path) as file:
        return pl.read_parquet_metadata(file)


def scan(paths: Sequence[Path]) -> pl.LazyFrame:
    """Return the rows of files with the same columns as one lazy frame, in the order of the files."""
    return pl.scan_parquet([path.absolute() for path in paths], glob=False, hive_partitioning=False)
