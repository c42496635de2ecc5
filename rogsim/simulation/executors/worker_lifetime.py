"""Worker processes that end with the process that started them, however that process ends.

A worker that outlived its run would hold the run's output open and waste a processor. Linux's PR_SET_PDEATHSIG would
also end workers when only the thread that started them ends, so a thread watches instead. Ctrl-C reaches every process
of a terminal; workers leave it to the process that started them.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

POLL_SECONDS = 0.2  # between two checks of the parent, where the system cannot report its end


def end_with_parent(parent: int) -> None:
    """Make this process end as soon as its parent is gone. A second call does nothing.

    Parameters
    ----------
    parent
        Id of the process that started this one.
    """
    if _watched == parent:
        return
    wait = _wait_for(parent)
    if os.getppid() != parent:  # it ended before the watch began
        os._exit(1)
    _remember(parent)
    threading.Thread(target=_follow, args=(wait,), name="end-with-parent", daemon=True).start()


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Make processes and threads that are started in this context ignore Ctrl-C; here it is delayed until the end."""
    resource_tracker.ensure_running()  # otherwise Python starts it with the first process, and may unblock signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_watched = 0  # id of the parent process that is already watched


def _remember(parent: int) -> None:
    global _watched
    _watched = parent


def _follow(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


def _wait_for(parent: int) -> Callable[[], None]:
    """Return a function that returns when the parent has ended."""
    if hasattr(os, "pidfd_open"):
        try:
            return _until_readable(os.pidfd_open(parent))
        except OSError:  # not supported or not permitted by the kernel
            pass
    return _until_adopted(parent)


def _until_readable(descriptor: int) -> Callable[[], None]:
    """Return a function that waits for a process descriptor, which becomes readable when its process ends."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return lambda: (poll.poll(), None)[1]


def _until_adopted(parent: int) -> Callable[[], None]:
    """Return a function that waits until another process is the parent, which happens when the first one ends."""

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(POLL_SECONDS)

    return wait
