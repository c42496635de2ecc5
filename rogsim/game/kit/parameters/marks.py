"""Marks in component files: tables and rows say whether their values have a source.

A table or row whose values are not from a source has `sourced = false` and `reconstructed`, the reason. This also holds
for the tables inside, unless they have marks of their own. If only some values of a table are reconstructed,
`reconstructed` is a table with a reason for each of these: `reconstructed = { coins = "..." }`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.game.kit.parameters.naming import row_names
from rogsim.game.kit.parameters.problems import Keys
from rogsim.game.parameters import leaves

SOURCED, RECONSTRUCTED = "sourced", "reconstructed"
MARKS = (SOURCED, RECONSTRUCTED)
A_REASON = f"a text, why the values are reconstructed, or a table with one for each such key; not with {SOURCED} = true"

Marks = Mapping[str, str]  # by name of a table or row: why its values are reconstructed, "" if they have a source


def without_marks(value: Any) -> Any:
    """Return a copy of tables and lists without the marks in them."""
    if isinstance(value, Mapping):
        return {key: without_marks(inner) for key, inner in value.items() if key not in MARKS}
    return [without_marks(inner) for inner in value] if isinstance(value, list) else value


def marks_in(value: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each marked table or row by its name, with the reason, in tables without wrong marks."""
    if isinstance(value, Mapping):
        if any(mark in value for mark in MARKS):
            yield from _marks_of(value, name)
        for key, inner in value.items():
            yield from marks_in(inner, (*name, str(key)))
    elif isinstance(value, list):
        for place, inner in enumerate(value, 1):
            for row in row_names(inner) or [str(place)]:
                yield from marks_in(inner, (*name, row))


def _marks_of(table: Mapping[str, Any], name: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the marks of one table."""
    why = table.get(RECONSTRUCTED, "")
    yield ".".join(name), "" if isinstance(why, Mapping) else why
    if isinstance(why, Mapping):
        yield from ((".".join((*name, *path)), reason) for path, reason in leaves(why))


def wrong_marks(value: Any, path: Keys = ()) -> Iterator[tuple[Keys, object, str]]:
    """Yield what is wrong with the marks in tables: the path, what was found, and what is allowed."""
    if isinstance(value, Mapping):
        for mark, found, allowed in _wrong_in(value):
            yield (*path, mark), found, allowed
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from wrong_marks(inner, (*path, key))


def _wrong_in(table: Mapping[str, Any]) -> Iterator[tuple[str, object, str]]:
    """Yield what is wrong with the marks of one table."""
    sourced, why = table.get(SOURCED), table.get(RECONSTRUCTED)
    if SOURCED in table and type(sourced) is not bool:
        yield SOURCED, sourced, "true or false"
    elif sourced is False and RECONSTRUCTED not in table:
        yield SOURCED, sourced, f"true, or false together with {RECONSTRUCTED}, the reason"
    if RECONSTRUCTED in table and (sourced is True or not why or not isinstance(why, str | Mapping)):
        yield RECONSTRUCTED, why, A_REASON
    elif isinstance(why, Mapping):
        for path, reason in leaves(why):
            if not _has(table, path) or not isinstance(reason, str) or not reason:
                yield RECONSTRUCTED, {".".join(path): reason}, "the keys of this table, each with a text: the reason"


def _has(value: Any, path: tuple[str, ...]) -> bool:
    """Return whether tables have a value at a path."""
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True


def reason_of(name: str, marks: Marks) -> str:
    """Return why the value of a parameter is reconstructed; "" if it has a source."""
    return nearest_mark(name, marks) or ""


def nearest_mark(name: str, marks: Marks) -> str | None:
    """Return the innermost mark around the value of a parameter; None if there is none."""
    while name and name not in marks:
        name = name.rpartition(".")[0]
    return marks.get(name)
