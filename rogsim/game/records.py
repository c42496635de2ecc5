"""Structured arrays whose fields read as attributes, as in `numpy.recarray`, but much faster.

`numpy.record` looks up every field in Python code, and numpy itself makes an array of each number that it reads: there
uncompiled games would spend most of their time. So, uncompiled, a record keeps a view of the memory of each field that
was asked for. `by_cache_lines` lays out a record so that what is used together lies on one cache line.
"""

from __future__ import annotations

import copyreg
import difflib
from collections.abc import Sequence
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

ENABLED = not numba.config.DISABLE_JIT
KEPT = "kept_"  # before the name of a field: the attribute that keeps its view


def as_records(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of a structured array whose records have their fields as attributes."""
    kind = _with_attributes(array.dtype)
    return np.ndarray(array.shape, kind, array, strides=array.strides)  # `view` would compare all fields first


class Record(np.void):  # type: ignore[misc] # numpy's stubs call it final
    """A record whose fields are attributes."""

    __slots__ = ()

    @property
    def data(self) -> memoryview[int]:
        """Return the record's memory, for which numba asks in every call; numpy would describe all fields each time."""
        memory: NDArray[np.uint8] = self.getfield(_bytes(self.itemsize), 0)
        return memory.data

    if not ENABLED:

        def __getitem__(self, name: Any) -> Any:
            """Return a field."""
            return getattr(self, name) if type(name) is str else super().__getitem__(name)

        def __setitem__(self, name: Any, value: Any) -> None:
            """Write a field."""
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Return the view of a field, and keep it; refuse a field that there is not."""
        field = name.removeprefix(KEPT)
        fields: Any = self.dtype.fields or {}
        view: Any = self.data
        if field == name or field not in {"", *fields}:
            raise AttributeError(no_field(name, self.dtype.names or ()))
        if field and is_number(kind := fields[field][0]):
            view = view[fields[field][1] :][: kind.itemsize].cast(kind.char)
        elif field:
            view = super().__getitem__(field)
            if isinstance(view, np.ndarray) and view.dtype.kind in "iV":
                view = with_places(view, field)
        setattr(self, name, view)
        return view


class _RecordType(type):
    """The type of the classes of records: it remembers their fields, so that records can be pickled."""

    _fields: np.dtype[Any]


@cache
def _bytes(size: int) -> np.dtype[Any]:
    return np.dtype((np.uint8, (size,)))


class Items(np.ndarray[Any, Any]):
    """The items of a field, uncompiled: plain numbers of Python, so that a sum of two comparisons counts the true ones.

    A place that there is not, also one below 0, and a fraction are errors that name the field.
    """

    name = ""
    places: Any = None  # by place: the memory of numbers, or the records

    def __getitem__(self, place: Any) -> Any:
        """Return an item, or several."""
        try:
            if type(place) is not slice and (min(place) if type(place) is tuple else place) >= 0:
                return self.places[place]
        except (TypeError, ValueError, IndexError, NotImplementedError):
            pass  # several items, or none: numpy knows
        self._check(place)
        value = super().__getitem__(place)
        if isinstance(value, Items):
            value.name = self.name
        return int(value) if isinstance(value, np.signedinteger) else value

    def __setitem__(self, place: Any, value: Any) -> None:
        """Write an item, or several."""
        try:
            if type(self.places) is memoryview and (min(place) if type(place) is tuple else place) >= 0:
                self.places[place] = value
                return
        except (TypeError, ValueError, IndexError, NotImplementedError):
            pass
        self._check(place)
        check_whole(self.name, self.dtype, value)
        super().__setitem__(place, value)

    def _check(self, place: Any) -> None:
        for size, one in zip(self.shape, place if isinstance(place, tuple) else (place,), strict=False):
            if self.dtype.kind != "V" and isinstance(one, int | np.integer) and not 0 <= one < size:
                raise IndexError(f'the field "{self.name}" has the places 0 to {size - 1}, and {one} is none of them')


def with_places(array: NDArray[Any], name: str) -> Items:
    """Return a view of numbers or records whose items are found quickly."""
    items = array.view(Items)
    items.name = name
    items.places = list(array) if array.dtype.kind == "V" else array.data
    return items


@cache
def _with_attributes(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return an equal dtype with the same layout, whose records have attributes, also those inside other records."""
    if dtype.subdtype is not None:
        element, shape = dtype.subdtype
        return np.dtype((_with_attributes(element), shape))
    if dtype.names is None or dtype.fields is None:
        return dtype
    placed = [dtype.fields[name] for name in dtype.names]
    layout: Any = {
        "names": dtype.names,
        "formats": [_with_attributes(field[0]) for field in placed],
        "offsets": [field[1] for field in placed],
        "itemsize": dtype.itemsize,
    }
    return np.dtype((_record_class(dtype), np.dtype(layout, align=dtype.isalignedstruct)))


@cache
def _record_class(dtype: np.dtype[Any]) -> type[Any]:
    """Return the class of all records of a dtype."""
    fields = {name: dtype[name] for name in dtype.names or ()}
    members: dict[str, Any] = {name: _property(name, kind) for name, kind in fields.items()}
    kept = () if ENABLED else tuple(KEPT + name for name in ("", *fields) if (KEPT + name).isidentifier())
    return _RecordType("Record", (Record,), {**members, "__slots__": kept, "__module__": __name__, "_fields": dtype})


def no_field(name: str, known: Sequence[str] = ()) -> str:
    """Return the error for a field that a record does not have."""
    near = difflib.get_close_matches(name, known, 1)
    return f'there is no field "{name}"' + (f', did you mean "{near[0]}"?' if near else "")


def check_whole(name: str, kind: np.dtype[Any], value: Any) -> None:
    """Raise TypeError if numpy would cut off the digits of a number."""
    if isinstance(value, float) and value % 1 != 0 and kind.kind in "iu":
        raise TypeError(f'the field "{name}" holds whole numbers, and {value:g} is none')


def is_number(kind: np.dtype[Any]) -> bool:
    """Return whether a field holds one number."""
    return kind.names is None and kind.subdtype is None


def _property(name: str, kind: np.dtype[Any]) -> property:
    """Return a property that reads and writes a field; TypeError if numpy would cut off the digits of a number."""
    kept = attrgetter(KEPT + name)

    def write_number(record: Any, value: Any) -> None:
        try:
            kept(record)[0] = value
        except (TypeError, ValueError):
            write(record, value)

    def write(record: Any, value: Any) -> None:
        check_whole(name, kind.base, value)
        np.void.__setitem__(record, name, value)

    def write_items(record: Any, value: Any) -> None:
        items = kept(record)
        if type(items) is type(value) and isinstance(items, Record):  # of the same layout
            items.kept_[:] = value.kept_
        else:
            write(record, value)

    if ENABLED or not name.isidentifier():
        return property(itemgetter(name), write)
    if not is_number(kind):
        return property(kept, write_items)
    if kind.kind != "i":  # unsigned numbers wrap around, as numpy's do
        return property(lambda record: np.void.__getitem__(record, name), write_number)
    return property(lambda record: kept(record)[0], write_number)


copyreg.pickle(_RecordType, lambda kind: (_record_class, (kind._fields,)))  # type: ignore[arg-type,return-value]


def record(fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return the dtype of a record of a game; uncompiled, its whole numbers have 64 bits.

    So the rules need not say where a sum of small numbers is large, as compiled code does not need it either.

    Parameters
    ----------
    fields
        As `numpy.dtype` takes them.
    """
    made: np.dtype[Any] = np.dtype(list(fields), align=True)
    return made if ENABLED else _widened(made)


def _widened(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return a dtype in which signed numbers have 64 bits."""
    if kind.subdtype is not None:
        return np.dtype((_widened(kind.subdtype[0]), kind.subdtype[1]))
    if kind.names is None or kind.fields is None:
        return np.dtype("i8") if kind.kind == "i" else kind
    return np.dtype([(name, _widened(kind.fields[name][0])) for name in kind.names], align=True)


LINE = 64  # bytes of a cache line


def by_cache_lines(*groups: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return the dtype of a record in which each group of fields begins on a cache line.

    Its size is a power of two, so that compiled code finds one of several records by shifting, not by multiplying.

    Parameters
    ----------
    groups
        The fields of each group, as `numpy.dtype` takes them.
    """
    if not ENABLED:
        return record([field for group in groups for field in group])
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    end = 0
    for group in groups:
        kind: Any = np.dtype(list(group), align=True)
        first = -(-end // LINE) * LINE
        names += kind.names
        formats += [kind.fields[name][0] for name in kind.names]
        offsets += [first + kind.fields[name][1] for name in kind.names]
        end = first + kind.itemsize
    size = 1 << (end - 1).bit_length()
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size}, align=True)
