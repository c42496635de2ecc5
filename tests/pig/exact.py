"""What Pig must give, by value iteration: the best play, the best response to a plan, and the chances of two plans.

A plan is bool[own, other, total]: whether to roll again. A value is float[own, other]: the mover's chance to win.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.pig.rules import FACES, TARGET

Plan = NDArray[np.bool_]
Value = NDArray[np.float32]
CLOSE = 1e-6
HOLD20: Plan = np.broadcast_to(np.arange(TARGET) < 20, (TARGET,) * 3)


def turn(plan: Plan | None, other: Value) -> tuple[Value, Plan]:
    """The mover's value, if the other one has this value when next, and what is rolled: by a plan, or at best."""
    held = 1 - other.T  # by the score then and the other's
    rolled = np.zeros((TARGET,) * 3, bool)
    worth = np.ones((TARGET + FACES, TARGET, TARGET), np.float32)  # by the total; 1 where the game is won
    for total in reversed(range(TARGET)):
        rows = slice(0, TARGET - total)
        again = (held[rows] + sum(worth[total + face, rows] for face in range(2, FACES + 1))) / FACES
        rolled[rows, :, total] = total == 0 or (again > held[total:] if plan is None else plan[rows, :, total])
        worth[total, rows] = np.where(rolled[rows, :, total], again, held[total:])
    return worth[0], rolled


def solve(mine: Plan | None, other: Plan | None) -> tuple[Value, Value, Plan]:
    """Both values, and the plan of the first: None stands for the best response to the other, or to each other."""
    first = second = np.full((TARGET, TARGET), 0.5, np.float32)
    while True:
        new, plan = turn(mine, second)
        reply = new if mine is other else turn(other, new)[0]
        if max(np.abs(new - first).max(), np.abs(reply - second).max()) < CLOSE:
            return new, reply, plan
        first, second = new, reply


@cache
def best_plan() -> Plan:
    return solve(None, None)[2]


def share(mine: Plan | None, other: Plan) -> float:
    """The share that a plan, or the best response, wins from another plan, averaged over the seats."""
    first, second, _ = solve(mine, other)
    return float(first[0, 0] + 1 - second[0, 0]) / 2
