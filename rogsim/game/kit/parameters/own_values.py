"""A file in which the owner of a game gives components that the game has wrong, in the layout of its own files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rogsim.base.validation import Problem, not_allowed, show
from rogsim.game.kit.parameters.marks import MARKS, Marks, marks_in, nearest_mark, wrong_marks
from rogsim.game.kit.parameters.naming import ROW_KEYS, name_of, row_names
from rogsim.game.kit.parameters.unknown_names import why_unknown
from rogsim.game.parameters import Parameter

Path = tuple[str, ...]

NAMELESS = f"must have {' or '.join(ROW_KEYS)}, which names the row"


@dataclass(frozen=True)
class OwnValues:
    """What such a file says.

    Attributes
    ----------
    values
        Values by name, not yet checked.
    sourced
        The parameters that have a source in it: all whose values it gives, unless marked otherwise, and all in tables
        and rows that it marks.
    problems
        What is wrong with names, marks and values that cannot be changed.
    """

    values: Mapping[str, Any]
    sourced: tuple[str, ...]
    problems: tuple[Problem, ...]


def own_values(data: Mapping[str, Any], parameters: Sequence[Parameter], printed: Mapping[str, Any]) -> OwnValues:
    """Read the tables of such a file.

    Parameters
    ----------
    data
        The tables.
    parameters
        All parameters of the game.
    printed
        The game's components, in the same layout.
    """
    known = {parameter.name: parameter for parameter in parameters}
    fixed = {".".join(path): value for path, value in _values_in(printed, (), known) if ".".join(path) not in known}
    given: dict[str, Any] = {}
    problems = [
        Problem(name_of(path, data, known), not_allowed(found, f"must be {allowed}"))
        for path, found, allowed in wrong_marks(data)
    ]
    problems += [Problem(path, NAMELESS) for path in _nameless_rows(data, ())]
    for path, value in _values_in(data, (), known):
        name = ".".join(path)
        if name in given:
            problems.append(Problem(path, "is given twice"))
        if name in fixed and value != fixed[name]:
            problems.append(Problem(path, not_allowed(value, f"must be {show(fixed[name])}: the rules depend on it")))
        elif name not in fixed:
            given[name] = value
    if problems:
        return OwnValues(given, (), tuple(problems))
    marks = dict(marks_in(data))
    unknown = [name for name in marks if name and not _any_below(name, {**known, **fixed, **given})]
    lost = tuple(Problem(path := tuple(name.split(".")), why_unknown(path, known, fixed)) for name in unknown)
    return OwnValues(given, tuple(_sourced(given, known, marks)), lost)


def _sourced(given: Mapping[str, Any], known: Mapping[str, Parameter], marks: Marks) -> Iterator[str]:
    """Yield the parameters that have a source in the file."""
    inner = {name: why for name, why in marks.items() if name}  # a mark of the file as a whole is about what it gives
    for name in known:
        why = (nearest_mark(name, marks) or "") if name in given else nearest_mark(name, inner)
        if why == "":
            yield name


def _values_in(value: Any, path: Path, known: Mapping[str, Parameter]) -> Iterator[tuple[Path, Any]]:
    """Yield the values in tables and rows with their names: parameters, and anything else that is no table."""
    if ".".join(path) in known:
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in MARKS:
                yield from _values_in(inner, (*path, str(key)), known)
    elif _is_list_of(value, Mapping):
        for row in value:
            named_by = next((key for key in ROW_KEYS if key in row), "") if isinstance(row, Mapping) else ""
            for name in row_names(row):
                yield from _values_in({key: row[key] for key in row if key != named_by}, (*path, name), known)
    elif _is_list_of(value, list):
        for place, inner in enumerate(value, 1):
            yield from _values_in(inner, (*path, str(place)), known)
    else:
        yield path, value


def _nameless_rows(value: Any, path: Path) -> Iterator[Path]:
    """Yield the place of each row that has no name."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _nameless_rows(inner, (*path, str(key)))
    elif _is_list_of(value, Mapping):
        for place, row in enumerate(value, 1):
            names = row_names(row)
            yield from _nameless_rows(row, (*path, names[0])) if names else [(*path, str(place))]


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and any(isinstance(inner, kind) for inner in value)


def _any_below(name: str, names: Mapping[str, Any]) -> bool:
    return any(other == name or other.startswith(f"{name}.") for other in names)
