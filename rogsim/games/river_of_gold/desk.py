"""The desk: all the memory that playing games needs, in one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.chance import STREAM
from rogsim.games.river_of_gold.actions import MENU
from rogsim.games.river_of_gold.names import MAX_SEATS
from rogsim.games.river_of_gold.scoring import SCORE
from rogsim.games.river_of_gold.state import GAME
from rogsim.games.river_of_gold.tables import TABLES
from rogsim.jit import inlined

MAX_WEIGHTS = 64

DESK = np.dtype(
    [
        ("game", GAME),
        ("seen", GAME),  # what the bot that must choose may see
        ("blank", GAME),  # stays zeroed
        ("tables", TABLES, (MAX_SEATS,)),  # the bots' own copies, by seat
        ("menu", MENU),
        ("shown", MENU),  # the bot's copy of the menu
        ("shown_size", "i8"),  # entries of the copy that are not blank
        ("row", "i8"),  # of the batch, which game is on the desk
        ("scores", SCORE, (MAX_SEATS,)),
        ("streams", STREAM, (MAX_SEATS,)),  # the bots' own chance
        ("weights", "f8", (MAX_SEATS, MAX_WEIGHTS)),  # the bots' own copies, by seat
    ],
    align=True,
)


@inlined
def look(desk: Any, seat: int) -> None:
    """Make the view of a seat: a copy of the game without other hands, undrawn cards and tiles, and chance.

    What is blanked becomes zero, so that every number in a view is a valid index.
    """
    desk.seen = desk.game
    view = desk.seen
    view.secret = desk.blank.secret
    for other in range(view.seats):
        if other != seat:
            view.players[other].hand = 0
