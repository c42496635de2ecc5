"""What a game declares: fields and numbers, each once, as an annotation with its range: `coins: Count[0, 50]`.

Of a number that a scenario may change, everything else follows from its declaration: its name, its allowed values, what
it means and whom it favours, the checks of files and of changes, and its place in the record that the rules read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Self, cast

from rogsim.base.errors import RogsimError
from rogsim.base.validation import Problem, not_allowed, unknown_key
from rogsim.game.kit.changes import faults
from rogsim.game.parameters import Parameter

Place = tuple[int, ...]
Cell = tuple[str, Place, Any]

NONE = -1  # no card, no seat, nothing chosen: also what a seat cannot see
MOST_SEATS = 16
EVERYBODY, OWNER, NOBODY = range(3)  # who sees a field: of a player, its owner is that player
HOLDER, OTHERS = 1, -1  # whom more of a number favours
OWN_NAME = "*"  # the whole numbers of a table are fields of the record under their own names
ROW_KEYS = ("id", "players")  # what names a row: the first that it has


class DeclarationError(RogsimError, ValueError):
    """A game declares something that rogsim cannot use."""


@dataclass(frozen=True)
class Number:
    """What a scenario may change: its printed value, its meaning, and whom more of it favours.

    Attributes
    ----------
    label
        The name of a list where its values are shown in a row; `{}` in it is the last part of the list's name.
    into
        The field of the record that the rules read; empty if a function fills it.
    fixed
        Whether the rules depend on the value, so that no scenario may change it.
    """

    value: Any = None
    meaning: str = ""
    favours: int = 0
    label: str = ""
    into: str = ""
    fixed: bool = False


FIXED = cast(Any, Number(fixed=True))


def number(value: Any = None, meaning: str = "", favours: int = 0) -> Any:
    """Declare the printed value of a number that a scenario may change.

    Parameters
    ----------
    value
        The printed value; for a column of components nothing, because the file has it.
    meaning
        What it does, in a few words.
    favours
        Whom more of it favours: HOLDER, OTHERS (a cost to its holder), or 0 if that is not clear.
    """
    return Number(value, meaning, favours)


def printed(meaning: str = "", favours: int = 0, label: str = "", into: str = "", default: Any = None) -> Any:
    """Declare a number, or a table of numbers, that is printed in a component file.

    Parameters
    ----------
    meaning
        What it does, in a few words; by default what the table or list around it says. A text that ends with a colon
        stands before the texts inside.
    favours
        Whom more of it favours, as for `number`; by default as around it.
    label
        The name of a list where its values are shown in a row; `{}` in it is the last part of the list's name.
    into
        The field of the record that the rules read; OWN_NAME for a table whose whole numbers keep their own names.
    default
        What the file may leave out.
    """
    return Number(default, meaning, favours, label, into)


@dataclass
class Found:
    """What is found in components: the parameters by name, and what is wrong."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class At:
    """Where a value is, and what the declarations around it say of it."""

    found: Found
    name: str = ""
    meaning: str = ""
    favours: int = 0
    label: str = ""
    fixed: bool = False

    def inside(self, key: object, more: Any = None, fixed: bool = False) -> At:
        """Return the place of a key, or of an entry of a list; `more` is what its declaration says."""
        name, said = f"{self.name}.{key}" if self.name else str(key), more if isinstance(more, Number) else Number()
        meaning = said.meaning or self.meaning
        if said.meaning and self.meaning.endswith(":"):
            meaning = f"{self.meaning} {said.meaning}"
        fixed = fixed or said.fixed or self.fixed
        return At(self.found, name, meaning, said.favours or self.favours, said.label or self.label, fixed)

    def take(self, value: Any, **limits: Any) -> Any:
        """Check a value, and list it as a parameter if a scenario may change it."""
        last = self.name.rpartition(".")[2]
        if limits.get("places"):
            limits["label"] = self.label.format(last) or last.replace("_", " ").capitalize()
        meaning = self.meaning or last.replace("_", " ")
        fact = Parameter(self.name, value, meaning=meaning, favours=self.favours, **limits)
        self.found.problems += faults(fact, value)
        if not self.fixed and (fact.low is None or fact.low != fact.high):
            self.found.parameters[self.name] = fact
        return value

    def say(self, text: str) -> None:
        """Note what is wrong here."""
        self.found.problems.append(Problem(tuple(self.name.split(".")), text))

    def only(self, table: Mapping[str, Any], keys: Sequence[str]) -> None:
        """Note the keys of a table that are none of those that it can have."""
        for key in table:
            if key not in keys:
                self.inside(key).say(unknown_key(key, keys))

    def is_a(self, kind: type | tuple[type, ...], words: str, value: Any) -> bool:
        """Return whether a value is of a Python type; note it otherwise."""
        if not isinstance(value, kind):
            self.say(not_allowed(value, f"must be {words}"))
        return isinstance(value, kind)


class Checked(At):
    """The place of values that were checked before: nothing is noted, which is quicker."""

    def inside(self, key: object, more: Any = None, fixed: bool = False) -> At:
        """Return itself."""
        return self

    def take(self, value: Any, **limits: Any) -> Any:
        """Return the value."""
        return value

    def only(self, table: Mapping[str, Any], keys: Sequence[str]) -> None:
        """Do nothing."""


CHECKED = Checked(Found())


class Kind:
    """The type of a field.

    Attributes
    ----------
    format
        The dtype of the field; if it is an array, with its shape.
    limits
        The lowest and the highest value of each number in it.
    nothing
        What stands for a value that a file may leave out.
    bounds
        What a `Parameter` says of the allowed values.
    shown
        Whether bots in Python and learners are given the value, as far as their seat sees it.
    seen_by
        EVERYBODY, OWNER or NOBODY.
    """

    format: Any
    limits: tuple[int, int]
    shown = True
    seen_by = EVERYBODY
    nothing: Any = 0
    bounds: Mapping[str, Any] = MappingProxyType({})

    def __class_getitem__(cls, arguments: Any) -> Any:
        """Return this kind with its arguments: `Count[0, 50]`."""
        given, make = arguments if isinstance(arguments, tuple) else (arguments,), cast(Any, cls)
        try:
            return make(*given)
        except (TypeError, ValueError, AttributeError) as fault:
            wanted = ", ".join(inspect.signature(make).parameters)
            shown = ", ".join(map(str, given))
            raise DeclarationError(f"{cls.__name__}[{shown}]: write {cls.__name__}[{wanted}]") from fault

    def words(self, value: Any) -> Any:
        """Return a value as words and plain numbers."""
        return int(value)

    def read(self, value: Any, at: At) -> Any:
        """Check a value of components and list its parameters; return it, tables as objects of their classes."""
        return at.take(value, **self.bounds)

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers of the record that the rules read: field, place in it, and number, if there is a value."""
        if into and into != OWN_NAME:
            yield into, place, None if value is None else self.stored(value)

    def stored(self, value: Any) -> Any:
        """Return a value as the record has it."""
        return value


def whole(low: int, high: int) -> str:
    """Return the smallest signed dtype of numpy for whole numbers from `low` to `high`.

    Unsigned ones would be wrong: compiled, the difference of two of them is never below 0. Uncompiled, every number has
    64 bits: so arithmetic never overflows, and a number out of range is found.
    """
    from rogsim.game.compiler import ENABLED  # loads numba, which checking components does not need

    if not ENABLED:
        return "i8"
    return next(f"i{size}" for size in (1, 2, 4, 8) if -(256**size) // 2 <= low and high < 256**size // 2)


class Count(Kind):
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int) -> None:
        if not low <= high:
            raise ValueError(f"{low} is more than {high}")
        self.low, self.high = low, high
        self.limits, self.bounds = (low, high), {"low": low, "high": high}

    @property
    def format(self) -> Any:
        """Return the smallest dtype that fits."""
        return whole(*self.limits)


class Flag(Count):
    """True or false, stored as 1 or 0. It takes no arguments: `passed: Flag`."""

    nothing = False

    def __init__(self) -> None:
        super().__init__(0, 1)
        self.bounds = {}

    def words(self, value: Any) -> bool:
        """Return true or false."""
        return bool(value)


class OneOf(Count):
    """One of several words, stored as its place among them: `phase: OneOf[PHASES]`. NONE stands for none.

    The words may also be the names of components: `guild: OneOf[GUILDS]`.
    """

    def __init__(self, *names: Any) -> None:
        found = names[0] if len(names) == 1 and not isinstance(names[0], str) else names
        self.names = tuple(str(name) for name in getattr(found, "names", found))
        self.noun = getattr(found, "noun", "")
        super().__init__(NONE, len(self.names) - 1)
        self.nothing, self.bounds = (*self.names, "")[0], {"words": self.names}

    def words(self, value: Any) -> str | None:
        """Return the word, if there is one."""
        return None if value == NONE else self.names[int(value)]

    def stored(self, value: Any) -> int:
        """Return the place of a word."""
        return self.names.index(value)


class Text(Kind):
    """A text of components, which no scenario may change. It takes no arguments: `title: Text`."""

    nothing = ""

    def read(self, value: Any, at: At) -> Any:
        """Check that there is a text."""
        at.is_a(str, "a text", value)
        if value == "":
            at.say('"" is not allowed: must be a text that is not empty')
        return value


class Counts(Count):
    """A whole number from `low` to `high` for each of several names: `tokens: Counts[GOODS, 0, 9]`."""

    def __init__(self, names: Sequence[str], low: int, high: int) -> None:
        super().__init__(low, high)
        self.names = tuple(names)
        self.nothing, self.bounds = [0] * len(self.names), {**self.bounds, "places": self.names}

    @property
    def format(self) -> Any:
        """Return a number for each name."""
        return whole(*self.limits), (len(self.names),)

    def read(self, value: Any, at: At) -> Any:
        """Take a list, or a table of those that are not 0."""
        if isinstance(value, Mapping):
            at.only(value, self.names)
            value = [value.get(name, 0) for name in self.names]
        return super().read(value, at)

    def words(self, value: Any) -> dict[str, int]:
        """Return all numbers that are not 0, by name; all of them, if 0 is not the least."""
        return {name: int(number) for name, number in zip(self.names, value, strict=True) if number or self.low < 0}


class Listed(Kind):
    """A list of values of one kind, `fewest` to `most` of them, or exactly `fewest`; places count from `first`."""

    nothing = ()

    def __init__(self, each: Any, fewest: int, most: int = 0, first: int = 1) -> None:
        self.each, self.most, self.first = kind_of(each), most or fewest, first
        places = tuple(str(place) for place in range(first, first + self.most))
        self.bounds = {**self.each.bounds, "places": places, "fewest": fewest}

    @property
    def format(self) -> Any:
        """Return room for all entries."""
        form = self.each.format
        kind, shape = form if isinstance(form, tuple) else (form, ())
        return kind, (self.most, *shape)

    @property
    def limits(self) -> tuple[int, int]:  # type: ignore[override]
        """Return those of each entry."""
        limits: tuple[int, int] = self.each.limits
        return limits

    @property
    def shown(self) -> bool:  # type: ignore[override]
        """Return whether the entries are shown."""
        return bool(self.each.shown)

    def words(self, value: Any) -> list[Any]:
        """Return the entries in words."""
        return [self.each.words(entry) for entry in value]

    def stored(self, value: Any) -> Any:
        """Return all entries as the record has them."""
        return [self.each.stored(entry) for entry in value]

    def read(self, value: Any, at: At) -> Any:
        """Take numbers or words as one parameter, and anything else by place."""
        if type(self.each).read is Kind.read:
            return super().read(value, at)
        limits = {name: self.bounds[name] for name in ("places", "fewest")}
        at.found.problems += faults(Parameter(at.name, value, **limits), value, entries=False)
        entries = value if isinstance(value, list | tuple) else ()
        return [self.each.read(entry, at.inside(place)) for place, entry in enumerate(entries, self.first)]

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers of all entries that there can be."""
        for number, entry in enumerate([*(value or ()), *[None] * self.most][: self.most]):
            yield from self.each.cells(entry, players, into, (*place, number))


class Keyed(Kind):
    """A table of values of one kind by key; where it has no value for a key, that is nothing."""

    nothing = MappingProxyType[str, Any]({})
    needed = False

    def __init__(self, keys: Sequence[Any], each: Any) -> None:
        self.keys, self.each = {str(key): key for key in keys}, kind_of(each)

    def read(self, value: Any, at: At) -> Any:
        """Return what the table has, by key."""
        if not at.is_a(Mapping, "a table", value):
            return {}
        at.only(value, list(self.keys))
        if self.needed and (missing := [key for key in self.keys if key not in value]):
            at.inside(missing[0]).say("is missing")
            return {}
        read, absent = self.each.read, self.each.nothing
        made = {key: read(value.get(name, absent), at.inside(name)) for name, key in self.keys.items()}
        return {key: one for key, one in made.items() if str(key) in value}

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers of all keys, in their order."""
        for number, key in enumerate(self.keys.values()):
            yield from self.each.cells((value or {}).get(key), players, into, (*place, number))


class Each(Keyed):
    """A table that has a value of one kind for every key."""

    needed = True


class ByPlayers(Each):
    """A value for each number of players: the record that the rules read has only that of its games."""

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers for these players."""
        yield from self.each.cells((value or {}).get(players), players, into, place)


class Part(Kind):
    """A table whose keys are the fields of a class; a field for a Python keyword ends with an underscore.

    The class may have `has(row, key)`, which says whether a table has a key, and `is_fixed(row, key)`, whether no
    scenario may change it there.
    """

    nothing = MappingProxyType[str, Any]({})
    shown = False

    def __init__(self, of: type) -> None:
        self.of, self.fields = of, fields_of(of)
        self.has: Callable[..., bool] = getattr(of, "has", lambda row, key: True)
        self.is_fixed: Callable[..., bool] = getattr(of, "is_fixed", lambda row, key: False)

    def read(self, value: Any, at: At) -> Any:
        """Return an object of the class."""
        made = self.of()
        if not at.is_a(Mapping, "a table", value):
            return made
        there = {one.key: one for one in self.fields if self.has(value, one.key)}
        at.only(value, list(there))
        for one in self.fields:
            default = one.more.value if isinstance(one.more, Number) else None
            given = value.get(one.key, one.kind.nothing if default is None else default)
            if one.key in there:
                inner = at.inside(one.key, one.more, self.is_fixed(value, one.key))
                if one.key not in value and default is None:
                    inner.say("is missing")
                else:
                    given = one.kind.read(given, inner)
            setattr(made, one.name, given)
        return made

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers; under one name, they are the entries of one field."""
        inside = [(one, one.into(into), place) for one in self.fields]
        if into not in ("", OWN_NAME):
            numbers = [one for one in self.fields if one.more is not FIXED]
            inside = [(one, into, (*place, number)) for number, one in enumerate(numbers)]
        for one, name, where in inside:
            yield from one.kind.cells(getattr(value, one.name, None), players, name, where)


class Rows(Kind):
    """A list of tables, each with an `id` or the number of `players` that it is for.

    Parameters
    ----------
    of
        The class of the rows; or by the words of their key `type`, the class of each.
    known
        What names the rows that there must be, those with ids in this order; by default they may have any ids.
    """

    nothing = ()

    def __init__(self, of: Any, known: Sequence[Any] = ()) -> None:
        self.of = {word: Part(one) for word, one in of.items()} if isinstance(of, Mapping) else Part(of)
        first = next(iter(self.of.values())) if isinstance(self.of, dict) else self.of
        self.known, self.fields = tuple(known), first.fields
        self.key = next((key for key in ROW_KEYS if key in (one.key for one in self.fields)), "")

    def read(self, value: Any, at: At) -> Any:
        """Return an object for each row."""
        if not at.is_a((list, tuple), "a list", value):
            return []
        made, names = list[Any](), list[Any]()
        for place, row in enumerate(value, 1):
            inner = at.inside(place)
            if inner.is_a(Mapping, "a table", row):
                names.append(row.get(self.key, place))
                part = self._part_of(row, at.inside(names[-1]))
                made += [part.read(row, at.inside(names[-1]))] if part else []
        self._check(names, at)
        return made

    def _part_of(self, row: Mapping[str, Any], at: At) -> Part | None:
        if not isinstance(self.of, dict):
            return self.of
        kind = row.get("type")
        if isinstance(kind, str) and kind in self.of:
            return self.of[kind]
        if "type" in row:
            at.found.problems += faults(Parameter(f"{at.name}.type", kind, words=tuple(self.of)), kind)
        else:
            at.inside("type").say("is missing")
        return None

    def _check(self, names: list[Any], at: At) -> None:
        """Note rows that are twice, missing, unknown, or out of order."""
        twice = [name for place, name in enumerate(names) if name in names[:place]]
        if twice:
            at.inside(twice[0]).say("is given twice")
        elif missing := [name for name in self.known if name not in names]:
            at.say(f"has no row {missing[0]}: must have {len(self.known)} rows, {self.known[0]} to {self.known[-1]}")
        elif self.known and self.key == "id" and names != list(self.known):
            place = next(place for place, name in enumerate(names) if (*self.known, None)[place] != name)
            at.inside(names[place]).say("is out of place: the rows must be in order, and no others")

    def cells(self, value: Any, players: int, into: str, place: Place = ()) -> Iterator[Cell]:
        """Yield the numbers of all rows in their order; of rows by players, those for these players."""
        if not isinstance(self.of, Part):
            return
        if self.key == "players":
            row = next((row for row in value or () if row.players == players), None)
            yield from self.of.cells(row, players, into, place)
        else:
            for number, row in enumerate(value or [None] * len(self.known)):
                yield from self.of.cells(row, players, into, (*place, number))


class Seats(Kind):
    """One for each seat: a class with fields of its own in a state, or a kind of number."""

    def __init__(self, each: Any) -> None:
        self.each: Any = each() if inspect.isclass(each) and issubclass(each, Kind) else each

    def words(self, value: Any) -> list[Any]:
        """Return the numbers of the seats in words."""
        return [self.each.words(entry) for entry in value]


@dataclass(frozen=True)
class Field:
    """One field of a class: its name, its kind, and what the class says of it."""

    name: str
    kind: Any
    more: Any = None

    @property
    def key(self) -> str:
        """Return the key of the field in a file."""
        return self.name.rstrip("_")

    def into(self, above: str) -> str:
        """Return the field of the record, given that of the table around it."""
        own = self.more.into if isinstance(self.more, Number) else ""
        return own or (self.name if above == OWN_NAME and type(self.kind) is Count else "")


class Components:
    """All components of a game: a class whose fields are the tables of its files."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return an object of checked components, which have the layout of the files."""
        made: Self = part(cls).read(data, CHECKED)
        return made


part: Callable[[Any], Part] = cache(Part)  # the kind of a class


def columns_of(components: type[Components]) -> list[tuple[str, str, Place]]:
    """Return the fields of the record that the rules read which follow from the declarations, for a dtype."""
    shapes: dict[str, Place] = {}
    for name, place, _ in part(components).cells(None, 0, ""):
        shapes[name] = tuple(number + 1 for number in place)  # the last one is the largest
    return [(name, "i2", shape) for name, shape in shapes.items()]


def fill(record: Any, components: Components, players: int) -> None:
    """Write the values of checked components into these fields, for a number of players."""
    for name, place, number in part(type(components)).cells(components, players, ""):
        if number is not None and place:
            record[name][place] = number
        elif number is not None:
            record[name] = number


def kind_of(declared: Any) -> Any:
    """Return the kind that is declared, which may be a class of fields."""
    if inspect.isclass(declared) and issubclass(declared, Kind):
        return declared()
    return part(declared) if inspect.isclass(declared) and fields_of(declared) else declared


def fields_of(where: Any) -> list[Field]:
    """Return the fields that a class declares, after those of its bases; DeclarationError if one is no kind."""
    found = {}
    for base in reversed(where.__mro__) if where is not None else ():
        for name, declared in inspect.get_annotations(base, eval_str=True).items():
            made = kind_of(declared)
            if not isinstance(made, Kind):
                shown = made.__name__ if inspect.isclass(made) else repr(made)
                raise DeclarationError(f"{where.__name__}.{name}: {shown} is no kind of field; write Count[0, 10]")
            found[name] = Field(name, made, getattr(where, name, None))
    return list(found.values())
