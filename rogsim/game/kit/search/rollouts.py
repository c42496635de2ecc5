"""Searching by rollouts: each line is played on in many possible worlds, and the best one is taken.

This is flat Monte Carlo search with determinization: each rollout deals a world that fits everything seen, carries a
line out, lets all seats play on, and evaluates the position. All lines are tried in the same worlds, and after each
round the weaker half is dropped (sequential halving: Karnin, Koren, Somekh 2013).
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.search.comparing import list_choices, take_best, try_in_next_world
from rogsim.game.kit.search.following import follow
from rogsim.game.kit.search.lines import sort_lines
from rogsim.game.kit.search.search import scratch_for
from rogsim.game.kit.search.settings import ROLLOUTS, SETTINGS, turns_to_play

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
