"""How the planner chooses: it finds its best turns, plays them on in a few worlds, and takes what leads farthest.

The turn that it took is noted, and carried out step by step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.rng import draw
from rogsim.games.river_of_gold.bots import evaluation
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.evaluation import chance_to_win
from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.turns import (
    LINE,
    MOST_LINES,
    NO_STEP,
    ROOM,
    answer,
    best_answer,
    carry_out,
    find_turns,
    move,
)
from rogsim.games.river_of_gold.components.names import FACES
from rogsim.games.river_of_gold.play.determinization import deal_roll, deal_world
from rogsim.games.river_of_gold.play.workspace import OWN
from rogsim.games.river_of_gold.rules.phases import DRAFT, OVER, SET_DIE, TURN

# What is noted between the steps of a turn: which turn, how many steps there are, how many are done, the steps.
TURN_NOTED, COUNT, DONE, STEPS = range(4)

# What the weights of such a bot are, in their order: its settings, those of the evaluation, those of the plain player.
SETTINGS = ("choices", "worlds", "rollouts", "turns")
CHOICES, WORLDS, ROLLOUTS, TURNS = range(len(SETTINGS))
EVALUATION = len(SETTINGS)
POLICY = EVALUATION + len(evaluation.NAMES)
NAMES = (*SETTINGS, *(f"value-{name}" for name in evaluation.NAMES), *(f"play-{name}" for name in w.NAMES))

FACE_STEPS = (0, 3, 1, 4, 2, 5)  # from the first world's face: far ones first, so that two worlds differ most

HEAD_START = 0.5  # worlds that the worth of the position right after a line counts for

HALL = np.dtype(
    [
        ("room", ROOM),
        ("judge", OWN),  # the evaluation's weights
        ("player", OWN),  # the weights and notes of whoever plays on
        ("sums", "f8", (MOST_LINES,)),  # of what came out, by choice
        ("places", "i8", (MOST_LINES,)),  # the choices that are left, the best first
        ("first_face", "i8"),  # 0 to 5, of the seat's next roll in the first world
    ],
    align=True,
)


def choose_by_plan(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Return the place on the menu of the choice that leads to the best position found."""
    halls = records(HALL, 1)
    return plan(tables, view, menu, own, halls)


@part
def furnish(own: Any, hall: Any) -> None:
    """Hand out the weights."""
    for i in range(len(evaluation.NAMES)):
        hall.judge.weights[i] = own.weights[EVALUATION + i]
    for i in range(len(w.NAMES)):
        hall.player.weights[i] = own.weights[POLICY + i]


@kernel
def look_further(tables: Any, view: Any, own: Any, hall: Any) -> int:
    """Return which of the kept lines leads to the best position some turns later, all tried in the same worlds.

    After each world the weaker half of the lines is given up, until two are left.
    """
    line_up(hall)
    seat, turns, left = int(view.actor), turns_to_play(view, own), int(hall.room.kept)
    for number in range(int(own.weights[WORLDS])):
        deal_next_world(tables, view, seat, number, own, hall)
        for i in range(left):
            choice = int(hall.places[i])
            hall.sums[choice] += play_on(tables, seat, choice, turns, hall)
        sort_choices(hall, left)
        left = max(2, (left + 1) // 2)
    return int(hall.places[0])


@part
def turns_to_play(view: Any, own: Any) -> int:
    """Return how many turns are played on: whole rounds, as the position is judged best when all had as many turns."""
    turns, seats = int(own.weights[TURNS]), int(view.seats)
    return turns - turns % seats if turns >= seats else turns


@part
def line_up(hall: Any) -> None:
    """Begin to compare the kept lines: in their order, each with a head start for the position right after it."""
    for choice in range(hall.room.kept):
        hall.places[choice] = choice
        hall.sums[choice] = HEAD_START * hall.room.worths[choice]


@part
def sort_choices(hall: Any, count: int) -> None:
    """Put the choices that did best first; all were tried equally often."""
    for i in range(1, count):
        choice = hall.places[i]
        place = i
        while place > 0 and hall.sums[hall.places[place - 1]] < hall.sums[choice]:
            hall.places[place] = hall.places[place - 1]
            place -= 1
        hall.places[place] = choice


@kernel
def deal_next_world(tables: Any, view: Any, seat: int, number: int, own: Any, hall: Any) -> None:
    """Deal the world of a number; in every six of them the seat's next roll shows every face once.

    Stratified sampling: what the seat rolls next tells choices apart more than any other chance.
    """
    if number == 0:
        hall.first_face = draw(own.stream, FACES)
    deal_world(tables, view, seat, own.stream, hall.room.world)
    face = 1 + (int(hall.first_face) + FACE_STEPS[number % FACES]) % FACES
    deal_roll(hall.room.world.game, seat, face, own.stream)


@kernel
def play_on(tables: Any, seat: int, choice: int, turns: int, hall: Any) -> float:
    """Carry out a kept line in the world, let all play on by the plain player's weights, and return who stands how.

    That is the seat's chance to win when so many turns have been taken after its own, or the game is over.
    """
    room = hall.room
    room.line = room.world.game
    game = room.line
    for i in range(LINE):
        step = int(room.lines[choice, i])
        if step == NO_STEP:
            break
        carry_out(tables, game, step)
    last = int(room.world.game.turn) + turns
    while game.phase != OVER and not (game.phase == TURN and game.turn > last):
        if game.phase == TURN:
            move(tables, game, room.options, hall.player)
        else:
            answer(tables, game, room.options, hall.player)
    return chance_to_win(tables, game, seat, hall.judge, room.sheet)


@kernel
def plan(tables: Any, view: Any, menu: Any, own: Any, halls: Any) -> int:
    """Choose with the given hall to work in."""
    hall = halls[0]
    room = hall.room
    seat = int(view.actor)
    if view.phase == TURN:
        place = place_of(menu, noted_step(view, own))
        if place >= 0:
            own.notes[DONE] += 1.0
            return place
    furnish(own, hall)
    if view.phase == DRAFT or view.phase == SET_DIE:  # the evaluation knows neither patrons nor the die
        return choose_by_weights(tables, view, menu, hall.player)
    deal_world(tables, view, seat, own.stream, room.world)
    if view.phase == TURN:
        find_turns(tables, seat, min(max(int(own.weights[CHOICES]), 1), MOST_LINES), hall)
        best = look_further(tables, view, own, hall) if room.kept > 1 else 0
        note_line(view, own, room.lines[best])
        return max(place_of(menu, int(room.lines[best, 0])), 0)
    room.line = room.world.game
    return max(place_of(menu, best_answer(tables, seat, hall.judge, room)), 0)


@kernel
def place_of(menu: Any, action: int) -> int:
    """Return where an action stands on the menu, or -1."""
    for i in range(menu.count):
        if menu.actions[i] == action:
            return i
    return -1


@part
def noted_step(view: Any, own: Any) -> int:
    """Return the next step of the line that was found at the turn's first choice, or -1."""
    at = int(own.notes[DONE])
    if own.notes[TURN_NOTED] != float(view.turn) + 1.0 or at >= int(own.notes[COUNT]):
        return -1
    return int(own.notes[STEPS + at])


@part
def note_line(view: Any, own: Any, line: Any) -> None:
    """Note the steps of a turn, the first one as done."""
    own.notes[TURN_NOTED] = float(view.turn) + 1.0
    own.notes[DONE] = 1.0
    count = 0
    while count < LINE and line[count] != NO_STEP:
        own.notes[STEPS + count] = float(line[count])
        count += 1
    own.notes[COUNT] = float(count)
