"""Lines: the steps that a bot compares before it takes one, and the order of their worths."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit.search.settings import CLEAR, TRUST
from rogsim.game.rng import STREAM
from rogsim.game.rules import NO_ACTION

NO_STEP = NO_ACTION


def search_of(state: np.dtype[Any], most_lines: int, most_steps: int, *fields: Any) -> np.dtype[Any]:
    """Return the dtype of the memory in which lines are compared.

    Parameters
    ----------
    state
        The dtype of a state.
    most_lines, most_steps
        The most lines to compare, and the most steps of a line.
    fields
        Further fields, for the game.
    """
    return np.dtype(
        [
            ("world", np.dtype([("game", state)], align=True)),  # a possible game
            ("line", state),  # the world after the steps of a line, and what was played on
            ("chance", STREAM),  # random numbers of those who play on, the same for each line in a world
            ("steps", "i2", (most_steps,)),  # of the line being tried, NO_STEP after its last
            ("wanted", "i8"),  # the number of lines to keep
            ("kept", "i8"),  # the number of lines kept so far
            ("lines", "i2", (most_lines, most_steps)),  # their steps, the best line first
            ("worths", "f8", (most_lines,)),  # and the worth of each
            ("totals", "f8", (most_lines,)),  # of the values that a line led to, by line
            ("values", "f8", (most_lines,)),  # what it led to in the last world
            ("squares", "f8", (most_lines,)),  # of its differences from the line in front, see `add_values`
            ("order", "i8", (most_lines,)),  # the lines that are left, the best first
            *fields,
        ],
        align=True,
    )


@part
def keep_line(search: Any, worth: float) -> None:
    """Insert the line that was tried among the best; of equal lines the earlier one comes first."""
    place = int(search.kept)
    while place > 0 and search.worths[place - 1] < worth:
        place -= 1
    if place >= search.wanted:
        return
    last = min(int(search.kept), int(search.wanted) - 1)
    for later in range(last, place, -1):
        search.worths[later] = search.worths[later - 1]
        for i in range(len(search.steps)):
            search.lines[later, i] = search.lines[later - 1, i]
    search.worths[place] = worth
    for i in range(len(search.steps)):
        search.lines[place, i] = search.steps[i]
    search.kept = last + 1


@part
def start_totals(search: Any, trust: float) -> None:
    """Start comparing the kept lines in their order; the position right after each counts as much as `trust` worlds."""
    for choice in range(search.kept):
        search.order[choice] = choice
        search.totals[choice] = trust * search.worths[choice]
        search.squares[choice] = 0.0


@part
def add_values(search: Any, left: int) -> None:
    """Add what each line led to in a world to its total, and how that differs from the line in front to its squares.

    So the squares of two lines add up to those of their differences, in all worlds in which one of them was in front.
    """
    front = search.values[search.order[0]]
    for i in range(left):
        choice = search.order[i]
        difference = search.values[choice] - front
        search.totals[choice] += search.values[choice]
        search.squares[choice] += difference * difference


@part
def drop_clearly_behind(search: Any, left: int, done: int, planned: int, memory: Any) -> int:
    """Drop the lines that the worlds to come would hardly bring to the front, and return how many are left.

    The lead of the best line over another one after all worlds is predicted from the worlds so far. A line is dropped
    if this prediction is more than the setting `clear` times its standard error above 0; never if the setting is 0. The
    error is computed from the mean square of the differences, lead included.

    Parameters
    ----------
    left
        The number of lines in `search.order`, the best first.
    done, planned
        The number of worlds so far, and in all.
    memory
        BOT_MEMORY record with the settings.
    """
    clear, trust = memory.weights[CLEAR], memory.weights[TRUST]
    if clear <= 0.0 or done >= planned:
        return left
    best = search.order[0]
    growth = (float(planned) + trust) / (float(done) + trust)  # of the lead, until all worlds are done
    share = growth * float(done) / float(planned - done)
    kept = 1
    for i in range(1, left):
        choice = search.order[i]
        lead = search.totals[best] - search.totals[choice]
        if lead * lead * share <= clear * clear * (search.squares[best] + search.squares[choice]):
            search.order[kept] = choice
            kept += 1
    return kept


@part
def sort_lines(search: Any, count: int) -> None:
    """Sort the lines that are left, the best first; all were tried equally often."""
    for i in range(1, count):
        choice = search.order[i]
        place = i
        while place > 0 and search.totals[search.order[place - 1]] < search.totals[choice]:
            search.order[place] = search.order[place - 1]
            place -= 1
        search.order[place] = choice
