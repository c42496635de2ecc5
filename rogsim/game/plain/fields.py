"""The kinds of field that only states have: seats, secrets, chance, cards, and where components lie.

Everything about a field follows from its declaration: how it is stored, what a seat sees of it, how hidden cards are
dealt anew, its words in traces, its bounds for learners (`rogsim.game.plain.derived`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rogsim.game.kit.bits import members
from rogsim.game.kit.kinds import (
    MOST_SEATS,
    NOBODY,
    NONE,
    OWNER,
    Count,
    DeclarationError,
    Field,
    Kind,
    Listed,
    OneOf,
    Part,
    Seats,
    kind_of,
    whole,
)
from rogsim.game.rng import STREAM

UNSEEN = -2  # a choice that was made in secret, as the other seats see it


class Seat(Count):
    """The number of a seat, from 0, or NONE. It takes no arguments: `first: Seat`."""

    def __init__(self) -> None:
        super().__init__(NONE, MOST_SEATS - 1)

    def words(self, value: Any) -> int | None:
        """Return the number of the seat, if there is one."""
        return None if value == NONE else int(value)


class Secret(Count):
    """A whole number that only its seat sees, such as a bid: NONE until it is chosen, UNSEEN to the others after."""

    seen_by = OWNER

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high)
        self.limits = UNSEEN, high

    def words(self, value: Any) -> int | str | None:
        """Return the number, "unseen", or nothing."""
        return "unseen" if value == UNSEEN else None if value == NONE else int(value)


class Chance(Kind):
    """A source of random numbers of its own, which nobody sees: dice. It takes no arguments: `dice: Chance`."""

    format, shown, seen_by = STREAM, False, NOBODY


class Key(Kind):
    """The key of all chance of a game. It takes no arguments: `key: Key`."""

    format, shown, seen_by = "u8", False, NOBODY


class Bits(Kind):
    """So many bits that the rules note for themselves: neither bots in Python nor learners are shown them."""

    shown = False

    def __init__(self, count: int) -> None:
        self.limits = 0, (1 << count) - 1
        self.format = whole(*self.limits)


class Own(Kind):
    """What only its seat sees, and the others as 0: `hand: Own[Members[CARDS]]`."""

    seen_by = OWNER

    def __init__(self, each: Any) -> None:
        self.each = kind_of(each)
        self.format, self.limits, self.words = self.each.format, self.each.limits, self.each.words  # type: ignore[method-assign]


class Hidden(Part):
    """A record that nobody sees: `secret: Hidden[Secret]`, a class of fields. It is 0 in every view."""

    seen_by = NOBODY


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


@cache
def _set_of(names: tuple[str, ...]) -> Cards:
    return cards("component", names)


def _cards_of(*names: Any) -> Cards:
    """Return a set of cards as it is, and names as a set of components that are there once each."""
    found = names[0] if len(names) == 1 and not isinstance(names[0], str) else names
    return found if isinstance(found, Cards) else _set_of(tuple(found))


class Slot(OneOf):
    """A place for one component, or NONE: `left_out: Slot[TILES]`; several are `Listed[Slot[TILES], 4]`."""

    def __init__(self, *names: Any) -> None:
        super().__init__(*names)
        self.cards = _cards_of(*names)


class Numbered(OneOf):
    """One of several things that have numbers from `first` on, such as spaces: `place: Numbered[14]`."""

    def __init__(self, count: int, first: int = 1) -> None:
        self.first = first
        super().__init__(range(first, first + count))

    def words(self, value: Any) -> Any:
        """Return the number of the thing, if there is one."""
        return None if value == NONE else int(value) + self.first


class Members(Kind):
    """A set, with a bit for each of some names: `built: Members[CARDS]`. If these are components, they lie there."""

    def __init__(self, *names: Any) -> None:
        self.cards = _cards_of(*names)
        self.names = self.cards.names
        self.limits = 0, (1 << len(self.names)) - 1
        self.format = whole(*self.limits)

    def words(self, value: Any) -> list[str]:
        """Return the names of the members."""
        return members(value, self.names)


class Stack(Listed):
    """All components of a set face down, in the order in which they are drawn, in a hidden record.

    `deck: Stack[CARDS] = undrawn("deck_left")`.
    """

    shown = False

    def __init__(self, *names: Any) -> None:
        self.cards = _cards_of(*names)
        super().__init__(OneOf(*names), len(self.cards.names))


@dataclass(frozen=True)
class Counted:
    """Which field says how many entries of a list are in use; of a stack, how many of how many are undrawn."""

    by: str
    of: str = ""


def counted(by: str) -> Any:
    """Say which field says how many of the entries of a list are in use, from the first on; the others are ignored."""
    return Counted(by)


def undrawn(left: str, of: str = "") -> Any:
    """Say which field of the state says how many components of a stack are undrawn: the last ones.

    Parameters
    ----------
    left
        The name of that field.
    of
        The field of the hidden record that says how many there are in all; by default all of the set.
    """
    return Counted(left, of)


class Pile(Kind):
    """Cards on a pile, face up, the last one on top: `discard: Pile[CARDS]`, with room for all of them."""

    def __init__(self, kind: Cards, size: int | None = None) -> None:
        self.cards = kind
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

    seen_by = NOBODY

    def __init__(self, kind: Any) -> None:
        super().__init__(kind)
        self.format = np.dtype([("count", whole(0, self.size)), self._places, ("chance", STREAM)], align=True)


class Hand(Pile):
    """Up to `size` cards that only their seat sees: `hand: Hand[CARDS, 6]`."""

    seen_by = OWNER


class Row(Pile):
    """`size` places for cards, face up, each with a card or NONE: `market: Row[CARDS, 4]`."""

    def __init__(self, kind: Any, size: int) -> None:
        super().__init__(kind, size)
        self.format = np.dtype([self._places], align=True)

    def words(self, value: Any) -> Any:
        """Return the names of the cards, place by place."""
        return [self.name(card) for card in value["cards"]]


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


def record_of(fields: Sequence[Field], *more: Any, seats: int = 0) -> np.dtype[Any]:
    """Return the dtype of a record of these fields, after others that are given as numpy has them."""
    return np.dtype([*more, *formats_of(fields, seats)], align=True)


def formats_of(fields: Sequence[Field], seats: int = 0) -> list[Any]:
    """Return these fields as numpy takes them; `seats` is the most seats of a game."""
    return [(field.name, *_format_of(field, seats)) for field in fields]


def _format_of(field: Field, seats: int) -> tuple[Any, ...]:
    kind = field.kind
    if isinstance(kind, Part):
        return (record_of(kind.fields),)
    if isinstance(kind, Seats) and isinstance(kind.each, Kind):
        return (kind.each.format, (seats,))
    form = getattr(kind, "format", None)
    if form is None:
        raise DeclarationError(f"{field.name}: {type(kind).__name__} is no kind of field here")
    return form if isinstance(form, tuple) else (form,)


def faults_of(fields: Sequence[Field], record: Any, above: str = "") -> Iterator[str]:
    """Yield what is out of range in a record, as `Player.coins is 51, and must be from 0 to 50`."""
    for field in fields:
        kind, value = field.kind, record[field.name]
        if isinstance(kind, Part):
            yield from faults_of(kind.fields, value, f"{above}{field.name}.")
            continue
        kind = kind.each if isinstance(kind, Seats) else kind
        if not hasattr(kind, "limits"):
            continue
        low, high = kind.limits
        numbers = np.atleast_1d(value["cards"] if isinstance(kind, Pile) else value)
        wrong = numbers[(numbers < low) | (numbers > high)]
        if len(wrong):
            yield f"{above}{field.name} is {int(wrong[0])}, and must be from {low} to {high}"
        if isinstance(kind, Pile) and "count" in kind.format.names:
            count = int(value["count"])
            if not 0 <= count <= kind.size:
                yield f"{above}{field.name} has {count} cards, and room for {kind.size}"


def set_in(kind: Any) -> Cards | None:
    """Return the set of components that can lie in a field of a kind, if any can."""
    if isinstance(kind, Own) or (isinstance(kind, Listed) and not isinstance(kind, Stack)):
        return set_in(kind.each)
    return kind.cards if isinstance(kind, Pile | Slot | Members | Stack) else None


def lying_in(field: Field, record: Any, state: Any) -> np.ndarray:
    """Return the components that lie in a field, at least one number each; those below 0 are none."""
    kind, value = field.kind, record[field.name]
    if isinstance(kind, Pile):
        return np.asarray(value["cards"])
    if isinstance(kind, Stack):
        size = int(record[field.more.of]) if field.more.of else len(value)
        return np.asarray(value[size - int(state[field.more.by]) : size])
    if isinstance(kind, Members | Own):
        return np.array([place for place in range(64) if int(value) >> place & 1], np.int64)
    return np.atleast_1d(value[: int(record[field.more.by])] if isinstance(field.more, Counted) else value)
