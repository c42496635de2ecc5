"""The numbers of a game, its own and those of its components, which a scenario may change; and its options."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field as Option
from pydantic import create_model

from rogsim.game.compiler import records
from rogsim.game.kit.kinds import (
    FIXED,
    At,
    Count,
    DeclarationError,
    Field,
    Flag,
    Found,
    Listed,
    Number,
    OneOf,
    Rows,
    Seats,
    Text,
    fields_of,
)
from rogsim.game.kit.setup import StrictOptions
from rogsim.game.parameters import Parameter
from rogsim.game.plain.fields import Cards, record_of

MOST_COPIES = 1_000  # of a component

Values = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Components(Cards):
    """The components of one kind, from a TOML file: as cards, and as a table of numbers."""

    of: type
    rows: tuple[Mapping[str, Any], ...]


def components(noun: str, of: type, file: str) -> Components:
    """Read components from a TOML file beside the module that calls this.

    The file has a list of tables of this name. Each has a different `id`, all numbers that the class declares, and
    `copies` if there are several.

    Parameters
    ----------
    noun
        The word for one of them, and the first part of the names of their parameters.
    of
        A class that declares the numbers of one of them.
    file
        The name of the file.

    Raises
    ------
    DeclarationError
        If something in the file is missing, unknown, or out of range.
    """
    path = Path(sys._getframe(1).f_globals["__file__"]).parent / file
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get(noun, [])
    except (OSError, ValueError) as fault:
        raise DeclarationError(f"{path.name}: {fault}") from fault
    if not listed:
        raise DeclarationError(f"{path.name}: there is no table [[{noun}]]")
    keys = {"__annotations__": {"id": Text, "copies": Count(0, MOST_COPIES)}, "id": FIXED}
    row = type(of.__name__, (of,), {**keys, "copies": Number(1, fixed=True)})
    Rows(row).read(listed, At(found := Found(), noun))
    for problem in found.problems:
        raise DeclarationError(f"{path.name}: {problem.name}: {problem.text}")
    names, copies = tuple(one["id"] for one in listed), tuple(one.get("copies", 1) for one in listed)
    return Components(noun, names, copies, row, tuple(listed))


class Table(Rows):
    """The numbers of components: `card: Table[CARDS]`, so that `numbers.card[3].cost` is that of the fourth card."""

    def __init__(self, of: Components) -> None:
        super().__init__(of.of)
        self.names, self.printed = of.names, of.rows
        self.numbers = [field for field in self.fields if field.name not in ("id", "copies")]

    @property
    def format(self) -> Any:
        """Return a record for each of them."""
        return record_of(self.numbers), (len(self.names),)


@dataclass(frozen=True)
class Numbers:
    """All numbers and options of a game.

    Attributes
    ----------
    fields
        Those of the class `Numbers` of the game.
    options
        Those of its class `Options`.
    """

    fields: tuple[Field, ...]
    options: tuple[Field, ...]

    @classmethod
    def of(cls, declared: Any, options: Any, most_seats: int) -> Numbers:
        """Return those that the classes of a game declare, a number of each seat as a list for the most seats."""
        return cls(tuple(_for_seats(field, most_seats) for field in fields_of(declared)), tuple(fields_of(options)))

    @property
    def record(self) -> np.dtype[Any]:
        """Return the dtype of what the rules are given as `numbers`."""
        return record_of([*self.fields, *self.options], ("seats", "i8"))

    def parameters(self) -> tuple[Parameter, ...]:
        """Return every number that a scenario may change."""
        return tuple(self._parameters.values())

    @cached_property
    def _parameters(self) -> Mapping[str, Parameter]:
        found = Found()
        for field in self.fields:
            value = field.kind.printed if isinstance(field.kind, Table) else getattr(field.more, "value", None)
            if value is None:
                raise DeclarationError(f"Numbers.{field.name}: give its printed value: = number(3, 'what it does')")
            field.kind.read(value, At(found).inside(field.name, field.more))
        for problem in found.problems:
            raise DeclarationError(f"Numbers.{problem.name}: {problem.text}")
        return found.parameters

    def model(self) -> Any:
        """Return the model of the options of a scenario."""
        made: dict[str, Any] = {}
        for field in self.options:
            if not isinstance(field.more, Number):
                raise DeclarationError(f"Options.{field.name}: give its default: = number('dealt', 'what it does')")
            kind, default, meaning = field.kind, field.more.value, field.more.meaning
            if isinstance(kind, OneOf):
                made[field.name] = (Literal[kind.names], Option(default, description=meaning))
            elif isinstance(kind, Flag):
                made[field.name] = (bool, Option(default, description=meaning))
            else:
                made[field.name] = (int, Option(default, ge=kind.low, le=kind.high, description=meaning))
        return create_model("Options", __base__=StrictOptions, **made)

    def filled(self, options: Any, players: int, change: Mapping[str, Any]) -> tuple[Any, Values]:
        """Return the record of all numbers for a scenario and a player count, and the numbers in words."""
        found, facts = records(self.record, 1)[0], {}
        found.seats = players
        for name, parameter in self._parameters.items():
            facts[name] = change.get(name, parameter.value)
        for field in self.fields:
            if isinstance(field.kind, Table):
                for place, name in enumerate(field.kind.names):
                    for inner in field.kind.numbers:
                        value = facts[f"{field.name}.{name}.{inner.name}"]
                        found[field.name][place][inner.name] = inner.kind.stored(value)
            else:
                found[field.name] = field.kind.stored(facts[field.name])
        for field in self.options:
            found[field.name] = field.kind.stored(getattr(options, field.name))
        return found, _nested(facts)


def _for_seats(field: Field, seats: int) -> Field:
    """Return a field for each seat as a list, whose printed value may be that of every seat."""
    value = getattr(field.more, "value", None)
    if not isinstance(field.kind, Seats) or value is None:
        return field
    more = replace(field.more, value=value if isinstance(value, list | tuple) else [value] * seats)
    return Field(field.name, Listed(field.kind.each, seats), more)


def _nested(facts: Mapping[str, Any]) -> Values:
    """Return values by dotted names as nested tables."""
    found: Values = {}
    for name, value in facts.items():
        *above, last = name.split(".")
        table = found
        for word in above:
            table = table.setdefault(word, {})
        table[last] = value
    return found
