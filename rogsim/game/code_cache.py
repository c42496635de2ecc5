"""The folder of machine code: only where nobody else on this machine can put code into it.

Machine code that is loaded from a folder runs as the user. So each step of the way there is looked at, as ssh does
with its keys; docs/security.md states the rule.
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
CODE = re.compile(r".*\.nb[ic](\.tmp\.[0-9a-f]+)?")  # files that numba writes
LOCK = "compiling.lock"
KEPT = 3  # folders of older sources that stay, so that switching branches is cheap
MOST_LINKS = 40  # on the way to a folder
FOR_ALL = stat.S_IWGRP | stat.S_IWOTH

_notes: list[str] = []


class _UnsafeError(OSError):
    """A folder that others may change, or where machine code cannot be written."""


def find_folder(name: str) -> Path | None:
    """Return the folder of that name for machine code, made if need be; None where none is safe and can be written.

    Tried in order: `NUMBA_CACHE_DIR`, the user's cache folder, a private folder under the system's temporary one.
    """
    named = os.environ.get(VARIABLE)
    for base in _bases(named):
        folder = base / name
        try:
            _prepare(base, folder)
        except OSError as fault:
            if named and base == _absolute(named):
                _notes.append(f"{VARIABLE} is not used for machine code: {_told(fault)}.")
            continue
        _forget_old(base, keep=folder)
        return folder
    _notes.append("Machine code is not kept, as no folder for it is safe: the rules are compiled at each start.")
    return None


def take_notes() -> list[str]:
    """Return what there is to say about the choice of a folder, once."""
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
    """Make a folder for machine code, or check the one that is there; OSError says why it cannot be used."""
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
    """Yield every folder and link on the way to a folder, from the root on, and make what is missing."""
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
    """Return what lstat says of a folder, which is made for this user alone if there is none."""
    with suppress(FileNotFoundError):
        return folder.lstat()
    with suppress(FileExistsError):  # another process was faster; whoever made it, it is looked at
        folder.mkdir(mode=0o700)
    return folder.lstat()


def _check_above(path: Path, info: os.stat_result) -> None:
    """Refuse a folder or link above the base through which somebody else could put another one in the base's place."""
    if not (stat.S_ISDIR(info.st_mode) or stat.S_ISLNK(info.st_mode)):
        raise _UnsafeError(f"{path} is no folder")
    if not _knows_owners():
        return
    # Whoever owns the root folder can do anything: the superuser, whatever number it has in a container.
    if info.st_uid not in (0, os.getuid(), Path(path.anchor).lstat().st_uid):
        raise _UnsafeError(f"{path} belongs to another user")
    # In a sticky folder, such as /tmp, only its owner can rename or remove what lies there.
    if stat.S_ISDIR(info.st_mode) and info.st_mode & FOR_ALL and not info.st_mode & stat.S_ISVTX:
        raise _UnsafeError(f"other users may write to {path}")


def _check_own(path: Path, info: os.stat_result) -> None:
    """Refuse whatever is not a folder of this user, which nobody else may write to."""
    if stat.S_ISLNK(info.st_mode):
        raise _UnsafeError(f"{path} is a link")
    if not stat.S_ISDIR(info.st_mode):
        raise _UnsafeError(f"{path} is no folder")
    _check_mine(path, info)


def _check_mine(path: Path, info: os.stat_result) -> None:
    if not _knows_owners():
        return
    if info.st_uid != os.getuid():
        raise _UnsafeError(f"{path} belongs to another user")
    if info.st_mode & FOR_ALL:
        raise _UnsafeError(f"other users may write to {path}")


def _close(folder: Path) -> None:
    """Let nobody else into a folder, and make sure that nobody could change what is in it before."""
    for path in folder.rglob("*"):
        info = path.lstat()
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
            raise _UnsafeError(f"{path} is no regular file")
        _check_mine(path, info)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(handle, 0o700)
    finally:
        os.close(handle)


def _knows_owners() -> bool:
    """Say whether files have an owner and a mode here; on Windows the user's own folders are private anyway."""
    return hasattr(os, "getuid")


def _forget_old(base: Path, keep: Path) -> None:
    """Remove the oldest folders of other sources that rogsim made; a failure only leaves them there."""
    with suppress(OSError):
        others = [entry for entry in base.iterdir() if entry != keep and _is_made_here(entry)]
        others.sort(key=lambda entry: entry.lstat().st_mtime, reverse=True)
        for entry in others[KEPT:]:
            _remove(entry)


def _is_made_here(folder: Path) -> bool:
    """Say whether rogsim made a folder: its name and its marker say so, and it is this user's own."""
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
    """Remove machine code, and the folders that are empty then; no link is followed, and nothing else is touched."""
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
    with suppress(OSError):  # something else lies there
        folder.rmdir()


def _told(fault: OSError) -> str:
    if isinstance(fault, _UnsafeError):
        return str(fault)
    return f"{fault.filename}: {fault.strerror}" if fault.filename else str(fault)
