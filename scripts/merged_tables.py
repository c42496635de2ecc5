"""Tables of a page that several runs write: the rows of games that a run did not play stay as they are."""

from __future__ import annotations

from itertools import takewhile


def merged(old: str, new: str, keys: int) -> str:
    """Return a part of a page with its new rows, and the old ones that they do not replace.

    Parameters
    ----------
    old, new
        A Markdown table each, and after it anything. What comes after the new table is kept.
    keys
        Two rows are about the same if their first `keys` cells are equal.

    Returns
    -------
    str
        Old and replaced rows in the old order, then the other new rows. A table with another head is replaced.
    """
    head, before = _split(old)
    new_head, after = _split(new)
    if head != new_head:
        return new
    found = {_key(row, keys): row for row in after}
    rows = [found.pop(_key(row, keys), row) for row in before]
    end = new.splitlines()[len(new_head) + len(after) :]
    return "\n".join([*head, *rows, *found.values(), *end])


def _split(text: str) -> tuple[list[str], list[str]]:
    """Return the two lines of a table's head, and its rows."""
    lines = list(takewhile(lambda line: line.startswith("|"), text.splitlines()))
    return lines[:2], lines[2:]


def _key(row: str, keys: int) -> tuple[str, ...]:
    return tuple(row.split(" | ", keys)[:keys])
