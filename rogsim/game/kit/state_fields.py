"""Fields that the states of games usually have, and the functions that read and write them.

`Rules` takes those that only read a state by default.

The agenda is a stack of small tasks to carry out before anybody acts again. Consecutive effects are pushed in reverse
order. When one needs a choice, play stops there and the agenda keeps the rest; so effects that need no choice have no
extra cost. Its fields are `agenda` (i4, as many as the longest agenda) and `agenda_size`. A game numbers its own kinds
of task from `FIRST_KIND`.

The journal says what happened automatically after an action, for traces. A record of the state, usually the one that
holds what nobody knows, has the fields `journal` (i2, as many as may happen after one action) and `journal_size`.
`apply` begins with an empty journal. A game numbers its own kinds of entry.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.menus import at

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


ASK, FIRST_KIND = range(2)  # the kind of task of every game: a seat must choose; a = what it is asked

# A task is one number: kind, seat, a and b with 8 bits each.
SEAT_SHIFT, A_SHIFT, B_SHIFT, FIELD = 8, 16, 24, 255


@part
def task_of(kind: int, seat: int, a: int, b: int) -> int:
    """Return a task as one number."""
    return kind | (int(seat) << SEAT_SHIFT) | (int(a) << A_SHIFT) | (int(b) << B_SHIFT)


@part
def push(game: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Put a task on top of the agenda; `a` is a number up to 255, `b` up to 127."""
    game.agenda[at(game.agenda_size)] = task_of(kind, seat, a, b)
    game.agenda_size += 1


@kernel
def push_below(game: Any, place: int, kind: int, seat: int, a: int, b: int) -> None:
    """Put a task below those from a place of the agenda on: what is done as long as nothing waits needs no task."""
    for above in range(int(game.agenda_size), place, -1):
        game.agenda[above] = game.agenda[above - 1]
    game.agenda[place] = task_of(kind, seat, a, b)
    game.agenda_size += 1


@part
def push_choice(game: Any, phase: int, seat: int) -> None:
    """Put a choice by a seat on top of the agenda."""
    push(game, ASK, seat, phase, 0)


@part
def pop(game: Any) -> tuple[int, int, int, int]:
    """Remove the task on top of the agenda and return its kind, seat, a and b."""
    game.agenda_size -= 1
    task = int(game.agenda[at(game.agenda_size)])
    return task & FIELD, (task >> SEAT_SHIFT) & FIELD, (task >> A_SHIFT) & FIELD, (task >> B_SHIFT) & FIELD


# An entry is one number: kind, seat and value with 4, 3 and 8 bits.
ENTRY_SEAT_SHIFT, VALUE_SHIFT = 4, 7
KINDS, SEATS = 16, 8


@part
def note(holder: Any, kind: int, seat: int, value: int) -> None:
    """Add an entry to a journal: a kind up to 15, a seat up to 7, a value up to 255."""
    holder.journal[holder.journal_size] = kind | (int(seat) << ENTRY_SEAT_SHIFT) | (int(value) << VALUE_SHIFT)
    holder.journal_size += 1


def entries(holder: Any) -> list[tuple[int, int, int]]:
    """Return the entries of a journal in order, each as its kind, seat and value."""
    noted = holder.journal[: int(holder.journal_size)].tolist()
    return [(entry % KINDS, entry >> ENTRY_SEAT_SHIFT & SEATS - 1, entry >> VALUE_SHIFT) for entry in noted]
