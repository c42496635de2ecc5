"""The names of values in components: where they are, which are known, and changing values by name.

A name follows the layout of the TOML files: "setup.hand", "card.red-1.order.wood", "space.4.cost". Rows go by their
ids, or by the number of players that they are for; entries of lists go by their places, or by the names that
`Parameter.places` gives them.

Marks in the files say whether values have a source. A table or row whose values are not from a source has `sourced =
false` and `reconstructed`, the reason. This also holds for the tables inside, unless they have marks of their own. If
only some values of a table are reconstructed, `reconstructed` is a table with a reason for each of these:
`reconstructed = { coins = "..." }`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rogsim.base.validation import Problem, not_allowed, show, unknown_key, unlisted
from rogsim.game.kit.parameters.models import Keys
from rogsim.game.parameters import Change, Parameter, allowed_words, leaves

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


MOST_OTHERS = 3  # values that were not changed and no longer fit: one change of a limit can break dozens alike


def find(path: tuple[str, ...], known: Mapping[str, Parameter]) -> tuple[Parameter | None, int | None]:
    """Return the parameter of a name that is split at the dots, and the index if it names an entry of a list."""
    name, whole = ".".join(path), known.get(".".join(path[:-1]))
    if name in known:
        return known[name], None
    if whole is not None and path[-1] in whole.places:
        return whole, whole.places.index(path[-1])
    return None, None


def put(data: dict[str, Any], parameter: Parameter, index: int | None, value: Any) -> str:
    """Set a parameter, or an entry of it, in components; return what is wrong if the list has no such entry now."""
    holder, key = locate(data, parameter.name)
    if index is None:
        holder[key] = list(value) if isinstance(value, list | tuple) else value  # a copy: its entries may change next
        return ""
    if isinstance(holder, dict):
        holder.setdefault(key, list(parameter.value))
    if not isinstance(holder[key], list) or index >= len(holder[key]):
        return f"is not in the list, which is now {show(holder[key])}"
    holder[key][index] = value
    return ""


def conflicts(wrong: Sequence[tuple[tuple[str, ...], object, str]], changed: Collection[str]) -> list[Problem]:
    """Return one problem for each value that was changed, and for the first few others that no longer fit.

    Parameters
    ----------
    wrong
        The name, the value and what is allowed of each wrong value.
    changed
        The names of the changes.
    """
    asked: list[Problem] = []
    others: list[Problem] = []
    for name, found, allowed in wrong:
        text = not_allowed(found, f"must be {allowed}")
        if _is_among(".".join(name), changed):
            asked.append(Problem(name, text))
        else:
            others.append(Problem(name, f"{text}, with these changes"))
    return asked + others[:MOST_OTHERS] + unlisted(others, MOST_OTHERS)


def _is_among(name: str, changed: Collection[str]) -> bool:
    """Return whether a parameter, a part of it, or what it is part of was changed."""
    return any(name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.") for key in changed)


MOST_NEAR = 3
CLOSE = 0.75  # how similar a name must be, from 0 to 1


def why_unknown(path: Sequence[str], known: Mapping[str, Parameter], fixed: Collection[str]) -> str:
    """Return why there is no parameter of a name, and similar names.

    Parameters
    ----------
    path
        The name, split at the dots.
    known
        All parameters by name.
    fixed
        The names of values that cannot be changed.
    """
    name, (whole, _, _) = ".".join(path), ".".join(path).rpartition(".")
    if path[-1] in MARKS and _below(whole, known):
        return "is not a parameter: it says whether values have a source"
    inside = _below(name, known)
    if inside:
        return f"is a table: change a parameter in it, such as {inside[0]}"
    if any(name == other or name.startswith(f"{other}.") for other in fixed):
        return "cannot be changed: the rules depend on it"
    if whole in known:
        places = known[whole].places
        return unknown_key(path[-1], places) if places else f"is part of {whole}, which is a single parameter"
    row = ".".join(path[:2])
    if len(path) > 2 and _below(row, fixed):
        inside = _below(row, known)
        return unknown_key(name, inside) if inside else f"unknown: {row} has no parameter that can be changed"
    near = difflib.get_close_matches(name, known, n=MOST_NEAR, cutoff=CLOSE)
    if not near and len(path) > 2 and _below(path[0], known) and not _below(row, known):
        return _unknown_part(path, list(known))
    if near := near or _near(path, list(known)):
        return "unknown, did you mean " + " or ".join(f'"{other}"' for other in near) + "?"
    return _unknown_part(path, list(known))


def _below(name: str, names: Collection[str]) -> list[str]:
    return [other for other in names if other.startswith(f"{name}.")]


def _near(path: Sequence[str], names: list[str]) -> list[str]:
    """Return similar names: in the same table, or elsewhere with the same last part."""
    table = _below(path[0], names)
    inside = [known for known in table if path[-1] in known.rpartition(".")[2] or known.rpartition(".")[2] in path[-1]]
    return inside[:MOST_NEAR] or [known for known in names if known.rpartition(".")[2] == path[-1]][:MOST_NEAR]


def _unknown_part(path: Sequence[str], names: list[str]) -> str:
    """Return the first unknown part of a name, and the known ones in its place."""
    for length in range(1, len(path) + 1):
        before = ".".join(path[: length - 1])
        prefix = f"{before}." if before else ""
        known = list(dict.fromkeys(n[len(prefix) :].split(".")[0] for n in names if n.startswith(prefix)))
        if path[length - 1] not in known:
            where = f"{show(path[length - 1])} in {show(before)} is " if before else ""
            return where + unknown_key(path[length - 1], known)
    return unknown_key(".".join(path), names)


Checked = tuple[dict[str, Any], list[Problem]]


def checker_of(parameters: Sequence[Parameter]) -> Callable[[Change], Checked]:
    """Return a function that checks changes of these parameters, for `GameSpec.check_change`."""
    return partial(_check, {parameter.name: parameter for parameter in parameters})


def _check(known: dict[str, Parameter], change: Change) -> Checked:
    """Return the parameters that differ from their defaults, and what is wrong; if anything is, nothing differs."""
    values = {name: parameter.value for name, parameter in known.items()}
    problems = []
    for path, value in leaves(change):
        parameter, index = find(path, known)
        if parameter is None:
            problems.append(Problem(path, unknown_key(".".join(path), list(known))))
        elif not (_fits(parameter, value) if index is None else _entry_fits(parameter, value)):
            problems.append(Problem(path, not_allowed(value, f"must be {_rule(parameter, index)}")))
        elif index is None:
            values[parameter.name] = list(value) if parameter.places else value
        else:
            before = values[parameter.name]
            values[parameter.name] = [*before[:index], value, *before[index + 1 :]]
    changed = {name: value for name, value in values.items() if value != known[name].value}
    return ({}, problems) if problems else (changed, [])


def _rule(parameter: Parameter, index: int | None) -> str:
    """Return in words what a parameter must be, or the entry of it with an index."""
    is_list = index is None and parameter.places
    if not is_list and parameter.low is not None and parameter.high is not None:
        return f"a whole number from {parameter.low} to {parameter.high}"
    return parameter.allowed if index is None else allowed_words(replace(parameter, places=()))


def _fits(parameter: Parameter, value: Any) -> bool:
    if not parameter.places:
        return _entry_fits(parameter, value)
    is_list = isinstance(value, list | tuple) and len(value) == len(parameter.places)
    return is_list and all(_entry_fits(parameter, entry) for entry in value)


def _entry_fits(parameter: Parameter, value: Any) -> bool:
    if parameter.words:
        return type(value) is str and value in parameter.words
    if parameter.low is not None and parameter.high is not None:
        return type(value) is int and parameter.low <= value <= parameter.high
    return type(value) is bool
