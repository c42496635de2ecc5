"""What is wrong with an input, in plain words: one line for each of pydantic's errors, or for a wrong format."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

LONGEST_VALUE = 60  # characters shown of a wrong value
LONGEST_LIST = 40  # names; of a longer list only both ends are shown
SHOWN_ENDS = 6  # names at each end
MOST_PROBLEMS = 100  # that are listed of one input
DEEPEST = 50  # tables and lists inside each other
KEY = r"""(?>[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
TOO_DEEP = re.compile(rf"(?<![A-Za-z0-9_-])(?:{KEY}[ \t]*\.[ \t]*){{{DEEPEST}}}")  # a key with so many dots

RULES = {
    "greater_than_equal": "must be {ge:,} or more",
    "greater_than": "must be more than {gt:,}",
    "less_than_equal": "must be {le:,} or less",
    "less_than": "must be less than {lt:,}",
    "finite_number": "must be a finite number",
    "too_short": "must have {min_length} or more entries",
    "too_long": "must have {max_length} entries or fewer",
    "string_too_short": "must have {min_length} or more characters",
    "string_pattern_mismatch": "must match {pattern}",
}
KINDS = {
    "int": "must be a whole number",
    "float": "must be a number",
    "string": "must be text in quotes",
    "bool": "must be true or false",
    "list": "must be a list",
    "tuple": "must be a list",
    "set": "must be a list",
    "frozenset": "must be a list",
    "dict": "must be a table",
    "model": "must be a table",
}


@dataclass(frozen=True)
class Problem:
    """One problem: its key (names from the outside in), and what is wrong."""

    key: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """Return the key as it can be printed, its names joined by dots."""
        return key_text(self.key)

    def under(self, *names: str) -> Problem:
        """Return the problem with names around its key."""
        return Problem((*names, *self.key), self.text)

    def inside(self) -> Problem:
        """Return the problem without the outermost name of its key."""
        return Problem(self.key[1:], self.text)


def explain(fault: ValidationError, data: Any, model: type[BaseModel]) -> list[Problem]:
    """Return what pydantic found wrong with `data`: one problem for each wrong value or key, up to a limit."""
    findings: dict[tuple[Any, ...], list[Any]] = {}
    for finding in fault.errors(include_url=False):
        absent = finding["type"] == "missing"
        findings.setdefault(_path_in_data(finding["loc"], data, absent), []).append(finding)
    unknown = [str(path[-1]) for path, found in findings.items() if found[0]["type"] == "extra_forbidden"]
    above = {path[:end] for path in findings for end in range(len(path))}
    informative = [
        (path, found)
        for path, found in findings.items()
        # Alternatives fail at different depths: only the one that got furthest is informative.
        if path not in above
        # A misspelt key is not missing as well.
        and not (found[0]["type"] == "missing" and difflib.get_close_matches(str(path[-1]), unknown[:MOST_PROBLEMS]))
    ]
    return [_problem(path, found, model) for path, found in informative[:MOST_PROBLEMS]] + unlisted(informative)


def unlisted(problems: Sequence[Any], most: int = MOST_PROBLEMS) -> list[Problem]:
    """Return a problem that counts those beyond the limit; none if all are listed."""
    more = len(problems) - most
    return [Problem((), f"{more:,} more problem{'s are' if more > 1 else ' is'} not listed")] if more > 0 else []


def key_text(key: Sequence[str]) -> str:
    """Return a key as it can be printed, its names joined by dots."""
    return ".".join(shown_key(key))


def shown_key(key: Sequence[str]) -> tuple[str, ...]:
    """Return a key as it can be printed: each name on one line, and not too long."""
    return tuple(_shortened_name(name) for name in key)


def _shortened_name(name: str) -> str:
    text = _in_one_line(name)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def not_allowed(value: Any, rule: str) -> str:
    """Return the sentence for a value that breaks a rule."""
    return f"{show(value)} is not allowed: {rule}"


def unknown_key(name: str, known: Sequence[str]) -> str:
    """Return the sentence for a key that does not exist: the keys that resemble it, or all keys."""
    near = difflib.get_close_matches(name, known, n=3)
    if near:
        return "unknown, did you mean " + " or ".join(f'"{other}"' for other in near) + "?"
    return f"unknown: choose from {', '.join(_shortened(known))}" if known else "unknown: this table has no keys"


def _shortened(names: Sequence[str]) -> list[str]:
    if len(names) <= LONGEST_LIST:
        return list(names)
    return [*names[:SHOWN_ENDS], f"… ({len(names)} in all)", *names[-SHOWN_ENDS:]]


def show(value: Any) -> str:
    """Return a value as it would be written in the file, shortened."""
    try:
        text = _written(value)
    except (ValueError, RecursionError):  # numbers of thousands of digits, or deeply nested tables
        text = "something too large to show"
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def read_toml(text: str) -> dict[str, Any]:
    """Read TOML; ValueError says in one line what is wrong, even where Python's own parser gives up."""
    if TOO_DEEP.search(text):  # before parsing, which takes a time that grows with the square of the depth
        raise ValueError("nested too deeply")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        # Python writes the name of a table as a tuple.
        text = re.sub(r"\('(.*)',?\)", r'"\1"', str(fault)).replace("', '", ".")
        raise tomllib.TOMLDecodeError(text) from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if is_too_deep(data):
        raise ValueError("nested too deeply")
    return data


def is_too_deep(data: Any) -> bool:
    """Return whether more than DEEPEST tables and lists are inside each other, or one is inside itself."""
    inside = {id(data): data}
    for _ in range(DEEPEST + 1):
        tables = [item.values() if isinstance(item, Mapping) else item for item in inside.values()]
        inside = {id(part): part for table in tables for part in table if isinstance(part, Mapping | list | tuple)}
        if not inside:
            return False
    return True


def _written(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)  # TOML writes nan and inf as Python does
    except (TypeError, ValueError):
        text = str(value)
    return _in_one_line(text)


def _in_one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


def _path_in_data(location: Sequence[int | str], data: Any, absent: bool) -> tuple[Any, ...]:
    """Return the part of an error's location that is in the data; pydantic adds the names of alternatives.

    absent: whether the last step is a key that is missing in the data.
    """
    path: list[Any] = []
    for position, step in enumerate(location):
        is_missing = absent and position == len(location) - 1
        if isinstance(data, Mapping) and (step in data or is_missing):
            path.append(step)
            data = data.get(step)
        elif isinstance(data, list | tuple) and isinstance(step, int) and step < len(data):
            path.append(step)
            data = data[step]
    return tuple(path)


def _problem(path: tuple[Any, ...], found: Sequence[Any], model: type[BaseModel]) -> Problem:
    key = tuple(step for step in path if isinstance(step, str))
    shown = shown_key(key)
    messages = [finding for finding in found if finding["type"] in ("value_error", "assertion_error")]
    if messages:
        return Problem(shown, str(messages[0]["ctx"]["error"]))
    first = found[0]
    if first["type"] == "missing":
        return Problem(shown, "is missing")
    if first["type"] == "extra_forbidden":
        return Problem(shown, unknown_key(key[-1], _keys_at(model, key[:-1])))
    rules = dict.fromkeys(rule_of(finding) for finding in found)
    return Problem(shown, not_allowed(first["input"], ", or ".join(rules)))


def rule_of(finding: Any) -> str:
    """Return the rule that a value breaks, by one of pydantic's errors."""
    kind, context = finding["type"], finding.get("ctx", {})
    if kind in RULES:
        return RULES[kind].format(**context)
    if kind in ("literal_error", "enum"):
        return "choose from " + context["expected"].replace("'", "").replace(" or ", ", ")
    words = KINDS.get(kind.split("_")[0])
    return words or finding["msg"][:1].lower() + finding["msg"][1:]


def _keys_at(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    """Return the keys that a model knows in the table at `path`."""
    for step in path:
        given = model.model_fields[step].annotation if step in model.model_fields else None
        inner = [kind for kind in (given, *get_args(given)) if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not inner:
            return []
        model = inner[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def format_fault(data: Any, form: str, remedy: str) -> str:
    """Return why data from a file cannot be read; empty if it is in the present format.

    Parameters
    ----------
    form
        The present format, such as `rogsim-results/2`.
    remedy
        What to do about a file that another version of rogsim wrote, such as "play it again".
    """
    found = data.get("format") if isinstance(data, dict) else None
    if found == form:
        return ""
    kind, _, number = form.rpartition("/")
    kind_found, _, number_found = found.rpartition("/") if isinstance(found, str) else ("", "", "")
    if kind_found == kind and number_found.isdecimal():
        age = "an earlier" if int(number_found[:9]) < int(number) else "a later"
        return f"was written by {age} version of rogsim; {remedy}"
    return f"is not in the format {show(form)}"
