"""The agenda, the journal and masks of the kit, on a made-up record; compiled and uncompiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game import compiler
from rogsim.game.kit.agenda import ASK, FIRST_KIND, pop, push, push_choice
from rogsim.game.kit.journal import entries, note
from rogsim.game.kit.masks import bit, has, members

BOARD = np.dtype(
    [
        ("agenda", "i4", (4,)),
        ("agenda_size", "i1"),
        ("journal", "i2", (3,)),
        ("journal_size", "i1"),
        ("hand", "i4"),
    ],
    align=True,
)


@compiler.kernel
def plan(boards: Any) -> None:
    push(boards[0], FIRST_KIND + 3, 2, 255, 127)
    push_choice(boards[0], 11, 3)


@compiler.kernel
def take_one(boards: Any, out: Any) -> None:
    out[0], out[1], out[2], out[3] = pop(boards[0])


@compiler.kernel
def happen(boards: Any) -> None:
    note(boards[0], 0, 0, 0)
    note(boards[0], 15, 7, 255)
    note(boards[0], 4, boards[0].agenda_size, 30)


@compiler.kernel
def hold(boards: Any, card: int) -> bool:
    boards[0].hand |= bit(card)
    return has(boards[0].hand, card) and not has(boards[0].hand, card + 1)


def test_the_last_task_pushed_is_the_first_to_be_carried_out() -> None:
    """Tasks come back in reverse order, each with its kind, seat and numbers, also the largest ones."""
    boards, out = compiler.records(BOARD, 1), np.zeros(4, np.int64)
    plan(boards)
    taken = []
    for _ in range(2):
        take_one(boards, out)
        taken.append(tuple(out.tolist()))
    assert taken == [(ASK, 3, 11, 0), (FIRST_KIND + 3, 2, 255, 127)]
    assert boards[0].agenda_size == 0


def test_the_journal_keeps_its_entries_in_order() -> None:
    """The smallest, the largest and an ordinary entry are read as they were noted; older ones are not seen."""
    boards = compiler.records(BOARD, 1)
    happen(boards)
    assert entries(boards[0]) == [(0, 0, 0), (15, 7, 255), (4, 0, 30)]
    boards[0].journal_size = 1
    assert entries(boards[0]) == [(0, 0, 0)]


def test_masks_hold_their_members() -> None:
    """A card is in a mask once its bit is set; names come in the order of their bits."""
    boards = compiler.records(BOARD, 1)
    assert hold(boards, 2)
    assert hold(boards, 0)
    assert members(boards[0].hand, ("owl", "fox", "hare")) == ["owl", "hare"]
    assert members(0, ("owl",)) == []
