"""Results: the rows of a run as polars frames, in memory or in a folder of Parquet files with a manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from rogsim.base.child_process import check_not_forked
from rogsim.base.errors import ResultsError
from rogsim.base.output_paths import as_path
from rogsim.base.text import html_table, safe
from rogsim.results.manifest import Manifest, StoredChunk, StoredFile, read_manifest
from rogsim.results.row_check import fault_of_chunk, rows_of_manifest
from rogsim.simulation.chunks import TABLES, Chunk, PlayedChunk, checksum, scan

if TYPE_CHECKING:
    import pandas

MOST_BOTS = 4  # listed; the rest are counted


def as_text(manifest: Mapping[str, Any], folder: Path | None, seats: pl.LazyFrame) -> str:
    """Return the line and the table as text."""
    rows = _rows(seats)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([_line(manifest, folder), *table])


def as_html(manifest: Mapping[str, Any], folder: Path | None, seats: pl.LazyFrame) -> str:
    """Return the line and the table as HTML."""
    head, *body = _rows(seats) or [[]]
    table = html_table(head, body) if body else ""
    return f"<p>{escape(_line(manifest, folder))}</p>{table}"


def _line(manifest: Mapping[str, Any], folder: Path | None) -> str:
    """Return what was played by whom, and where it is stored."""
    games = sum(map(int, manifest["games"].values()))
    bots = [str(bot["name"]) for bot in manifest["bots"]]
    named = ", ".join(bots[:MOST_BOTS]) + (f" and {len(bots) - MOST_BOTS} more" if len(bots) > MOST_BOTS else "")
    played = f"{manifest['title']}: {manifest['name']}, {games:,} game{'s' * (games != 1)} by {named}, "
    return safe(f"{played}seed {manifest['scenario']['seed']}, {'in memory' if folder is None else f'in {folder}'}")


def _rows(seats: pl.LazyFrame) -> Sequence[Sequence[str]]:
    """Return the cells of the table, with its head first; nothing if the rows cannot be read."""
    try:
        found = (
            seats.group_by("players", "seat")
            .agg(games=pl.len(), wins=pl.col("win_share").mean(), points=pl.col("points").mean())
            .sort("players", "seat")
            .collect()
        )
    except (OSError, pl.exceptions.PolarsError):  # showing an object must not fail
        return []
    cells = [
        [str(players), str(seat), f"{games:,}", f"{wins:.1%}", f"{points:.1f}"]
        for players, seat, games, wins, points in found.iter_rows()
    ]
    return [["players", "seat", "games", "win share", "points"], *cells]


__all__ = ["Results", "ResultsError"]

Piece = Path | pl.DataFrame


@dataclass(frozen=True, repr=False)
class Results:
    """The rows of a run and the manifest that records how they were made.

    `seats()` has a row for each game and seat, `games()` a row for each game, both ordered by players (as in the
    scenario), game and seat. They are lazy frames, so that millions of games need not fit into memory; call
    `.collect()` to read them.

    Attributes
    ----------
    manifest
        The manifest, as in `manifest.json`.
    folder
        Folder of the results, None if they are in memory.
    pieces
        The chunks in order, each with its rows of seats and of games.
    """

    manifest: Mapping[str, Any]
    folder: Path | None
    pieces: Sequence[tuple[Chunk, Piece, Piece]]

    @classmethod
    def open(cls, folder: str | Path) -> Results:
        """Open the results in a folder. Every file is read, to compare its checksum and to check its rows.

        Raises
        ------
        ResultsError
            If the folder holds no results, games are missing, a file is broken, or it holds rows that no game can have.
        """
        check_not_forked()
        folder = as_path("folder", folder)
        manifest = read_manifest(folder)
        _check_state(folder, manifest)
        for chunk in manifest.chunks:
            for table in TABLES:
                _check_file(folder / table, getattr(chunk, table))
        _check_values(folder, manifest)
        return stored_results(folder, manifest)

    @classmethod
    def of_parts(cls, manifest: Manifest, parts: Iterable[PlayedChunk]) -> Results:
        """Return results in memory.

        Parameters
        ----------
        manifest
            The manifest of the run.
        parts
            Its played chunks, in order; only those whose rows are frames are kept.
        """
        frames = [(part.chunk, part.seats, part.games) for part in parts]
        kept = [(chunk, a, b) for chunk, a, b in frames if isinstance(a, pl.DataFrame) and isinstance(b, pl.DataFrame)]
        return cls(manifest.model_dump(mode="json"), None, kept)

    def seats(self) -> pl.LazyFrame:
        """Return one row for each game and seat."""
        return self._rows({chunk: seats for chunk, seats, _ in self.pieces})

    def first_games(self, players: int, games: int) -> Results | None:
        """Return the first games with one player count.

        Parameters
        ----------
        players
            The player count.
        games
            How many games.

        Returns
        -------
        Results or None
            None if not all of these games are in the opened files.
        """
        chunks = [chunk for chunk, _, _ in self.pieces if chunk.players == players and chunk.start < games]
        held = sum(min(chunk.stop, games) - chunk.start for chunk in chunks)
        return replace(self, manifest={**self.manifest, "games": {str(players): games}}) if held == games else None

    def games(self) -> pl.LazyFrame:
        """Return one row for each game."""
        return self._rows({chunk: games for chunk, _, games in self.pieces})

    def to_pandas(self, table: str = "seats") -> pandas.DataFrame:
        """Return all rows of a table as a pandas frame, in memory; columns of names are categorical.

        Parameters
        ----------
        table
            "seats" (a row for each game and seat) or "games" (a row for each game).

        Raises
        ------
        ValueError
            If there is no such table.
        """
        import pandas  # slow to import, and most users never need it

        if table not in TABLES:
            raise ValueError(f'table: "{table}" must be one of {", ".join(TABLES)}')
        rows = (self.seats() if table == "seats" else self.games()).collect()
        return pandas.DataFrame({column.name: _as_pandas(column) for column in rows})

    def __repr__(self) -> str:
        """Return what was played, and a short table by seat."""
        return as_text(self.manifest, self.folder, self.seats())

    def _repr_html_(self) -> str:
        """Return the same for notebooks."""
        return as_html(self.manifest, self.folder, self.seats())

    def columns(self) -> pl.DataFrame:
        """Return what each column holds, as a frame with the text columns table, name, type, unit and meaning.

        `type` is the polars type of the column: "Int16", or "Enum" for names.
        """
        types = {
            (table, name): str(kind.base_type())
            for table, rows in (("seats", self.seats()), ("games", self.games()))
            for name, kind in rows.collect_schema().items()
        }
        columns = [
            (table, name, types[table, name], unit, meaning)
            for table, name, _, unit, meaning in self.manifest["columns"]
        ]
        return pl.DataFrame(columns, schema=["table", "name", "type", "unit", "meaning"], orient="row")

    def _rows(self, pieces: Mapping[Chunk, Piece]) -> pl.LazyFrame:
        """Return the rows of one table; if the folder holds more games, only those requested."""
        check_not_forked()
        wanted = {int(players): int(games) for players, games in self.manifest["games"].items()}
        inside = [chunk for chunk in pieces if chunk.start < wanted.get(chunk.players, 0)]
        rows = _lazy([pieces[chunk] for chunk in inside])
        if all(chunk.stop <= wanted[chunk.players] for chunk in inside):
            return rows
        few = [(pl.col("players") == players) & (pl.col("game") < games) for players, games in wanted.items()]
        return rows.filter(pl.any_horizontal(few))


def stored_results(folder: Path, manifest: Manifest) -> Results:
    """Return the results of a folder whose files have just been checked or written."""
    seats, games = folder / "seats", folder / "games"
    pieces = [(stored.chunk, seats / stored.seats.file, games / stored.games.file) for stored in manifest.chunks]
    return Results(manifest.model_dump(mode="json"), folder, pieces)


def missing_games(manifest: Manifest, chunks: Iterable[StoredChunk]) -> int:
    """Return how many of the requested games are not in any of the chunks."""
    held = dict.fromkeys(manifest.wanted, 0)
    for chunk in chunks:
        if chunk.players in held:
            held[chunk.players] += max(0, min(chunk.stop, manifest.wanted[chunk.players]) - chunk.start)
    return sum(games - held[players] for players, games in manifest.wanted.items())


def _check_state(folder: Path, manifest: Manifest) -> None:
    missing, wanted = missing_games(manifest, manifest.chunks), sum(manifest.wanted.values())
    if manifest.state != "complete" or missing:
        why = next((session.stopped_by for session in manifest.sessions[-1:] if session.stopped_by), None)
        what = f"a run that is not complete ({why})" if why else "a run that is not complete"
        way = f"the same `rogsim run` continues it, and `rogsim status {folder}` shows how far it is"
        raise ResultsError(f"{folder}: holds {what}, of {wanted:,} games; {way}")


def _check_file(folder: Path, stored: StoredFile) -> None:
    path = folder / stored.file
    if not path.is_file():
        raise ResultsError(
            f"{folder.parent}: {folder.name}/{stored.file} is missing; the same `rogsim run` plays its games again"
        )
    try:
        whole = path.stat().st_size == stored.bytes and checksum(path) == stored.sha256
    except OSError as fault:
        raise ResultsError(f"{path}: cannot be read: {fault.strerror}") from fault
    if not whole:
        way = "its content does not match its checksum; the same `rogsim run` plays its games again"
        raise ResultsError(f"{folder.parent}: {folder.name}/{stored.file} is broken: {way}")


def _check_values(folder: Path, manifest: Manifest) -> None:
    expected = rows_of_manifest(manifest)
    for stored in manifest.chunks:
        files = {table: getattr(stored, table).file for table in TABLES}
        if fault := fault_of_chunk(stored.chunk, folder, files, expected):
            raise ResultsError(f"{folder}: {fault}; the same `rogsim run` plays its games again")


def _lazy(parts: Sequence[Piece]) -> pl.LazyFrame:
    """Return parts of one table as one lazy frame, in their order."""
    paths = [part for part in parts if isinstance(part, Path)]
    if paths:
        return scan(paths)
    return pl.concat([part.lazy() for part in parts if isinstance(part, pl.DataFrame)])


def _as_pandas(column: pl.Series) -> Any:
    """Return a column for pandas, without converting it through another library."""
    import pandas

    if isinstance(column.dtype, pl.Enum):
        codes = column.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
        return pandas.Categorical.from_codes(codes, column.dtype.categories.to_list())
    return column.to_numpy()
