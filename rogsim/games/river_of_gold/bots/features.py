"""The features of a position, by name, and what is known in advance of the length of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rogsim.games.river_of_gold.bots.notes import POLICIES
from rogsim.games.river_of_gold.components.names import (
    FACES,
    MAX_SEATS,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    TILES_PER_ERA,
)

FEATURES = (
    # points so far
    "points",
    "regions",  # points for the current places, elders included
    "behind",  # the same with REACH less influence
    "customers",  # points for customers delivered to
    "next-customer",  # points that one more would add
    "noble-points",
    "merchant-points",
    "artisan-points",
    "mastery",  # for each mastery in play, its points times the square of the progress
    "one-short",  # points of masteries that need one more step
    # resources
    "koku",
    "koku-squared",
    "goods",
    "goods-squared",
    "favor",
    "favor-squared",
    "favor-limit",
    # expected income
    "owner-points",
    "owner-koku",
    "owner-goods",
    "owner-favor",
    "owner-influence",
    "own-near",  # rough worth of the owner rewards that the seat's ships can reach with one sail
    "influence",
    "artisans",
    "elders",
    "merchants",
    "monks",
    "nobles",
    "royal",
    "ships",  # how far both have sailed on their journeys
    "late-ships",  # those that can complete theirs with one sail
    "journey",  # worth of completing one, times the chance that the next sail does
    "open-regions",  # with a space that the seat can pay for
    # of the viewing seat only
    "ready",  # orders that can be filled
    "nearly",  # orders that lack one good
    "regions-ready",  # regions with an order that can be filled
    "sailing",  # worth of the next sail, averaged over all faces
    "looks",  # 1 for the viewing seat
    # the end
    "turns",  # turns of the seat to come
    "sets-off",  # the chance to trigger the end of the game
    "waiting",  # turns of others before the seat's next one
    # the patron: 1 for the seat's own
    *PATRONS,
    # the next turn of the viewing seat, as the policy sees it
    "next-turn",  # worth of its best action, averaged over the faces of the die
    "best-face",  # worth with the best face
)
FEATURE_COUNT = len(FEATURES)
POINTS, REGION_POINTS, BEHIND, CUSTOMER_POINTS, NEXT_CUSTOMER, NOBLE_POINTS, POINTS_FOR_KOKU = range(7)
POINTS_FOR_GOODS, MASTERY, ONE_SHORT, KOKU, KOKU_SQUARED, ALL_GOODS, GOODS_SQUARED = range(7, 14)
FAVOR, FAVOR_SQUARED, FAVOR_LIMIT = range(14, 17)
OWNER_POINTS, OWNER_KOKU, OWNER_GOODS, OWNER_FAVOR, OWNER_INFLUENCE, OWN_NEAR, INFLUENCE, FIRST_TYPE = range(17, 25)
ROYAL, SHIPS, LATE_SHIPS, JOURNEY, OPEN_REGIONS = range(29, 34)
READY, NEARLY, REGIONS_READY, SAILING, LOOKS, TURNS, SETS_OFF, WAITING, FIRST_PATRON = range(34, 43)
NEXT_TURN = FIRST_PATRON + len(PATRONS)
BEST_FACE = NEXT_TURN + 1

REACH = 3  # influence
TILES_PER_TURN = 0.45  # tiles that a turn takes from the row, as observed in play
MOST_TILES = sum(TILES_PER_ERA)


def _end_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a seat's turns to come, and its chance to trigger the end, by players, tiles left and turns to wait.

    Each turn takes a tile with probability TILES_PER_TURN, so the number of the turn that takes the last one has a
    negative binomial distribution.

    Returns
    -------
    turns, sets_off : float64[MAX_SEATS + 1, MOST_TILES + 1, MAX_SEATS]
        Expected turns, and probabilities.
    """
    # by turns before it, and tiles left: the chance that a turn takes the last tile
    chances = np.zeros((12 * MOST_TILES, MOST_TILES + 1))
    chances[0, 1] = TILES_PER_TURN
    for before in range(1, len(chances)):
        earlier = chances[before - 1]
        chances[before, 1:] = (1.0 - TILES_PER_TURN) * earlier[1:] + TILES_PER_TURN * earlier[:-1]
    turns = np.zeros((MAX_SEATS + 1, MOST_TILES + 1, MAX_SEATS))
    sets_off = np.zeros_like(turns)
    number = np.arange(len(chances))
    for seats in range(2, MAX_SEATS + 1):
        for waiting in range(seats):
            last = number % seats == waiting
            taken = np.maximum((number - waiting) // seats + 1, 0)
            # added up in order, so that the sums do not depend on the machine
            sets_off[seats, :, waiting] = np.cumsum(chances * last[:, None], axis=0)[-1]
            turns[seats, :, waiting] = np.cumsum(chances * (taken + ~last)[:, None], axis=0)[-1]
    return turns, sets_off


TURNS_TO_COME, CHANCE_TO_SET_OFF = _end_tables()

# Looked up, because dividing takes longer.
SHARE_OF_RIVER = np.arange(RIVER_SPACES) / RIVER_SPACES  # by river space
SHARE_OF_FACES = np.arange(FACES + 1) / FACES  # by number of faces
SHARE_OF_ROUND = np.arange(MAX_SEATS) / np.maximum(np.arange(MAX_SEATS + 1), 1)[:, None]  # by players, turns to wait

# Points for the places in a region, by seat.
PLACE_POINTS = np.dtype(
    [
        ("situation", "i8"),  # the influence of all seats and the scoring tile that they are noted for, or UNKNOWN
        ("points", "f8", (MAX_SEATS,)),
        ("behind", "f8", (MAX_SEATS,)),  # with REACH less influence
    ],
    align=True,
)
UNKNOWN = -1

# The features of a position, by seat.
POSITION = np.dtype(
    [
        ("seats", "f8", (MAX_SEATS, FEATURE_COUNT)),
        ("places", PLACE_POINTS, (REGIONS,)),  # kept from position to position
        ("touch", "f8", (SHORE_SPACES,)),  # rough worth of a visit to the viewing seat
        ("policies", POLICIES),  # the policy that plays on and values the next turn, by moment
        ("knows_patrons", "?"),  # whether patrons have weights
        ("looks_ahead", "?"),  # whether the next turn has
        ("worths", "f8", (FACES + 1,)),  # of the best action with each face of the die
    ],
    align=True,
)
