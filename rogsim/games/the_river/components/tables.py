"""The components as one record that the compiled rules read: changed parameters need no compiling."""

from __future__ import annotations

import numpy as np

from rogsim.games.the_river.components.limits import MAX_TOKENS
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    MAX_SEATS,
    PLACES,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TILES,
)

TILE = np.dtype(
    [
        ("terrain", "i1"),  # mask: a mixed tile has two kinds
        ("production", "i1", (len(PRODUCED),)),  # symbols
        ("store", "i1"),  # warehouses
        ("effect", "i1"),  # see names.EFFECTS
        ("resource", "i1"),  # of the effect, or NONE
        ("counted", "i1"),  # mask of the terrain that the effect counts
        ("amount", "i1"),  # resources taken, or swaps
        ("points", "i1"),  # at the end, of a cleanup meadow
    ],
    align=True,
)

CARD = np.dtype([("cost", "i1", (len(PRODUCED),)), ("points", "i1")], align=True)

TABLES = np.dtype(
    [
        ("seats", "i2"),
        # set-up
        ("first", "i2"),  # the seat of the first player, or NONE if chance decides
        ("boards", "i2", (MAX_SEATS,)),  # by seat; the first is NONE if they are dealt
        ("pioneers_on_boat", "i2"),
        ("supply", "i2", (len(RESOURCES),)),
        ("tiles_up", "i2"),  # face-up terrain tiles in a round
        ("tiles_up_first", "i2"),  # in the preliminary turn
        ("cards_up", "i2"),
        ("token_values", "i2", (MAX_TOKENS,)),  # in the order in which they are taken
        ("token_count", "i2"),
        # places
        ("spots", "i2", (len(PLACES),)),  # pioneers of all players, or ANY; for a claim, those of each player
        ("first_bonus", "i2", (len(PRODUCED),)),  # for the first pioneer on the island in a round
        ("trade_give", "i2"),
        ("trade_get", "i2"),
        ("food_action", "i2"),
        ("reserved_max", "i2"),
        ("reserved_discount", "i2"),
        ("extra_pioneer_on_token", "i2"),
        # River Boards
        ("printed_store", "i2", (SPOTS,)),
        ("settlement", "i2", (SPOTS,)),
        ("printed_production", "i2", (len(BOARDS), SPOTS)),  # a resource, or NONE
        ("token_spots", "i2", (len(BOARDS),)),
        # tiles and cards
        ("tiles", TILE, (len(TILES),)),
        ("cards", CARD, (len(CARDS),)),
        # end and scoring
        ("end_tokens", "i2"),
        ("end_tiles", "i2"),
        ("column_top_two", "i2"),
        ("column_three", "i2"),
        ("leftover_set", "i2"),
        ("leftover_points", "i2"),
        ("production_meadow_cap", "i2"),
    ],
    align=True,
)
