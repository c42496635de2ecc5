"""The `rogsim` command as a process: Ctrl-C, or the end of the session, stops it at any moment without a traceback."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from types import FrameType

from rogsim.base import streams

INTERRUPTED = 130  # exit code
ENDING = ("SIGTERM", "SIGHUP")  # signals that stop a command as Ctrl-C does
THREADS = ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")  # libraries fail without an explanation if these are wrong
ALLOCATIONS = 500_000  # between two runs of the garbage collector: loading libraries makes many objects and drops few

LIBRARY_SETTINGS = {
    # Commands use several processes. Threads for linear algebra would take CPU time in each of them, even before they
    # have anything to do; and sums could depend on the number of cores.
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # a search through all installed packages, for code that nobody asked for
}


def command() -> None:
    """Run the command line and end this process."""
    _stop_on_signals()
    _check_threads()
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


def _stop_on_signals() -> None:
    """Let the signals of ENDING do what Ctrl-C does, except those that this process ignores.

    After one of them the process ends by it, as whoever sent it expects, once everything is cleaned up.
    """
    received: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        received.append(number)
        on_interrupt = signal.getsignal(signal.SIGINT)
        if on_interrupt is signal.default_int_handler:
            raise KeyboardInterrupt(signal.Signals(number).name)
        if callable(on_interrupt):
            on_interrupt(signal.SIGINT, frame)

    for name in ENDING:
        number = getattr(signal, name, None)  # Windows has not all of them
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
    atexit.register(_end_by, received)  # the first to be registered is the last to be called


def _end_by(received: list[int]) -> None:
    """End this process by the first signal that it received, if any."""
    if received:
        signal.signal(received[0], signal.SIG_DFL)
        os.kill(os.getpid(), received[0])


def _check_threads() -> None:
    """End with exit code 2 if a library would be asked for a number of threads that is not one."""
    for name in THREADS:
        value = os.environ.get(name)
        if not value:
            os.environ.pop(name, None)  # empty means unset
        elif not (value.isascii() and value.isdigit() and int(value) > 0):
            print(f"rogsim: error: {name}: {value!a} is not allowed: must be a whole number from 1 on", file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    command()
