"""The rules that only read a state, for every game whose state has the usual fields: `Rules` takes them by default."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import part

NOT_COUNTED = -1


@part
def actor(state: Any) -> int:
    """Return the seat that must choose: `actor`."""
    return int(state.actor)


@part
def turn(state: Any) -> int:
    """Return the number of turns before this one: `turn`."""
    return int(state.turn)


@part
def seats(state: Any) -> int:
    """Return the number of seats: `seats`."""
    return int(state.seats)


@part
def set_aside(state: Any, seat: int, hidden: Any) -> None:
    """Set nothing aside: for a game whose bots always get copies."""


@part
def put_back(state: Any, seat: int, hidden: Any) -> None:
    """Put back what was set aside: nothing."""


@part
def points(state: Any, seat: int) -> int:
    """Return the points of a seat so far: `players[seat].points`."""
    return int(state.players[seat].points)


@part
def scorings(state: Any) -> int:
    """Return NOT_COUNTED: for a game that does not count how often points changed."""
    return NOT_COUNTED


@part
def keep_sources(state: Any, seat: int, sources: Any) -> None:
    """Keep nothing of a seat's points by source: for a game without sources during play."""
