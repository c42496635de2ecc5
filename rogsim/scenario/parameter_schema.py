"""The schema of a game's parameters: nested as in TOML, with repeated parts defined once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from rogsim.game.parameters import Parameter

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
