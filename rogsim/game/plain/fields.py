"""The fields of the state of a plain game that only states have: seats, secrets, chance and cards.

Everything about a field follows from its declaration: how it is stored, what a seat sees of it, how hidden cards are
dealt anew, its words in traces, its bounds for learners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rogsim.game.kit.kinds import MOST_SEATS, NONE, Count, DeclarationError, Field, Kind, Seats, whole
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

    def __init__(self, low: int, high: int) -> None:
        super().__init__(low, high)
        self.limits = UNSEEN, high

    def words(self, value: Any) -> int | str | None:
        """Return the number, "unseen", or nothing."""
        return "unseen" if value == UNSEEN else None if value == NONE else int(value)


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


def record_of(fields: Sequence[Field], *more: Any) -> np.dtype[Any]:
    """Return the dtype of a record of these fields, after others that are given as numpy has them."""
    formats = []
    for field in fields:
        form = getattr(field.kind, "format", None)
        if form is None:
            raise DeclarationError(f"{field.name}: {type(field.kind).__name__} is no kind of field here")
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
