"""The parameters of a game that a scenario may change: found by name, described in words, and those without effect."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import wraps
from typing import TYPE_CHECKING, Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import show

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec

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
        The allowed values in words; by default they follow from the rest.
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
    fewest
        The fewest entries of a list; 0 if it has one for each place.
    """

    name: str
    value: Any
    allowed: str = ""
    meaning: str = ""
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    label: str = ""
    reconstructed: str = ""
    favours: int = 0
    fewest: int = 0

    def __post_init__(self) -> None:
        """Say what is allowed."""
        if not self.allowed:
            object.__setattr__(self, "allowed", f"{self.length}, each {self.each}" if self.places else self.each)

    @property
    def each(self) -> str:
        """Return what a value must be, or each entry of a list, in words."""
        if self.words:
            return " or ".join(f'"{word}"' for word in self.words)
        if self.low is None or self.low == self.high:
            return "true or false" if self.low is None else f"{self.low}"
        return f"a whole number from {self.low} to {self.high}"

    @property
    def least(self) -> int:
        """Return the fewest entries of a list."""
        return self.fewest or len(self.places)

    @property
    def length(self) -> str:
        """Return how long a list must be, in words."""
        return f"a list of {self.least}" + (f" to {len(self.places)}" if len(self.places) > self.least else "")


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


MOST_NEAR = 3  # names to suggest
CLOSE = 0.7  # how similar a part must be, from 0 to 1
SIGNS = "*?["  # characters that make a name a pattern


class ParameterError(RogsimError):
    """A name that no parameter has."""


def find_parameters(spec: GameSpec, name: str) -> list[Parameter]:
    """Return the parameters that a name stands for: that parameter, all below it, or all that match it as a pattern.

    An entry of a list, such as "setup.hand.2", is returned as a separate parameter.

    Raises
    ------
    ParameterError
        If there are none; it suggests similar names.
    """
    facts = spec.facts()
    found = [fact for fact in facts if _fits(fact.name, name)]
    found = found or [place for fact in facts for place in places_of(fact) if _fits(place.name, name)]
    if found:
        return found
    near = near_names(facts, name)
    if any(sign in name for sign in SIGNS):
        known = ", ".join(group.name for group in sections(facts)) or "none; there are no parameters"
        raise ParameterError(
            f"{name} in {spec.title}: matches no parameter{f', {_meant(near)}' if near else f': choose from {known}'}"
        )
    _, problems = spec.check_change({name: None})
    raise ParameterError(f"{name} in {spec.title}: {problems[0].text if problems else 'unknown'}")


def near_names(facts: Sequence[Parameter], name: str) -> list[str]:
    """Return names or patterns similar to one that matches no parameter, with its wrong parts corrected.

    A single word may be any part of a name.
    """
    names = [place.name.split(".") for fact in facts for place in (fact, *places_of(fact))]
    if "." not in name:
        lasts: dict[str, dict[str, None]] = {}
        for known in names:
            for end, last in enumerate(known, 1):
                lasts.setdefault(last, {})[".".join(known[:end])] = None
        found = difflib.get_close_matches(name, lasts, n=MOST_NEAR, cutoff=CLOSE)
        return [head for last in found for head in lasts[last]][:MOST_NEAR]
    meant: list[str] = []
    for place, part in enumerate(name.split(".")):
        there = dict.fromkeys(known[place] for known in names if len(known) > place)
        if not any(fnmatchcase(other, part) for other in there):
            close = difflib.get_close_matches(part, there, n=1, cutoff=CLOSE)
            if not close:
                return []
            part = close[0]
        meant.append(part)
        names = [known for known in names if len(known) > place and fnmatchcase(known[place], part)]
    return [".".join(meant)]


def _meant(names: Sequence[str]) -> str:
    return "did you mean " + " or ".join(f'"{name}"' for name in names) + "?"


def changes_of(spec: GameSpec, change: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return checked changes, each with its name, old value, new value, and meaning."""
    known = {fact.name: fact for fact in spec.facts()}
    return [
        {"name": name, "was": known[name].value, "is": value, "meaning": known[name].meaning}
        for name, value in change.items()
        if name in known
    ]


def change_lines(spec: GameSpec, change: Mapping[str, Any]) -> list[str]:
    """Return checked changes in words, one line each: "setup.hand: 2 → 3 (cards at the start)"."""
    return [
        f"{row['name']}: {show(row['was'])} → {show(row['is'])}" + (f" ({row['meaning']})" if row["meaning"] else "")
        for row in changes_of(spec, change)
    ]


def _fits(name: str, wanted: str) -> bool:
    below = f"{wanted}.*"
    return name == wanted or name.startswith(f"{wanted}.") or fnmatchcase(name, wanted) or fnmatchcase(name, below)


Why = Callable[[Any, int, Change, Sequence[str]], str]


def by_name(why: Why) -> Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]]:
    """Return what `GameSpec.without_effect` is, given why a single parameter cannot matter.

    Parameters
    ----------
    why
        Takes the options of a scenario, a player count, other changes, and the name of a parameter or of an entry of a
        list, split at its dots. Returns the reason; empty if the parameter can matter.
    """

    @wraps(why)
    def without_effect(options: Any, players: int, change: Change, names: Sequence[str]) -> dict[str, str]:
        found = {name: why(options, players, change, name.split(".")) for name in names}
        return {name: reason for name, reason in found.items() if reason}

    return without_effect


def unless_players(count: str, players: int) -> str:
    """Return why a parameter for a number of players cannot matter with another one."""
    return f"it only counts with {count} players" if count != str(players) else ""
