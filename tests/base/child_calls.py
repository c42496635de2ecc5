"""Calls for child processes, apart from the tests: a child starts sooner if it need not import what the tests use."""

from __future__ import annotations

import importlib
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from rogsim.base.child_process import doing


def hold_the_lock() -> None:
    """Stay in compiled code that lets no other thread of Python run."""
    sum(range(10**13))


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def fork() -> int:
    """Go on in two processes."""
    os.fork()
    return os.getpid()


def leave_a_fork() -> int:
    """End a process whose copy keeps everything open."""
    if os.fork():
        os._exit(0)
    time.sleep(60)
    return 0


def end_like(work: Callable[[], Any]) -> None:
    """Tell what is done, for half a second at most."""
    with doing("a task", 0.5, "a task: too late", "Good bye."):
        work()


def quit_with(fault: type[BaseException]) -> None:
    raise fault("enough")


def name_of_module(name: str) -> str:
    return importlib.import_module(name).__name__
