"""Text for people: wrapped at words where it goes to a terminal, unchanged everywhere else."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO

from rogsim.base.plain_text import safe

PIECE = re.compile(r"\([^()\s]+ to [^()\s]+\)\S*|\S+")  # the two ends of an interval stay together
NARROWEST = 20  # narrower terminals are treated as this wide
READABLE = 32  # columns that text beside a name takes at least


def write(text: str, to: TextIO | None = None, hanging: int = 0) -> None:
    """Print text on standard output or another stream, wrapped at words if that is a terminal; hanging: see `fold`."""
    stream = sys.stdout if to is None else to
    width = terminal_width(stream)
    print(safe(text) if width is None else fold(safe(text), width, hanging), file=stream)


def write_pairs(pairs: Sequence[tuple[str, str]], indent: int = 0, longest: int = 0) -> None:
    """Print names with texts beside them; in a narrow terminal a text is below its name.

    longest: the least width of the column of names, to align several lists.
    """
    width, margin = terminal_width(sys.stdout), " " * indent
    longest = max([longest, *(len(name) for name, _ in pairs)])
    beside = indent + longest + 2
    for name, text in pairs:
        if width is None:
            print(safe(f"{margin}{name:<{longest}}  {text}"))
        elif width - beside >= READABLE:
            first, *others = fold(safe(text), width - beside).split("\n")
            print(f"{margin}{safe(name):<{longest}}  {first}")
            for line in others:
                print(f"{' ' * beside}{line}")
        else:
            print(f"{margin}{safe(name)}")
            print(fold(f"{margin}  {safe(text)}", width))


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal that a stream goes to; None if it goes elsewhere."""
    if not stream.isatty():
        return None
    given = os.environ.get("COLUMNS", "")
    try:
        columns = int(given) if given.isdecimal() else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # Python reads no number of thousands of digits
        columns = 0
    return max(columns, NARROWEST) if columns else 80


def fold(text: str, width: int, hanging: int = 0) -> str:
    """Return text with line ends in place of spaces, so that no line is wider than `width` unless a word is.

    A line that is continued keeps its indentation; hanging: spaces added to it.
    """
    return "\n".join(folded for line in text.split("\n") for folded in _lines(line, width, hanging))


def _lines(line: str, width: int, hanging: int) -> list[str]:
    from rich.cells import cell_len  # counts the columns that a character takes

    if cell_len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")) + hanging)
    lines, current, end = [], "", 0
    for piece in PIECE.finditer(line):
        longer = current + line[end : piece.end()]
        if current and cell_len(longer) > width:
            lines.append(current)
            longer = indent + piece.group()
        current, end = longer, piece.end()
    return [*lines, current]
