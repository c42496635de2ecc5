"""How the search bot chooses: it plays each promising choice on, in many worlds, and takes what came out best.

Flat Monte Carlo over determinised worlds: each rollout deals a world that fits all that was seen, carries a choice out,
lets everybody play on by tuned weights, and asks the evaluation how it stands. All choices are tried in the same
worlds; the weaker half of them is given up again and again (sequential halving: Karnin, Koren, Somekh 2013).
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part, records
from rogsim.games.river_of_gold.bots.plan import (
    CHOICES,
    DONE,
    HALL,
    ROLLOUTS,
    deal_next_world,
    furnish,
    line_up,
    note_line,
    noted_step,
    place_of,
    play_on,
    sort_choices,
    turns_to_play,
)
from rogsim.games.river_of_gold.bots.turns import MOST_LINES, NO_STEP, find_turns
from rogsim.games.river_of_gold.play.determinization import deal_world
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.phases import PAUSE, TURN


def choose_by_rollouts(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Return the place on the menu of the choice that did best when it was played on."""
    halls = records(HALL, 1)
    return search(tables, view, menu, own, halls)


@kernel
def search(tables: Any, view: Any, menu: Any, own: Any, halls: Any) -> int:
    """Choose with the given hall to work in."""
    hall = halls[0]
    room = hall.room
    if view.phase == TURN:
        place = place_of(menu, noted_step(view, own))
        if place >= 0:
            own.notes[DONE] += 1.0
            return place
    furnish(own, hall)
    gather_choices(tables, view, menu, own, hall)
    best = int(hall.places[0]) if room.kept == 1 else halve(tables, view, own, hall)
    if view.phase == TURN:
        note_line(view, own, room.lines[best])
    return max(place_of(menu, int(room.lines[best, 0])), 0)


@part
def gather_choices(tables: Any, view: Any, menu: Any, own: Any, hall: Any) -> None:
    """List what is worth trying: the best turns that the planner finds, or every answer on the menu."""
    room = hall.room
    wanted = min(max(int(own.weights[CHOICES]), 1), MOST_LINES)
    if view.phase == TURN:
        deal_world(tables, view, int(view.actor), own.stream, room.world)
        find_turns(tables, int(view.actor), wanted, hall)
    else:
        room.kept = 0
        for i in range(menu.count):
            action = int(menu.actions[i])
            is_exchange = act.EXCHANGE <= action < act.TURN_DIE
            if room.kept == MOST_LINES or (is_exchange and (view.phase != PAUSE or action != act.BUY_FAVOR)):
                continue
            room.lines[room.kept, 0] = action
            room.lines[room.kept, 1] = NO_STEP
            room.worths[room.kept] = 0.0
            room.kept += 1
    line_up(hall)


@part
def halve(tables: Any, view: Any, own: Any, hall: Any) -> int:
    """Share the rollouts out in rounds, each for the better half of the choices before it; return the best one."""
    left, turns = int(hall.room.kept), turns_to_play(view, own)
    rounds = 0
    while (1 << rounds) < left:
        rounds += 1
    share = max(int(own.weights[ROLLOUTS]) // rounds, left)
    number = 0
    while left > 1:
        for _ in range(share // left):
            deal_next_world(tables, view, int(view.actor), number, own, hall)
            number += 1
            for i in range(left):
                choice = int(hall.places[i])
                hall.sums[choice] += play_on(tables, int(view.actor), choice, turns, hall)
        sort_choices(hall, left)
        left = (left + 1) // 2
    return int(hall.places[0])
