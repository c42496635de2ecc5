"""The JSON Schema of a game's scenario files (draft 2020-12), which editors use for checks and completion."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.files import MEGABYTE, is_plain_file, naming_path, read_text, write_whole
from rogsim.game.parameters import Parameter
from rogsim.game.registry import default_games
from rogsim.game.spec import GameSpec
from rogsim.game.topics import SEATS
from rogsim.scenario.axes import MOST_VALUES
from rogsim.scenario.model import TABLES, Scenario

Schema = dict[str, Any]
# A quoted name with dots, "setup.hand" = 3, is also accepted; its value is only checked by a run.
DOTTED = {"patternProperties": {r"\.": {}}, "additionalProperties": False}


def change_schema(parameters: Sequence[Parameter]) -> tuple[Schema, Schema]:
    """Return the schema of a [change] table and the definitions that it refers to, by name."""
    tree: Schema = {"type": "object", "properties": {}, **DOTTED}
    for parameter in parameters:
        *path, last = parameter.name.split(".")
        branch = tree
        for step in path:
            branch = branch["properties"].setdefault(step, {"type": "object", "properties": {}, **DOTTED})
        branch["properties"][last] = value_schema(parameter)
    shared = _Shared(tree)
    return shared.referring(tree, ()), shared.definitions


def value_schema(parameter: Parameter) -> Schema:
    """Return the schema of one parameter; a list may also be given entry by entry."""
    schema = _single(parameter)
    described = {"description": parameter.meaning} if parameter.meaning else {}
    if not parameter.places:
        return {**schema, **described, "default": parameter.value}
    return {
        "type": ["array", "object"],
        "items": schema,
        "minItems": 1,
        "maxItems": len(parameter.places),
        "properties": dict.fromkeys(parameter.places, schema),
        "additionalProperties": False,
        **described,
        "default": parameter.value,
    }


def _single(parameter: Parameter) -> Schema:
    """Return the schema of a single value of a parameter."""
    if parameter.words:
        return {"enum": list(parameter.words)}
    if isinstance(parameter.value, bool):
        return {"type": "boolean"}
    if parameter.low is not None or parameter.high is not None:
        ends = {"minimum": parameter.low, "maximum": parameter.high}
        return {"type": "integer", **{key: end for key, end in ends.items() if end is not None}}
    return {}


class _Shared:
    """Gives repeated parts of a schema a definition, named after the place of their first occurrence."""

    def __init__(self, tree: Schema) -> None:
        self.definitions: Schema = {}
        self._names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._count(tree)

    def referring(self, part: Schema, path: tuple[str, ...]) -> Schema:
        """Return a part in which references replace whatever is repeated."""
        inner = {key: self._reference(value, (*path, key)) for key, value in part.get("properties", {}).items()}
        return {**part, "properties": inner} if inner else part

    def _count(self, part: Schema) -> None:
        for inner in part.get("properties", {}).values():
            text = _text(inner)
            self._counts[text] += 1
            if self._counts[text] == 1:
                self._count(inner)

    def _reference(self, part: Schema, path: tuple[str, ...]) -> Schema:
        text = _text(part)
        if self._counts[text] < 2:
            return self.referring(part, path)
        if text not in self._names:
            self._names[text] = name = self._name(path)
            self.definitions[name] = {}  # reserves the name
            self.definitions[name] = self.referring(part, path)
        return {"$ref": f"#/$defs/{self._names[text]}"}

    def _name(self, path: tuple[str, ...]) -> str:
        name = ".".join((path[0], *path[-2:]) if len(path) > 3 else path)
        taken = [known for known in self.definitions if known == name or known.startswith(f"{name}-")]
        return f"{name}-{len(taken) + 1}" if taken else name


def _text(part: Schema) -> str:
    return json.dumps(part, sort_keys=True)


SCHEMA_FILE = "scenario.schema.json"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
MOST_BYTES = 16 * MEGABYTE  # of a schema
LINE = 118  # columns of a part that is written in one line
NAMED = ("properties", "$defs")  # parts of a schema that contain others by name


def scenario_schema(spec: GameSpec) -> Schema:
    """Return the schema of a game's scenarios, made from the models, the game's options and its parameters.

    It accepts everything that a run accepts. It does not refuse everything that a run refuses, such as bots that do not
    exist or parameters that contradict each other.
    """
    whole = _tidied(Scenario.model_json_schema())
    definitions: Schema = whole.pop("$defs")
    properties = whole["properties"]
    properties["game"] = {"description": properties["game"]["description"], "enum": [spec.id]}
    properties["players"]["items"] = {"type": "integer", "enum": list(spec.players)}
    properties["players"]["uniqueItems"] = True
    properties["bots"]["items"] = {"type": "string", "examples": [bot.name for bot in spec.bots]}
    tables = list(dict.fromkeys([*TABLES, *spec.seat_factors, *spec.game_factors]))
    properties["tables"]["items"] = {"type": "string", "enum": tables}
    properties["about"]["enum"] = [SEATS, *(topic.name for topic in spec.topics)]
    properties["until"] = _text_or_list(properties["until"])
    definitions["BalanceSearch"]["properties"]["goal"] = _text_or_list(
        definitions["BalanceSearch"]["properties"]["goal"], 1
    )
    options = _tidied(spec.options.model_json_schema())
    definitions |= options.pop("$defs", {})
    properties["options"] = options
    change, shared = change_schema(spec.facts())
    properties["change"] = {"description": properties["change"]["description"], **change}
    for part in ("Sweep", "BalanceSearch"):
        over = definitions[part]["properties"]["over"]
        definitions[part]["properties"]["over"] = {"$ref": "#/$defs/axes", "description": over["description"]}
    definitions |= _axes() | shared
    head = {"$schema": DRAFT, "title": f"Scenario of rogsim: {spec.title}"}
    return {**head, **whole, "properties": properties, "$defs": definitions}


def write_schema(path: Path, text: str) -> None:
    """Write a schema to a file; RogsimError if it exists and is not a schema, or cannot be written."""
    if path.exists() or path.is_symlink():
        try:
            older = read_text(path, MOST_BYTES) if is_plain_file(path) else "?"
        except (OSError, UnicodeDecodeError):
            older = "?"
        if older.strip() and '"$schema"' not in older:
            raise RogsimError(f"{path}: already exists and is not a schema; choose another name")
    with naming_path(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())


def schema_file(spec: GameSpec) -> str:
    """Return the name of the file with the schema of a game's scenarios, beside them."""
    return SCHEMA_FILE if spec.id in default_games() else f"{spec.id}.schema.json"


def schema_text(spec: GameSpec) -> str:
    """Return the schema as the text of a file: JSON, indented, with short parts in one line."""
    return _written(scenario_schema(spec), 0) + "\n"


def _written(value: Any, depth: int) -> str:
    """Return JSON in which everything that fits into one line is on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(short) + depth <= LINE:
        return short
    if isinstance(value, list):
        lines, (begin, end) = [_written(item, depth + 1) for item in value], "[]"
    else:
        lines, (begin, end) = [f"{json.dumps(key)}: {_written(item, depth + 1)}" for key, item in value.items()], "{}"
    space = " " * (depth + 1)
    return f"{begin}\n" + ",\n".join(f"{space}{line}" for line in lines) + f"\n{' ' * depth}{end}"


def _tidied(part: Any) -> Any:
    """Remove titles, which repeat the keys, and null from a schema: in TOML a key is left out instead."""
    if isinstance(part, list):
        return [_tidied(item) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if key != "title" and (key, value) != ("default", None)}
    tidy: Schema = {key: _tidied_inside(value) if key in NAMED else _tidied(value) for key, value in kept.items()}
    if "anyOf" in tidy:
        alternatives = [item for item in tidy.pop("anyOf") if item != {"type": "null"}]
        tidy |= alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
    return tidy


def _tidied_inside(named: Schema) -> Schema:
    """Tidy schemas by name: a name may well be "title"."""
    return {name: _tidied(inner) for name, inner in named.items()}


def _text_or_list(part: Schema, least: int = 0) -> Schema:
    """Return a schema that accepts a single text as a list of one."""
    many: Schema = {"type": "array", "items": {"type": "string"}, **({"minItems": least} if least else {})}
    return {"description": part["description"], "anyOf": [{"type": "string"}, many]}


def _axes() -> Schema:
    """Return the definitions of the axes of a sweep or a search."""
    number = {"type": "integer"}
    values = {
        "anyOf": [
            {"type": "array", "minItems": 1, "maxItems": MOST_VALUES},
            {
                "type": "object",
                "properties": {"from": number, "to": number, "step": {"type": "integer", "minimum": 1}},
                "required": ["from", "to"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"by": {"type": "array", "items": number, "minItems": 1}},
                "required": ["by"],
                "additionalProperties": False,
            },
            {"$ref": "#/$defs/axes"},
        ]
    }
    return {"axes": {"type": "object", "minProperties": 1, "additionalProperties": values}}
