"""The workspace: all the memory that playing games needs, in one record."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np

from rogsim.game.compiler import part, record_type
from rogsim.game.kit import calls
from rogsim.game.kit.history import history_of
from rogsim.game.rng import STREAM
from rogsim.game.rules import Rules

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
    """Return the dtype of what the bot of a seat is given besides the view.

    The rules never read it, so a bot may overwrite it.
    """
    return np.dtype(
        [
            ("tables", rules.tables),
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
            ("fresh", arguments, (rules.most_seats,)),  # by bot, as each game begins: true tables, its weights, zeros
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
