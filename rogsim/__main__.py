"""The `rogsim` command as a process: Ctrl-C, SIGTERM and SIGHUP stop it at any moment, without a traceback."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any, NoReturn

from rogsim.base.errors import RogsimError
from rogsim.base.signals_and_streams import begin_command, interrupt, last_line, prepare_streams, received

INTERRUPTED = 130  # exit code
SOON = 0.01  # seconds until a lost interrupt is sent again
# Signals that stop a command as Ctrl-C does; Windows has not all of them.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
ALLOCATIONS = 500_000  # between two runs of the garbage collector: loading libraries makes many objects and drops few


def command() -> None:
    """Run the command line and end this process."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # one that this process ignores stays ignored
            signal.signal(number, _stop)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    sys.unraisablehook = _interrupt_again
    begin_command()
    gc.set_threshold(ALLOCATIONS)
    try:
        prepare_streams()
        _check_clock()
        from rogsim.base.process_settings import choose_settings  # long enough for Ctrl-C to come in between

        choose_settings()
        from rogsim.cli.app import main

        main()
    except RogsimError as fault:
        print(f"rogsim: error: {fault}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        _end_interrupted()
    except Exception:
        if not received:
            raise
        _end_interrupted()
    finally:
        # Only cleaning up is left, which another Ctrl-C must not disturb; the other signals end it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.unraisablehook = sys.__unraisablehook__
        for number in ENDING:
            if signal.getsignal(number) is _stop:
                signal.signal(number, signal.SIG_DFL)
        gc.freeze()  # spares Python a search for garbage among the objects of all libraries


def _end_interrupted() -> NoReturn:
    """Say the last line of an interrupted command, unless it was said, and end this process."""
    if line := last_line():
        print(line, file=sys.stderr)
    sys.exit(INTERRUPTED)


def _stop(number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does, also in a process that ignores Ctrl-C, as jobs in the background of a script do."""
    on_interrupt = signal.getsignal(signal.SIGINT)
    if callable(on_interrupt) and on_interrupt is not interrupt:
        received.append(number)
        on_interrupt(signal.SIGINT, frame)
    else:
        interrupt(number, frame)


def _interrupt_again(lost: Any) -> None:
    """Send an interrupt again if it came while Python deleted an object: exceptions raised there are ignored."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        number = signal.Signals.__members__.get(str(lost.exc_value), signal.SIGINT)
        threading.Timer(SOON, os.kill, (os.getpid(), number)).start()  # not at once: it would interrupt this call
    else:
        sys.__unraisablehook__(lost)


def _end_as_asked() -> None:
    """End this process by the first signal of ENDING that it received, if any, as whoever sent it expects."""
    if ending := [number for number in received if number in ENDING]:
        signal.signal(ending[0], signal.SIG_DFL)
        os.kill(os.getpid(), ending[0])


atexit.register(_end_as_asked)  # before libraries are loaded: the first to be registered is the last to be called


def _check_clock() -> None:
    """Refuse a clock with a time that Python itself cannot tell: libraries ask for it."""
    try:
        time.time()
    except OverflowError:
        raise RogsimError("the clock of this computer is wrong: the year must be 2262 or earlier") from None


if __name__ == "__main__":
    # `python -m` searches the current folder first: what comes from there instead of a library would be a stranger's.
    here = "" if sys.flags.safe_path else sys.path.pop(0)
    from rogsim.base.process_settings import ROOT

    if here == str(ROOT):
        sys.path.insert(0, here)
    command()
