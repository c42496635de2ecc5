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


def change_schema(facts: Sequence[Parameter]) -> tuple[Schema, Schema]:
    """Return the schema of a [change] table and the definitions that it refers to, by name."""
    tree: Schema = {"type": "object", "properties": {}, **DOTTED}
    for fact in facts:
        *way, last = fact.name.split(".")
        branch = tree
        for step in way:
            branch = branch["properties"].setdefault(step, {"type": "object", "properties": {}, **DOTTED})
        branch["properties"][last] = figure_schema(fact)
    shared = _Shared(tree)
    return shared.referring(tree, ()), shared.definitions


def figure_schema(fact: Parameter) -> Schema:
    """Return the schema of one parameter; a list may also be given entry by entry."""
    schema = _single(fact)
    described = {"description": fact.meaning} if fact.meaning else {}
    if not fact.places:
        return {**schema, **described, "default": fact.value}
    return {
        "type": ["array", "object"],
        "items": schema,
        "minItems": 1,
        "maxItems": len(fact.places),
        "properties": dict.fromkeys(fact.places, schema),
        "additionalProperties": False,
        **described,
        "default": fact.value,
    }


def _single(fact: Parameter) -> Schema:
    """Return the schema of a single value of a parameter."""
    if fact.words:
        return {"enum": list(fact.words)}
    if isinstance(fact.value, bool):
        return {"type": "boolean"}
    if fact.low is not None or fact.high is not None:
        ends = {"minimum": fact.low, "maximum": fact.high}
        return {"type": "integer", **{key: end for key, end in ends.items() if end is not None}}
    return {}


class _Shared:
    """Gives repeated parts of a schema a definition, named after the place of their first occurrence."""

    def __init__(self, tree: Schema) -> None:
        self.definitions: Schema = {}
        self._names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._count(tree)

    def referring(self, part: Schema, way: tuple[str, ...]) -> Schema:
        """Return a part in which references replace whatever is repeated."""
        inner = {key: self._reference(value, (*way, key)) for key, value in part.get("properties", {}).items()}
        return {**part, "properties": inner} if inner else part

    def _count(self, part: Schema) -> None:
        for inner in part.get("properties", {}).values():
            text = _text(inner)
            self._counts[text] += 1
            if self._counts[text] == 1:
                self._count(inner)

    def _reference(self, part: Schema, way: tuple[str, ...]) -> Schema:
        text = _text(part)
        if self._counts[text] < 2:
            return self.referring(part, way)
        if text not in self._names:
            self._names[text] = name = self._name(way)
            self.definitions[name] = {}  # reserves the name
            self.definitions[name] = self.referring(part, way)
        return {"$ref": f"#/$defs/{self._names[text]}"}

    def _name(self, way: tuple[str, ...]) -> str:
        name = ".".join((way[0], *way[-2:]) if len(way) > 3 else way)
        taken = [known for known in self.definitions if known == name or known.startswith(f"{name}-")]
        return f"{name}-{len(taken) + 1}" if taken else name


def _text(part: Schema) -> str:
    return json.dumps(part, sort_keys=True)
