"""Results: the rows of a run as polars frames, in memory or in a folder, and of several folders pooled.

Folders with the same bots and settings are pooled: different seeds simply add games. But anyone who keeps playing until
an effect appears will find one by chance. So a folder records its looks, and every look has a share of the error rate
(`stats.alpha_spending`). A look is a number of games at which a run ended: only then are there results to see. The
rounds of a run with a precision target are one look, because nothing is shown before its end, and only the width of
intervals decides when it ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from rogsim.base.child_process import check_not_forked
from rogsim.base.errors import ResultsError
from rogsim.base.files import as_path
from rogsim.base.text import html_table, safe
from rogsim.game.fair import EQUAL, Sides, sides_of
from rogsim.game.registry import get_game
from rogsim.results.inventory import fault_of_chunk, rows_of_manifest
from rogsim.results.manifest import Manifest, StoredChunk, StoredFile, read_manifest
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

    def sides(self, players: int) -> Sides:
        """Return who wins together, and how often each side should win."""
        game = self.manifest.get("scenario", {}).get("game")
        return sides_of(EQUAL, players) if game is None else get_game(game).sides(players)

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


def look_of(manifest: Mapping[str, Any], players: int) -> int:
    """Return the number of the look at these results with one player count, from 1.

    The same number of games is the same look; results without a history are the first one.

    Parameters
    ----------
    manifest
        The manifest, as `Results.manifest`.
    """
    key = str(players)
    current = manifest["games"].get(key, 0)
    seen = list(dict.fromkeys(look[key] for look in manifest.get("looks", ()) if look.get(key)))
    return seen.index(current) + 1 if current in seen else len(seen) + 1


def pooled_look(looks: Sequence[int]) -> int:
    """Return the number of the look at pooled folders, which add games to each other like further games of one.

    Nothing shows whether anyone looked before a folder was added, so each folder counts as a look of its own.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks)


def joint_look(looks: Sequence[int]) -> int:
    """Return the number of the look at folders that are compared, where each new look at any of them counts.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks) - len(looks) + 1


Shifts = Mapping[int, tuple[int, int]]  # by player count: the number of preceding games and blocks


@dataclass(frozen=True)
class PooledFolders(Results):
    """Rows of several results, one after the other, with games and blocks numbered consecutively.

    Attributes
    ----------
    parts
        The results, each with the number of preceding games and blocks by player count.
    """

    parts: Sequence[tuple[Results, Shifts]] = ()

    def seats(self) -> pl.LazyFrame:
        """Return one row for each game and seat."""
        return pl.concat([_shifted(part.seats(), shifts) for part, shifts in self.parts])

    def games(self) -> pl.LazyFrame:
        """Return one row for each game."""
        return pl.concat([_shifted(part.games(), shifts) for part, shifts in self.parts])


def pool_folders(parts: Sequence[Results]) -> Results:
    """Return several results with the same bots and settings, but different seeds, as one."""
    if len(parts) == 1:
        return parts[0]
    before: dict[int, tuple[int, int]] = {}
    placed: list[tuple[Results, Shifts]] = []
    for part in parts:
        placed.append((part, dict(before)))
        sizes = part.games().group_by("players").agg(pl.len().alias("games"), pl.col("block").max() + 1)
        for players, games, blocks in sizes.collect().iter_rows():
            done = before.get(players, (0, 0))
            before[players] = (done[0] + games, done[1] + blocks)
    names = [part.folder.name if part.folder else str(part.manifest["name"]) for part in parts]
    games_in_all = {str(players): games for players, (games, _) in sorted(before.items())}
    manifest = {**parts[0].manifest, "name": " + ".join(dict.fromkeys(names)), "games": games_in_all}
    return PooledFolders(manifest, None, (), placed)


def sets_of_bots(opened: Sequence[Results]) -> list[list[Results]]:
    """Return results grouped by bots and settings, each group in the given order.

    Results without a common player count are not grouped. ResultsError if two of them hold the same games.
    """
    groups: list[list[Results]] = []
    for place, results in enumerate(opened):
        for earlier in opened[:place]:
            _refuse_reordered(results, earlier)
        alike = [any(_alike(results, other) for other in group) for group in groups]
        joined = [other for group, is_alike in zip(groups, alike, strict=True) if is_alike for other in group]
        for other in joined:
            _refuse_same(results, other)
        # Results with more player counts can join groups that had none in common before.
        groups = [group for group, is_alike in zip(groups, alike, strict=True) if not is_alike]
        groups.append([*joined, results])
    places = {id(results): place for place, results in enumerate(opened)}
    ordered = [sorted(group, key=lambda results: places[id(results)]) for group in groups]
    return sorted(ordered, key=lambda group: places[id(group[0])])


def _alike(first: Results, second: Results) -> bool:
    """Return whether two results differ only in seed, number of games, and possibly some player counts."""
    return _settings(first) == _settings(second) and _share_players(first, second)


def _share_players(first: Results, second: Results) -> bool:
    return bool(set(first.manifest["games"]) & set(second.manifest["games"]))


def _settings(results: Results, *without: str) -> str:
    apart = {"seed", "players", *without}
    kept = {key: value for key, value in results.manifest["identity"].items() if key not in apart}
    return json.dumps(kept, sort_keys=True)


def _refuse_reordered(first: Results, second: Results) -> None:
    """Refuse results with the same bots in another order: only the order of the games in a block differs."""
    bots = [sorted(json.dumps(bot) for bot in results.manifest["identity"]["bots"]) for results in (first, second)]
    if bots[0] == bots[1] and _settings(first, "bots") == _settings(second, "bots"):
        _refuse_same(first, second)


def _refuse_same(first: Results, second: Results) -> None:
    seeds = {results.manifest["identity"]["seed"] for results in (first, second)}
    if len(seeds) > 1 or not _share_players(first, second):
        return
    names = [str(results.folder or results.manifest["name"]) for results in (first, second)]
    raise ResultsError(
        f"{names[0]}: holds the same games as {names[1]} (same bots, settings and seed): name only one of them, or "
        "play other games with --seed"
    )


def _shifted(rows: pl.LazyFrame, shifts: Shifts) -> pl.LazyFrame:
    """Return rows with games and blocks numbered consecutively."""

    def later(place: int) -> pl.Expr:
        by_players = {players: shift[place] for players, shift in shifts.items()}
        return pl.col("players").replace_strict(by_players, default=0, return_dtype=pl.UInt32)

    if not shifts:
        return rows
    return rows.with_columns(pl.col("game") + later(0), pl.col("block") + later(1))
