"""Folders written atomically: drafted beside their target, moved there at the end, and removed after an interruption.

While a folder `name` is written, there is an empty, locked file `.name.<8 digits>.rogsim-draft` beside it. The system
releases the lock when the process ends, however it ends. So the next process that writes there can identify what a
killed process left, and removes only that.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from rogsim.base.errors import ResultsError
from rogsim.base.files import drafts_of, is_plain_file, is_plain_folder
from rogsim.base.output_paths import check_writable, naming_path
from rogsim.base.plain_text import name_fault

MARK = ".rogsim-draft"  # suffix of the file that marks a writer
NEW, OLD, GONE = ".new", ".old", ".gone"  # suffixes of the draft, of the folder it replaces, of one being removed
PATIENCE = 5.0  # seconds to wait for another process to finish cleaning up
BUSY = "another command is working on it; wait for it to finish, or name another file"

Check = Callable[[Path], None]


@contextmanager
def writing(folder: Path, check: Check) -> Iterator[Path]:
    """Yield a new folder beside `folder` to write into, and move it into place after success.

    Older results are replaced only then; after an error they stay, and the new folder is removed. Whatever a killed
    attempt left is removed first.

    Parameters
    ----------
    check
        Refuses a folder that holds anything else.

    Raises
    ------
    ResultsError
        If anything cannot be written; it names the folder.
    """
    check_name(folder)
    check(folder)
    check_writable(folder)
    with naming_path(folder), _draft_of(folder.resolve(), check) as draft:
        yield draft


def check_name(folder: Path) -> None:
    """Refuse a folder whose name cannot be shown; ResultsError says why."""
    if wrong := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {wrong}")


@contextmanager
def alone_at(path: Path, drafts: Mapping[Path, bytes]) -> Iterator[None]:
    """Lock a file, so that no other process works on it; ResultsError if one does already.

    Parameters
    ----------
    path
        Path of the file.
    drafts
        Files that `rogsim.base.files.whole_file` writes while the lock is held, with the first bytes of each. Their
        drafts that a killed process left are removed, but no file that begins differently.
    """
    mark = path.with_name(f".{path.name}{MARK}")
    lock = FileLock(mark, timeout=0)
    with naming_path(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire()
        except Timeout:
            raise ResultsError(f"{path}: {BUSY}") from None
    try:
        for file, start in drafts.items():
            for draft in drafts_of(file, start):
                with suppress(OSError):
                    draft.unlink()
        yield
    finally:
        with suppress(OSError):
            mark.unlink(missing_ok=True)
        lock.release()


@contextmanager
def _draft_of(folder: Path, check: Check) -> Iterator[Path]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _clear_leftovers(folder, check)
    mark = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}{MARK}")
    try:
        with FileLock(mark, timeout=PATIENCE):
            draft, old = mark.with_suffix(NEW), mark.with_suffix(OLD)
            try:
                draft.mkdir()
                yield draft
                if folder.exists():
                    check(folder)  # something may have appeared there in the meantime
                    folder.rename(old)
                draft.rename(folder)
            finally:
                _settle(folder, mark, check)
    finally:
        with suppress(OSError):
            mark.unlink(missing_ok=True)


def _clear_leftovers(folder: Path, check: Check) -> None:
    """Remove what killed processes left while writing this folder; a live process holds its lock."""
    name = re.compile(rf"\.{re.escape(folder.name)}\.[0-9a-f]{{8}}{re.escape(MARK)}")
    for mark in sorted(path for path in folder.parent.iterdir() if name.fullmatch(path.name)):
        with suppress(OSError, Timeout, ResultsError):  # its process may remove it at any time
            if not is_plain_file(mark) or mark.stat().st_size:
                continue  # not written by `writing`
            with FileLock(mark, timeout=0):
                _settle(folder, mark, check)
                mark.unlink(missing_ok=True)


def _settle(folder: Path, mark: Path, check: Check) -> None:
    """Make sure that either the older or the new folder is in place, and remove everything else."""
    draft, old, gone = (mark.with_suffix(ending) for ending in (NEW, OLD, GONE))
    if is_plain_folder(old) and not folder.exists():
        old.rename(folder)
    _remove(gone)
    if is_plain_folder(draft):
        draft.rename(gone)  # so that an interrupted worker cannot write to the draft any more
        _remove(gone)
    if is_plain_folder(old):
        check(old)
        old.rename(gone)
        _remove(gone)


def _remove(folder: Path) -> None:
    if is_plain_folder(folder):
        shutil.rmtree(folder, ignore_errors=True)
