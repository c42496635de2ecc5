"""Reading and checking the components of River of Gold from the TOML files in `data`.

`load_facts` reads a folder of component files; `Facts.to_dict` and `Facts.from_dict` convert the components to a dict
and back, so that a scenario can change their parameters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError, model_validator

from rogsim.base.validation import unknown_key
from rogsim.games.river_of_gold.components.checks import all_problems
from rogsim.games.river_of_gold.components.errors import FactsError, describe_path, explain
from rogsim.games.river_of_gold.components.models import Sections

__all__ = ["FILES", "Facts", "FactsError", "load_facts", "printed_facts"]

DATA_FOLDER = Path(__file__).parent / "data"

# Every component file with the top-level keys that it holds.
FILES = {
    "setup.toml": ("limits", "setup", "exchange", "track", "scoring", "mastery_points", "rulings", "region_tiles"),
    "board.toml": ("shore", "regions", "river"),
    "tiles.toml": ("tile",),
    "customers.toml": ("delivery", "customer"),
    "masteries.toml": ("mastery",),
    "patrons.toml": ("patron",),
}
FILE_OF = {section: file for file, sections in FILES.items() for section in sections}


class Facts(Sections):
    """All components, each value within its range and in agreement with the others."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        problems = all_problems(self)
        if problems:
            raise ValidationError.from_exception_data("Facts", problems)
        return self

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: str | Mapping[str, str] = "components") -> Facts:
        """Build the components from a dict in the layout of the TOML files.

        Parameters
        ----------
        data
            The dict.
        source
            The name that error messages begin with, or one for each top-level key.

        Raises
        ------
        FactsError
            With one line for each problem.
        """
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise FactsError(explain(error, cls, data, source)) from None


def load_facts(folder: Path | None = None) -> Facts:
    """Read and check the component files of a folder, by default the printed components.

    Raises
    ------
    FactsError
        With one line for each problem; if a file cannot be read, problems of the others are not listed.
    """
    folder = DATA_FOLDER if folder is None else folder
    tables, problems = _read_folder(folder)
    if problems:
        raise FactsError(problems)
    data: dict[str, Any] = {}
    for file, table in tables.items():
        for key, value in table.items():
            if key in FILES[file]:
                data[key] = value
            else:
                problems.append(f"{file}: {describe_path((key,), table)}: {unknown_key(key, FILES[file])}")
    try:
        facts = Facts.from_dict(data, FILE_OF)
    except FactsError as error:
        raise FactsError([*problems, *error.problems]) from None
    if problems:
        raise FactsError(problems)
    return facts


@cache
def printed_facts() -> dict[str, Any]:
    """Return the printed components in the layout of the TOML files: a shared dict that must not be changed."""
    return load_facts().to_dict()


def _read_folder(folder: Path) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the tables of the component files that can be read, and the problems of the others."""
    if not folder.is_dir():
        return {}, [f"{folder}: no such folder, allowed: a folder with {', '.join(FILES)}"]
    tables: dict[str, dict[str, Any]] = {}
    problems = [
        f"{path.name}: unknown file, allowed: {', '.join(FILES)}"
        for path in sorted(folder.glob("*.toml"))
        if path.name not in FILES
    ]
    for name in FILES:
        try:
            tables[name] = _read_file(folder / name)
        except FactsError as error:
            problems.extend(error.problems)
    return tables, problems


def _read_file(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file; FactsError names the line that is broken."""
    try:
        text = path.read_bytes().decode("utf-8")
        return tomllib.loads(text)
    except OSError as error:
        raise FactsError([f"{path.name}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FactsError([f"{path.name}: line {line}: not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        what, line = _broken_line(str(error), text)
        raise FactsError([f"{path.name}: line {line}: not valid TOML: {what}"]) from None


def _broken_line(message: str, text: str) -> tuple[str, int]:
    """Split tomllib's message into the problem and its line."""
    match = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column \d+|end of document)\)", message)
    if match is None:
        return message, 1
    return match[1], int(match[2]) if match[2] else text.count("\n") + 1
