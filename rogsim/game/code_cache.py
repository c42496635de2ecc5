"""The folder of machine code, and the source files on which a game, or a function of it, may depend.

The folder must be safe from every other user of this machine: machine code that is loaded from a folder runs as the
user. So every part of the path is checked, as ssh checks the path of its keys; docs/security.md states the rule.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

from rogsim.base.files import is_by_system, is_plain_file, is_plain_folder

KINDS = (".py", ".toml")  # rules and bots, parameters and weights


def sources_beside(file: Path) -> list[Path]:
    """List the Python and TOML files on which a module may depend, in a fixed order.

    Parameters
    ----------
    file
        The file of the module.

    Returns
    -------
    list of Path
        Those of the whole package that the module belongs to; of its folder only, if it is in no package.
    """
    folder = top_folder(file.parent)
    found = folder.rglob("*") if _is_package(folder) else folder.glob("*")
    return sorted(path for path in found if path.suffix in KINDS and path.is_file() and not is_by_system(path))


def top_folder(folder: Path) -> Path:
    """Return the folder of the outermost package that a folder belongs to; the folder itself if it is in none."""
    folder = folder.resolve()
    while _is_package(folder) and _is_package(folder.parent):
        folder = folder.parent
    return folder


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


VARIABLE = "NUMBA_CACHE_DIR"
NAME = re.compile(r"[0-9a-f]{16}-numba[0-9][0-9A-Za-z.+]*")  # hash of the sources, version of numba
LOCK = "compiling.lock"
CODE = re.compile(rf".*\.nb[ic](\.tmp\.[0-9a-f]+)?|{re.escape(LOCK)}")  # files of numba, and the lock
KEPT = 3  # folders of older sources that are kept, so that switching branches is cheap
WRITABLE, OPEN = 0o022, 0o077  # by other users, in any way

_notes: list[str] = []


class _UnsafeError(OSError):
    """A folder that other users may change."""


def find_folder(name: str) -> Path | None:
    """Return the folder of that name for machine code, created if needed; None if no folder is safe and writable.

    Tried in order: `NUMBA_CACHE_DIR`, the user's cache folder, a private folder inside the system's temporary folder.
    """
    for variable, base in _bases():
        try:
            folder = _prepared(base, name)
        except OSError as fault:
            if variable:
                _notes.append(f"{variable} is not used for machine code: {_reason(fault)}.")
            continue
        _forget_old(folder)
        return folder
    _notes.append("Machine code is not cached because no folder is safe for it: the rules are compiled at every start.")
    return None


def take_notes() -> list[str]:
    """Return the notes on the choice of a folder, and clear them."""
    notes = list(_notes)
    _notes.clear()
    return notes


def _bases() -> Iterator[tuple[str, Path]]:
    """Yield the folders to try, each with the variable that names it, if any."""
    if named := os.environ.get(VARIABLE):
        yield VARIABLE, Path(named)
    with suppress(RuntimeError):  # a user without a home folder
        cache = Path(platformdirs.user_cache_dir("rogsim", appauthor=False))
        if cache.is_absolute():
            yield "", cache
    with suppress(OSError):  # there is no temporary folder
        yield "", Path(tempfile.gettempdir()) / f"rogsim-{os.getuid() if _knows_owners() else 'user'}"


def _prepared(base: Path, name: str) -> Path:
    """Return the folder of that name inside a base, both created if needed; OSError says why it cannot be used."""
    base = base.absolute()
    above = Path(os.path.realpath(base.parent))
    root = Path(above.anchor).lstat().st_uid  # can do anything: the superuser, whatever its number in a container
    me = os.getuid() if _knows_owners() else root
    for path in (*reversed(above.parents), above):
        info = _made(path)
        # In a sticky folder, such as /tmp, only the owner of an entry can rename or remove it.
        _check(path, info, (0, me, root), 0 if info.st_mode & stat.S_ISVTX else WRITABLE)
    base = above / base.name
    _check(base, _made(base), (me,), WRITABLE)
    folder = base / name
    _check(folder, _made(folder), (me,), OPEN)
    with tempfile.TemporaryFile(dir=folder):
        pass
    return folder


def _made(folder: Path) -> os.stat_result:
    """Return the lstat of a folder, which is created for this user alone if it does not exist."""
    with suppress(FileExistsError):  # perhaps another process was faster; the folder is checked in any case
        if not os.path.lexists(folder):
            folder.mkdir(mode=0o700)
    return folder.lstat()


def _check(path: Path, info: os.stat_result, owners: Collection[int], closed: int) -> None:
    """Refuse anything but a folder of one of these users, and one that has any of the bits of `closed` in its mode."""
    if not stat.S_ISDIR(info.st_mode):
        raise _UnsafeError(f"{path} is not a folder")
    if _knows_owners() and info.st_uid not in owners:
        raise _UnsafeError(f"{path} belongs to another user")
    if _knows_owners() and info.st_mode & closed:
        raise _UnsafeError(f"{path} is open to other users")


def _knows_owners() -> bool:
    """Return whether files have an owner and a mode here; on Windows the user's folders are private anyway."""
    return hasattr(os, "getuid")


def _forget_old(folder: Path) -> None:
    """Remove the oldest folders of other sources; what cannot be removed stays."""
    with suppress(OSError):
        beside = [path for path in folder.parent.iterdir() if path != folder and NAME.fullmatch(path.name)]
        others = sorted(filter(is_plain_folder, beside), key=lambda path: path.stat().st_mtime, reverse=True)
        for other in others[KEPT:]:
            _remove(other)


def _remove(folder: Path) -> None:
    """Remove machine code and then empty folders; no link is followed, and nothing else is touched."""
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder comes before it
        if is_plain_file(path) and CODE.fullmatch(path.name):
            path.unlink()
        elif is_plain_folder(path):
            with suppress(OSError):  # it holds something else
                path.rmdir()
    with suppress(OSError):
        folder.rmdir()


def _reason(fault: OSError) -> str:
    if isinstance(fault, _UnsafeError):
        return str(fault)
    return f"{fault.filename}: {fault.strerror}" if fault.filename else str(fault)
