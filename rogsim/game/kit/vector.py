"""What a seat sees as a vector of numbers, for learners: a game lists fields of its view, and the kit does the rest.

A game declares in `Rules.vector` which fields of a view count and what they mean. From this, `VectorLayout` derives the
elements of the vector, each with a name and bounds, and a small program for each seat: which bytes of a view give which
elements. `fill_vector` runs such a program. It is compiled once, for all games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rogsim.game.compiler import kernel, part
from rogsim.game.rules import Rules, array_of

NUMBER, BITS, CATEGORY, SEAT = range(4)  # kinds of fields


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


REAL = 4  # the kind in a program of numbers that are not plain whole numbers
KINDS = 5

# The columns of a program: where a value is in the view and how it is stored; where its elements begin, how many they
# are, and the value of the first.
AT, FORMAT, PLACE, COUNT, FIRST = range(5)

FORMATS = tuple(np.dtype(code) for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"))
BYTE, UNSIGNED, UNSIGNED_64, FLOAT_32 = 0, 4, 7, 8  # places in FORMATS

STEP = re.compile(r"(\w+)(?:\[(seat|me)\])?")


class _Value(NamedTuple):
    """One value in a view: where it is depends on the seat that observes."""

    name: str
    keys: tuple[str | int, ...]  # the way to it in a nested dict
    at: NDArray[np.int64]  # its first byte, by observing seat
    kind: np.dtype[Any]
    field: VectorField


class VectorLayout:
    """The elements of the vector of a game with some number of players.

    Attributes
    ----------
    players
        The number of seats.
    names
        A name for each element: `players[me].points`, `players[me+1].cards[ace]`, `phase=draft`. `me+1` is the seat to
        the left of the one that observes.
    low, high : float32[elements]
        The bounds of each element, both included.
    programs : int64[players, values, 5]
        For `fill_vector`, by observing seat.
    starts : int64[6]
        Where the values of each kind begin in a program, and its end.
    """

    def __init__(self, state: np.dtype[Any], fields: Sequence[VectorField], players: int) -> None:
        """Lay the fields out one after the other.

        Parameters
        ----------
        state
            The dtype of a view.
        fields
            What is in the vector.
        players
            The number of seats of the game.

        Raises
        ------
        ValueError
            If the record has no such field, or one that does not fit what is declared.
        """
        self.players = players
        self._values = [value for field in fields for value in _values_of(state, field, players)]
        elements = [_elements(value, players) for value in self._values]
        self.names = tuple(name for names in elements for name in names)
        bounds = [
            (value.field.low, value.field.high)
            for value, names in zip(self._values, elements, strict=True)
            for _ in names
        ]
        self.low, self.high = (np.array(bound, np.float32) for bound in zip(*bounds, strict=True))
        self.programs, self.starts = self._compiled([len(names) for names in elements])

    def _compiled(self, counts: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the programs and the starts, given how many elements each value has."""
        values = self._values
        columns = [[_format(value) for value in values], np.cumsum([0, *counts])[:-1], counts]
        programs = np.zeros((self.players, len(values), 5), np.int64)
        programs[:, :, AT] = np.array([value.at for value in values]).T
        programs[:, :, [FORMAT, PLACE, COUNT]] = np.array(columns).T
        programs[:, :, FIRST] = [value.field.first for value in values]
        # Values of the same kind and format one after the other: the processor predicts what comes next.
        kinds = np.array([_section(value) for value in values])
        order = np.lexsort((programs[0, :, FORMAT], kinds))
        starts = np.searchsorted(kinds[order], range(KINDS + 1))
        return np.ascontiguousarray(programs[:, order]), starts

    def __len__(self) -> int:
        """Return the number of elements."""
        return len(self.names)

    def vector(self, view: Any, seat: int) -> NDArray[np.float32]:
        """Return the vector of the view of a seat."""
        vector = np.zeros(len(self), np.float32)
        fill_vector(_bytes_of(view), self.programs[seat], self.starts, seat, self.players, vector)
        return vector

    def in_words(self, view: Any, seat: int) -> dict[str, Any]:
        """Return the same as nested dicts and lists: the names of bits and categories, seats counted from the observer.

        Parameters
        ----------
        view
            The view of a seat.
        seat
            This seat.

        Returns
        -------
        dict
            By name of field; arrays with an entry for each seat are lists that begin with the seat that observes.
            A set of bits is a list of their names. None stands for no category, or no seat.
        """
        memory = _bytes_of(view)
        found: dict[str | int, Any] = {}
        for value in self._values:
            inside = found
            for key in value.keys[:-1]:
                inside = inside.setdefault(key, {})
            begin = int(value.at[seat])
            stored = memory[begin : begin + value.kind.itemsize].view(value.kind)[0].item()
            inside[value.keys[-1]] = _word(value.field, stored, seat, self.players)
        return dict(_listed(found))


def layout_of(rules: Rules, setup: Any, players: int) -> VectorLayout:
    """Return the layout of the vector of a game.

    Parameters
    ----------
    rules
        The rules of the game.
    setup
        What `GameSpec.prepare` returned: bounds may depend on it.
    players
        The number of seats.
    """
    fields = rules.vector(setup) if rules.vector else every_number(rules.state)
    return VectorLayout(rules.state, fields, players)


def _bytes_of(record: Any) -> NDArray[np.uint8]:
    return np.asarray(array_of(record)).view(np.uint8)


def _values_of(state: np.dtype[Any], field: VectorField, players: int) -> list[_Value]:
    """Return every value of a field, in the order of the vector."""
    found = [_Value("", (), np.zeros(players, np.int64), state, field)]
    for step in field.path.split("."):
        match = STEP.fullmatch(step)
        if not match:
            raise ValueError(f'vector: "{field.path}" is no path: write it as "players[seat].goods"')
        found = [inner for value in found for inner in _inside(value, match[1], match[2], players)]
    for value in found:
        allowed = "iubf" if field.kind == NUMBER else "iub"
        if value.kind.kind not in allowed or not value.kind.isnative:
            raise ValueError(f'vector: "{field.path}" is not a {"number" if field.kind == NUMBER else "whole number"}')
    return found


def _inside(value: _Value, name: str, by_seat: str | None, players: int) -> Iterator[_Value]:
    """Yield the entries of a field of a record, with those of arrays one by one."""
    known: Mapping[str, Any] = value.kind.fields or {}
    if name not in known:
        raise ValueError(f'vector: "{value.field.path}": there is no field "{name}", but {", ".join(known) or "none"}')
    kind, begin = known[name][:2]
    shape = kind.shape
    start = value._replace(
        name=f"{value.name}.{name}" if value.name else name,
        keys=(*value.keys, name),
        at=value.at + begin,
        kind=kind.base,
    )
    heads = [start]
    if by_seat:
        if not shape or shape[0] < players:
            raise ValueError(f'vector: "{value.field.path}": "{name}" has no entry for each of {players} seats')
        size, shape = kind.itemsize // shape[0], shape[1:]
        heads = [_rotated(start, size, turn, players) for turn in range(players if by_seat == "seat" else 1)]
    for head in heads:
        for number, place in enumerate(np.ndindex(shape)):
            keys = tuple(_key(value.field, shape, place))
            texts = "".join(f"[{key}]" for key in keys)
            at = head.at + number * kind.base.itemsize
            yield head._replace(name=head.name + texts, keys=(*head.keys, *keys), at=at)


def _rotated(value: _Value, size: int, turn: int, players: int) -> _Value:
    """Return the entry of the seat that comes `turn` places after the one that observes."""
    seats = (np.arange(players) + turn) % players
    return value._replace(name=f"{value.name}[{_relative(turn)}]", keys=(*value.keys, turn), at=value.at + size * seats)


def _relative(turn: int) -> str:
    return f"me+{turn}" if turn else "me"


def _key(field: VectorField, shape: tuple[int, ...], place: tuple[int, ...]) -> Iterator[str | int]:
    """Yield the keys of an entry of an array: those of the last axis may have names."""
    named = len(field.places) == shape[-1] if shape else False
    for axis, index in enumerate(place):
        yield field.places[index] if named and axis == len(shape) - 1 else index


def _elements(value: _Value, players: int) -> list[str]:
    """Return the names of the elements of a value."""
    if value.field.kind == NUMBER:
        return [value.name]
    if value.field.kind == BITS:
        return [f"{value.name}[{name}]" for name in value.field.names]
    names = value.field.names if value.field.kind == CATEGORY else [_relative(turn) for turn in range(players)]
    return [f"{value.name}={name}" for name in names]


def _word(field: VectorField, stored: Any, seat: int, players: int) -> Any:
    if field.kind == NUMBER:
        return stored
    if field.kind == BITS:
        return [name for place, name in enumerate(field.names) if stored >> place & 1]
    if field.kind == SEAT:
        return (stored - seat) % players if 0 <= stored < players else None
    place = stored - field.first
    return field.names[place] if 0 <= place < len(field.names) else None


def _listed(found: Any) -> Any:
    """Return dicts whose keys are 0, 1, ... as lists, at all levels."""
    if not isinstance(found, dict):
        return found
    inner = {key: _listed(value) for key, value in found.items()}
    return list(inner.values()) if list(inner) == list(range(len(inner))) else inner


def _section(value: _Value) -> int:
    """Return the kind of a value as its program has it."""
    return REAL if value.field.kind == NUMBER and _format(value) >= UNSIGNED_64 else value.field.kind


def _format(value: _Value) -> int:
    kind = np.dtype("u1") if value.kind.kind == "b" else value.kind
    return FORMATS.index(kind)


@part
def whole_at(memory: Any, at: int, stored: int) -> Any:
    """Return the whole number that begins at a byte of a record, given its place in FORMATS."""
    if stored == BYTE:
        return np.int64(np.int8(memory[at]))
    size = 1 << (stored & 3)
    value = np.uint64(0)
    for i in range(size):
        value |= np.uint64(memory[at + i]) << np.uint64(8 * i)
    unused = np.int64(64 - 8 * size)
    signed = np.int64(value)
    return (signed << unused) >> unused if stored < UNSIGNED else signed


@part
def real_at(memory: Any, at: int, stored: int) -> float:
    """Return a number that begins at a byte of a record and may be beyond 63 bits, or broken."""
    if stored == UNSIGNED_64:
        return float(np.uint64(whole_at(memory, at, stored)))
    if stored == FLOAT_32:
        return float(memory[at : at + 4].view(np.float32)[0])
    return float(memory[at : at + 8].view(np.float64)[0])


@kernel
def fill_vector(memory: Any, program: Any, starts: Any, seat: int, players: int, vector: Any) -> None:
    """Fill the vector of a seat.

    Parameters
    ----------
    memory : uint8[bytes]
        The view of the seat, as its bytes.
    program : int64[values, 5]
        What to read and where to write it: `VectorLayout.programs[seat]`.
    starts : int64[6]
        Where the values of each kind begin in the program, and its end.
    seat, players
        The seat that observes, and the number of seats.
    vector : float32[elements]
        Receives the elements.
    """
    vector[:] = 0
    for i in range(starts[NUMBER], starts[BITS]):
        vector[program[i, PLACE]] = whole_at(memory, program[i, AT], program[i, FORMAT])
    for i in range(starts[BITS], starts[CATEGORY]):
        mask = whole_at(memory, program[i, AT], program[i, FORMAT])
        elements = vector[program[i, PLACE] : program[i, PLACE] + program[i, COUNT]]
        for bit in range(len(elements)):
            elements[bit] = (mask >> bit) & 1
    for i in range(starts[CATEGORY], starts[SEAT]):
        place = whole_at(memory, program[i, AT], program[i, FORMAT]) - program[i, FIRST]
        if 0 <= place < program[i, COUNT]:
            vector[program[i, PLACE] + place] = 1
    for i in range(starts[SEAT], starts[SEAT + 1]):
        other = whole_at(memory, program[i, AT], program[i, FORMAT])
        if 0 <= other < players:
            turn = other - seat
            vector[program[i, PLACE] + (turn if turn >= 0 else turn + players)] = 1
    for i in range(starts[REAL], starts[REAL + 1]):
        vector[program[i, PLACE]] = real_at(memory, program[i, AT], program[i, FORMAT])
