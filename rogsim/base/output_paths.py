"""Places for output: whether a file or folder can be written there, found out before anything is played."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rogsim.base.errors import ResultsError

DRAFT_NAME = 24  # bytes by which the name of a draft is longer than that of the file it becomes


def check_file(path: Path, make_folder: bool = True) -> None:
    """Refuse a place where a file cannot be written, or would take the place of something that is no file.

    make_folder: whether missing folders above it are made. ResultsError says in one line what is wrong.
    """
    if path.is_dir():
        raise ResultsError(f"{path}: is a folder, name a file")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path}: is a device or a pipe, name a file")
    if not make_folder and not path.parent.exists():
        raise ResultsError(f"{path}: there is no folder {path.parent}")
    check_writable(path)


def check_writable(path: Path, inside: bool = False) -> None:
    """Refuse a place where nothing can be written; ResultsError says why, and names what is in the way.

    inside: a folder that is there is written into. Otherwise a draft is written beside it and takes its place.
    """
    folder = path if inside and path.is_dir() else nearest(path)
    if why := _hindrance(path, folder):
        raise ResultsError(f"{path}: cannot be written: {why}")


@contextmanager
def saying_where(path: Path) -> Iterator[None]:
    """Name the place if anything cannot be written, as on a full disk: ResultsError in a line."""
    try:
        yield
    except OSError as fault:
        raise ResultsError(f"{path}: cannot be written: {fault.strerror or fault}") from fault


def nearest(path: Path) -> Path:
    """Return the last part of a path, above its end, that is there: a folder if all is well."""
    return next((parent for parent in path.absolute().parents if os.path.lexists(parent)), path.absolute())


def _hindrance(path: Path, folder: Path) -> str:
    """Say what keeps anything from being written into a folder on the way to `path`; empty if nothing does."""
    shown = _as_given(folder, path)
    try:
        if not folder.is_dir():
            return f"{shown} is {'a file' if folder.exists() else 'a link to nowhere'}"
        if path.is_symlink() and not path.exists():
            return "it is a link to nowhere"
        with tempfile.TemporaryFile(dir=folder):  # permission bits do not tell everything, nor bind everybody
            pass
        names = path.absolute().relative_to(folder.absolute()).parts
        if any(len(os.fsencode(name)) + DRAFT_NAME > os.pathconf(folder, "PC_NAME_MAX") for name in names):
            return "a name in it is too long"
    except OSError as fault:
        return f"{fault.strerror}" if folder == path.absolute() else f"{shown} takes no files ({fault.strerror})"
    return ""


def _as_given(above: Path, path: Path) -> Path:
    """Return a folder above another place in the way in which that was written."""
    return next((parent for parent in path.parents if parent.absolute() == above), above)
