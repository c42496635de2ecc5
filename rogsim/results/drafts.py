"""Folders written whole: drafted beside their place, moved there at the end, and cleared away if that was cut short.

While a folder `name` is written, an empty file `.name.<8 digits>.rogsim-draft` is beside it and locked. The system
lets go of the lock when the process ends, however it ends. So whoever writes there next can tell what a killed process
left, and removes that and nothing else.
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
from rogsim.base.output_paths import check_writable, saying_where
from rogsim.base.plain_text import name_fault

MARK = ".rogsim-draft"  # ending of the file that says who is writing
NEW, OLD, GONE = ".new", ".old", ".gone"  # endings of the draft, of what it replaces, and of what is being removed
PATIENCE = 5.0  # seconds for somebody else to finish clearing away
BUSY = "another command is working at it; wait for it, or name another file"

Check = Callable[[Path], None]


@contextmanager
def writing(folder: Path, check: Check) -> Iterator[Path]:
    """Give a new folder beside `folder` to write into, and put it in its place once all went well.

    Older results are replaced only then; if anything goes wrong they stay, and the new folder is removed. What a killed
    process left of an earlier attempt is cleared away. `check` refuses a place that holds something else. Raises
    ResultsError, which names the folder, if anything cannot be written.
    """
    if wrong := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {wrong}")
    check(folder)
    check_writable(folder)
    with saying_where(folder), _draft_of(folder.resolve(), check) as draft:
        yield draft


@contextmanager
def alone_at(path: Path, drafts: Mapping[Path, bytes]) -> Iterator[None]:
    """Be the only one who works at a file for a while: ResultsError if somebody else does.

    drafts: files that are written meanwhile by `rogsim.base.files.whole_file`, with how each begins. What a killed
    process left of them is removed first, and nothing that begins otherwise.
    """
    mark = path.with_name(f".{path.name}{MARK}")
    lock = FileLock(mark, timeout=0)
    with saying_where(path):
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
                    check(folder)  # something may have come to lie there meanwhile
                    folder.rename(old)
                draft.rename(folder)
            finally:
                _settle(folder, mark, check)
    finally:
        with suppress(OSError):
            mark.unlink(missing_ok=True)


def _clear_leftovers(folder: Path, check: Check) -> None:
    """Clear away what killed processes left when they wrote this folder; a live one holds its lock."""
    name = re.compile(rf"\.{re.escape(folder.name)}\.[0-9a-f]{{8}}{re.escape(MARK)}")
    for mark in sorted(path for path in folder.parent.iterdir() if name.fullmatch(path.name)):
        if not is_plain_file(mark) or mark.stat().st_size:
            continue  # not written by `writing`
        with suppress(OSError, Timeout, ResultsError), FileLock(mark, timeout=0):
            _settle(folder, mark, check)
            mark.unlink(missing_ok=True)


def _settle(folder: Path, mark: Path, check: Check) -> None:
    """Leave either the older folder or the new one, and nothing beside it."""
    draft, old, gone = (mark.with_suffix(ending) for ending in (NEW, OLD, GONE))
    if is_plain_folder(old) and not folder.exists():
        old.rename(folder)
    _remove(gone)
    if is_plain_folder(draft):
        draft.rename(gone)  # an interrupted worker may still write to it: renamed, it lets nobody in
        _remove(gone)
    if is_plain_folder(old):
        check(old)
        old.rename(gone)
        _remove(gone)


def _remove(folder: Path) -> None:
    if is_plain_folder(folder):
        shutil.rmtree(folder, ignore_errors=True)
