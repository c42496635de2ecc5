"""Processes that were forked too late: polars works in threads, which a fork does not copy, and would wait for them."""

from __future__ import annotations

import os

from rogsim.base.errors import RogsimError

_process = 0  # the id of the process in which polars was first used


def check_not_forked() -> None:
    """Note that this process uses polars from now on; RogsimError if one that did was forked into this one."""
    global _process
    _process = _process or os.getpid()
    if _process != os.getpid():
        raise RogsimError(
            "this process was forked from one that had used rogsim, so it lacks the threads that read and write rows: "
            'start it with the method "spawn" or "forkserver" of multiprocessing; rogsim.Session and BatchedGames work'
        )
