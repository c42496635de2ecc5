"""Rolls on as long as that is worth more, by an evaluation of the positions between two turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit.bots import names_of
from rogsim.game.kit.evaluation import Evaluation, chance_to_win, sheet_of, take_weights
from rogsim.game.kit.search.hooks import Search, carry_out
from rogsim.game.kit.search.lines import SETTINGS, search_of
from tests.pig.rules import FACES, HOLD, PIG, ROLL, SCORE, TARGET

STEP = 20  # between the scores that have weights: those between are interpolated
KNOTS = tuple(str(score) for score in range(0, TARGET + 1, STEP))
FIRST = len(SETTINGS)
WEIGHT_NAMES = (*SETTINGS, *names_of((2,), KNOTS, KNOTS))  # the other's score, the own one
LEAD = 0.03  # at first a point is worth the same everywhere, so it holds at 20 unless it wins
WEIGHTS = [2, 0, 0, 0, 0, 0, 0, 0, *(LEAD * (int(own) - int(other)) for other in KNOTS for own in KNOTS)]
POSITION = np.dtype([("seats", "f8", (2, len(KNOTS)))])


@part
def first_weight(seats: int, position: Any) -> int:
    return FIRST


@part
def place(setup: Any, state: Any, position: Any) -> float:
    return state.score[state.actor] / STEP


@kernel
def describe(setup: Any, state: Any, viewer: int, position: Any) -> None:
    """Describe the seat that is not next, by the two knots around its score."""
    for seat in range(2):
        for i in range(position.seats.shape[1]):
            position.seats[seat, i] = 0.0
    seat = 1 - state.actor
    knot, left = state.score[seat] // STEP, (state.score[seat] % STEP) / STEP
    position.seats[seat, knot] = 1.0 - left
    position.seats[seat, knot + 1] = left


EVALUATION = Evaluation(POSITION, (2,), KNOTS, KNOTS, first_weight, describe, place)
SHEET = sheet_of(EVALUATION, SCORE, 2)
SCRATCH = np.dtype(
    [
        ("trial", PIG),
        ("worth", "f8", (TARGET + FACES,)),  # of a turn by its total; 1 where the game is won
        ("rolls", "i1", (TARGET,)),  # by the total of the turn: whether to roll again
        ("search", search_of(PIG, 2, 1, ("sheet", SHEET))),
    ],
    align=True,
)


def choose(setup: Any, view: Any, menu: Any, memory: Any) -> int:
    scratches = records(SCRATCH, 1)
    return decide(setup, view, memory, scratches)


@kernel
def decide(setup: Any, view: Any, memory: Any, scratches: Any) -> int:
    scratch = scratches[0]
    take_weights(memory.weights, 2, scratch.search.sheet)
    plan_turn(setup, view, scratch)
    return ROLL if scratch.rolls[view.total] else HOLD


@kernel
def plan_turn(setup: Any, state: Any, scratch: Any) -> None:
    """Note whether to roll again, for each total that this turn may reach."""
    lost = worth_of(setup, state, 0, scratch)
    for total in range(TARGET + FACES - 1, state.total - 1, -1):
        scratch.worth[total] = 1.0
        if state.score[state.actor] + total < TARGET:
            again, hold = lost, worth_of(setup, state, total, scratch)
            for face in range(2, FACES + 1):
                again += scratch.worth[total + face]
            scratch.rolls[total] = again > FACES * hold
            scratch.worth[total] = max(again / FACES, hold)


@kernel
def worth_of(setup: Any, state: Any, total: int, scratch: Any) -> float:
    """Return the mover's chance to win once a turn is over that has brought so much."""
    seat = int(state.actor)
    scratch.trial = state
    scratch.trial.score[seat] += total
    scratch.trial.actor = 1 - seat
    return chance_to_win(setup, scratch.trial, seat, scratch.search.sheet)


@part
def list_lines(setup: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    take_weights(memory.weights, 2, scratch.search.sheet)
    scratch.search.kept = 2
    scratch.search.lines[0, 0], scratch.search.lines[1, 0] = ROLL, HOLD


@part
def move(setup: Any, state: Any, scratch: Any) -> None:
    """Take the rest of a turn."""
    turn = state.turn
    plan_turn(setup, state, scratch)
    carry_out(setup, state, ROLL if state.total == 0 or scratch.rolls[state.total] else HOLD)
    while state.turn == turn:
        carry_out(setup, state, ROLL if scratch.rolls[state.total] else HOLD)


@part
def evaluate(setup: Any, state: Any, seat: int, scratch: Any) -> float:
    return chance_to_win(setup, state, seat, scratch.search.sheet)


SEARCH = Search(SCRATCH, list_lines, move=move, evaluate=evaluate)
