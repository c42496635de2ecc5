"""The agenda, the journal and masks of the kit, on a made-up record; compiled and uncompiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rogsim.game import compiler
from rogsim.game.kit.bits import bit, has, lowest, members
from rogsim.game.kit.menus import list_row
from rogsim.game.kit.state_fields import ASK, FIRST_KIND, entries, note, pop, push, push_below, push_choice
from rogsim.game.rules import menu_of

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


@compiler.kernel
def insert(boards: Any, place: int) -> None:
    push_below(boards[0], place, FIRST_KIND + 1, 1, 2, 3)


@compiler.kernel
def lowest_of(mask: int) -> int:
    return lowest(mask)


@compiler.kernel
def list_prepared(menus: Any, rows: Any) -> int:
    menu = menus[0]
    menu.actions[0] = 9
    return list_row(menu, 1, rows, 2)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_task_below_others_is_carried_out_after_them(place: int) -> None:
    """A task inserted at a place comes back after those above it and before those below it."""
    boards, out = compiler.records(BOARD, 1), np.zeros(4, np.int64)
    plan(boards)
    insert(boards, place)
    taken = []
    for _ in range(3):
        take_one(boards, out)
        taken.append(tuple(out.tolist()))
    expected = [(FIRST_KIND + 3, 2, 255, 127), (ASK, 3, 11, 0)]
    expected.insert(place, (FIRST_KIND + 1, 1, 2, 3))
    assert taken == expected[::-1]
    assert boards[0].agenda_size == 0


def test_the_lowest_bit_of_a_mask_is_the_first_member() -> None:
    """Of every mask of 8 bits, and of the ends of 64 bits, `lowest` is the least number that `has` finds."""
    for mask in (*range(1, 256), 1 << 62, 5 << 40, -(1 << 20)):
        assert lowest_of(mask) == next(index for index in range(64) if mask >> index & 1)


def test_a_prepared_row_of_actions_follows_what_is_on_the_menu() -> None:
    """The actions of the row are added, as many as its last number says."""
    menus, rows = compiler.records(menu_of(16), 1), np.zeros((3, 5), np.int16)
    rows[2] = [4, 6, 8, 0, 3]
    assert list_prepared(menus, rows) == 4
    assert menus[0].actions[:4].tolist() == [9, 4, 6, 8]


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
