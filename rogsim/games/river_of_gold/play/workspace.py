"""The workspace: all the memory that playing games needs, in one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import part
from rogsim.game.rng import STREAM
from rogsim.games.river_of_gold.components.names import MAX_SEATS
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.records.history import MOST_TURNS
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.scoring import SCORE
from rogsim.games.river_of_gold.rules.state import GAME

MAX_WEIGHTS = 768
MAX_NOTES = 256

# What belongs to one bot at one seat, for one game.
BOT_MEMORY = np.dtype(
    [
        ("stream", STREAM),  # its random numbers
        ("weights", "f8", (MAX_WEIGHTS,)),
        ("notes", "f8", (MAX_NOTES,)),  # what it remembers within a game
    ],
    align=True,
)

OWN = BOT_MEMORY  # its former name

# What the bot of a seat is given besides the view. The rules never read it, so a bot may overwrite it.
ARGUMENTS = np.dtype(
    [
        ("tables", TABLES),
        ("menu", MENU),  # beyond the count are only actions that this seat was offered before
        ("memory", BOT_MEMORY),
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("game", GAME),
        ("blank", GAME),  # stays zeroed
        ("bot_view", GAME),  # what the bot that chooses may see
        ("arguments", ARGUMENTS, (MAX_SEATS,)),
        ("fresh", ARGUMENTS, (MAX_SEATS,)),  # by bot, as each game begins: the true tables, its weights, zeros
        ("reach", "i8"),  # how many weights a bot of the line-up can have changed
        ("menu", MENU),  # a copy of the menu that no bot can change
        ("row", "i8"),  # the row of the batch that is being played
        ("answer", "i8"),  # the last answer that was not a place on the menu
        ("scores", SCORE, (MAX_SEATS,)),
        ("history", "i8", (MOST_TURNS,)),  # points after each turn; beyond the turns played are older games
    ],
    align=True,
)


@part
def make_view(workspace: Any, seat: int) -> None:
    """Make the view of a seat on the workspace."""
    workspace.bot_view = workspace.game
    hide(workspace.bot_view, workspace.blank.secret, seat)


@part
def hide(view: Any, blank: Any, seat: int) -> None:
    """Turn a copy of a game into the view of a seat: without others' hands, undrawn cards and tiles, and chance.

    Hidden fields are zero, so every number in a view is a valid index; `blank` is a zeroed SECRET record.
    """
    view.secret = blank
    for other in range(view.seats):
        if other != seat:
            view.players[other].hand = 0
