"""Planning: each line is played on for some turns in a few possible worlds, and the best one is taken."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.search import hooks
from rogsim.game.kit.search.comparing import list_choices, take_best, try_in_next_world
from rogsim.game.kit.search.following import follow
from rogsim.game.kit.search.lines import drop_clearly_behind, sort_lines
from rogsim.game.kit.search.search import scratch_for
from rogsim.game.kit.search.settings import ENDGAME, WORLDS, turns_to_play

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
