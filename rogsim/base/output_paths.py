"""Output paths: checks, before anything is played, that a file or folder can be written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rogsim.base.errors import ResultsError

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
