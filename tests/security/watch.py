"""A watch over what a process does to files while it reads those of a stranger."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PLACES = {"os.remove": 1, "os.rename": 2, "os.mkdir": 1, "os.rmdir": 1, "os.chmod": 1, "os.symlink": 2, "os.link": 2}
PLACES |= {"os.truncate": 1, "shutil.rmtree": 1, "os.utime": 1}
PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect")
SECONDS = 60  # a hang on any machine; what the slowest step really cost is in `slowest`


class Watch:
    """What was done outside a folder, and the processor time of the slowest step, in seconds."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.slowest = os.path.realpath(folder), 0.0
        self.outside: list[str] = []

    def look(self, event: str, given: tuple[Any, ...]) -> None:
        if event in PROGRAMS:
            self.outside.append(f"{event} {given[:2]}")
        elif event == "open" and isinstance(given[2], int) and given[2] & WRITES:
            self._check(event, given[0])
        elif event in PLACES:
            for place in given[: PLACES[event]]:
                self._check(event, place)

    def _check(self, event: str, place: Any) -> None:
        if isinstance(place, int) or place == os.devnull:
            return
        path = os.path.realpath(os.fsdecode(place))
        if path != self.folder and not path.startswith(
            (self.folder + os.sep, os.environ.get("NUMBA_CACHE_DIR", self.folder))
        ):
            if not path.endswith(".pyc") and "__pycache__" not in path:
                self.outside.append(f"{event} {path}")


_watches: list[Watch] = []


def _hook(event: str, given: tuple[Any, ...]) -> None:
    for watch in _watches:
        watch.look(event, given)


sys.addaudithook(_hook)


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Watch over one step; it is ended if it hangs."""
    began = time.process_time()
    _watches.append(watch)
    if hasattr(signal, "setitimer"):
        old = signal.signal(signal.SIGALRM, _hangs)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        _watches.remove(watch)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        watch.slowest = max(watch.slowest, time.process_time() - began)


def _hangs(*_: Any) -> None:
    raise AssertionError(f"no end after {SECONDS} s")
