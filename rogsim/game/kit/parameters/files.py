"""Reading a game's components from a folder of TOML files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rogsim.base.files import is_by_system
from rogsim.base.validation import read_toml, show, unknown_key
from rogsim.game.kit.parameters.marks import Marks, marks_in, without_marks, wrong_marks
from rogsim.game.kit.parameters.models import ComponentSet
from rogsim.game.kit.parameters.problems import ComponentsError, describe_path

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
