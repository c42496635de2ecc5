"""What differs from search to search, as functions that compiled code can call for any of them.

Compiled code finds the version by the type of the search's memory, as it finds rules (`rogsim.game.kit.calls`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import note_sources
from rogsim.game.kit.calls import found_by

_SEARCHES: dict[np.dtype[Any], Any] = {}


def keep_search(search: Any) -> None:
    """Let the hooks find a search by the dtype of its memory; ValueError if another one has the same fields or more.

    Compiled code takes a record with further fields at the end for one without them.
    """
    for known in _SEARCHES:
        if _contains(known, search.scratch) or _contains(search.scratch, known):
            raise ValueError(
                "another search has the same memory, at least at the beginning: put a field of its own first"
            )
    _SEARCHES[search.scratch] = search
    note_sources(search.scratch, vars(search).values())


def _contains(wide: np.dtype[Any], narrow: np.dtype[Any]) -> bool:
    """Return whether a record has all fields of another, at the same places."""
    return dict(narrow.fields or {}).items() <= dict(wide.fields or {}).items()


def of_scratch(scratch: np.dtype[Any]) -> Any:
    """Return the search that has this dtype of memory."""
    return _SEARCHES[scratch]


of_the_search = found_by(of_scratch, "scratch", inline=False)


@of_the_search
def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the lines to compare in `scratch.search`."""


@of_the_search
def deal_next_world(tables: Any, view: Any, number: int, memory: Any, scratch: Any) -> None:
    """Deal the world with this number, from 0, to `scratch.search.world`."""


@of_the_search
def move(tables: Any, state: Any, scratch: Any) -> None:
    """Let the actor of a game that is played on take at least one action."""


@of_the_search
def evaluate(tables: Any, state: Any, seat: int, scratch: Any) -> float:
    """Return the worth of a position for a seat."""
    raise NotImplementedError


@of_the_search
def time_left(tables: Any, state: Any, scratch: Any) -> float:
    """Return the share of the game that is left."""
    raise NotImplementedError
