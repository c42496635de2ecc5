"""Starting Python again, without a search of the current folder: a file there may have the name of any module.

Python itself searches the current folder first when it is started with `-m` or `-c`, as libraries start it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder that the package is in
SAFE_PATH = "PYTHONSAFEPATH"  # set: Python does not search the current folder


def same_modules() -> dict[str, str]:
    """Return an environment in which a new Python finds the modules that this one finds."""
    return os.environ | {SAFE_PATH: "1", "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}


@contextmanager
def safe_path() -> Iterator[None]:
    """Let no Python that a library starts in this context search the current folder.

    Libraries hand on `sys.path`, with the current folder in place of the "" that it contains in notebooks. So in this
    context it has none, and what was not imported before is not found there.
    """
    before, place = os.environ.get(SAFE_PATH), sys.path.index("") if "" in sys.path else None
    os.environ[SAFE_PATH] = "1"
    if place is not None:
        del sys.path[place]
    try:
        yield
    finally:
        if place is not None:
            sys.path.insert(place, "")
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before
