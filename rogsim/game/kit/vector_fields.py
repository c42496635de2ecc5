"""Which fields of a view a learner is given, and how each appears in the vector: what a game declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

NUMBER, BITS, CATEGORY, SEAT = range(4)  # kinds of fields
MOST_POINTS = np.iinfo(np.int16).max  # a bound for points that no rule limits


@dataclass(frozen=True)
class VectorField:
    """A field of a view, or of the records nested in it, and how it appears in the vector.

    `number`, `bits`, `category` and `seat` make these.

    Attributes
    ----------
    path
        The names of the fields that lead to it: `"players[seat].cards"`. `[seat]` marks an array with an entry for each
        seat: the vector has all seats of the game, first the seat that observes, then those to its left. With `[me]`
        it has only the seat that observes. All entries of other arrays follow one another.
    kind
        NUMBER, BITS, CATEGORY or SEAT.
    low, high
        The bounds of a number.
    names
        What bits and categories mean.
    first
        The number of the first category.
    places
        Names for the entries of the array, if it is one.
    """

    path: str
    kind: int
    low: float = 0.0
    high: float = 1.0
    names: tuple[str, ...] = ()
    first: int = 0
    places: tuple[str, ...] = ()


def number(path: str, low: float, high: float, places: Sequence[str] = ()) -> VectorField:
    """Declare a field that is one element, as it is."""
    return VectorField(path, NUMBER, low, high, places=tuple(places))


def numbers(above: str = "", /, **most: float) -> Iterator[VectorField]:
    """Declare fields that are one element each, from 0 to the given number: `numbers("players[seat]", coins=9)`."""
    for name, high in most.items():
        yield number(f"{above}.{name}" if above else name, 0, high)


def bits(path: str, names: Sequence[str], places: Sequence[str] = ()) -> VectorField:
    """Declare a mask: one element for each named bit, from the lowest, which is 1 if the bit is set."""
    return VectorField(path, BITS, names=tuple(names), places=tuple(places))


def category(path: str, names: Sequence[str], first: int = 0, places: Sequence[str] = ()) -> VectorField:
    """Declare a field with one of some values, counted from `first`: one element for each, of which one is 1.

    For any other value, such as -1 for none, all are 0.
    """
    return VectorField(path, CATEGORY, names=tuple(names), first=first, places=tuple(places))


def seat(path: str, places: Sequence[str] = ()) -> VectorField:
    """Declare the number of a seat: one element for each seat, as for a category, first the seat that observes."""
    return VectorField(path, SEAT, places=tuple(places))


def every_number(state: np.dtype[Any]) -> tuple[VectorField, ...]:
    """Return all numbers of a record with the bounds of their types: the vector of a game that declares none."""
    return tuple(number(path, *_limits(kind)) for path, kind in _leaves(state))


def _leaves(record: np.dtype[Any], above: str = "") -> Iterator[tuple[str, np.dtype[Any]]]:
    for name in record.names or ():
        kind = record[name].base
        if kind.names is not None:
            yield from _leaves(kind, f"{above}{name}.")
        else:
            yield above + name, kind


def _limits(kind: np.dtype[Any]) -> tuple[float, float]:
    if kind.kind == "f":
        return -np.inf, np.inf
    if kind.kind == "b":
        return 0, 1
    return np.iinfo(kind).min, np.iinfo(kind).max
