"""The actual content of a results folder, regardless of its manifest: complete and broken chunks, files to remove."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path

from rogsim.base.errors import ResultsError
from rogsim.base.files import DRAFT, content_of, is_by_system, is_plain_file, opened
from rogsim.base.text import name_fault, safe
from rogsim.results.manifest import MANIFEST, StoredChunk, StoredFile
from rogsim.simulation.chunks import (
    NAME,
    TABLES,
    Chunk,
    ChunkName,
    checksum_if_whole,
    free_ranges,
    taken_games,
    without_overlap,
)

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
