"""What a game declares: the fields of its state and its numbers, each with its range, and who sees it.

A field is declared once, as an annotation: `coins: Count[0, 50]`. Everything else about it follows from that: how it is
stored, what a seat sees of it, how hidden cards are dealt anew, its words in traces, its bounds for learners.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.game.compiler import ENABLED
from rogsim.game.rng import STREAM

NONE = -1  # no card, no seat, nothing chosen: also what a seat cannot see
MOST_SEATS = 16
UNSEEN = -2  # a choice that was made in secret, as the other seats see it
HOLDER, OTHERS = 1, -1  # whom more of a number favours


class DeclarationError(RogsimError, ValueError):
    """A game declares something that rogsim cannot use."""


class Kind:
    """The type of a field.

    Attributes
    ----------
    format
        The dtype of the field; if it is an array, with its shape.
    limits
        The lowest and the highest value of each number in it.
    """

    format: Any
    limits: tuple[int, int]

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


def whole(low: int, high: int) -> str:
    """Return the smallest signed dtype of numpy for whole numbers from `low` to `high`.

    Unsigned ones would be wrong: compiled, the difference of two of them is never below 0. Uncompiled, every number has
    64 bits: so arithmetic never overflows, and a number out of range is found.
    """
    if not ENABLED:
        return "i8"
    return next(f"i{size}" for size in (1, 2, 4, 8) if -(256**size) // 2 <= low and high < 256**size // 2)


class Count(Kind):
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int) -> None:
        if not low <= high:
            raise ValueError(f"{low} is more than {high}")
        self.low, self.high = low, high
        self.limits, self.format = (low, high), whole(low, high)


class Flag(Count):
    """True or false, stored as 1 or 0. It takes no arguments: `passed: Flag`."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def words(self, value: Any) -> bool:
        """Return true or false."""
        return bool(value)


class Seat(Count):
    """The number of a seat, from 0, or NONE. It takes no arguments: `first: Seat`."""

    def __init__(self) -> None:
        super().__init__(NONE, MOST_SEATS - 1)

    def words(self, value: Any) -> int | None:
        """Return the number of the seat, if there is one."""
        return None if value == NONE else int(value)


class Secret(Count):
    """A whole number that only its seat sees, such as a bid: NONE until it is chosen, UNSEEN to the others after."""

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high)
        self.limits, self.format = (UNSEEN, high), whole(UNSEEN, high)

    def words(self, value: Any) -> int | str | None:
        """Return the number, "unseen", or nothing."""
        return "unseen" if value == UNSEEN else None if value == NONE else int(value)


class OneOf(Count):
    """One of several words, stored as its place among them: `phase: OneOf[PHASES]`. NONE stands for none.

    The words may also be the names of components: `guild: OneOf[GUILDS]`.
    """

    def __init__(self, *names: Any) -> None:
        found = names[0] if len(names) == 1 and not isinstance(names[0], str) else names
        self.names = tuple(str(name) for name in getattr(found, "names", found))
        self.noun = getattr(found, "noun", "")
        super().__init__(NONE, len(self.names) - 1)

    def words(self, value: Any) -> str | None:
        """Return the word, if there is one."""
        return None if value == NONE else self.names[int(value)]


class Counts(Count):
    """A whole number from `low` to `high` for each of several names: `tokens: Counts[GOODS, 0, 9]`."""

    def __init__(self, names: Sequence[str], low: int, high: int) -> None:
        super().__init__(low, high)
        self.names = tuple(names)
        self.format = whole(low, high), (len(self.names),)

    def words(self, value: Any) -> dict[str, int]:
        """Return all numbers that are not 0, by name."""
        return {name: int(number) for name, number in zip(self.names, value, strict=True) if number}


class Chance(Kind):
    """A source of random numbers of its own, which nobody sees: dice. It takes no arguments: `dice: Chance`."""

    format = STREAM


@dataclass(frozen=True, eq=False)
class Cards:
    """A set of cards, or of tiles: their names by number, and how many copies there are of each."""

    noun: str
    names: tuple[str, ...]
    copies: tuple[int, ...]

    @property
    def all(self) -> np.ndarray:
        """Return the number of every card of the set, int16[cards]."""
        return np.repeat(np.arange(len(self.names), dtype=np.int16), self.copies)


def cards(noun: str, names: Sequence[str], copies: int | Sequence[int] = 1) -> Cards:
    """Declare a set of cards.

    Parameters
    ----------
    noun
        The word for one of them.
    names
        Their names; a card is its place among them.
    copies
        How many there are of each, or of all.
    """
    each = (copies,) * len(names) if isinstance(copies, int) else tuple(copies)
    return Cards(noun, tuple(map(str, names)), each)


class Pile(Kind):
    """Cards on a pile, face up, the last one on top: `discard: Pile[CARDS]`, with room for all of them."""

    in_the_open = True

    def __init__(self, kind: Any, size: int | None = None) -> None:
        self.cards: Cards = kind if isinstance(kind, Cards) else kind.cards
        self.size = len(self.cards.all) if size is None else size
        self.limits = NONE, len(self.cards.names) - 1
        self.format = np.dtype([("count", whole(0, self.size)), self._places], align=True)

    @property
    def _places(self) -> Any:
        return "cards", whole(*self.limits), (self.size,)

    def words(self, value: Any) -> Any:
        """Return the names of the cards; how many they are, if none is seen."""
        shown = [self.name(card) for card in value["cards"][: int(value["count"])]]
        return shown if any(shown) or not shown else len(shown)

    def name(self, card: int) -> str | None:
        """Return the name of a card, if it is one."""
        return None if card < 0 else self.cards.names[int(card)]


class Deck(Pile):
    """Cards face down. A game begins with all cards of their set in it, shuffled."""

    in_the_open = False

    def __init__(self, kind: Any) -> None:
        super().__init__(kind)
        self.format = np.dtype([("count", whole(0, self.size)), self._places, ("chance", STREAM)], align=True)


class Hand(Pile):
    """Up to `size` cards that only their seat sees: `hand: Hand[CARDS, 6]`."""

    in_the_open = False


class Row(Pile):
    """`size` places for cards, face up, each with a card or NONE: `market: Row[CARDS, 4]`."""

    def __init__(self, kind: Any, size: int) -> None:
        super().__init__(kind, size)
        self.format = np.dtype([self._places], align=True)

    def words(self, value: Any) -> Any:
        """Return the names of the cards, place by place."""
        return [self.name(card) for card in value["cards"]]


class Seats(Kind):
    """One for each seat: a class with fields of its own in a state, or a kind of number."""

    def __init__(self, each: Any) -> None:
        self.each: Any = each() if inspect.isclass(each) and issubclass(each, Kind) else each


@dataclass(frozen=True)
class Kept:
    """That a field is a column of the results."""

    meaning: str
    question: str = ""
    dealt: Mapping[str, Any] | None = None


def kept(meaning: str, question: str = "", dealt: Mapping[str, Any] | None = None) -> Any:
    """Keep the value that a field has at the end of a game as a column of the results.

    Parameters
    ----------
    meaning
        What it is, in a few words.
    question
        What a report asks about it, such as "Is any power too strong?"; empty for nothing.
    dealt
        The options with which chance deals it before any choice, each value equally often to every seat: `{}` if it
        always does.
    """
    return Kept(meaning, question, dealt)


@dataclass(frozen=True)
class Number:
    """What a scenario may change: its printed value, its meaning, and whom more of it favours."""

    value: Any
    meaning: str
    favours: int = 0


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


@dataclass(frozen=True)
class Field:
    """One field of a class: its name, its kind, and what the class says of it."""

    name: str
    kind: Any
    more: Any = None


def fields_of(where: Any) -> list[Field]:
    """Return the fields that a class declares, in their order; DeclarationError if one is no kind of field."""
    if where is None:
        return []
    found = []
    for name, kind in inspect.get_annotations(where, eval_str=True).items():
        made = kind() if inspect.isclass(kind) and issubclass(kind, Kind) else kind
        if not isinstance(made, Kind):
            shown = kind.__name__ if inspect.isclass(kind) else repr(kind)
            raise DeclarationError(f"{where.__name__}.{name}: {shown} is no kind of field; write Count[0, 10]")
        found.append(Field(name, made, getattr(where, name, None)))
    return found


def record_of(fields: Sequence[Field], *more: Any) -> np.dtype[Any]:
    """Return the dtype of a record of these fields, after others that are given as numpy has them."""
    formats = []
    for field in fields:
        form = field.kind.format
        formats.append((field.name, *form) if isinstance(form, tuple) else (field.name, form))
    return np.dtype([*more, *formats], align=True)


def faults_of(fields: Sequence[Field], record: Any, above: str = "") -> Iterator[str]:
    """Yield what is out of range in a record, as `Player.coins is 51, and must be from 0 to 50`."""
    for field in fields:
        if isinstance(field.kind, Chance | Seats):
            continue
        low, high = field.kind.limits
        value = record[field.name]
        numbers = np.atleast_1d(value["cards"] if isinstance(field.kind, Pile) else value)
        wrong = numbers[(numbers < low) | (numbers > high)]
        if len(wrong):
            yield f"{above}{field.name} is {int(wrong[0])}, and must be from {low} to {high}"
        if isinstance(field.kind, Pile) and "count" in field.kind.format.names:
            count = int(value["count"])
            if not 0 <= count <= field.kind.size:
                yield f"{above}{field.name} has {count} cards, and room for {field.kind.size}"
