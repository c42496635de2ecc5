"""How `planner` chooses: it finds its best turns, plays them on in a few possible worlds, and takes the best one.

It stores the steps of that turn in its notes and carries them out one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit.workspace import BOT_MEMORY
from rogsim.game.rng import draw
from rogsim.games.river_of_gold.bots import evaluation
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.evaluation import chance_to_win
from rogsim.games.river_of_gold.bots.policy import choose_by_weights, place_on_menu
from rogsim.games.river_of_gold.bots.turns import (
    LINE,
    MOST_LINES,
    NO_STEP,
    TURN_SEARCH,
    answer,
    best_answer,
    carry_out,
    find_turns,
    move,
)
from rogsim.games.river_of_gold.components.names import FACES
from rogsim.games.river_of_gold.play.determinization import deal_roll, deal_world
from rogsim.games.river_of_gold.rules.phases import DRAFT, OVER, SET_DIE, TURN

# Places in the notes, kept between the steps of a turn: the turn, the number of steps, how many are done, the steps.
TURN_NOTED, COUNT, DONE, STEPS = range(4)

# The weights of such a bot, in order: its settings, those of the evaluation, those of the policy.
SETTINGS = ("choices", "worlds", "rollouts", "turns")
CHOICES, WORLDS, ROLLOUTS, TURNS = range(len(SETTINGS))
EVALUATION = len(SETTINGS)
POLICY = EVALUATION + len(evaluation.NAMES)
NAMES = (*SETTINGS, *(f"value-{name}" for name in evaluation.NAMES), *(f"play-{name}" for name in w.NAMES))

FACE_STEPS = (0, 3, 1, 4, 2, 5)  # added to the first world's face: distant ones first, so that two worlds differ most

HEAD_START = 0.5  # the position right after a line counts as much as this number of worlds

# Memory for one choice.
SCRATCH = np.dtype(
    [
        ("search", TURN_SEARCH),
        ("evaluation", BOT_MEMORY),  # the weights of the evaluation
        ("policy", BOT_MEMORY),  # the weights and notes of the policy that plays on
        ("totals", "f8", (MOST_LINES,)),  # of the values that a line led to, by line
        ("order", "i8", (MOST_LINES,)),  # the lines that are left, the best first
        ("first_face", "i8"),  # of the seat's next roll in the first world, 0 to 5
    ],
    align=True,
)


def choose_by_plan(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best position found."""
    scratches = records(SCRATCH, 1)
    return plan_choice(tables, view, menu, memory, scratches)


@part
def copy_weights(memory: Any, scratch: Any) -> None:
    """Copy the bot's weights to where its evaluation and its policy read them."""
    for i in range(len(evaluation.NAMES)):
        scratch.evaluation.weights[i] = memory.weights[EVALUATION + i]
    for i in range(len(w.NAMES)):
        scratch.policy.weights[i] = memory.weights[POLICY + i]


@kernel
def look_further(tables: Any, view: Any, memory: Any, scratch: Any) -> int:
    """Return which of the kept lines leads to the best position some turns later; all are tried in the same worlds.

    After each world the weaker half of the lines is dropped, until two are left.
    """
    start_totals(scratch)
    seat, turns, left = int(view.actor), turns_to_play(view, memory), int(scratch.search.kept)
    for number in range(int(memory.weights[WORLDS])):
        deal_next_world(tables, view, seat, number, memory, scratch)
        for i in range(left):
            choice = int(scratch.order[i])
            scratch.totals[choice] += play_on(tables, seat, choice, turns, scratch)
        sort_choices(scratch, left)
        left = max(2, (left + 1) // 2)
    return int(scratch.order[0])


@part
def turns_to_play(view: Any, memory: Any) -> int:
    """Return how many turns to play on: whole rounds, because evaluation is best when all seats had as many turns."""
    turns, seats = int(memory.weights[TURNS]), int(view.seats)
    return turns - turns % seats if turns >= seats else turns


@part
def start_totals(scratch: Any) -> None:
    """Start comparing the kept lines: in their order, each with a head start for the position right after it."""
    for choice in range(scratch.search.kept):
        scratch.order[choice] = choice
        scratch.totals[choice] = HEAD_START * scratch.search.worths[choice]


@part
def sort_choices(scratch: Any, count: int) -> None:
    """Sort the lines that are left, the best first; all were tried equally often."""
    for i in range(1, count):
        choice = scratch.order[i]
        place = i
        while place > 0 and scratch.totals[scratch.order[place - 1]] < scratch.totals[choice]:
            scratch.order[place] = scratch.order[place - 1]
            place -= 1
        scratch.order[place] = choice


@kernel
def deal_next_world(tables: Any, view: Any, seat: int, number: int, memory: Any, scratch: Any) -> None:
    """Deal the next world; in every six worlds the seat's next roll shows each face once.

    This is stratified sampling: the seat's next roll separates lines more than any other chance.
    """
    if number == 0:
        scratch.first_face = draw(memory.stream, FACES)
    deal_world(tables, view, seat, memory.stream, scratch.search.world)
    face = 1 + (int(scratch.first_face) + FACE_STEPS[number % FACES]) % FACES
    deal_roll(scratch.search.world.game, seat, face, memory.stream)


@kernel
def play_on(tables: Any, seat: int, choice: int, turns: int, scratch: Any) -> float:
    """Carry out a kept line in the world, let all seats play on by the policy, and evaluate the position.

    Returns
    -------
    float
        The seat's chance to win once `turns` more turns have been played, or at the end of the game.
    """
    search = scratch.search
    search.line = search.world.game
    game = search.line
    for i in range(LINE):
        step = int(search.lines[choice, i])
        if step == NO_STEP:
            break
        carry_out(tables, game, step)
    last = int(search.world.game.turn) + turns
    while game.phase != OVER and not (game.phase == TURN and game.turn > last):
        if game.phase == TURN:
            move(tables, game, search.options, scratch.policy)
        else:
            answer(tables, game, search.options, scratch.policy)
    return chance_to_win(tables, game, seat, scratch.evaluation, search.sheet)


@kernel
def plan_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Choose as `choose_by_plan`, using the given memory: `scratches` holds one SCRATCH record."""
    scratch = scratches[0]
    search = scratch.search
    seat = int(view.actor)
    if view.phase == TURN:
        place = place_on_menu(menu, noted_step(view, memory))
        if place >= 0:
            memory.notes[DONE] += 1.0
            return place
    copy_weights(memory, scratch)
    if view.phase == DRAFT or view.phase == SET_DIE:  # the evaluation covers neither patrons nor the die
        return choose_by_weights(tables, view, menu, scratch.policy)
    deal_world(tables, view, seat, memory.stream, search.world)
    if view.phase == TURN:
        find_turns(tables, seat, min(max(int(memory.weights[CHOICES]), 1), MOST_LINES), scratch)
        best = look_further(tables, view, memory, scratch) if search.kept > 1 else 0
        note_line(view, memory, search.lines[best])
        return max(place_on_menu(menu, int(search.lines[best, 0])), 0)
    search.line = search.world.game
    return max(place_on_menu(menu, best_answer(tables, seat, scratch.evaluation, search)), 0)


@part
def noted_step(view: Any, memory: Any) -> int:
    """Return the next step of the line that was found at the first choice of the turn, or -1."""
    at = int(memory.notes[DONE])
    if memory.notes[TURN_NOTED] != float(view.turn) + 1.0 or at >= int(memory.notes[COUNT]):
        return -1
    return int(memory.notes[STEPS + at])


@part
def note_line(view: Any, memory: Any, line: Any) -> None:
    """Store the steps of a turn in the notes, the first one as done."""
    memory.notes[TURN_NOTED] = float(view.turn) + 1.0
    memory.notes[DONE] = 1.0
    count = 0
    while count < LINE and line[count] != NO_STEP:
        memory.notes[STEPS + count] = float(line[count])
        count += 1
    memory.notes[COUNT] = float(count)
