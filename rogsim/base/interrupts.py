"""Signals that stop a command, and what it leaves behind then.

They are noted, because code in C that is interrupted may raise any other error.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pathlib looks for a module that exists on Windows only, and would take it from the current folder
    from pathlib import Path

received: list[int] = []  # in order
_kept: dict[Path, Callable[[], str]] = {}  # what a command says of a place, "" while nothing is stored there
_command = False  # whether a command runs, and has not said its last line

GO_ON = "The same command continues from there."


def interrupt(number: int, frame: FrameType | None) -> None:
    """Note a signal, and raise KeyboardInterrupt, with its name unless it is Ctrl-C: a handler of signals."""
    received.append(number)
    raise KeyboardInterrupt(*([] if number == signal.SIGINT else [signal.Signals(number).name]))


@contextmanager
def keeping(place: Path, describe: Callable[[], str]) -> Iterator[None]:
    """Say on Ctrl-C what is kept in a place: in a note of the exception, and in the last line of a command.

    A command says so also when it is interrupted later. `describe` returns "" while nothing is stored. Places inside
    others do not count.
    """
    if _command and not any(known in (place, *place.parents) for known in _kept):
        _kept[place] = describe
    try:
        yield
    except KeyboardInterrupt as stop:
        if text := describe():
            stop.add_note(text)
        raise


def begin_command() -> None:
    """Note that a command begins, which has stored nothing."""
    global _command
    _command = True
    _kept.clear()


def last_line() -> str:
    """Return the last line of an interrupted command: what is kept; "" if it was said before."""
    global _command
    if not _command:
        return ""
    _command = False
    texts = [text for describe in _kept.values() if (text := describe())]
    return f"Interrupted. {texts[0]}" if texts else "Interrupted; nothing was stored."
