"""What comes before the games of a scenario: its options, the tables that the rules read, and facts for agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict

from rogsim.game.kit.components import Book
from rogsim.game.parameters import Change


class StrictOptions(BaseModel):
    """Options of which none is unknown, of another type, or changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def one_of(value: str, allowed: Sequence[str], more: str = "") -> str:
    """Return a value that is allowed; ValueError otherwise, which lists what is allowed, and `more` after it."""
    if value not in allowed:
        choices = ", ".join(f'"{name}"' for name in allowed)
        raise ValueError(f'"{value}" is not allowed: choose from {choices}{" " + more if more else ""}')
    return value


def all_different(names: Sequence[str]) -> None:
    """Raise ValueError if a name is listed twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f'"{name}" is listed twice')


def mode_or_names(value: str | list[str], modes: Sequence[str], names: Sequence[str], more: str) -> str | list[str]:
    """Return a mode, or a list of different names, if it is allowed; ValueError otherwise, as from `one_of`."""
    if isinstance(value, str):
        return one_of(value, modes, more)
    for name in value:
        one_of(name, names)
    all_different(value)
    return value


def one_for_each_seat(option: str, names: Sequence[str], players: int) -> None:
    """Raise ValueError if an option does not name one thing for each seat."""
    if len(names) != players:
        raise ValueError(f'option "{option}" names {len(names)} for {players} players: give one for each seat')


class FrozenDict(dict[Any, Any]):
    """A dict that cannot be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("facts cannot be changed")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, _: Any) -> FrozenDict:
        """Return itself, because nothing in it can be changed."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle its content."""
        return type(self), (dict(self),)


def frozen(value: Any) -> Any:
    """Return nested mappings and lists as nested `FrozenDict` and tuples."""
    if isinstance(value, Mapping):
        return FrozenDict({key: frozen(inner) for key, inner in value.items()})
    return tuple(frozen(inner) for inner in value) if isinstance(value, list | tuple) else value


def by_id(value: Any) -> Any:
    """Return tables in which rows that have an id are found by it, as in the names of parameters."""
    if isinstance(value, Mapping):
        return {key: by_id(inner) for key, inner in value.items()}
    if isinstance(value, list) and value and all(isinstance(row, Mapping) and "id" in row for row in value):
        return {row["id"]: by_id(row) for row in value}
    return value


@dataclass(frozen=True)
class Setup:
    """What all games of a scenario and a player count share; a game may add to it."""

    tables: Any  # the record that the rules read
    facts: Mapping[str, Any]  # the components in words, for agents
    options: Mapping[str, Any] = field(default_factory=dict)  # those that differ from the default
    change: Change = field(default_factory=dict)  # the parameters that differ from those in the files


def preparing(
    book: Book[Any], make_tables: Callable[[Any, int], Any], fill_options: Callable[[Any, Any], None]
) -> Callable[..., Setup]:
    """Return what `GameSpec.prepare` is for a game with component files.

    Parameters
    ----------
    book
        All parameters of the game.
    make_tables
        Takes the components and a player count, and returns the record that the rules read, for default options.
    fill_options
        Writes the options into that record; ValueError if they do not fit its player count.
    """

    def prepare(options: Any, players: int, change: Change | None = None) -> Setup:
        """Return the set-up for the options and checked changes of a scenario and a player count."""
        tables = make_tables(book.with_values(change or {}), players)
        fill_options(tables, options)
        facts = frozen(by_id(book.with_change(change or {})))
        return Setup(tables, facts, options.model_dump(exclude_defaults=True), dict(change or {}))

    return prepare
