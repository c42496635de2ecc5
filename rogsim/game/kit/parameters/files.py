"""Component files: the folder of a game's own, and a file in which an owner of the game corrects its components."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rogsim.base.files import is_by_system
from rogsim.base.validation import Problem, not_allowed, read_toml, show, unknown_key
from rogsim.game.kit.parameters.models import ComponentsError, ComponentSet, describe_path
from rogsim.game.kit.parameters.names import (
    MARKS,
    ROW_KEYS,
    Marks,
    marks_in,
    name_of,
    nearest_mark,
    row_names,
    why_unknown,
    without_marks,
    wrong_marks,
)
from rogsim.game.parameters import Parameter

Files = Mapping[str, Sequence[str]]  # every component file with the top-level keys that it holds
C = TypeVar("C", bound=ComponentSet)


def read_components(model: type[C], files: Files, folder: Path) -> tuple[C, Marks]:
    """Read and check the component files of a folder.

    Returns
    -------
    components
        Without marks.
    marks
        What the files say about the sources of the values.

    Raises
    ------
    ComponentsError
        With one line for each problem; if a file cannot be read, problems of the others are not listed.
    """
    tables, problems = _read_folder(files, folder)
    if problems:
        raise ComponentsError(problems)
    data: dict[str, Any] = {}
    for file, table in tables.items():
        for path, found, allowed in wrong_marks(table):
            problems.append(f"{file}: {describe_path(path, table)}: found {show(found)}, allowed: {allowed}")
        for key, value in table.items():
            if key in files[file]:
                data[key] = value
            else:
                problems.append(f"{file}: {describe_path((key,), table)}: {unknown_key(key, files[file])}")
    file_of = {key: file for file, keys in files.items() for key in keys}
    try:
        components = model.from_dict(without_marks(data), file_of)
    except ComponentsError as error:
        raise ComponentsError([*problems, *error.problems]) from None
    if problems:
        raise ComponentsError(problems)
    return components, dict(marks_in(data))


def _read_folder(files: Files, folder: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the tables of the component files that can be read, and the problems of the others."""
    if not folder.is_dir():
        return {}, [f"{folder}: no such folder, allowed: a folder with {', '.join(files)}"]
    tables: dict[str, dict[str, Any]] = {}
    problems = [
        f"{path.name}: unknown file, allowed: {', '.join(files)}"
        for path in sorted(folder.glob("*.toml"))
        if path.name not in files and not is_by_system(path)
    ]
    for name in files:
        try:
            tables[name] = _read_file(folder / name)
        except ComponentsError as error:
            problems.extend(error.problems)
    return tables, problems


def _read_file(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; ComponentsError names the line that is broken."""
    try:
        text = path.read_bytes().decode("utf-8")
        return read_toml(text)
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = f"line {line}: not UTF-8 text"
    except tomllib.TOMLDecodeError as error:
        what, line = _broken_line(str(error), text)
        problem = f"line {line}: not valid TOML: {what}"
    except ValueError as error:
        problem = f"not valid TOML: {error}"
    raise ComponentsError([f"{path.name}: {problem}"])


def _broken_line(message: str, text: str) -> tuple[str, int]:
    """Split tomllib's message into the problem and its line."""
    match = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column \d+|end of document)\)", message)
    if match is None:
        return message, 1
    return match[1], int(match[2]) if match[2] else text.count("\n") + 1


KeyPath = tuple[str, ...]

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


def _values_in(value: Any, path: KeyPath, known: Mapping[str, Parameter]) -> Iterator[tuple[KeyPath, Any]]:
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


def _nameless_rows(value: Any, path: KeyPath) -> Iterator[KeyPath]:
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
