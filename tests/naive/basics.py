"""What the slow rules of every game need: components from TOML files, and a strict comparison of JSON values."""

import marshal
import tomllib
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

PLAIN = 2  # the version of marshal in which equal values, in equal order, give equal bytes


class Mismatch(Exception):  # noqa: N818 - it says that two opinions differ, not which of them errs
    """A deviation from the rules: where it is, what they expect, what was found."""


def read_components(path: str | Path) -> Facts:
    """Read the components from one TOML file, or from all TOML files of a folder together."""
    path = Path(path)
    files = [path] if path.is_file() else sorted(path.glob("*.toml"))
    if not files:
        raise FileNotFoundError(f"no TOML file at {path}")
    facts: Facts = {}
    for file in files:
        _merge(facts, tomllib.loads(file.read_text(encoding="utf-8")), file.name)
    return facts


def _merge(into: Facts, more: Facts, name: str) -> None:
    for key, value in more.items():
        if key not in into:
            into[key] = value
        elif isinstance(value, dict) and isinstance(into[key], dict):
            _merge(into[key], value, f"{name}: {key}")
        elif isinstance(value, list) and all(isinstance(row, dict) for row in value + into[key]):
            into[key] = into[key] + value
        elif not isinstance(value, str):  # every file may have a note, but a number is in one file only
            raise ValueError(f"{name}: {key} is given twice")


def by_id(rows: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    return {row["id"]: row for row in rows}


def check_keys(found: dict[str, Any], keys: set[str], where: str) -> None:
    if set(found) != keys:
        raise Mismatch(f"{where}: expected keys {sorted(keys)}, found {sorted(found)}")


def compare(expected: Any, found: Any, where: str) -> None:
    """Raise Mismatch at the first difference of two JSON values; 1, 1.0 and true all differ."""
    if marshal.dumps(expected, PLAIN) != marshal.dumps(found, PLAIN):  # much faster than going through them
        _find_difference(expected, found, where)


def _find_difference(expected: Any, found: Any, where: str) -> None:
    if isinstance(expected, dict) and isinstance(found, dict):
        check_keys(found, set(expected), where)
        for key in expected:
            _find_difference(expected[key], found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            raise Mismatch(f"{where}: expected {expected}, found {found}")
        for index, (wanted, given) in enumerate(zip(expected, found, strict=True)):
            _find_difference(wanted, given, f"{where}[{index}]")
    elif type(expected) is not type(found) or expected != found:
        raise Mismatch(f"{where}: expected {expected!r}, found {found!r}")
