"""The folder of machine code, which must be safe from every other user of this machine.

Machine code that is loaded from a folder runs as the user. So every part of the path is checked, as ssh checks the
path of its keys; docs/security.md states the rule.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

VARIABLE = "NUMBA_CACHE_DIR"
NAME = re.compile(r"[0-9a-f]{16}-numba[0-9][0-9A-Za-z.+]*")  # hash of the sources, version of numba
MARKER = "made-by-rogsim.txt"  # in each folder that rogsim made; holds the folder's name
CODE = re.compile(r".*\.nb[ic](\.tmp\.[0-9a-f]+)?")  # files written by numba
LOCK = "compiling.lock"
KEPT = 3  # folders of older sources that are kept, so that switching branches is cheap
MOST_LINKS = 40  # on the way to a folder
FOR_ALL = stat.S_IWGRP | stat.S_IWOTH

_notes: list[str] = []


class _UnsafeError(OSError):
    """A folder that other users may change, or where machine code cannot be written."""


def find_folder(name: str) -> Path | None:
    """Return the folder of that name for machine code, created if needed; None if no folder is safe and writable.

    Tried in order: `NUMBA_CACHE_DIR`, the user's cache folder, a private folder inside the system's temporary folder.
    """
    named = os.environ.get(VARIABLE)
    for base in _bases(named):
        folder = base / name
        try:
            _prepare(base, folder)
        except OSError as fault:
            if named and base == _absolute(named):
                _notes.append(f"{VARIABLE} is not used for machine code: {_reason(fault)}.")
            continue
        _forget_old(base, keep=folder)
        return folder
    _notes.append("Machine code is not cached because no folder is safe for it: the rules are compiled at every start.")
    return None


def take_notes() -> list[str]:
    """Return the notes on the choice of a folder, and clear them."""
    notes = list(_notes)
    _notes.clear()
    return notes


def _bases(named: str | None) -> list[Path]:
    bases = [_absolute(named)] if named else []
    bases.append(_absolute(platformdirs.user_cache_dir("rogsim", appauthor=False)))
    user = os.getuid() if hasattr(os, "getuid") else "user"
    bases.append(_absolute(tempfile.gettempdir()) / f"rogsim-{user}")
    return bases


def _absolute(path: str) -> Path:
    return Path(path).absolute()


def _prepare(base: Path, folder: Path) -> None:
    """Create a folder for machine code, or check the existing one; OSError says why it cannot be used."""
    for path, info in _way_to(base.parent):
        _check_above(path, info)
    _check_own(base, _made(base))
    info = _made(folder)
    _check_own(folder, info)
    if _knows_owners() and stat.S_IMODE(info.st_mode) & 0o077:
        _close(folder)
    with suppress(FileExistsError), (folder / MARKER).open("x", encoding="utf-8") as file:
        file.write(f"{folder.name}\n")
    with tempfile.TemporaryFile(dir=folder):
        pass


def _way_to(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every folder and link on the path to a folder, from the root on, and create what is missing."""
    at, left, links = Path(path.anchor), list(path.parts[1:]), 0
    yield at, at.lstat()
    while left:
        step = left.pop(0)
        if step == "..":
            at = at.parent
            continue
        info = _made(at / step)
        yield at / step, info
        if not stat.S_ISLNK(info.st_mode):
            at = at / step
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        target = (at / step).readlink()
        at = Path(target.anchor) if target.is_absolute() else at
        left = [*target.parts[target.is_absolute() :], *left]


def _made(folder: Path) -> os.stat_result:
    """Return the lstat of a folder, which is created for this user alone if it does not exist."""
    with suppress(FileNotFoundError):
        return folder.lstat()
    with suppress(FileExistsError):  # another process was faster; the folder is checked in any case
        folder.mkdir(mode=0o700)
    return folder.lstat()


def _check_above(path: Path, info: os.stat_result) -> None:
    """Refuse a folder or link above the base that would let another user replace the base."""
    if not (stat.S_ISDIR(info.st_mode) or stat.S_ISLNK(info.st_mode)):
        raise _UnsafeError(f"{path} is not a folder")
    if not _knows_owners():
        return
    # The owner of the root folder can do anything: the superuser, whatever its number in a container.
    if info.st_uid not in (0, os.getuid(), Path(path.anchor).lstat().st_uid):
        raise _UnsafeError(f"{path} belongs to another user")
    # In a sticky folder, such as /tmp, only the owner of an entry can rename or remove it.
    if stat.S_ISDIR(info.st_mode) and info.st_mode & FOR_ALL and not info.st_mode & stat.S_ISVTX:
        raise _UnsafeError(f"other users may write to {path}")


def _check_own(path: Path, info: os.stat_result) -> None:
    """Refuse anything but a folder of this user that nobody else may write to."""
    if stat.S_ISLNK(info.st_mode):
        raise _UnsafeError(f"{path} is a link")
    if not stat.S_ISDIR(info.st_mode):
        raise _UnsafeError(f"{path} is not a folder")
    _check_mine(path, info)


def _check_mine(path: Path, info: os.stat_result) -> None:
    if not _knows_owners():
        return
    if info.st_uid != os.getuid():
        raise _UnsafeError(f"{path} belongs to another user")
    if info.st_mode & FOR_ALL:
        raise _UnsafeError(f"other users may write to {path}")


def _close(folder: Path) -> None:
    """Close a folder to other users, and make sure that none of them could have changed its content before."""
    for path in folder.rglob("*"):
        info = path.lstat()
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
            raise _UnsafeError(f"{path} is not a regular file")
        _check_mine(path, info)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(handle, 0o700)
    finally:
        os.close(handle)


def _knows_owners() -> bool:
    """Return whether files have an owner and a mode here; on Windows the user's folders are private anyway."""
    return hasattr(os, "getuid")


def _forget_old(base: Path, keep: Path) -> None:
    """Remove the oldest folders of other sources that rogsim made; folders that cannot be removed stay."""
    with suppress(OSError):
        others = [entry for entry in base.iterdir() if entry != keep and _is_made_here(entry)]
        others.sort(key=lambda entry: entry.lstat().st_mtime, reverse=True)
        for entry in others[KEPT:]:
            _remove(entry)


def _is_made_here(folder: Path) -> bool:
    """Return whether rogsim made a folder: its name and its marker say so, and it belongs to this user."""
    if not NAME.fullmatch(folder.name):
        return False
    try:
        _check_own(folder, folder.lstat())
        marker = folder / MARKER
        if not stat.S_ISREG(marker.lstat().st_mode) or marker.lstat().st_size > 200:
            return False
        return marker.read_text(encoding="utf-8") == f"{folder.name}\n"
    except (OSError, ValueError):
        return False


def _remove(folder: Path) -> None:
    """Remove machine code and then empty folders; no link is followed, and nothing else is touched."""
    foreign = False
    for entry in folder.iterdir():
        info = entry.lstat()
        if stat.S_ISDIR(info.st_mode):
            _remove_code(entry)
            foreign |= entry.exists()
        elif stat.S_ISREG(info.st_mode) and entry.name == LOCK:
            entry.unlink()
        else:
            foreign |= entry.name != MARKER
    if not foreign:
        (folder / MARKER).unlink()
        folder.rmdir()


def _remove_code(folder: Path) -> None:
    for entry in folder.iterdir():
        if stat.S_ISREG(entry.lstat().st_mode) and CODE.fullmatch(entry.name):
            entry.unlink()
    with suppress(OSError):  # it holds something else
        folder.rmdir()


def _reason(fault: OSError) -> str:
    if isinstance(fault, _UnsafeError):
        return str(fault)
    return f"{fault.filename}: {fault.strerror}" if fault.filename else str(fault)
