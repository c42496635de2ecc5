"""The largest values that components may have, so that every value fits into the record of a game."""

from __future__ import annotations

from rogsim.games.the_river.components.names import MAX_SEATS

MAX_COST = 5  # of one resource on a building card
MAX_DISCOUNT = 2  # resources off the cost of a reserved card
LEAST_GIVEN, MAX_GIVEN = 2, 4  # resources in one trade
MAX_TILES_UP = 12  # face-up terrain tiles
MAX_CARDS_UP = 6  # face-up building cards
MAX_RESERVED = 3
MAX_TOKENS = 30
MAX_TOKEN_SPOTS = 6
MAX_ON_BOAT = 6  # pioneers on a boat at the start
MAX_SUPPLY = 25  # of one resource
MAX_SYMBOLS = 4  # of one kind on a tile or spot
MAX_POINTS = 50  # of a card, a token, a set
MAX_AMOUNT = 10  # that a meadow gives
MAX_PIONEERS = MAX_SEATS * (MAX_ON_BOAT + 1)  # of all players
UNLIMITED = MAX_PIONEERS + 1  # spots of a place without a limit: there never are as many pioneers
