"""Following a line: its steps are stored in the bot's notes and carried out one by one."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import part
from rogsim.game.kit import calls
from rogsim.game.kit.byte_lists import places_of
from rogsim.game.kit.masks import lowest
from rogsim.game.kit.search.lines import NO_STEP
from rogsim.game.rules import BLOCK

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
