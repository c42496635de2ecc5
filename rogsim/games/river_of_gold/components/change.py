"""Changing parameters by name: "setup.hand", "customer.artisan-1.order.porcelain", "shore.4.cost".

A name follows the layout of the TOML files, with rows named by their ids: "tile.era1-port-3.owner.koku". Entries of a
list count from 1: "setup.koku_by_turn_order.4".
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from rogsim.base.validation import Problem, not_allowed, show, unknown_key
from rogsim.game.parameters import Change, Parameter, leaves
from rogsim.games.river_of_gold.components.book import ROWS, locate, printed_book
from rogsim.games.river_of_gold.components.errors import problems_of
from rogsim.games.river_of_gold.components.load import Facts, printed_facts

MOST_NEAR = 3


def check_change(change: Change) -> tuple[dict[str, Any], list[Problem]]:
    """Check changes by name, nested as in TOML.

    Returns
    -------
    changed
        The parameters that differ from their printed values: name and new value, in the order of `printed_book`.
    problems
        What is wrong; if anything is, `changed` is empty.
    """
    if not change:
        return {}, []
    data = copy.deepcopy(printed_facts())
    problems = [problem for path, value in leaves(change) for problem in _put(data, path, value)]
    if problems:
        return {}, problems
    try:
        Facts.model_validate(data)
    except ValidationError as fault:
        changed = {".".join(path) for path, _ in leaves(change)}
        return {}, [
            _problem(_name_of(path, data), found, allowed, changed)
            for path, found, allowed in problems_of(fault, Facts)
        ]
    paths = [path for path, _ in leaves(change)]
    touched = {".".join(path) for path in paths} | {".".join(path[:-1]) for path in paths}
    found = {name: _value(data, fact) for name, fact in printed_book().items() if name in touched}
    return {name: value for name, value in found.items() if value != printed_book()[name].value}, []


def with_change(change: Change) -> dict[str, Any]:
    """Return the components, in the layout of the TOML files, with checked changes applied."""
    if not change:
        return printed_facts()
    data = copy.deepcopy(printed_facts())
    for name, value in change.items():
        _put(data, tuple(name.split(".")), value)
    return data


def _problem(path: tuple[str, ...], found: object, allowed: str, changed: Collection[str]) -> Problem:
    """Return what a parameter must be, which need not be one of those that were changed."""
    name = ".".join(path)
    is_changed = any(name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.") for key in changed)
    return Problem(path, not_allowed(found, f"must be {allowed}") + ("" if is_changed else ", with these changes"))


def _put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> list[Problem]:
    """Set a parameter or an entry of a list, or return the problem if there is none of that name."""
    name = ".".join(path)
    facts = printed_book()
    if name in facts:
        fact, place = facts[name], None
    elif path[:-1] and (whole := ".".join(path[:-1])) in facts and path[-1] in facts[whole].places:
        fact, place = facts[whole], facts[whole].places.index(path[-1])
    else:
        return [Problem(path, _unknown(path))]
    holder, key = locate(data, fact.name)
    if place is None:
        holder[key] = list(value) if isinstance(value, list | tuple) else value  # a copy: its entries may change next
    elif not isinstance(holder[key], list) or place >= len(holder[key]):
        return [Problem(path, f"is not in the list, which is now {show(holder[key])}")]
    else:
        holder[key][place] = value
    return []


def _unknown(path: Sequence[str]) -> str:
    """Return why there is no parameter of a name, and similar names."""
    names = printed_book()
    name = ".".join(path)
    inside = [known for known in names if known.startswith(f"{name}.")]
    if inside:
        return f"is a table: change a parameter in it, such as {inside[0]}"
    if any(name == known or name.startswith(f"{known}.") for known in fixed_names()):
        return "cannot be changed: the rules depend on it"
    if name.rpartition(".")[0] in names:
        whole = names[name.rpartition(".")[0]]
        places = ", ".join(whole.places)
        return (
            unknown_key(path[-1], whole.places) if places else f"is part of {whole.name}, which is a single parameter"
        )
    card = ".".join(path[:2])
    if len(path) > 2 and any(known.startswith(f"{card}.") for known in fixed_names()):
        inside = [known for known in names if known.startswith(f"{card}.")]
        return unknown_key(name, inside) if inside else f"unknown: {card} has no parameter that can be changed"
    if near := _near(path, list(names)):
        return "unknown, did you mean " + " or ".join(f'"{other}"' for other in near) + "?"
    return _unknown_part(path)


def _near(path: Sequence[str], names: list[str]) -> list[str]:
    """Return similar names: as a whole, in the same table, or elsewhere with the same last part."""
    table = [known for known in names if known.startswith(f"{path[0]}.")]
    inside = [known for known in table if path[-1] in known.rpartition(".")[2] or known.rpartition(".")[2] in path[-1]]
    return (
        difflib.get_close_matches(".".join(path), names, n=MOST_NEAR, cutoff=0.75)
        or inside[:MOST_NEAR]
        or [known for known in names if known.rpartition(".")[2] == path[-1]][:MOST_NEAR]
    )


def _unknown_part(path: Sequence[str]) -> str:
    """Return the first unknown part of a name, and the known ones in its place."""
    names = list(printed_book())
    for length in range(1, len(path) + 1):
        before = ".".join(path[: length - 1])
        prefix = f"{before}." if before else ""
        known = list(dict.fromkeys(n[len(prefix) :].split(".")[0] for n in names if n.startswith(prefix)))
        if path[length - 1] not in known:
            where = f'"{path[length - 1]}" in "{before}" is ' if before else ""
            return where + unknown_key(path[length - 1], known)
    return unknown_key(".".join(path), names)


@cache
def fixed_names() -> frozenset[str]:
    """Return the names of values in the files that cannot be changed: ids, regions, kinds of effect."""
    return frozenset(_every_name(printed_facts(), ())) - frozenset(printed_book())


def _every_name(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _every_name(inner, (*path, str(key)))
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for row in value:
            yield from _every_name(row, (*path, str(row["id"])))
    else:
        yield ".".join(path)


def _value(data: Mapping[str, Any], fact: Parameter) -> Any:
    holder, key = locate(data, fact.name, make=False)
    return holder.get(key, 0) if isinstance(holder, Mapping) else holder[key]


def _name_of(path: Sequence[str | int], data: Any) -> tuple[str, ...]:
    """Return a path through the data as the parts of a name: rows by id, entries from 1."""
    parts: list[str] = []
    for step in path:
        whole = printed_book().get(".".join(parts))
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            data = None
        if isinstance(step, int):
            row = len(parts) == 1 and parts[0] in ROWS and isinstance(data, Mapping)
            place = whole.places[step] if whole and step < len(whole.places) else str(step + 1)
            parts.append(str(data["id"]) if row else place)
        else:
            parts.append(step)
    return tuple(parts)
