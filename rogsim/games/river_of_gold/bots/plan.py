"""How `planner`, `search` and `learned` think ahead: which turns they compare, how all seats play on, what counts.

The kit compares the turns in possible worlds (`rogsim.game.kit.search`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.game.kit.search import plan_choice, plan_evenly, search_choice
from rogsim.game.kit.search.hooks import Search
from rogsim.game.kit.search.lines import ENDGAME, NO_STEP, follow, lines_to_keep, place_on_menu
from rogsim.game.rng import draw
from rogsim.games.river_of_gold.bots.notes import policy_for
from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.turns import MOST_LINES, TURN_SEARCH, answer, best_answer, find_turns, move
from rogsim.games.river_of_gold.bots.worth import time_left
from rogsim.games.river_of_gold.components.names import FACES, NONE
from rogsim.games.river_of_gold.play.determinization import deal_roll, deal_world
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.phases import DRAFT, PAUSE, SET_DIE, TURN

FACE_STEPS = (0, 3, 1, 4, 2, 5)  # added to the first world's face: distant ones first, so that two worlds differ most

# Memory for one choice.
SCRATCH = np.dtype(
    [
        ("search", TURN_SEARCH),
        ("first_face", "i8"),  # of the seat's next roll in the first world, 0 to 5
    ],
    align=True,
)


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the first step of the line with the best rollouts."""
    scratches = records(SCRATCH, 1)
    return search_choice(tables, view, menu, memory, scratches)


def choose_by_plan(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best position found."""
    if view.phase != TURN:
        return answer_choice(tables, view, menu, memory, records(SCRATCH, 1))
    place = follow(view, menu, memory)
    if place >= 0:  # without clearing the memory for a choice
        return place
    return plan_choice(tables, view, menu, memory, records(SCRATCH, 1))


@kernel
def answer_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Return the place on the menu of the best answer to a choice within a turn, or before the first one."""
    scratch, seat = scratches[0], int(view.actor)
    search = scratch.search
    take_weights(memory.weights, int(view.seats), search.sheet)
    knows_patrons = search.sheet.position.knows_patrons
    if view.phase == SET_DIE and knows_patrons and left_of(tables, view, scratch) <= memory.weights[ENDGAME]:
        return plan_evenly(tables, view, menu, memory, scratches, FACES)
    if view.phase == SET_DIE or (view.phase == DRAFT and not knows_patrons):  # the evaluation does not cover them
        return choose_by_weights(tables, view, menu, policy_for(tables, view, search.sheet.position.policies))
    deal_world(tables, view, seat, memory.stream, search.world)
    search.line = search.world.game
    return max(place_on_menu(menu, best_answer(tables, seat, search)), 0)


@part
def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the lines to try: the best turns found, or within a turn every answer on the menu."""
    search = scratch.search
    take_weights(memory.weights, int(view.seats), search.sheet)
    if view.phase == TURN:
        deal_world(tables, view, int(view.actor), memory.stream, search.world)
        find_turns(tables, int(view.actor), lines_to_keep(memory, search), search)
        return
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


@kernel
def deal_next_world(tables: Any, view: Any, number: int, memory: Any, scratch: Any) -> None:
    """Deal the next world; in every six worlds the seat's next roll shows each face once.

    This is stratified sampling: the seat's next roll separates lines more than any other chance.
    """
    seat = int(view.actor)
    if number == 0:
        scratch.first_face = draw(memory.stream, FACES)
    deal_world(tables, view, seat, memory.stream, scratch.search.world)
    face = 1 + (int(scratch.first_face) + FACE_STEPS[number % FACES]) % FACES
    deal_roll(scratch.search.world.game, seat, face, memory.stream)


@part
def play_by_policy(tables: Any, game: Any, scratch: Any) -> None:
    """Take a turn's next step, or answer a choice, by the policy."""
    if game.phase == TURN:
        move(tables, game, scratch.search.options, scratch.search.sheet.position.policies)
    else:
        answer(tables, game, scratch.search.options, scratch.search.sheet.position.policies)


@part
def evaluate(tables: Any, game: Any, seat: int, scratch: Any) -> float:
    """Return a seat's chance to win."""
    return chance_to_win(tables, game, seat, scratch.search.sheet)


@part
def left_of(tables: Any, game: Any, scratch: Any) -> float:
    """Return the time left."""
    return time_left(tables, game) if game.last_turns == NONE else 0.0


SEARCH = Search(SCRATCH, list_lines, deal_next_world, play_by_policy, evaluate, left_of)
