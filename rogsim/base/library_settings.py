"""What libraries are told by variables of the environment and by files: in a command, only what rogsim documents.

Other settings would change what a command does or draws without a word, and a value that a library does not expect ends
in a traceback. Some of these files lie in the current folder, which may be a stranger's.
"""

from __future__ import annotations

import logging
import os
import re
from contextlib import chdir

from rogsim.base.errors import RogsimError
from rogsim.base.new_process import SAFE_PATH

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
