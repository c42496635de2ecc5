"""All actions of a game as consecutive whole numbers, and menus of those that are legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, product
from typing import Any, NamedTuple

import numpy as np

from rogsim.game.compiler import ENABLED, part


class Family(NamedTuple):
    """Actions of one kind, numbered one after the other."""

    do: str
    parts: dict[str, Sequence[Any]]
    looked_up: tuple[str, ...]

    @property
    def actions(self) -> list[dict[str, Any]]:
        """Return the actions in words, in the order of their numbers."""
        return [
            {"do": self.do, **dict(zip(self.parts, values, strict=True))} for values in product(*self.parts.values())
        ]


def family(do: str, **parts: Sequence[Any] | int) -> Family:
    """Return a kind of action.

    Parameters
    ----------
    do
        The word for it.
    **parts
        What such an action names, each with all its values; the last one changes fastest. For places whose content
        depends on the state, such as those of a row of cards, a part has their number instead.
    """
    values = {name: range(part) if isinstance(part, int) else part for name, part in parts.items()}
    return Family(do, values, tuple(name for name, part in parts.items() if isinstance(part, int)))


class ActionList:
    """All actions of a game, family by family.

    Attributes
    ----------
    starts
        The number of the first action of each family.
    count
        The number of all actions.
    """

    def __init__(self, *families: Family) -> None:
        *starts, self.count = accumulate((len(kind.actions) for kind in families), initial=0)
        self.starts = tuple(starts)
        self._actions = [(words, kind.looked_up) for kind in families for words in kind.actions]

    def words(self, action: int, look_up: Callable[[int], Any] | None = None) -> dict[str, Any]:
        """Return an action in words, as a step of a trace; `look_up` returns what lies at a place now."""
        words, looked_up = self._actions[action]
        if not looked_up:
            return dict(words)
        assert look_up is not None
        return {**words, **{name: look_up(words[name]) for name in looked_up}}


if ENABLED:

    @part
    def at(place: int) -> Any:
        """Return a place as an unsigned number: of a signed one, compiled code asks whether it counts from the end."""
        return np.uint64(place)

else:

    def at(place: int) -> Any:
        """Return a place as it is, because unsigned numbers are slow here; a negative one is an error."""
        place = int(place)
        if place < 0:
            raise IndexError(f"place {place} is negative")
        return place


@part
def list_row(menu: Any, count: int, rows: Any, row: int) -> int:
    """Add the actions of a prepared row, which ends with their number, to a menu; return the new count.

    The whole row is copied, as one block.
    """
    for i in range(rows.shape[1]):
        menu.actions[at(count + i)] = rows[at(row), i]
    return count + int(rows[at(row), -1])


@part
def list_if(legal_now: bool, menu: Any, count: int, action: int) -> int:
    """Add an action to a menu if it is legal; return the new count.

    It is written in any case: without a branch this takes half the time.
    """
    menu.actions[at(count)] = action
    return count + int(legal_now)
