"""Signals that stop a command: they are noted, because code in C that is interrupted may raise any other error."""

from __future__ import annotations

import signal
from types import FrameType

received: list[int] = []  # in order


def interrupt(number: int, frame: FrameType | None) -> None:
    """Note a signal, and raise KeyboardInterrupt, with its name unless it is Ctrl-C: a handler of signals."""
    received.append(number)
    raise KeyboardInterrupt(*([] if number == signal.SIGINT else [signal.Signals(number).name]))
