"""The numbers of a game, its own and those of its components, which a scenario may change; and its options."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field as Option
from pydantic import create_model

from rogsim.base.validation import show
from rogsim.game.compiler import records
from rogsim.game.kit.setup import StrictOptions
from rogsim.game.parameters import Parameter, allowed_words
from rogsim.game.plain.fields import (
    Cards,
    Counts,
    DeclarationError,
    Field,
    Flag,
    Kind,
    Number,
    OneOf,
    Seats,
    fields_of,
    record_of,
    whole,
)

Values = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Components:
    """The components of one kind, from a TOML file: as cards, and as a table of numbers."""

    cards: Cards
    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Any], ...]
    file: Path

    @property
    def noun(self) -> str:
        """Return the word for one of them."""
        return self.cards.noun

    @property
    def names(self) -> tuple[str, ...]:
        """Return the id of each."""
        return self.cards.names

    @property
    def count(self) -> int:
        """Return how many different ones there are."""
        return len(self.cards.names)


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
    fields = tuple(fields_of(of))
    try:
        listed = tomllib.loads(path.read_text(encoding="utf-8")).get(noun, [])
    except (OSError, ValueError) as fault:
        raise DeclarationError(f"{path.name}: {fault}") from fault
    if not listed:
        raise DeclarationError(f"{path.name}: there is no table [[{noun}]]")
    for place, row in enumerate(listed):
        name = row.get("id")
        where = f"{path.name}: {noun} {place + 1 if name is None else show(name)}"
        if not isinstance(name, str) or name in (other.get("id") for other in listed[:place]):
            raise DeclarationError(f"{where}: needs an id of its own")
        unknown = sorted(row.keys() - {field.name for field in fields} - {"id", "copies"})
        if unknown:
            raise DeclarationError(f'{where}: unknown key "{unknown[0]}"')
        for field in fields:
            if field.name not in row:
                raise DeclarationError(f'{where}: key "{field.name}" is missing')
            check(f'{where}: key "{field.name}"', field.kind, row[field.name])
    names, copies = tuple(row["id"] for row in listed), tuple(row.get("copies", 1) for row in listed)
    return Components(Cards(noun, names, copies), fields, tuple(listed), path)


def check(where: str, kind: Any, value: Any) -> None:
    """Raise DeclarationError if a number does not fit its kind."""
    if isinstance(kind, Counts):
        inside = value if isinstance(value, Mapping) else dict(zip(kind.names, value, strict=False))
        right = set(inside) <= set(kind.names) and all(_fits(kind, number) for number in inside.values())
        rule = f"give a number from {kind.low} to {kind.high} for any of {', '.join(kind.names)}"
    elif isinstance(kind, OneOf):
        right, rule = value in kind.names, f"choose from {', '.join(kind.names)}"
    elif isinstance(kind, Flag):
        right, rule = isinstance(value, bool), "must be true or false"
    else:
        right, rule = _fits(kind, value), f"must be a whole number from {kind.low} to {kind.high}"
    if not right:
        raise DeclarationError(f"{where}: {show(value)} is not allowed: {rule}")


def _fits(kind: Any, value: Any) -> bool:
    low, high = kind.limits
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


class Table(Kind):
    """The numbers of components: `card: Table[CARDS]`, so that `numbers.card[3].cost` is that of the fourth card."""

    def __init__(self, of: Components) -> None:
        self.of, self.format = of, (record_of(of.fields), (of.count,))


@dataclass(frozen=True)
class Numbers:
    """All numbers and options of a game.

    Attributes
    ----------
    fields
        Those of the class `Numbers` of the game.
    options
        Those of its class `Options`.
    most_seats
        The most seats of a game.
    """

    fields: tuple[Field, ...]
    options: tuple[Field, ...]
    most_seats: int

    @property
    def record(self) -> np.dtype[Any]:
        """Return the dtype of what the rules are given as `numbers`."""
        formats: list[Any] = [("seats", "i8")]
        for field in (*self.fields, *self.options):
            kind = field.kind
            if isinstance(kind, Seats):
                formats.append((field.name, whole(kind.each.low, kind.each.high), (self.most_seats,)))
            else:
                form = kind.format
                formats.append((field.name, *form) if isinstance(form, tuple) else (field.name, form))
        return np.dtype(formats, align=True)

    def parameters(self) -> tuple[Parameter, ...]:
        """Return every number that a scenario may change."""
        found: list[Parameter] = []
        for field in self.fields:
            if isinstance(field.kind, Table):
                for row in field.kind.of.rows:
                    for inner in field.kind.of.fields:
                        more = inner.more or Number(None, inner.name.replace("_", " "))
                        name = f"{field.name}.{row['id']}.{inner.name}"
                        found.append(_parameter(name, inner.kind, replace(more, value=row[inner.name]), 1))
            elif not isinstance(field.more, Number):
                raise DeclarationError(f"Numbers.{field.name}: give its printed value: = number(3, 'what it does')")
            else:
                found.append(_parameter(field.name, field.kind, field.more, self.most_seats))
        return tuple(found)

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
        for parameter in self.parameters():
            value = change.get(parameter.name, parameter.value)
            facts[parameter.name] = value
        for field in self.fields:
            if isinstance(field.kind, Table):
                for place, name in enumerate(field.kind.of.names):
                    for inner in field.kind.of.fields:
                        value = facts[f"{field.name}.{name}.{inner.name}"]
                        found[field.name][place][inner.name] = _as_numbers(inner.kind, value)
            else:
                found[field.name] = _as_numbers(field.kind, facts[field.name])
        for field in self.options:
            found[field.name] = _as_numbers(field.kind, getattr(options, field.name))
        return found, _nested(facts)


def _parameter(name: str, kind: Any, more: Number, seats: int) -> Parameter:
    """Return a number as a parameter of scenarios."""
    given = more.value if isinstance(kind, Seats) and isinstance(more.value, list | tuple) else [more.value]
    for one in given:
        check(f"Numbers.{name}", kind.each if isinstance(kind, Seats) else kind, one)
    if isinstance(kind, Seats):
        value = more.value if isinstance(more.value, list | tuple) else [more.value] * seats
        places = tuple(str(seat + 1) for seat in range(seats))
        return _list(name, [*value], kind.each, places, more)
    if isinstance(kind, Counts):
        given = more.value
        value = [given.get(one, 0) for one in kind.names] if isinstance(given, Mapping) else [*given]
        return _list(name, value, kind, kind.names, more)
    if isinstance(kind, OneOf):
        allowed = " or ".join(kind.names)
        return Parameter(name, more.value, allowed, more.meaning, words=kind.names, favours=more.favours)
    if isinstance(kind, Flag):
        return Parameter(name, bool(more.value), "true or false", more.meaning, favours=more.favours)
    made = Parameter(name, more.value, "", more.meaning, kind.low, kind.high, favours=more.favours)
    return replace(made, allowed=allowed_words(made))


def _list(name: str, value: list[int], kind: Any, places: Sequence[str], more: Number) -> Parameter:
    allowed = f"a list of {len(places)}, each {kind.low} to {kind.high}"
    label = name.rpartition(".")[2].replace("_", " ").capitalize()
    return Parameter(
        name, value, allowed, more.meaning, kind.low, kind.high, (), tuple(places), label, favours=more.favours
    )


def _as_numbers(kind: Any, value: Any) -> Any:
    """Return a value as the record holds it."""
    if isinstance(kind, OneOf):
        return kind.names.index(value)
    return value


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
