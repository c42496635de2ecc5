"""What installed packages offer: games and bots, by their entry points."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def offered(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, in the order of their packages; nothing is imported.

    Reading the metadata of all packages takes longer than many commands, so it is read again only after a change.
    """
    return _read(group, tuple((folder, _changed(folder)) for folder in sys.path))


def package_of(entry: EntryPoint) -> str:
    """Return the package that an entry point comes from, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


@lru_cache(maxsize=8)
def _read(group: str, state: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # takes a fifth of the time of `rogsim --help`, which needs none

    return tuple(entry_points(group=group))


def _changed(folder: str) -> int:
    """Return when something was last added to a folder or removed from it; 0 if it does not exist."""
    try:
        return Path(folder or ".").stat().st_mtime_ns
    except OSError:
        return 0
