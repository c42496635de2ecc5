"""The layout of text for people: paragraphs, tables, rules, listings and counted words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 96  # of a line
NO_BREAK = "\N{NO-BREAK SPACE}"


def counted(amount: int, word: str) -> str:
    """Return "1 point", "2 points" and so on."""
    return f"{amount} {word}" if amount == 1 else f"{amount} {word}s"


def capital(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def listing(words: Iterable[str]) -> str:
    """Return "a", "a and b" or "a, b and c"; ValueError if there is none."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def unbroken(text: str) -> str:
    """Return a text that `paragraph` keeps on one line."""
    return text.replace(" ", NO_BREAK)


def heading(title: str) -> list[str]:
    """Return a title, underlined."""
    return [title, "=" * len(title)]


def ruled(title: str) -> str:
    """Return a title within a rule across the page."""
    return f"---- {title} ".ljust(WIDTH, "-")


def paragraph(text: str, indent: int = 0, hang: int = 2) -> list[str]:
    """Break a text into lines; those after the first are indented by `hang` more."""
    first, later = " " * indent, " " * (indent + hang)
    lines = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in lines]


def table(rows: Sequence[Sequence[str]], align: str, indent: int = 2) -> list[str]:
    """Lay out rows in columns, aligned by the letters "l" or "r" of `align`; a last column "l" is wrapped."""
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(len(align))]
    hang = sum(widths[:-1]) + 2 * (len(widths) - 1)
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(row, widths, align, strict=True)
        ]
        line = "  ".join(cells).rstrip()
        lines += paragraph(line, indent, hang) if align[-1] == "l" else [" " * indent + line]
    return lines
