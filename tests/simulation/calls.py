"""Calls for workers, apart from the tests: workers start sooner if they need not import what the tests use."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def double(number: int, seconds: float = 0) -> int:
    time.sleep(seconds)
    return 2 * number


def where(number: int) -> int:
    time.sleep(0.01)
    return os.getpid()


def faulty(number: int) -> int:
    """Raises what has several parts when it gets number 5."""
    if number == 5:
        from rogsim.game.bot import BotFault  # it takes long to load

        raise BotFault("late", 2, 7, 4, "raised")
    return number


def deadly(number: int) -> int:
    """Ends its process whenever it gets number 5."""
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def deadly_once(number: int, mark: Path) -> int:
    """Ends its process the first time that it gets number 5."""
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number
