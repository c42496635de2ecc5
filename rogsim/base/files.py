"""Reading files from untrusted sources, writing files atomically, locks, and checks of paths before anything is played.

Only regular files are opened, so that no pipe or device can block the reader, and only files of a sensible size are
read. The system releases a lock when its process ends, however it ends.
"""

from __future__ import annotations

import errno
import io
import json
import math
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rogsim.base.errors import ResultsError

DRAFT = ".tmp"  # suffix of files that are still being written
MEGABYTE = 2**20
LONGEST_NUMBER = 20  # characters shown of a number
NOT_REGULAR = "it is not a regular file"
# Files that operating systems and network drives leave in any folder: they are in nobody's way, and stay.
BY_SYSTEMS = re.compile(r"\.DS_Store|\._.+|Thumbs\.db|desktop\.ini|\.directory|\.nfs.+", re.IGNORECASE)


def opened(path: Path) -> io.BufferedReader:
    """Open a regular file, or the target of a link to one, for reading; OSError for anything else."""
    mode = path.stat().st_mode  # before opening it: a pipe would block, and opening a device may have an effect
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path))
    return path.open("rb")


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes; OSError says why it cannot be read."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > most or len(content := file.read(most + 1)) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most / MEGABYTE:g} MB", str(path))
    return content


def read_text(path: Path, most: int) -> str:
    """Return the text of a regular UTF-8 file of at most `most` bytes; OSError or UnicodeDecodeError otherwise.

    A byte order mark, with which some editors begin a file, is left out.
    """
    return io.TextIOWrapper(io.BytesIO(read_bytes(path, most)), encoding="utf-8-sig").read()


def parse_json(content: bytes) -> Any:
    """Return JSON as data.

    ValueError says in one line what is wrong with it: a duplicate key, nan, infinity, an integer of more than 64 bits,
    deep nesting, text that is not valid Unicode (a lone surrogate), because it can be neither printed nor written, or
    anything else that is not JSON.
    """
    from pydantic_core import from_json  # help does not need it

    from_json(content, allow_inf_nan=False)  # strict, and gives up on deep nesting without using up the stack
    return json.loads(content, object_pairs_hook=_without_duplicates, parse_int=_of_64_bits, parse_float=_finite)


def is_plain_file(path: Path) -> bool:
    """Return whether a path is itself a regular file: not a link, folder, pipe or device."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def is_plain_folder(path: Path) -> bool:
    """Return whether a path is itself a folder, and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def is_by_system(path: Path) -> bool:
    """Return whether a path is a file that an operating system left, such as .DS_Store."""
    return bool(BY_SYSTEMS.fullmatch(path.name)) and is_plain_file(path)


def content_of(folder: Path, subfolders: Collection[str]) -> Iterator[Path]:
    """Yield what is in a folder and in these subfolders of it, which another process may be making or removing."""
    for path in folder.iterdir():
        if path.name in subfolders and is_plain_folder(path):
            with suppress(FileNotFoundError):
                yield from path.iterdir()
        else:
            yield path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in full or not at all, even if the power fails (see `whole_file`)."""
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[io.BufferedWriter]:
    """Yield a file to write to, which moves into place once it is complete; after an error nothing is left behind.

    OSError if it cannot be written, or if the path holds something other than a regular file.
    """
    if (path.exists() or path.is_symlink()) and not is_plain_file(path):
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path))
    draft = path.with_name(f"{path.name[:40]}.{secrets.token_hex(4)}{DRAFT}")
    handle = draft.open("xb")  # a new file, never an existing one
    try:
        with handle as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            draft.unlink()
        raise
    sync_folder(path.parent)


def drafts_of(path: Path) -> list[Path]:
    """Return the drafts of a file that `whole_file` left behind when its process was killed."""
    name = re.compile(rf"{re.escape(path.name[:40])}\.[0-9a-f]{{8}}{re.escape(DRAFT)}")
    return [file for file in path.parent.iterdir() if name.fullmatch(file.name) and is_plain_file(file)]


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder survive a power failure, if the system supports it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {json.dumps(repeated)} appears twice")
    return table


def _of_64_bits(text: str) -> int:
    if -(2**63) <= (number := int(text)) < 2**64:
        return number
    raise ValueError(f"{text[:LONGEST_NUMBER]} is too large a number")


def _finite(text: str) -> float:
    if math.isfinite(number := float(text)):
        return number
    raise ValueError(f"{text[:LONGEST_NUMBER]} is too large a number")


REPORTS = Path("reports")  # where commands write unless --out names another folder
DRAFT_NAME = 24  # bytes that the name of a draft adds to that of its file


def as_path(name: str, value: object) -> Path:
    """Return a path that a caller gave as an argument of that name; ResultsError if it is of another type."""
    from rogsim.base.validation import not_allowed  # loads pydantic, which help does not need

    if not isinstance(value, str | os.PathLike) or isinstance(os.fspath(value), bytes):
        raise ResultsError(f"{name}: {not_allowed(value, 'must be a path')}")
    if not os.fspath(value):  # it would stand for the current folder
        raise ResultsError(f"{name}: must not be empty")
    return Path(value)


def check_file(path: Path) -> None:
    """Refuse a path where a file cannot be written, or would replace something that is not a file.

    Folders on the way may be missing: writing creates them. ResultsError says in one line what is wrong.
    """
    if path.is_dir():
        raise ResultsError(f"{path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path}: is a device or a pipe; name a file")
    check_writable(path)


def check_writable(path: Path, inside: bool = False) -> None:
    """Refuse a path where nothing can be written; ResultsError says why.

    inside: an existing folder is written into. Otherwise a draft is written beside it and then replaces it.
    """
    folder = path if inside and path.is_dir() else nearest(path)
    if why := _obstacle(path, folder):
        raise ResultsError(f"{path}: cannot be written: {why}")


@contextmanager
def naming_path(path: Path) -> Iterator[None]:
    """Turn a failure to write, such as a full disk, into a one-line ResultsError that names the path."""
    try:
        yield
    except OSError as fault:
        raise ResultsError(f"{path}: cannot be written: {fault.strerror or fault}") from fault


def nearest(path: Path) -> Path:
    """Return the nearest parent of a path that exists: a folder if all is well."""
    return next((parent for parent in path.absolute().parents if os.path.lexists(parent)), path.absolute())


def _obstacle(path: Path, folder: Path) -> str:
    """Return why nothing can be written into a folder on the way to `path`; empty if it can."""
    shown = _as_given(folder, path)
    try:
        if not folder.is_dir():
            return f"{shown} is {'a file' if folder.exists() else 'a broken link'}"
        if path.is_symlink() and not path.exists():
            return "it is a broken link"
        with tempfile.TemporaryFile(dir=folder):  # permission bits do not bind every user, nor cover every cause
            pass
        names = path.absolute().relative_to(folder.absolute()).parts
        if any(len(os.fsencode(name)) + DRAFT_NAME > os.pathconf(folder, "PC_NAME_MAX") for name in names):
            return "a name in the path is too long"
    except OSError as fault:
        if folder == path.absolute():
            return f"{fault.strerror}"
        return f"no file can be created in {shown} ({fault.strerror})"
    return ""


def _as_given(above: Path, path: Path) -> Path:
    """Return a parent folder of a path, written the way the path was written."""
    return next((parent for parent in path.parents if parent.absolute() == above), above)


UNSUPPORTED = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)
CANNOT_LOCK = "its file system cannot lock files; choose a folder on another one"


@contextmanager
def locked(path: Path, patience: float = -1) -> Iterator[None]:
    """Hold the lock of a file, which is created if needed and stays.

    Parameters
    ----------
    path
        The file; its content does not matter.
    patience
        Seconds to wait for another process; forever if negative.

    Raises
    ------
    TimeoutError
        If another process holds the lock.
    OSError
        If the file cannot be created, or its file system cannot lock files.
    """
    from filelock import FileLock  # help and completion do not need it

    is_new = not path.exists()
    # filelock's other kind of lock is a file that nobody removes when its process is killed.
    lock = FileLock(path, timeout=patience, fallback_to_soft=False)
    try:
        lock.acquire()
    except OSError as fault:
        if fault.errno not in UNSUPPORTED:
            raise
        if is_new:
            path.unlink(missing_ok=True)
        raise OSError(fault.errno, CANNOT_LOCK, str(path)) from fault
    try:
        yield
    finally:
        lock.release()
