"""The bots that do not learn, in games that are imagined: they choose for their seats, as they do in the game.

A world that is dealt counts only if each of them would have chosen in it what it chose. It is asked again about its
choices, with the notes and the random numbers that it had. What it saw then is known but for what has been hidden from
the learner all the time: that comes from the world.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rogsim.game.compiler import part, records
from rogsim.game.kit import calls, loop
from rogsim.game.kit.playing import new_workspace
from rogsim.game.kit.search import hooks
from rogsim.game.kit.search.playouts import carry_out, start_line
from rogsim.game.kit.workspace import BY_CHANCE, MAX_NOTES
from rogsim.game.rng import STREAM, stream_key
from rogsim.game.rules import Rules

MOST_PAST = 64  # choices that they are asked about again, the latest ones
NOW, DEALT, THEN = range(MOST_PAST, MOST_PAST + 3)  # places of views, behind those of the choices
MOST_TRIES = 10  # worlds that are dealt for one that counts

# A choice of a bot: who, what, and the bot's memory before it.
PAST = np.dtype([("seat", "i8"), ("action", "i8"), ("stream", STREAM), ("notes", "f8", (MAX_NOTES,))], align=True)


class Rivals(NamedTuple):
    """The memory for asking the bots that do not learn.

    table: the workspace on which they are asked. past: PAST records, written in turn. views: what each saw then, and
    three more. bytes: the same memory, uint8[views, size]. numbers: int64[n, 2], where each number of a view is, and
    its size. differing: int64[n], the numbers in which two views differ.
    """

    table: Any
    past: Any
    views: Any
    bytes: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    differing: NDArray[np.int64]


def rivals_of(rules: Rules) -> Rivals:
    """Return new memory for asking the bots that do not learn."""
    views = records(rules.state, MOST_PAST + 3)
    bytes_of_views = np.asarray(views).view(np.uint8).reshape(len(views), -1)
    numbers = np.array(numbers_in(rules.state), np.int64)
    return Rivals(
        new_workspace(rules),
        records(PAST, MOST_PAST),
        views,
        bytes_of_views,
        numbers,
        np.zeros(len(numbers), np.int64),
    )


def numbers_in(kind: np.dtype[Any], first: int = 0) -> list[tuple[int, int]]:
    """Return the place and the size in bytes of each number in a record."""
    if kind.subdtype is not None:
        inner, count = kind.base, int(np.prod(kind.shape))
        return [found for i in range(count) for found in numbers_in(inner, first + i * inner.itemsize)]
    if kind.fields is None:
        return [(first, kind.itemsize)]
    return [found for field in kind.fields.values() for found in numbers_in(field[0], first + field[1])]


@part
def note_view(tables: Any, workspace: Any, rivals: Any, bot: int, noted: int) -> int:
    """Note what a bot sees that is about to choose, and its memory; return 1, or 0 if there is nothing to tell from."""
    seat = calls.actor(workspace.game)
    calls.legal(tables, workspace.game, workspace.menu)
    if workspace.menu.count < 2 or workspace.asked[bot] == BY_CHANCE:
        return 0
    place = noted % MOST_PAST
    past, memory = rivals.past[place], workspace.arguments[seat].memory
    past.seat, past.stream.key, past.stream.count = seat, memory.stream.key, memory.stream.count
    for i in range(MAX_NOTES):
        past.notes[i] = memory.notes[i]
    rivals.views[place] = workspace.game
    calls.hide(rivals.views[place], seat)
    return 1


@part
def deal_world_that_counts(
    tables: Any,
    workspace: Any,
    rivals: Any,
    bots: Any,
    seating: Any,
    noted: int,
    number: int,
    memory: Any,
    scratch: Any,
) -> int:
    """Deal the next world, again until it counts; return 0, or 1 if none does: then the game itself is the world.

    It explains what the bots did, and looks to the learner as it does.
    """
    for _ in range(MOST_TRIES):
        hooks.deal_next_world(tables, workspace.bot_view, number, memory, scratch)
        if noted == 0 or counts(tables, workspace, scratch.search.world.game, rivals, bots, seating, noted):
            return 0
    scratch.search.world.game = workspace.game
    return 1


@part
def counts(tables: Any, workspace: Any, world: Any, rivals: Any, bots: Any, seating: Any, noted: int) -> bool:
    """Return whether all bots that do not learn would have chosen in a world what they chose."""
    differing, known = 0, -1  # of whose view
    for number in range(noted - 1, max(noted - MOST_PAST, 0) - 1, -1):
        place = number % MOST_PAST
        seat = int(rivals.past[place].seat)
        if seat != known:
            differing, known = compare_views(workspace.game, world, seat, rivals), seat
        if look_back(place, differing, rivals) and not repeats(tables, rivals, bots, int(seating[seat]), place):
            return False
    return True


@part
def compare_views(game: Any, world: Any, seat: int, rivals: Any) -> int:
    """Note the numbers in which a seat sees something else in a world than in the game, and return how many."""
    rivals.views[NOW] = game
    rivals.views[DEALT] = world
    calls.hide(rivals.views[NOW], seat)
    calls.hide(rivals.views[DEALT], seat)
    count = 0
    for i in range(len(rivals.numbers)):
        if not is_same(rivals, i, NOW, DEALT):
            rivals.differing[count] = i
            count += 1
    return count


@part
def look_back(place: int, differing: int, rivals: Any) -> bool:
    """Write what a bot would have seen then, if the world were true, to THEN; return whether that is something else.

    What has changed since then was not hidden all the time, so the world says nothing about it.
    """
    is_changed = False
    rivals.views[THEN] = rivals.views[place]
    for i in range(differing):
        number = rivals.differing[i]
        if is_same(rivals, number, place, NOW):
            is_changed = True
            first, size = rivals.numbers[number]
            for at in range(first, first + size):
                rivals.bytes[THEN, at] = rivals.bytes[DEALT, at]
    return is_changed


@part
def is_same(rivals: Any, number: int, one: int, other: int) -> bool:
    """Return whether a number is the same in two views."""
    first, size = rivals.numbers[number]
    for at in range(first, first + size):
        if rivals.bytes[one, at] != rivals.bytes[other, at]:
            return False
    return True


@part
def repeats(tables: Any, rivals: Any, bots: Any, bot: int, place: int) -> bool:
    """Return whether a bot that sees THEN chooses again what it chose."""
    past, table = rivals.past[place], rivals.table
    seat = int(past.seat)
    loop.seat_bot(table, seat, bot, past.stream.key)
    memory = table.arguments[seat].memory
    memory.stream.count = past.stream.count
    for i in range(MAX_NOTES):
        memory.notes[i] = past.notes[i]
    table.game = rivals.views[THEN]
    return loop.decide(tables, table, bots, bot) == past.action


@part
def play_on_among(
    tables: Any,
    workspace: Any,
    rivals: Any,
    bots: Any,
    seating: Any,
    learners: int,
    key: Any,
    seat: int,
    choice: int,
    turns: int,
    scratch: Any,
) -> float:
    """Do what `play_on` does, but bots that do not learn choose for their seats.

    Each begins with the notes that it has in the game, and with random numbers by the key, so that all lines in a world
    meet the same ones.
    """
    search = scratch.search
    start_line(tables, choice, scratch)
    for other in range(calls.seats(search.line)):
        if seating[other] >= learners:
            loop.seat_bot(rivals.table, other, int(seating[other]), stream_key(key, other))
            notes, own = rivals.table.arguments[other].memory.notes, workspace.arguments[other].memory.notes
            for i in range(MAX_NOTES):
                notes[i] = own[i]
    last = calls.turn(search.world.game) + turns
    while not calls.is_over(search.line) and calls.turn(search.line) <= last:
        bot = int(seating[calls.actor(search.line)])
        if bot < learners:
            hooks.move(tables, search.line, scratch)
        else:
            rivals.table.game = search.line
            carry_out(tables, search.line, action_of(tables, rivals.table, bots, bot))
    return hooks.evaluate(tables, search.line, seat, scratch)


@part
def action_of(tables: Any, table: Any, bots: Any, bot: int) -> int:
    """Return the action of a bot; the first one if its notes, which are not of this world, mislead it off the menu."""
    action = loop.decide(tables, table, bots, bot)
    if action == loop.ILLEGAL:
        calls.legal(tables, table.game, table.menu)
        action = int(table.menu.actions[0])
    return action
