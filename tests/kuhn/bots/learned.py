"""Says whatever a table values most, which has an entry for all that a seat may know after it has spoken."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part, records
from rogsim.game.kit.bots import names_of
from rogsim.game.kit.evaluation import Evaluation, chance_to_win, sheet_of, take_weights
from rogsim.game.kit.search import plan_choice
from rogsim.game.kit.search.hooks import Search, carry_out, list_actions
from rogsim.game.kit.search.lines import SETTINGS, search_of
from tests.kuhn.rules import BET, CARDS, DONE, HANDS, KUHN, PASS, SAID, SCORE, SHOW

MOST_LEAD = 2 * (HANDS - 1)
MOMENTS = tuple(f"hand{hand + 1}" for hand in range(HANDS))
LEADS = range(-MOST_LEAD, MOST_LEAD + 1)
FEATURES = names_of(LEADS, SAID[1:], CARDS)
FIRST = len(SETTINGS)
WEIGHT_NAMES = (*SETTINGS, *names_of((2,), MOMENTS, FEATURES))
WEIGHTS = [2, 0, 0, 0, -1, 1, 0, 0, *[0.0] * (len(MOMENTS) * len(FEATURES))]  # it knows nothing yet
POSITION = np.dtype([("seats", "f8", (2, len(FEATURES)))])


@part
def first_weight(seats: int, position: Any) -> int:
    return FIRST


@part
def place(setup: Any, state: Any, position: Any) -> float:
    return float(state.hand)


@kernel
def describe(setup: Any, state: Any, viewer: int, position: Any) -> None:
    for seat in range(2):
        for i in range(position.seats.shape[1]):
            position.seats[seat, i] = 0.0
    if state.said > 0:
        lead = state.lead if viewer == 0 else -state.lead
        entry = (lead + MOST_LEAD) * (len(SAID) - 1) + state.said - 1
        position.seats[viewer, entry * len(CARDS) + state.cards[state.hand, viewer] - 1] = 1.0


EVALUATION = Evaluation(POSITION, (2,), MOMENTS, FEATURES, first_weight, describe, place)
SHEET = sheet_of(EVALUATION, SCORE, 2)
SCRATCH = np.dtype([("reply", KUHN), ("search", search_of(KUHN, 2, 1, ("sheet", SHEET)))], align=True)


def choose(setup: Any, view: Any, menu: Any, memory: Any) -> int:
    scratches = records(SCRATCH, 1)
    return plan_choice(setup, view, menu, memory, scratches)


@part
def list_lines(setup: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    take_weights(memory.weights, 2, scratch.search.sheet)
    list_actions(setup, view, menu, memory, scratch)


@part
def move(setup: Any, state: Any, scratch: Any) -> None:
    if state.said >= DONE:
        carry_out(setup, state, SHOW)
    else:
        carry_out(setup, state, BET if worth(setup, state, BET, scratch) > worth(setup, state, PASS, scratch) else PASS)


@kernel
def worth(setup: Any, state: Any, action: int, scratch: Any) -> float:
    scratch.reply = state
    carry_out(setup, scratch.reply, action)
    return chance_to_win(setup, scratch.reply, int(state.actor), scratch.search.sheet)


@part
def evaluate(setup: Any, state: Any, seat: int, scratch: Any) -> float:
    return chance_to_win(setup, state, seat, scratch.search.sheet)


SEARCH = Search(SCRATCH, list_lines, move=move, evaluate=evaluate)
