"""How `search` chooses: it plays each promising line on in many possible worlds, and takes the best one.

This is flat Monte Carlo search with determinization: each rollout deals a world that fits everything seen, carries a
line out, lets all seats play on by tuned weights, and evaluates the position. All lines are tried in the same worlds,
and after each round the weaker half is dropped (sequential halving: Karnin, Koren, Somekh 2013).
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part, records
from rogsim.games.river_of_gold.bots.plan import (
    CHOICES,
    DONE,
    ROLLOUTS,
    SCRATCH,
    copy_weights,
    deal_next_world,
    note_line,
    noted_step,
    play_on,
    sort_choices,
    start_totals,
    turns_to_play,
)
from rogsim.games.river_of_gold.bots.policy import place_on_menu
from rogsim.games.river_of_gold.bots.turns import MOST_LINES, NO_STEP, find_turns
from rogsim.games.river_of_gold.play.determinization import deal_world
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.phases import PAUSE, TURN


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the first step of the line with the best rollouts."""
    scratches = records(SCRATCH, 1)
    return search_choice(tables, view, menu, memory, scratches)


@kernel
def search_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Choose as `choose_by_rollouts`, using the given memory: `scratches` holds one SCRATCH record."""
    scratch = scratches[0]
    search = scratch.search
    if view.phase == TURN:
        place = place_on_menu(menu, noted_step(view, memory))
        if place >= 0:
            memory.notes[DONE] += 1.0
            return place
    copy_weights(memory, scratch)
    list_lines(tables, view, menu, memory, scratch)
    best = int(scratch.order[0]) if search.kept == 1 else halve(tables, view, memory, scratch)
    if view.phase == TURN:
        note_line(view, memory, search.lines[best])
    return max(place_on_menu(menu, int(search.lines[best, 0])), 0)


@part
def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the lines to try: the best turns found, or within a turn every answer on the menu."""
    search = scratch.search
    wanted = min(max(int(memory.weights[CHOICES]), 1), MOST_LINES)
    if view.phase == TURN:
        deal_world(tables, view, int(view.actor), memory.stream, search.world)
        find_turns(tables, int(view.actor), wanted, scratch)
    else:
        search.kept = 0
        for i in range(menu.count):
            action = int(menu.actions[i])
            is_exchange = act.EXCHANGE <= action < act.TURN_DIE
            if search.kept == MOST_LINES or (is_exchange and (view.phase != PAUSE or action != act.BUY_FAVOR)):
                continue
            search.lines[search.kept, 0] = action
            search.lines[search.kept, 1] = NO_STEP
            search.worths[search.kept] = 0.0
            search.kept += 1
    start_totals(scratch)


@part
def halve(tables: Any, view: Any, memory: Any, scratch: Any) -> int:
    """Divide the rollouts among rounds, each for the better half of the lines before it; return the best line."""
    left, turns = int(scratch.search.kept), turns_to_play(view, memory)
    rounds = 0
    while (1 << rounds) < left:
        rounds += 1
    share = max(int(memory.weights[ROLLOUTS]) // rounds, left)
    number = 0
    while left > 1:
        for _ in range(share // left):
            deal_next_world(tables, view, int(view.actor), number, memory, scratch)
            number += 1
            for i in range(left):
                choice = int(scratch.order[i])
                scratch.totals[choice] += play_on(tables, int(view.actor), choice, turns, scratch)
        sort_choices(scratch, left)
        left = (left + 1) // 2
    return int(scratch.order[0])
