"""What a results folder really holds: complete and broken chunks, files to remove, and whether rows are possible.

Rows may come from somebody else. They are compared with the plan of games and with each other. Only `rogsim verify`,
which plays games again, can check that they were really played with these results.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from polars import selectors
from polars.exceptions import PanicException, PolarsError

from rogsim.base.errors import ResultsError, RogsimError
from rogsim.base.files import DRAFT, content_of, is_by_system, is_plain_file, opened
from rogsim.base.text import name_fault, safe
from rogsim.base.validation import show
from rogsim.game.columns import Column
from rogsim.game.fair import EQUAL, Fair, sides_of
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.game.topics import dealt_columns
from rogsim.results.manifest import MANIFEST, NAMES, NEEDED, Manifest, StoredChunk, StoredFile
from rogsim.simulation.chunks import (
    NAME,
    TABLES,
    Chunk,
    ChunkName,
    checksum_if_whole,
    fault_in,
    free_ranges,
    read_schema,
    scan,
    taken_games,
    without_overlap,
    wrong_results,
)
from rogsim.simulation.rows import BOT, Plan, game_columns, plan, planned_games, planned_seats, seat_columns

if TYPE_CHECKING:
    from rogsim.results.results import Results

LOCK = ".lock"  # held by the run that writes into the folder; empty
# With NAME, the names of rogsim's files: only such files are ever removed or overwritten.
DRAFT_NAME = re.compile(rf"({re.escape(MANIFEST)}|p\d[0-9a-f-]{{1,40}})\.[0-9a-f]{{4,8}}{re.escape(DRAFT)}")
BEGINNING = re.compile(rb'\s*\{\s*"format":\s*"rogsim-results/')  # of a manifest

Files = Mapping[str, list[ChunkName]]  # of a chunk, by table


@dataclass(frozen=True)
class Inventory:
    """The files of a run in a results folder, all of which have been read.

    Attributes
    ----------
    whole
        Chunks with two intact files, in order, without duplicates.
    broken
        Chunks that have a file but are not complete.
    leftovers
        Files that the next run removes because they belong to no complete chunk.
    """

    whole: tuple[StoredChunk, ...]
    broken: tuple[Chunk, ...]
    leftovers: tuple[Path, ...]

    def missing(self, players: int, games: int) -> list[range]:
        """Return which of the first `games` games of a player count are missing or broken."""
        return free_ranges((chunk.chunk for chunk in self.whole if chunk.players == players), 0, games)

    def broken_games(self, players: int, games: int) -> int:
        """Return how many of the first `games` games of a player count are missing because their files are broken."""
        broken = [chunk for chunk in self.broken if chunk.players == players]
        return sum(taken_games(broken, gap.start, gap.stop) for gap in self.missing(players, games))


def take_stock(folder: Path, key: str, listed: Iterable[StoredChunk] = ()) -> Inventory:
    """Read every file of the run with this key, and find its complete chunks by names and checksums.

    No file is read that is larger or smaller than the manifest says, whose chunks are `listed`.
    """
    sizes = {stored.file: stored.bytes for chunk in listed for stored in (chunk.seats, chunk.games)}
    paths = _files_by_run(folder).get(key, [])
    found: dict[Chunk, dict[str, list[ChunkName]]] = {}
    for path in paths:
        if name := ChunkName.read(path.name):
            found.setdefault(name.chunk, {}).setdefault(path.parent.name, []).append(name)
    judged = {chunk: _stored(folder, chunk, files, sizes) for chunk, files in found.items()}
    kept = without_overlap([chunk for chunk, stored in judged.items() if stored])
    whole = tuple(stored for chunk in kept if (stored := judged[chunk]))
    needed = {folder / table / getattr(stored, table).file for stored in whole for table in TABLES}
    drafts = [path for path in content_of(folder, TABLES) if DRAFT_NAME.fullmatch(path.name)]
    return Inventory(
        whole,
        tuple(sorted(chunk for chunk, stored in judged.items() if stored is None)),
        tuple(path for path in [*paths, *drafts] if path not in needed),
    )


def files_of_other_runs(folder: Path, key: str) -> list[Path]:
    """Return the chunks' files in a folder that do not belong to the run with this key."""
    return [path for other, paths in _files_by_run(folder).items() if other != key for path in paths]


def _files_by_run(folder: Path) -> dict[str, list[Path]]:
    """Return the chunks' files in a folder by the key of their run; empty: of a name that no run gives."""
    found: dict[str, list[Path]] = {}
    for path in sorted(path for table in TABLES for path in (folder / table).glob("*.parquet")):
        if NAME.fullmatch(path.name):
            name = ChunkName.read(path.name)
            found.setdefault(name.key if name else "", []).append(path)
    return found


def check_outside_results(folder: Path) -> None:
    """Refuse a folder inside results: no run continues in a folder that holds anything else."""
    for above in folder.absolute().parents:
        if is_ours(above, above / MANIFEST):
            raise ResultsError(f"{folder}: is inside {above}, which holds results; name another folder")


def check_place(folder: Path) -> None:
    """Refuse a folder for results that holds anything not written by rogsim; ResultsError names it."""
    if fault := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {fault}")
    if not folder.exists():
        if folder.is_symlink():
            raise ResultsError(f"{folder}: is a broken link")
        return
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is a file; results need a folder")
    if foreign := foreign_names(folder):
        what = f'holds "{safe(foreign[0])}", which does not belong to results'
        raise ResultsError(f"{folder}: {what}; name another folder")


def foreign_names(folder: Path) -> list[str]:
    """Return the names of everything in a results folder that neither rogsim nor a system wrote, sorted."""
    others = [path for path in content_of(folder, TABLES) if not (is_ours(folder, path) or is_by_system(path))]
    others = [path for path in others if lexists(path)]  # a run may have renamed a draft since it was listed
    return sorted(path.relative_to(folder).as_posix() for path in others)


def clear(folder: Path) -> None:
    """Remove all results in a folder but its lock; nothing else is touched."""
    remove(folder, folder / MANIFEST)  # first: if interrupted after this, the rows belong to an unknown run
    for path in [path for path in content_of(folder, TABLES) if path.name != LOCK]:
        remove(folder, path)
    for table in TABLES:
        with suppress(OSError):  # it holds something else
            (folder / table).rmdir()


def remove(folder: Path, path: Path) -> None:
    """Remove a file of a results folder if rogsim wrote it; a link is neither followed nor removed."""
    if is_ours(folder, path):
        path.unlink(missing_ok=True)


def is_ours(folder: Path, path: Path) -> bool:
    """Return whether rogsim wrote a file: a regular file with a name and in a folder that rogsim uses."""
    if not is_plain_file(path):
        return False
    if DRAFT_NAME.fullmatch(path.name):
        return True
    if path.parent != folder:
        return bool(NAME.fullmatch(path.name))
    if path.name == LOCK:
        return not _start_of(path)
    return path.name == MANIFEST and (bool(BEGINNING.match(_start_of(path))) or _has_chunks(folder))


def _has_chunks(folder: Path) -> bool:
    """Return whether a folder has chunks: then an unreadable manifest belonged to a run."""
    return any(path.parent != folder and NAME.fullmatch(path.name) for path in content_of(folder, TABLES))


def _start_of(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(100)
    except OSError:
        return b"?"


def _stored(folder: Path, chunk: Chunk, files: Files, sizes: Mapping[str, int]) -> StoredChunk | None:
    """Return the stored chunk if it is complete in both tables, else None."""
    stored = {table: _first_whole(folder / table, table, files.get(table, []), sizes) for table in TABLES}
    if None in stored.values():
        return None
    return StoredChunk.model_validate({"players": chunk.players, "start": chunk.start, "stop": chunk.stop, **stored})


def _first_whole(folder: Path, table: str, names: list[ChunkName], sizes: Mapping[str, int]) -> StoredFile | None:
    for name in names:
        path, wanted = folder / str(name), sizes.get(str(name))
        if wanted is not None and path.lstat().st_size != wanted:
            continue
        if found := checksum_if_whole(path, table, name):
            return StoredFile(file=str(name), sha256=found, bytes=path.stat().st_size)
    return None


@dataclass(frozen=True)
class ExpectedRows:
    """The rows of a run: their columns by table, its bots, and whether line-ups were also played in the other order.

    A column has its type; None: any names. fair: what is fair in the game; None if that is not known.
    """

    columns: Mapping[str, Mapping[str, pl.DataType | None]]
    bots: tuple[str, ...]
    mirrored: bool
    fair: Fair | None = EQUAL

    def planned(self, table: str, chunk: Chunk) -> dict[str, pl.Series]:
        """Return the columns of a chunk that the plan decides."""
        whole = _plan(self.bots, chunk.players, self.mirrored)
        games = whole.slice(chunk.start, chunk.stop)
        if table == "games":
            return planned_games(whole, games)
        return planned_seats(whole, games, list(dict.fromkeys(self.bots)))


def rows_of_manifest(manifest: Manifest) -> ExpectedRows:
    """Return what a manifest says about its rows; it does not say which names a column may hold."""
    bots = tuple(manifest.scenario["bots"])
    columns: dict[str, dict[str, pl.DataType | None]] = {table: {} for table in TABLES}
    for table, name, kind, *_ in manifest.columns:
        columns[table][name] = None if kind == NAMES else _kind(kind, bots if name == BOT.name else None)
    try:
        fair = get_game(str(manifest.identity["game"])).fair
    except RogsimError:
        fair = None
    return ExpectedRows(columns, bots, manifest.identity["mirrored"], fair)


def rows_of_game(spec: GameSpec, bots: Sequence[str], mirrored: bool) -> ExpectedRows:
    """Return what the rows of a game must look like."""
    columns = {"seats": _expected(seat_columns(spec), bots), "games": _expected(game_columns(spec), bots)}
    return ExpectedRows(columns, tuple(bots), mirrored, spec.fair)


def _expected(columns: Iterable[Column], bots: Sequence[str]) -> dict[str, pl.DataType | None]:
    return {column.name: _kind(column.dtype, bots if column.name == BOT.name else column.labels) for column in columns}


def _kind(dtype: str, labels: Sequence[str] | None) -> pl.DataType:
    if labels is not None:
        return pl.Enum(list(dict.fromkeys(labels)))
    return pl.Series(np.zeros(0, dtype)).dtype


@lru_cache(maxsize=8)  # each chunk asks for it, and with many bots it is long
def _plan(bots: tuple[str, ...], players: int, mirrored: bool) -> Plan:
    return plan(bots, players, 1, mirrored)


CHECKED = {"rank", *(name for names in NEEDED.values() for name in names)}  # columns that opening reads
MOST_ROWS = 2**31  # polars counts no further
UNREADABLE = (PolarsError, PanicException, OSError)


def check_rows(results: Results, spec: GameSpec) -> None:
    """Refuse an opened folder whose columns are not those of its game, or that lacks a number; ResultsError names it.

    Everything else was checked when it was opened, for which the game need not be known (see `fault_of_chunk`).
    """
    if results.folder is None:
        return
    expected = rows_of_game(spec, [str(bot["name"]) for bot in results.manifest["bots"]], False)
    dealt = dealt_columns(spec.topics, results.manifest)
    try:
        for _, *paths in results.pieces:
            for table, path in zip(TABLES, paths, strict=True):
                if isinstance(path, Path) and (fault := _fault_of_columns(path, expected.columns[table])):
                    what = f"{table}/{path.name}{fault}; it was played by another version of {spec.title}"
                    raise ResultsError(f"{results.folder}: {what}")
        for table, rows in (("seats", results.seats()), ("games", results.games())):
            if lacking := _lacking(rows, dealt):
                raise ResultsError(f"{results.folder}: {table}: {lacking}")
    except UNREADABLE as broken:
        raise ResultsError(f"{results.folder}: its rows cannot be read ({type(broken).__name__})") from broken


def fault_of_chunk(
    chunk: Chunk, folder: Path, files: Mapping[str, str], expected: ExpectedRows, all_columns: bool = False
) -> str:
    """Return what is wrong with the rows of a stored chunk, with the file and the column; empty if nothing is.

    This checks the columns, the number of rows, what the plan decides, and that ranks and win shares fit together.

    Parameters
    ----------
    files
        The names of its files by table.
    all_columns
        Whether to read the other columns too, and check that no number in them is missing or infinite. It takes five
        times as long.
    """
    for table in TABLES:
        path = folder / table / files[table]
        try:
            fault = _fault_of_columns(path, expected.columns[table])
            fault = fault or _fault_of_rows(path, table, chunk, expected, all_columns)
        except UNREADABLE as broken:
            fault = f": its rows cannot be read ({type(broken).__name__})"
        if fault:
            return f"{table}/{path.name}{fault}"
    return ""


def without_impossible(
    stock: Inventory, folder: Path, expected: ExpectedRows, known: Set[StoredChunk] = frozenset()
) -> tuple[Inventory, list[str]]:
    """Return the stock with chunks whose rows no game can have as broken ones, and what is wrong with each of them.

    known: chunks that need no check.
    """
    wrong, faults, paths = [], [], []
    for stored in stock.whole:
        if stored in known:
            continue
        files = {table: getattr(stored, table).file for table in TABLES}
        if fault := fault_of_chunk(stored.chunk, folder, files, expected, all_columns=True):
            wrong.append(stored.chunk)
            faults.append(fault)
            paths += [folder / table / name for table, name in files.items()]
    whole = tuple(stored for stored in stock.whole if stored.chunk not in wrong)
    broken, leftovers = tuple(sorted([*stock.broken, *wrong])), (*stock.leftovers, *paths)
    return dataclasses.replace(stock, whole=whole, broken=broken, leftovers=leftovers), faults


def _fault_of_columns(path: Path, columns: Mapping[str, pl.DataType | None]) -> str:
    found = read_schema(path)
    if unknown := [name for name in found if name not in columns]:
        return f' has a column "{show(unknown[0])[1:-1]}", which the game does not have'
    if missing := [name for name in columns if name not in found]:
        return f' has no column "{missing[0]}"'
    if list(found) != list(columns):
        return " has its columns in another order"
    for name, kind in columns.items():
        if not (isinstance(found[name], pl.Enum) if kind is None else found[name] == kind):
            return f': the column "{name}" has the wrong type'
    return ""


def _fault_of_rows(path: Path, table: str, chunk: Chunk, expected: ExpectedRows, all_columns: bool) -> str:
    stored = scan([path])
    needed = chunk.games * (chunk.players if table == "seats" else 1)
    read = [name for name in expected.columns[table] if name in CHECKED]
    rows = stored.select(read).head(min(needed, MOST_ROWS) + 1).collect()
    if len(rows) != needed:
        count = stored.select(pl.len()).collect().item()
        return f" has {count:,} rows, but its games have {needed:,}"
    fault = _fault_of_plan(rows, table, chunk, expected) or _fault_of_values(rows, chunk.players, expected.fair)
    fault = fault or (_lacking(stored) if all_columns else "")
    return f" holds rows that no game can have: {fault}" if fault else ""


def _fault_of_plan(rows: pl.DataFrame, table: str, chunk: Chunk, expected: ExpectedRows) -> str:
    planned = expected.planned(table, chunk)
    if rows[list(planned)].equals(pl.DataFrame(planned)):  # much faster than column by column
        return ""
    for name, column in planned.items():
        wrong = rows[name].ne_missing(column).to_numpy()
        if wrong.any():
            planned_value = show(column[int(wrong.argmax())])
            return fault_in(rows, name, wrong, f"must be {planned_value}, as the games were planned")
    return ""


def _fault_of_values(rows: pl.DataFrame, players: int, fair: Fair | None) -> str:
    wrong = [(column.name, column.is_null().to_numpy(), "must be a number") for column in rows if column.has_nulls()]
    if fair is not None and "win_share" in rows.columns:
        wrong += wrong_results(rows, sides_of(fair, players))
    return next((fault_in(rows, *fault) for fault in wrong if fault[1].any()), "")


def _lacking(rows: pl.LazyFrame, dealt: Sequence[str] = ()) -> str:
    """Return which column lacks a number or, if its names were dealt, a name."""
    names = rows.collect_schema().names()
    checked = selectors.numeric() | selectors.by_name(*(name for name in dealt if name in names))
    lacks = checked.has_nulls().name.suffix(" lacks"), (~selectors.float().is_finite().all()).name.suffix(" wrong")
    found = rows.select(*lacks).collect().row(0, named=True)
    for name in names:
        if found.get(f"{name} lacks"):
            return f'the column "{name}" lacks a value'
        if found.get(f"{name} wrong"):
            return f'the column "{name}" holds a number that is not finite'
    return ""
