"""Signals that stop a command, with what it leaves behind then, and its standard streams.

Signals are noted, because code in C that is interrupted may raise any other error. Each stream exists and can print any
text, and only rogsim writes the output.
"""

from __future__ import annotations

import codecs
import io
import os
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

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


STREAMS = ("stdin", "stdout", "stderr")  # by file descriptor
LIKE = {"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{HORIZONTAL ELLIPSIS}": "...", "\N{PLUS-MINUS SIGN}": "+-"}
BROKEN_PIPE = 141  # exit code: 128 + the signal, as in a shell
PLAIN = "rogsim-plain"  # the name of the error handler


def prepare_streams() -> None:
    """Prepare the streams of this process, once and before anything is printed."""
    open_missing()
    codecs.register_error(PLAIN, in_plain_characters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors=PLAIN)
    keep_output_apart()


def open_missing() -> None:
    """Open a closed stream on the null device; a file that is opened later would otherwise take its place."""
    for number, name in enumerate(STREAMS):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def in_plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Return similar characters for one that the encoding of a stream does not have: an error handler of codecs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    parts = unicodedata.normalize("NFKD", character)
    likely = LIKE.get(character) or "".join(part for part in parts if part.isascii()) or "?"
    return likely, error.start + 1


def keep_output_apart() -> None:
    """Let whatever else writes to standard output, such as a program that a bot starts, write to standard error.

    Otherwise it would be mixed with what rogsim prints, such as JSON.
    """
    old: Any = sys.stdout
    try:
        number, error = old.fileno(), sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):  # one of them is not a file
        return
    old.flush()
    # Python flushes the standard streams when it ends, but closes none of them, and would warn of that.
    raw = io.BufferedWriter(io.FileIO(os.dup(number), "w", closefd=False))
    os.dup2(error, number)
    sys.stdout = io.TextIOWrapper(
        raw, old.encoding, old.errors, line_buffering=old.line_buffering, write_through=old.write_through
    )


def end_quietly() -> int:
    """Leave nothing to print and return the exit code, if the reader of the output has gone: `rogsim ... | head`."""
    _drop(sys.stdout)
    _drop(sys.stderr)
    return BROKEN_PIPE


def flush(stream: TextIO) -> None:
    """Write what waits to be written, or drop it: Python would try again at the end, and change the exit code."""
    try:
        stream.flush()
    except OSError:
        _drop(stream)


def _drop(stream: TextIO) -> None:
    """Leave nothing to flush."""
    with suppress(OSError, ValueError):  # in tests a stream may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
