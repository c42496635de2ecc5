"""How `planner`, `search` and `learned` evaluate positions: what they look at, and when which weights count."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bots import names_of
from rogsim.game.kit.evaluation import Evaluation, sheet_of
from rogsim.game.kit.search.lines import SETTINGS
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.position import (
    FEATURE_COUNT,
    FEATURES,
    FIRST_PATRON,
    NEXT_TURN,
    POSITION,
    UNKNOWN,
    describe,
)
from rogsim.games.river_of_gold.bots.worth import time_left
from rogsim.games.river_of_gold.components.names import MAX_SEATS, NONE, PLAYER_COUNTS, REGIONS
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.scoring import SCORE

MOMENTS = ("early", "middle", "late", "last")  # at the start, with half of the tiles left, with none; the last turns
LAST = MOMENTS.index("last")
SET = FEATURE_COUNT * len(MOMENTS)

# The weights of a bot, in order: its settings, those of the evaluation, those of the policy.
FIRST = len(SETTINGS)
POLICY = FIRST + SET * len(PLAYER_COUNTS)
POLICY_COUNT = len(w.NAMES)
NAMES = (
    *SETTINGS,
    *(f"value-{name}" for name in names_of(PLAYER_COUNTS, MOMENTS, FEATURES)),
    *(f"play-{name}" for name in w.NAMES),
)


def first_weight(seats: int, position: Any) -> int:
    """Return the place of the first weight for a number of seats."""
    return FIRST + (seats - PLAYER_COUNTS[0]) * SET


def place(tables: Any, game: Any, position: Any) -> float:
    """Return where a position is between the moments."""
    if game.last_turns != NONE:
        return float(LAST)
    return (1.0 - min(time_left(tables, game), 1.0)) * (LAST - 1)


def copy_weights(weights: Any, seats: int, position: Any) -> None:
    """Copy the weights of the policy, and note what the evaluation asks for; forget what was noted on other games."""
    for region in range(REGIONS):
        position.places[region].situation = UNKNOWN
    for policy in position.policies:
        for i in range(POLICY_COUNT):
            policy.weights[i] = weights[POLICY + i]
    position.knows_patrons = is_weighed(weights, seats, FIRST_PATRON, NEXT_TURN, position)
    position.looks_ahead = is_weighed(weights, seats, NEXT_TURN, FEATURE_COUNT, position)


def is_weighed(weights: Any, seats: int, begin: int, end: int, position: Any) -> bool:
    """Return whether any of the features from `begin` to before `end` has a weight."""
    for moment in range(len(MOMENTS)):
        first = first_weight(seats, position) + moment * FEATURE_COUNT
        for i in range(begin, end):
            if weights[first + i] != 0.0:
                return True
    return False


def kind(action: int, position: Any) -> int:
    """Return the kind of an action: prepare (favor, exchanges), build, sail, deliver, anything else."""
    if action >= act.TAKE_GOOD:
        return 4
    if action >= act.DELIVER:
        return 3
    if action >= act.SAIL:
        return 2
    return 1 if action >= act.BUILD else 0


EVALUATION = Evaluation(POSITION, PLAYER_COUNTS, MOMENTS, FEATURES, first_weight, describe, place, copy_weights, kind)
SHEET = sheet_of(EVALUATION, SCORE, MAX_SEATS)
