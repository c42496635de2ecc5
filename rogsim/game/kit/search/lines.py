"""Lines: the steps that a bot compares before it takes one, the order of their worths, and its settings.

The settings are the bot's first weights. The steps of the line that it follows are stored in its notes, and carried out
one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.kit import calls
from rogsim.game.kit.bits import lowest, places_of
from rogsim.game.rng import STREAM
from rogsim.game.rules import BLOCK, NO_ACTION

# How many lines are compared; in how many worlds a planner compares them; how many games a search plays on for one
# choice, over all lines; how many turns are played on, unless the game ends before; from which share of the game that
# is left a planner plays on at all, 1 for always; as how many worlds the position right after a line counts; how many
# whole rounds are played on in addition to the turns; and how clearly a line must be behind to be dropped early, in
# standard errors, 0 for never.
SETTINGS = ("choices", "worlds", "rollouts", "turns", "endgame", "trust", "rounds", "clear")
CHOICES, WORLDS, ROLLOUTS, TURNS, ENDGAME, TRUST, ROUNDS, CLEAR = range(len(SETTINGS))

FRACTIONS = ("endgame", "trust", "clear")  # need not be whole numbers
MOST = 1_000_000  # of a setting that is a whole number: far more than any bot here uses


def setting_rule(name: str, value: float, names: Sequence[str]) -> str:
    """Return the rule that a weight breaks as a setting of a bot that thinks ahead; empty if it breaks none.

    Parameters
    ----------
    names
        The names of all weights of the bot.
    """
    if tuple(names[: len(SETTINGS)]) != SETTINGS or name not in SETTINGS:
        return ""
    if name in FRACTIONS:
        return "" if value >= 0 else "must be 0 or more"
    least = 1 if name == "choices" else 0
    return "" if least <= value <= MOST and value == int(value) else f"must be a whole number from {least} to {MOST:,}"


@part
def lines_to_keep(memory: Any, search: Any) -> int:
    """Return how many lines to compare: at least one, and at most as many as there is memory for."""
    return min(max(int(memory.weights[CHOICES]), 1), len(search.lines))


@part
def turns_to_play(view: Any, memory: Any) -> int:
    """Return how many turns to play on: whole rounds, because evaluation is best when all seats had as many turns."""
    turns, seats = max(int(memory.weights[TURNS]), 0), calls.seats(view)
    rounds = max(int(memory.weights[ROUNDS]), 0)
    return rounds * seats + (turns - turns % seats if turns >= seats else turns)


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


# Places in the notes, kept between the steps of a turn: the turn, the number of steps, how many are done, the steps.
TURN_NOTED, COUNT, DONE, STEPS = range(4)


@part
def place_on_menu(menu: Any, action: int) -> int:
    """Return the place of an action on the menu; -1 if it is not there."""
    for first in range(0, menu.count, BLOCK):
        found = places_of(menu.actions, first, action)
        if found != 0:
            place = first + lowest(found)
            return place if place < menu.count else -1
    return -1


@part
def follow(view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the next step of the line that is followed; -1 if there is none."""
    place = place_on_menu(menu, noted_step(view, memory))
    if place >= 0:
        memory.notes[DONE] += 1.0
    return place


@part
def noted_step(view: Any, memory: Any) -> int:
    """Return the next step of the line that was found at the first choice of the turn, or NO_STEP."""
    at = int(memory.notes[DONE])
    if memory.notes[TURN_NOTED] != float(calls.turn(view)) + 1.0 or at >= int(memory.notes[COUNT]):
        return NO_STEP
    return int(memory.notes[STEPS + at])


@part
def note_line(view: Any, memory: Any, line: Any) -> None:
    """Store the steps of a line in the notes, the first one as done."""
    memory.notes[TURN_NOTED] = float(calls.turn(view)) + 1.0
    memory.notes[DONE] = 1.0
    count = 0
    while count < len(line) and line[count] != NO_STEP:
        memory.notes[STEPS + count] = float(line[count])
        count += 1
    memory.notes[COUNT] = float(count)
