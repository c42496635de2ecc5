"""The agenda: a stack of small tasks to carry out before anybody acts again.

Consecutive effects are pushed in reverse order. When one needs a choice, play stops there and the agenda keeps the
rest; so effects that need no choice have no extra cost.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined

# Kinds of task, with the meanings of their numbers `a` and `b`.
TASKS = (
    "ask",  # a = the phase to ask in; b = 1 after the active player could exchange
    "visitor_rewards",  # from the a-th of the four shore spaces
    "owner_rewards",  # from the a-th shore space, b-th marker
    "royal_ship",  # the nobles' abilities, from noble a + 1
    "patron_sails",
    "journey_reward",
    "merchants",  # abilities, from merchant a + 1
    "row_end",  # discard the row's end tile and refill
    "influence",  # gain b in region a
    "climb",  # move on to space b in region a
    "favor",  # gain b
    "draw",  # a cards, then discard one
    "delivery_reward",  # customer a
    "second_marker",  # monk of region a
    "refill",
    "tour",  # the Emperor's Visit, from shore space a, marker b
    "end_turn",  # from step a
)
(
    ASK,
    VISITOR_REWARDS,
    OWNER_REWARDS,
    ROYAL_SHIP,
    PATRON_SAILS,
    JOURNEY_REWARD,
    MERCHANTS,
    ROW_END,
    INFLUENCE,
    CLIMB,
    FAVOR,
    DRAW,
    DELIVERY_REWARD,
    SECOND_MARKER,
    REFILL,
    TOUR,
    END_TURN,
) = range(len(TASKS))

# A task is one number: kind, seat, a and b with 8 bits each.
SEAT_SHIFT, A_SHIFT, B_SHIFT, FIELD = 8, 16, 24, 255


@inlined
def push(game: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Put a task on top of the agenda."""
    task = kind | (int(seat) << SEAT_SHIFT) | (int(a) << A_SHIFT) | (int(b) << B_SHIFT)
    game.agenda[game.agenda_size] = task
    game.agenda_size += 1


@inlined
def pop(game: Any) -> int:
    """Remove the task on top of the agenda and return it."""
    game.agenda_size -= 1
    return int(game.agenda[game.agenda_size])


@inlined
def push_choice(game: Any, phase: int, seat: int) -> None:
    """Put a choice by a seat on top of the agenda."""
    push(game, ASK, seat, phase, 0)
