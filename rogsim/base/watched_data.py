"""Data that notes what was read from it last, so that an error in data from elsewhere can say where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


class Trail:
    """The place of the value that was read last: names and numbers from the outside in."""

    def __init__(self) -> None:
        """Begin with the whole."""
        self.path: Path = ()

    def watch(self, value: Any, path: Path = ()) -> Any:
        """Return equal data whose tables and lists note here what is read from them."""
        if isinstance(value, dict):
            return WatchedTable({key: self.watch(part, (*path, key)) for key, part in value.items()}, self, path)
        if isinstance(value, list):
            return WatchedList([self.watch(part, (*path, place)) for place, part in enumerate(value)], self, path)
        return value

    def __str__(self) -> str:
        """Return the place as text, such as turns.3.card."""
        return ".".join(map(str, self.path))


class WatchedTable(dict[str, Any]):
    """A table that notes which value was read last."""

    def __init__(self, values: dict[str, Any], trail: Trail, path: Path) -> None:
        """Begin with watched values."""
        super().__init__(values)
        self._trail, self._path = trail, path

    def __getitem__(self, key: str) -> Any:
        """Return a value, and note where it is."""
        value = super().__getitem__(key)
        self._trail.path = (*self._path, key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value or the default, and note where it is."""
        self._trail.path = (*self._path, key) if key in self else self._path
        return super().get(key, default)


class WatchedList(list[Any]):
    """A list that notes which entry was read last."""

    def __init__(self, values: list[Any], trail: Trail, path: Path) -> None:
        """Begin with watched entries."""
        super().__init__(values)
        self._trail, self._path = trail, path

    def __getitem__(self, place: Any) -> Any:
        """Return an entry or several, and note where it is."""
        value = super().__getitem__(place)
        self._trail.path = (*self._path, place) if isinstance(place, int) else self._path
        return value

    def __iter__(self) -> Iterator[Any]:
        """Yield the entries, and note where each of them is."""
        for place, value in enumerate(super().__iter__()):
            self._trail.path = (*self._path, place)
            yield value
