"""The agenda: a stack of small tasks to carry out before anybody acts again.

Consecutive effects are pushed in reverse order. When one needs a choice, play stops there and the agenda keeps the
rest; so effects that need no choice have no extra cost. The state of a game has the fields `agenda` (i4, as many as the
longest agenda) and `agenda_size`. A game numbers its own kinds of task from `FIRST_KIND`.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel
from rogsim.game.kit.menus import at

ASK, FIRST_KIND = range(2)  # the kind of task of every game: a seat must choose; a = what it is asked

# A task is one number: kind, seat, a and b with 8 bits each.
SEAT_SHIFT, A_SHIFT, B_SHIFT, FIELD = 8, 16, 24, 255


@inlined
def task_of(kind: int, seat: int, a: int, b: int) -> int:
    """Return a task as one number."""
    return kind | (int(seat) << SEAT_SHIFT) | (int(a) << A_SHIFT) | (int(b) << B_SHIFT)


@inlined
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


@inlined
def push_choice(game: Any, phase: int, seat: int) -> None:
    """Put a choice by a seat on top of the agenda."""
    push(game, ASK, seat, phase, 0)


@inlined
def pop(game: Any) -> tuple[int, int, int, int]:
    """Remove the task on top of the agenda and return its kind, seat, a and b."""
    game.agenda_size -= 1
    task = int(game.agenda[at(game.agenda_size)])
    return task & FIELD, (task >> SEAT_SHIFT) & FIELD, (task >> A_SHIFT) & FIELD, (task >> B_SHIFT) & FIELD
