"""The `rogsim` command as a process: Ctrl-C at any moment gives exit code 130 and no traceback."""

from __future__ import annotations

import gc
import os
import signal
import sys

from rogsim.base import streams

INTERRUPTED = 130  # exit code
ALLOCATIONS = 500_000  # between two runs of the garbage collector: loading libraries makes many objects and drops few

LIBRARY_SETTINGS = {
    # Commands use several processes. Threads for linear algebra would take CPU time in each of them, even before they
    # have anything to do; and sums could depend on the number of cores.
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # a search through all installed packages, for code that nobody asked for
}


def command() -> None:
    """Run the command line and end this process."""
    for name, value in LIBRARY_SETTINGS.items():
        os.environ.setdefault(name, value)  # before the libraries are loaded
    os.environ["MPLBACKEND"] = "agg"  # figures go into files; matplotlib fails with a name that it does not know
    gc.set_threshold(ALLOCATIONS)
    try:
        streams.prepare()
        from rogsim.cli.app import main  # takes long enough for Ctrl-C to come in between

        main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        # Only cleaning up is left, which another Ctrl-C must not disturb.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()  # spares Python a search for garbage among the objects of all libraries


if __name__ == "__main__":
    command()
