"""The workspace: all the memory that playing games needs, in one record, with the history of a game.

The rows of a game need more than its last state: the decisions, and the points after every turn, by source.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

from rogsim.game.compiler import kernel, part, record_type
from rogsim.game.kit import calls
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import NOT_COUNTED
from rogsim.game.rng import STREAM
from rogsim.game.rules import Rules

NOBODY = -1


@cache
def history_of(rules: Rules) -> np.dtype[Any]:
    """Return the dtype of the history of a game."""
    most_turns = max(rules.most_turns, 1)
    return np.dtype(
        [
            ("decisions", "i8"),
            ("turn", "i8"),  # of the last state seen
            ("most_turns", "i8"),  # of all games so far
            ("changes", "i8"),  # in how many turns points changed; the first turn counts as one
            ("changed", "i4", (most_turns,)),  # which ones
            ("points", "i4", (most_turns, rules.most_seats)),  # after each change; later ones are undefined
            # where these points came from; what is missing came from the first source
            ("sources", "i2", (most_turns, rules.most_seats, max(rules.sources - 1, 1))),
            ("scorings", "i8"),  # what the game counted at the last change, if it counts
            ("place", "i4", (most_turns,)),  # by turn: of the last change up to its end
        ],
        align=True,
    )


@part
def start_history(history: Any) -> None:
    """Start the history of a game that was just set up."""
    history.decisions = 0
    history.turn = 0
    history.changes = 0


@part
def note_decision(state: Any, history: Any) -> None:
    """Record that a decision was carried out."""
    history.decisions += 1
    turn = calls.turn(state)
    if turn > history.turn:
        note_points(state, history, int(history.turn))
        history.turn = turn


@part
def note_end(state: Any, history: Any) -> None:
    """Record that the game is over."""
    note_points(state, history, int(history.turn))
    history.most_turns = max(int(history.most_turns), int(history.turn) + 1)


@part
def note_points(state: Any, history: Any, turn: int) -> None:
    """Record the points of all seats after a turn, as far as the game wants to know them."""
    if turn >= len(history.points):
        return
    scorings = calls.scorings(state)
    if scorings == NOT_COUNTED or scorings != history.scorings or turn == 0:
        keep_points(state, history, turn, turn == 0 or scorings != NOT_COUNTED)
        history.scorings = scorings
    history.place[at(turn)] = history.changes - 1


@part
def keep_points(state: Any, history: Any, turn: int, changed: bool) -> None:
    """Keep the points of all seats after a turn if they changed, as known before or as a comparison shows."""
    here = int(history.changes)
    last = max(here - 1, 0)
    for seat in range(history.points.shape[1]):  # a fixed number needs no loop; an empty seat has no points
        points = calls.points(state, at(seat))
        changed |= points != history.points[at(last), seat]
        history.points[at(here), seat] = points
        calls.keep_sources(state, at(seat), history.sources[at(here), seat])
    history.changed[at(here)] = turn
    history.changes = here + int(changed)


@part
def turn_at(turns: int, percent: int) -> int:
    """Return the turn, from 0, that completed a percentage of a game."""
    return (turns * percent + 99) // 100 - 1


@part
def place_at(history: Any, turns: int, percent: int) -> int:
    """Return the place of what was kept at the end of the turn that completed a percentage of the game."""
    turn = min(turn_at(turns, percent), len(history.place) - 1)  # a longer game is an error, once it is over
    return int(history.place[at(turn)])


@part
def points_at(history: Any, turns: int, seat: int, percent: int) -> int:
    """Return a seat's points after the turn that completed a percentage of the game."""
    return int(history.points[at(place_at(history, turns, percent)), seat])


@kernel
def lead_of(points: Any, changed: Any, changes: int, turns: int, seats: int, winner: int) -> tuple[int, int, int]:
    """Return how the lead changed during a game.

    Only a seat that leads alone takes the lead; the first to do so does not count as a change.

    Parameters
    ----------
    points : int32[changes or more, seats or more]
        The points of every seat after each turn in which points changed.
    changed : int[changes or more]
        These turns, from 0, with the first turn of the game.
    changes, turns, seats, winner
        How many they are, the numbers of turns and seats, and the seat that won.

    Returns
    -------
    changes
        How often the lead passed to another seat.
    since
        The turn after which the winner was never behind again: 0 from the start, -1 if behind after the last turn.
    most_behind
        The largest number of points that the winner was behind.
    """
    leader, passed, since, behind, most_behind = NOBODY, 0, 0, 0, 0
    for i in range(changes):
        turn = int(changed[i])
        if turn >= turns:
            break
        first, best, alone = 0, int(points[i, 0]), True
        for seat in range(1, seats):
            reached = int(points[i, seat])
            if reached >= best:
                first, best, alone = seat, reached, reached > best
        if alone and first != leader:
            passed += leader != NOBODY
            leader = first
        gap = best - int(points[i, winner])
        if behind > 0 and gap == 0:
            since = turn + 1
        behind = gap
        most_behind = max(most_behind, gap)
    return passed, since if behind == 0 else -1, most_behind


MAX_WEIGHTS = 1024
# In what the play loop is given, columns after the weights: how many the bot can change, and how it is asked.
REACH, ASKED = MAX_WEIGHTS, MAX_WEIGHTS + 1
WITH_COPIES, IN_PLACE, BY_CHANCE = 0, 1, 2  # it gets copies, reads the game itself, or chooses at random
COLUMNS = MAX_WEIGHTS + 2
MAX_NOTES = 384

# What belongs to one bot at one seat, for one game.
BOT_MEMORY = np.dtype(
    [
        ("stream", STREAM),  # its random numbers
        ("weights", "f8", (MAX_WEIGHTS,)),
        ("notes", "f8", (MAX_NOTES,)),  # what it remembers within a game
    ],
    align=True,
)


@cache
def arguments_of(rules: Rules) -> np.dtype[Any]:
    """Return the dtype of what the bot of a seat is given besides the view and the tables.

    The rules never read it, so a bot may overwrite it.
    """
    return np.dtype(
        [
            ("menu", rules.menu),  # beyond the count are only actions that this seat was offered before
            ("memory", BOT_MEMORY),
        ],
        align=True,
    )


@cache
def workspace_of(rules: Rules) -> np.dtype[Any]:
    """Return the dtype of the workspace of a game."""
    arguments = arguments_of(rules)
    return np.dtype(
        [
            ("game", rules.state),
            ("blank", rules.state),  # stays zeroed
            ("bot_view", rules.state),  # what the bot that chooses may see, if it does not read the game itself
            ("hidden", rules.hidden),  # what is kept from a bot that reads the game itself
            ("asked", "i1", (rules.most_seats,)),  # by bot: how it is asked
            ("arguments", arguments, (rules.most_seats,)),
            ("tables", rules.tables, (rules.most_seats,)),  # by bot: what it reads, which `playing` compares at the end
            ("fresh", arguments, (rules.most_seats,)),  # by bot, as each game begins: its weights, zeros
            ("next_number", "u8", (rules.most_seats,)),  # by seat: the random number for its next choice by chance
            ("reach", "i8"),  # how many weights a bot of the line-up can have changed
            ("menu", rules.menu),  # a copy of the menu that no bot can change
            ("row", "i8"),  # the row of the batch that is being played
            ("seat", "i8"),  # the seat that is asked
            ("turn", "i8"),  # the number of turns before the one in which it is asked
            ("answer", "i8"),  # the last answer that was not a place on the menu
            ("scores", rules.scores, (rules.most_seats,)),
            ("history", history_of(rules)),
        ],
        align=True,
    )


@cache
def choose_of(rules: Rules) -> Any:
    """Return the signature of every bot of a game: choose(tables, view, menu, memory) -> place on the menu."""
    records = (rules.tables, rules.state, rules.menu, BOT_MEMORY)
    return numba.types.int64(*map(record_type, records))


@part
def make_view(workspace: Any, seat: int) -> None:
    """Make the view of a seat on the workspace."""
    workspace.bot_view = workspace.game
    calls.hide(workspace.bot_view, seat)
