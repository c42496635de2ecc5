"""What libraries and other Pythons are told by variables of the environment and by files.

In a command, libraries are told only what rogsim documents. Other settings would change what a command does or draws
without a word, and a value that a library does not expect ends in a traceback. Some of these files lie in the current
folder, which may be a stranger's.

Python is started again without a search of the current folder: a file there may have the name of any module. Python
itself searches it first when it is started with `-m` or `-c`, as libraries start it.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from rogsim.base.errors import RogsimError

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


# How the names of variables begin that libraries read.
BEGINNINGS = """
    JOBLIB_ LLVMLITE_ LOKY_ MATPLOTLIB MPL NPY_ NUMBA_ NUMPY_ PANDAS_ POLARS_ PYDANTIC_ SCIPY_ SOURCE_DATE_EPOCH
"""
ANYTHING, COUNT = re.compile(".*", re.DOTALL), re.compile("0*[1-9][0-9]*")
# The variables among them that count, the values that they may have, and what these are called.
KEPT = {
    "JOBLIB_TEMP_FOLDER": (ANYTHING, ""),
    "LOKY_MAX_CPU_COUNT": (COUNT, "a whole number from 1 on"),
    "MPLCONFIGDIR": (ANYTHING, ""),
    "NUMBA_CACHE_DIR": (ANYTHING, ""),
    "NUMBA_DISABLE_JIT": (re.compile("[01]"), "0 or 1"),
    "POLARS_MAX_THREADS": (COUNT, "a whole number from 1 on"),
}
SET = {
    "MATPLOTLIBRC": os.devnull,
    "MPLBACKEND": "agg",  # figures go into files
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # a search through all installed packages, for code that nobody asked for
    SAFE_PATH: "1",
}
UNLESS_SET = {
    # Commands use several processes. Threads for linear algebra would take CPU time in each of them, even before they
    # have anything to do; and sums could depend on the number of cores.
    "OPENBLAS_NUM_THREADS": "1",
}


def choose_settings() -> None:
    """Leave only these settings to the libraries of this process, before it loads any, and of all that it starts.

    Raises
    ------
    RogsimError
        If one of them has a value that is not allowed.
    """
    for name in [name for name in os.environ if name.startswith(tuple(BEGINNINGS.split()))]:
        value = os.environ[name]
        if name not in KEPT or not value:  # empty means unset
            del os.environ[name]
        elif not KEPT[name][0].fullmatch(value):
            raise RogsimError(f"{name}: {value!a} is not allowed: must be {KEPT[name][1]}")
    os.environ.update(SET)
    for name, value in UNLESS_SET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("matplotlib").addHandler(logging.NullHandler())  # it warns about folders that it cannot use
    if os.path.lexists("matplotlibrc"):  # matplotlib reads it when it is loaded, whatever variables say
        with chdir(os.sep):
            import matplotlib  # noqa: F401
