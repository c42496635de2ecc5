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

# What a bot has of its own.
OWN = np.dtype(
    [
        ("stream", STREAM),  # chance
        ("weights", "f8", (MAX_WEIGHTS,)),
        ("notes", "f8", (MAX_NOTES,)),  # what it may remember within a game
    ],
    align=True,
)

# A seat's corner of the workspace: all that its bot can reach besides the view. The rules never read it.
CORNER = np.dtype(
    [
        ("tables", TABLES),
        ("menu", MENU),  # behind the count lies only what this seat was offered before
        ("own", OWN),
    ],
    align=True,
)

WORKSPACE = np.dtype(
    [
        ("game", GAME),
        ("blank", GAME),  # stays zeroed
        ("seen", GAME),  # what the bot that must choose may see
        ("corners", CORNER, (MAX_SEATS,)),
        ("fresh", CORNER, (MAX_SEATS,)),  # by bot, the corner that it begins a game in: true tables, its weights, zeros
        ("reach", "i8"),  # weights of a corner that a bot of the line-up can have changed
        ("menu", MENU),  # the rules' copy of what is on offer
        ("row", "i8"),  # of the batch, which game is on the workspace
        ("answer", "i8"),  # the last one that was no place on the menu
        ("scores", SCORE, (MAX_SEATS,)),
        ("history", "i8", (MOST_TURNS,)),  # points after each turn; behind those played lie older games
    ],
    align=True,
)


@part
def look(workspace: Any, seat: int) -> None:
    """Make the view of a seat: a copy of the game without other hands, undrawn cards and tiles, and chance.

    What is blanked becomes zero, so that every number in a view is a valid index.
    """
    workspace.seen = workspace.game
    view = workspace.seen
    view.secret = workspace.blank.secret
    for other in range(view.seats):
        if other != seat:
            view.players[other].hand = 0
