"""Judges where its steps lead by an evaluation that is learned."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit.bots import names_of
from rogsim.game.kit.evaluation import Evaluation, chance_to_win, sheet_of, take_weights
from rogsim.game.kit.search import plan_choice
from rogsim.game.kit.search.hooks import Search, carry_out
from rogsim.game.kit.search.lines import SETTINGS, search_of
from tests.dice_game import rules

__all__ = ["EVALUATION", "SEARCH", "WEIGHTS", "WEIGHT_NAMES", "choose"]

FARTHEST = 10
PLACES = FARTHEST + 1
FEATURES = names_of(range(PLACES), range(PLACES))  # spaces to go: the seat's, and those of who is next
MOMENTS = ("always", "never")
SET = len(MOMENTS) * len(FEATURES)
FIRST = len(SETTINGS)
WEIGHT_NAMES = (*SETTINGS, *names_of((2, 3, 4), MOMENTS, FEATURES))
WEIGHTS = [2, 60, 0, 0, 1, 0, 0, 0, *np.random.RandomState(5).normal(size=3 * SET)]  # it knows nothing yet
POSITION = np.dtype([("seats", "f8", (rules.MOST_PLAYERS, len(FEATURES)))])


@part
def first_weight(seats: int, position: Any) -> int:
    return FIRST + (seats - 2) * SET


@part
def place(setup: Any, race: Any, position: Any) -> float:
    return 0.0


@kernel
def describe(setup: Any, race: Any, viewer: int, position: Any) -> None:
    for seat in range(race.players):
        for i in range(position.seats.shape[1]):
            position.seats[seat, i] = 0.0
        if seat != race.actor:
            position.seats[seat, spaces_to_go(race, seat) * PLACES + spaces_to_go(race, race.actor)] = 1.0


@part
def spaces_to_go(race: Any, seat: int) -> int:
    return min(int(race.goal) - int(race.position[seat]), FARTHEST)


EVALUATION = Evaluation(POSITION, (2, 3, 4), MOMENTS, FEATURES, first_weight, describe, place)
SHEET = sheet_of(EVALUATION, rules.SCORE, rules.MOST_PLAYERS)
SCRATCH = np.dtype([("trial", rules.RACE), ("search", search_of(rules.RACE, 2, 1, ("sheet", SHEET)))], align=True)


def choose(setup: Any, view: Any, menu: Any, memory: Any) -> int:
    scratches = records(SCRATCH, 1)
    return plan_choice(setup, view, menu, memory, scratches)


@part
def list_lines(setup: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    take_weights(memory.weights, int(view.players), scratch.search.sheet)
    scratch.search.kept = 2
    scratch.search.lines[0, 0], scratch.search.lines[1, 0] = rules.ROLL, rules.WALK


@part
def move(setup: Any, race: Any, scratch: Any) -> None:
    """Take the step with the better chance to win, as the evaluation sees it."""
    rolled = 0.0
    for spaces in range(1, 7):
        rolled += worth_after(setup, race, spaces, scratch) / 6.0
    carry_out(setup, race, rules.ROLL if rolled > worth_after(setup, race, rules.WALK_SPACES, scratch) else rules.WALK)


@kernel
def worth_after(setup: Any, race: Any, spaces: int, scratch: Any) -> float:
    """Return the mover's chance to win after so many spaces: a walk from as many spaces before."""
    scratch.trial = race
    seat = int(race.actor)
    scratch.trial.position[seat] += spaces - rules.WALK_SPACES
    carry_out(setup, scratch.trial, rules.WALK)
    return chance_to_win(setup, scratch.trial, seat, scratch.search.sheet)


@part
def evaluate(setup: Any, race: Any, seat: int, scratch: Any) -> float:
    return chance_to_win(setup, race, seat, scratch.search.sheet)


SEARCH = Search(SCRATCH, list_lines=list_lines, move=move, evaluate=evaluate)
