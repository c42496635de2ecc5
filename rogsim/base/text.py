"""Text for people: made safe to print, wrapped at words where it goes to a terminal, and as a table of a notebook.

Names, questions and error messages may come from an untrusted file. A terminal obeys the control characters in them,
and invisible characters mislead readers. Safe text cannot move the cursor, colour or hide text, or reverse what
follows.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TextIO

KEPT = "\n\t"  # harmless control characters
WITHOUT_KEPT = str.maketrans("", "", KEPT)


def safe(text: str) -> str:
    r"""Return text with every control and invisible character escaped, as in `\u001b`.

    Works on JSON as well: such characters occur only inside its strings, where `\u001b` means the same.
    """
    if text.translate(WITHOUT_KEPT).isprintable():
        return text
    return "".join(
        character if character in KEPT or _is_visible(character) else _escaped(character) for character in text
    )


def counted(amount: int, word: str) -> str:
    """Return "1 point", "2 points" and so on."""
    return f"{amount:,} {word}" if amount == 1 else f"{amount:,} {word}s"


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return "a", "a and b" or "a, b and c"; nothing if there is none."""
    *others, end = [*words] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def capital(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def name_fault(name: str) -> str | None:
    """Return why a text cannot be the name of a bot, scenario or folder; None if it can."""
    if not name:
        return "a name must not be empty"
    if hidden := next((character for character in name if not _is_visible(character)), None):
        return f"a name must not contain invisible characters, and this one contains {_code_point(hidden)}"
    if name != name.strip():
        return "a name must not begin or end with a space"
    return None


def path_fault(path: Path) -> str | None:
    """Return why a path cannot be used because of a name in it; None if it can."""
    return next((fault for part in path.parts if (fault := name_fault(part))), None)


def _is_visible(character: str) -> bool:
    # Python calls no space but the plain one printable, yet people type others, which are harmless.
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) > 0x7F or ord(character) < 0x20 else f"\\u{ord(character):04x}"


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


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


def html_table(head: Sequence[str], body: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return a table of texts, which are escaped."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    columns = "".join(f"<th>{escape(word)}</th>" for word in head)
    lines = ("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>" for row in body)
    return f"<table>{title}<thead><tr>{columns}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
