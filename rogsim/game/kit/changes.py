"""Changes of parameters: which there are of a name, whether values are allowed, and what else the change breaks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rogsim.base.validation import MOST_PROBLEMS, Problem, not_allowed, show, unknown_key, unlisted
from rogsim.game.parameters import Change, Parameter, leaves, near_names

MARKS = SOURCED, RECONSTRUCTED = "sourced", "reconstructed"  # keys of component files that say where values come from
MOST_OTHERS = 3  # values that were not changed and no longer fit: one change of a limit can break dozens alike

Checked = tuple[dict[str, Any], list[Problem]]


def faults(fact: Parameter, value: Any, entries: bool = True) -> Iterator[Problem]:
    """Yield what is wrong with a value of a parameter: of a list its length, or each wrong entry."""
    path = tuple(fact.name.split("."))
    if not fact.places:
        if not _fits(fact, value):
            yield Problem(path, not_allowed(value, f"must be {fact.each}"))
    elif not isinstance(value, list | tuple) or not fact.least <= len(value) <= len(fact.places):
        yield Problem(path, not_allowed(value, f"must be {fact.allowed if entries else fact.length}"))
    elif entries:
        for place, entry in zip(fact.places, value, strict=False):
            if not _fits(fact, entry):
                yield Problem((*path, place), not_allowed(entry, f"must be {fact.each}"))


def _fits(fact: Parameter, value: Any) -> bool:
    if fact.words:
        return type(value) is str and value in fact.words
    if fact.low is not None and fact.high is not None:
        return type(value) is int and fact.low <= value <= fact.high
    return type(value) is bool


def checker_of(parameters: Sequence[Parameter]) -> Callable[[Change], Checked]:
    """Return a function that checks changes of these parameters, for `GameSpec.check_change`."""
    return partial(check, {parameter.name: parameter for parameter in parameters}, frozenset())


def check(known: Mapping[str, Parameter], fixed: Collection[str], change: Change) -> Checked:
    """Check changes by name, nested as in TOML, each by itself.

    Parameters
    ----------
    known
        All parameters by name.
    fixed
        The names of values that cannot be changed.
    change
        The changes.

    Returns
    -------
    changed
        The parameters that differ from their printed values: name and new value, in the order of `known`.
    problems
        What is wrong; if anything is, `changed` is empty.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for path, value in leaves(change):
        name, index = _find(path, known)
        if name and index is None:
            values[name] = list(value) if isinstance(value, list | tuple) else value  # a copy: its entries may change
        elif name:
            now = values.setdefault(name, list(known[name].value))
            if isinstance(now, list) and index < len(now):
                now[index] = value
            else:
                problems.append(Problem(path, f"is not in the list, which is now {show(now)}"))
        else:  # looking for similar names takes long
            listed = len(problems) < MOST_PROBLEMS
            problems.append(Problem(path, why_unknown(path, known, fixed) if listed else "unknown"))
    problems += [problem for name, value in values.items() for problem in faults(known[name], value)]
    if problems:
        return {}, problems[:MOST_PROBLEMS] + unlisted(problems)
    return {name: values[name] for name in known if name in values and values[name] != known[name].value}, []


def _find(path: tuple[str, ...], known: Mapping[str, Parameter]) -> tuple[str, Any]:
    """Return the parameter of a name that is split at the dots, and the index if it names an entry of a list."""
    name, whole = ".".join(path), ".".join(path[:-1])
    if name in known:
        return name, None
    if whole in known and path[-1] in known[whole].places:
        return whole, known[whole].places.index(path[-1])
    return "", None


def conflicts(problems: Sequence[Problem], changed: Collection[str]) -> list[Problem]:
    """Return the problems of values that were changed, and those of the first few others that no longer fit."""
    asked = [problem for problem in problems if _is_among(".".join(problem.key), changed)]
    others = [problem for problem in problems if problem not in asked]
    shown = [Problem(problem.key, f"{problem.text}, with these changes") for problem in others[:MOST_OTHERS]]
    return asked + shown + unlisted(others, MOST_OTHERS)


def _is_among(name: str, changed: Collection[str]) -> bool:
    """Return whether a parameter, a part of it, or what it is part of was changed."""
    return any(name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.") for key in changed)


def why_unknown(path: Sequence[str], known: Mapping[str, Parameter], fixed: Collection[str] = ()) -> str:
    """Return why there is no parameter of a name that is split at the dots, and similar names."""
    name, whole, row = ".".join(path), ".".join(path[:-1]), ".".join(path[:2])
    if path[-1] in MARKS and _below(whole, known):
        return "is not a parameter: it says whether values have a source"
    if inside := _below(name, known):
        return f"is a table: change a parameter in it, such as {inside[0]}"
    if name in fixed or _below(name, fixed):
        return "cannot be changed: the rules depend on it"
    if whole in known:
        places = known[whole].places
        return unknown_key(path[-1], places) if places else f"is part of {whole}, which is a single parameter"
    if len(path) > 2 and _below(row, fixed) and not _below(row, known):
        return f"unknown: {row} has no parameter that can be changed"
    if near := [other for other in near_names(list(known.values()), name) if other != name]:
        return "unknown, did you mean " + " or ".join(f'"{other}"' for other in near) + "?"
    for length, part in enumerate(path):
        above = ".".join((*path[:length], ""))
        there = list(dict.fromkeys(other[len(above) :].split(".")[0] for other in known if other.startswith(above)))
        if part not in there:
            return (f'{show(part)} in "{above[:-1]}" is ' if above else "") + unknown_key(part, there)
    return unknown_key(name, list(known))


def _below(name: str, names: Collection[str]) -> list[str]:
    return [other for other in names if other.startswith(f"{name}.")]
