"""A table as HTML, for objects that a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(head: Sequence[str], body: Sequence[Sequence[str]], caption: str = "") -> str:
    """Return a table of texts, which are escaped."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    columns = "".join(f"<th>{escape(word)}</th>" for word in head)
    lines = ("<tr>" + "".join(f"<td>{escape(word)}</td>" for word in row) + "</tr>" for row in body)
    return f"<table>{title}<thead><tr>{columns}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
