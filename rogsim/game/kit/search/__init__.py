"""Bots for any game that think ahead: they play lines on in possible worlds, and take the best one.

Planning plays on for some turns in a few worlds. Rollouts are played on in many worlds. This is flat Monte Carlo search
with determinization: each rollout deals a world that fits everything seen, carries a line out, lets all seats play on,
and evaluates the position. All lines are tried in the same worlds, and after each round the weaker half is dropped
(sequential halving: Karnin, Koren, Somekh 2013).
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit import calls
from rogsim.game.kit.search import hooks
from rogsim.game.kit.search.hooks import play_on, scratch_for
from rogsim.game.kit.search.lines import (
    ENDGAME,
    ROLLOUTS,
    SETTINGS,
    TRUST,
    WORLDS,
    add_values,
    drop_clearly_behind,
    follow,
    note_line,
    place_on_menu,
    sort_lines,
    start_totals,
    turns_to_play,
)


@part
def list_choices(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> int:
    """List the lines to compare, and return their number."""
    hooks.list_lines(tables, view, menu, memory, scratch)
    start_totals(scratch.search, memory.weights[TRUST])
    sort_lines(scratch.search, int(scratch.search.kept))
    return int(scratch.search.kept)


@part
def try_in_next_world(tables: Any, view: Any, number: int, left: int, turns: int, memory: Any, scratch: Any) -> None:
    """Deal the next world, and play each line that is left on in it."""
    search, seat = scratch.search, calls.actor(view)
    hooks.deal_next_world(tables, view, number, memory, scratch)
    for i in range(left):
        choice = int(search.order[i])
        search.values[choice] = play_on(tables, seat, choice, turns, scratch)
    add_values(search, left)


@part
def take_best(view: Any, menu: Any, memory: Any, search: Any) -> int:
    """Note the best line, and return the place of its first step on the menu."""
    best = int(search.order[0])
    note_line(view, memory, search.lines[best])
    return max(place_on_menu(menu, int(search.lines[best, 0])), 0)


FEWEST_WORLDS = 4  # before a line may be clearly behind: fewer hardly show by how much values differ


def choose_by_planning(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best positions, in any game."""
    scratches = scratch_for(view)
    return plan_choice(tables, view, menu, memory, scratches)


@kernel
def plan_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Return the place on the menu of the first step of the line that leads to the best positions.

    Its arguments are those of `search_choice`, and it follows lines as that does.
    """
    scratch = scratches[0]
    place = follow(view, menu, memory)
    if place >= 0:
        return place
    lines = list_choices(tables, view, menu, memory, scratch)
    if lines > 1 and hooks.time_left(tables, view, scratch) <= memory.weights[ENDGAME]:
        narrow(tables, view, memory, scratch)
    return take_best(view, menu, memory, scratch.search)


@kernel
def plan_evenly(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any, least: int) -> int:
    """Return the place on the menu of the action that leads to the best positions, when one of them is to roll.

    Every line is tried in all worlds, at least `least` of them: a roll may be lucky in the first one.
    """
    scratch = scratches[0]
    lines, turns = list_choices(tables, view, menu, memory, scratch), turns_to_play(view, memory)
    if lines > 1:
        for number in range(max(least, int(memory.weights[WORLDS]))):
            try_in_next_world(tables, view, number, lines, turns, memory, scratch)
        sort_lines(scratch.search, lines)
    return take_best(view, menu, memory, scratch.search)


@part
def narrow(tables: Any, view: Any, memory: Any, scratch: Any) -> None:
    """Try the lines world by world, and drop the weaker half after each, until two are left.

    It ends sooner if one of them is clearly behind.
    """
    left, turns, worlds = int(scratch.search.kept), turns_to_play(view, memory), int(memory.weights[WORLDS])
    for number in range(worlds):
        try_in_next_world(tables, view, number, left, turns, memory, scratch)
        sort_lines(scratch.search, left)
        if number + 1 >= FEWEST_WORLDS:
            left = drop_clearly_behind(scratch.search, left, number + 1, worlds, memory)
        if left == 1:
            return
        left = max(2, (left + 1) // 2)


WEIGHT_NAMES = SETTINGS
WEIGHTS = [64, 0, 400, 1_000, 1, 0, 0, 0]  # every action, played on to the end of the game


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action with the best rollouts, in any game."""
    scratches = scratch_for(view)
    return search_choice(tables, view, menu, memory, scratches)


choose = choose_by_rollouts


@kernel
def search_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Return the place on the menu of the first step of the line with the best rollouts.

    A line of several steps is followed until the end of the turn, unless a step is not legal when its time comes.

    Parameters
    ----------
    tables, view, menu, memory
        What a bot is given.
    scratches
        Array of one record: the memory of a `Search`.
    """
    scratch = scratches[0]
    place = follow(view, menu, memory)
    if place >= 0:
        return place
    if list_choices(tables, view, menu, memory, scratch) > 1:
        halve(tables, view, memory, scratch)
    return take_best(view, menu, memory, scratch.search)


@part
def halve(tables: Any, view: Any, memory: Any, scratch: Any) -> None:
    """Divide the rollouts among rounds, each for the better half of the lines before it, until one is left."""
    left, turns = int(scratch.search.kept), turns_to_play(view, memory)
    rounds = 0
    while (1 << rounds) < left:
        rounds += 1
    share = max(int(memory.weights[ROLLOUTS]) // rounds, left)
    number = 0
    while left > 1:
        for _ in range(share // left):
            try_in_next_world(tables, view, number, left, turns, memory, scratch)
            number += 1
        sort_lines(scratch.search, left)
        left = (left + 1) // 2
