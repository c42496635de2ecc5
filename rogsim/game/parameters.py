"""The parameters of a game that a scenario may change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Change = Mapping[str, Any]  # parameters by name, nested as in TOML or with dots


@dataclass(frozen=True)
class Parameter:
    """One parameter of the components or the set-up that a scenario may change.

    Attributes
    ----------
    name
        Dotted, as written under [change].
    value
        The default: a number, a word, true or false, or a list. Each entry of a list has the name `name.place`.
    allowed
        The allowed values in words.
    meaning
        What the parameter does, in a few words.
    low, high
        The range of an integer, or of the integers in a list.
    words
        The words to choose from.
    places
        The names of the entries of a list.
    label
        The name of a list where its values are shown in a row.
    reconstructed
        Why the default is not from a source; empty if it is.
    favours
        Whom more of it favours: 1, its holder, who has it, sits there or gets it; -1, everybody else, because it is a
        cost to its holder; 0, unknown, or everybody alike. Of words, the first stands for nothing and any other for
        more.
    """

    name: str
    value: Any
    allowed: str
    meaning: str = ""
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    label: str = ""
    reconstructed: str = ""
    favours: int = 0


@dataclass(frozen=True)
class ParameterGroup:
    """Parameters whose names begin with the same word."""

    name: str
    facts: tuple[Parameter, ...]

    def examples(self, count: int) -> list[str]:
        """Return a few names, preferably of parameters that are not 0."""
        not_zero = [fact.name for fact in self.facts if not is_zero(fact)]
        return [*not_zero, *(fact.name for fact in self.facts if is_zero(fact))][:count]


def sections(facts: Sequence[Parameter]) -> list[ParameterGroup]:
    """Return all parameters grouped by the first word of their names, in their order."""
    found: dict[str, list[Parameter]] = {}
    for fact in facts:
        found.setdefault(fact.name.split(".")[0], []).append(fact)
    return [ParameterGroup(name, tuple(inside)) for name, inside in found.items()]


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested tables with its name, split at the dots; an empty table counts as a value."""
    for key, value in table.items():
        name = (*path, *str(key).split("."))
        if isinstance(value, Mapping) and value:
            yield from leaves(value, name)
        else:
            yield name, value


def places_of(fact: Parameter) -> list[Parameter]:
    """Return the entries of a list as separate parameters."""
    if not fact.places:
        return []
    pairs = zip(fact.places, fact.value, strict=False)
    return [replace(fact, name=f"{fact.name}.{place}", value=value, places=()) for place, value in pairs]


def is_zero(fact: Parameter) -> bool:
    """Return whether a parameter is the number 0."""
    return type(fact.value) is int and fact.value == 0


def favours_words(fact: Parameter) -> str:
    """Return whom more of a parameter favours, in words; empty if that is unknown."""
    if fact.words and fact.favours:
        return f'any but "{fact.words[0]}" favours its holder'
    return {1: "more favours its holder", -1: "a cost to its holder"}.get(fact.favours, "")


def allowed_words(fact: Parameter) -> str:
    """Return the allowed values of a parameter, in a few words."""
    if not fact.places and fact.low is not None and fact.high is not None:
        return f"{fact.low} to {fact.high}"
    if not fact.places and fact.words:
        return " or ".join(fact.words)
    return fact.allowed
