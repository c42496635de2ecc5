"""The names of values in components, and where they are.

Rows go by their ids, or by the number of players that they are for; entries of lists go by their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rogsim.game.parameters import Parameter

ROW_KEYS = ("id", "players")  # what names a row: the first that it has


def row_names(row: object) -> list[str]:
    """Return the name of a row of a list: several if it is for several numbers of players, none for other values."""
    found = [row[key] for key in ROW_KEYS if key in row] if isinstance(row, Mapping) else []
    names = found[0] if found and isinstance(found[0], list) else found[:1]
    return [str(name) for name in names]


def locate(data: Mapping[str, Any], name: str, make: bool = True) -> tuple[Any, Any]:
    """Return the table or list that holds a parameter, and its key or index there.

    Parameters
    ----------
    data
        The components, in the layout of the TOML files.
    name
        The name of a parameter.
    make
        Whether to create missing tables, such as the reward of a space that has none.
    """
    *steps, last = name.split(".")
    part: Any = data
    for step in steps:
        if isinstance(part, list):
            part = _row(part, step)
        elif step in part:
            part = part[step]
        elif make:
            part = part.setdefault(step, {})
        else:
            return {}, last
    return (part, int(last) - 1) if isinstance(part, list) else (part, last)


def _row(rows: list[Any], step: str) -> Any:
    """Return a row by its name, or an inner list by its place."""
    if rows and isinstance(rows[0], Mapping):
        return next(row for row in rows if step in row_names(row))
    return rows[int(step) - 1]


def value_of(data: Mapping[str, Any], parameter: Parameter) -> Any:
    """Return the value of a parameter in changed components; what they leave out is as it was."""
    holder, key = locate(data, parameter.name, make=False)
    return holder.get(key, parameter.value) if isinstance(holder, Mapping) else holder[key]


def every_name(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of all values in components; a list of values is one."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from every_name(inner, (*path, str(key)))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for row in value:
            for name in row_names(row):
                yield from every_name(row, (*path, name))
    else:
        yield ".".join(path)


def name_of(path: Sequence[str | int], data: Any, known: Mapping[str, Parameter]) -> tuple[str, ...]:
    """Return a path through components as the parts of a name.

    Parameters
    ----------
    path
        The keys and list indices that lead to a value.
    data
        The components.
    known
        All parameters by name.
    """
    parts: list[str] = []
    for step in path:
        whole = known.get(".".join(parts))
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            data = None
        if not isinstance(step, int):
            parts.append(step)
        elif names := row_names(data):
            parts.append(names[0])
        else:
            parts.append(whole.places[step] if whole and step < len(whole.places) else str(step + 1))
    return tuple(parts)
