"""What a results folder really holds, whatever its manifest says: whole chunks, broken ones, files to be removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rogsim.chunks import TABLES, Chunk, ChunkName, checksum_if_whole, free_ranges, without_overlap
from rogsim.manifest import DRAFT, MANIFEST, ResultsError, StoredChunk, StoredFile

LOCK = ".lock"  # held by the run that writes into the folder; empty

Files = Mapping[str, list[ChunkName]]  # of one chunk, by table


@dataclass(frozen=True)
class Inventory:
    """The files of a results folder, every one of them read. others: keys of other runs whose chunks lie here.

    whole: chunks both of whose files are as they should be, in order, none twice. broken: chunks that have a file and
    are not whole. waste: files that the next run removes: all that belongs to no whole chunk.
    """

    whole: tuple[StoredChunk, ...]
    broken: tuple[Chunk, ...]
    waste: tuple[Path, ...]
    others: tuple[str, ...]

    def missing(self, players: int, games: int) -> list[range]:
        """Return which of the first `games` games of a player count are not whole."""
        return free_ranges((chunk.chunk for chunk in self.whole if chunk.players == players), 0, games)

    def broken_games(self, players: int, games: int) -> int:
        """Return how many of the first `games` games of a player count are missing because their files are broken."""
        broken = [chunk for chunk in self.broken if chunk.players == players]
        gaps = self.missing(players, games)
        return sum(len(gap) - sum(map(len, free_ranges(broken, gap.start, gap.stop))) for gap in gaps)


def take_stock(folder: Path, key: str) -> Inventory:
    """Read every file in a folder, and judge by names and checksums which chunks of the run with this key are whole."""
    found: dict[Chunk, dict[str, list[ChunkName]]] = {}
    others = set()
    for table in TABLES:
        for path in sorted((folder / table).glob("*.parquet")):
            name = ChunkName.read(path.name)
            if name is not None and name.key == key:
                found.setdefault(name.chunk, {}).setdefault(table, []).append(name)
            else:
                others.add(name.key if name else "of an older version")
    judged = {chunk: _stored(folder, chunk, files) for chunk, files in found.items()}
    kept = without_overlap([chunk for chunk, stored in judged.items() if stored])
    whole = tuple(stored for chunk in kept if (stored := judged[chunk]))
    needed = {folder / table / getattr(stored, table).file for stored in whole for table in TABLES}
    ours = {folder / table / str(name) for files in found.values() for table in files for name in files[table]}
    return Inventory(
        whole,
        tuple(sorted(chunk for chunk, stored in judged.items() if stored is None)),
        (*sorted(ours - needed), *_drafts(folder)),
        tuple(sorted(others)),
    )


def strangers(folder: Path, key: str) -> list[Path]:
    """Return the Parquet files in a folder whose names are not those of the run with this key."""
    paths = sorted(path for table in TABLES for path in (folder / table).glob("*.parquet"))
    return [path for path in paths if (name := ChunkName.read(path.name)) is None or name.key != key]


def check_place(folder: Path) -> None:
    """Refuse a place for results that holds something else; ResultsError names it."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is a file, and results need a folder")
    inside = [path for table in TABLES if (folder / table).is_dir() for path in (folder / table).iterdir()]
    inside += [path for path in folder.iterdir() if not (path.name in TABLES and path.is_dir())]
    foreign = sorted(path.relative_to(folder).as_posix() for path in inside if not _is_ours(folder, path))
    if foreign:
        raise ResultsError(f'{folder}: holds "{foreign[0]}", which is no part of results; name another folder')


def clear(folder: Path) -> None:
    """Remove all results in a folder; what is something else is not touched (see `check_place`)."""
    (folder / MANIFEST).unlink(missing_ok=True)  # first: what is cut off here is rows of an unknown run
    for path in _drafts(folder):
        path.unlink()
    for table in (folder / name for name in TABLES if (folder / name).is_dir()):
        for path in table.iterdir():
            path.unlink()
        table.rmdir()


def _is_ours(folder: Path, path: Path) -> bool:
    if path.is_dir():
        return False
    if path.name.endswith(DRAFT):
        return True
    if path.parent == folder:
        return path.name in (MANIFEST, LOCK)
    return path.name.startswith("p") and path.suffix == ".parquet"


def _drafts(folder: Path) -> list[Path]:
    return sorted(path for where in (".", *TABLES) for path in (folder / where).glob(f"*{DRAFT}"))


def _stored(folder: Path, chunk: Chunk, files: Files) -> StoredChunk | None:
    """Return how a chunk is stored if it is whole in both tables."""
    stored = {table: _first_whole(folder / table, table, files.get(table, [])) for table in TABLES}
    if None in stored.values():
        return None
    return StoredChunk.model_validate({"players": chunk.players, "start": chunk.start, "stop": chunk.stop, **stored})


def _first_whole(folder: Path, table: str, names: list[ChunkName]) -> StoredFile | None:
    for name in names:
        path = folder / str(name)
        if found := checksum_if_whole(path, table, name):
            return StoredFile(file=str(name), sha256=found, bytes=path.stat().st_size)
    return None
