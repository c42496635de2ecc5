"""The numbers that describe a position, by name; and what the length of the game makes of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rogsim.games.river_of_gold.components.names import (
    MAX_SEATS,
    REGIONS,
    SHORE_SPACES,
    TILES_PER_ERA,
)

FEATURES = (
    # what counts already
    "points",
    "regions",  # points for places as they stand, elders included
    "behind",  # what they would be with REACH less
    "customers",  # points for customers delivered to
    "next-customer",  # what one more would add
    "noble-points",
    "merchant-points",
    "artisan-points",
    "mastery",  # of each mastery in play, its points by the square of the way made
    "one-short",  # the points of masteries that lack one step
    # what can be spent
    "koku",
    "koku-squared",
    "goods",
    "goods-squared",
    "favor",
    "favor-squared",
    "favor-limit",
    # what will come in
    "owner-points",
    "owner-koku",
    "owner-goods",
    "owner-favor",
    "owner-influence",
    "own-near",  # rough worth of the owner rewards that own ships may reach with one sail
    "influence",
    "artisans",
    "elders",
    "merchants",
    "monks",
    "nobles",
    "royal",
    "ships",  # how far both are on their journeys
    "late-ships",  # those within one sail of completing theirs
    "journey",  # what completing one brings, by the chance that the next sail does
    "open-regions",  # with a space to build on that the purse allows
    # of the seat that looks
    "ready",  # orders that can be filled
    "nearly",  # orders that lack one good
    "regions-ready",  # regions with an order that can be filled
    "sailing",  # the next sail, over all faces
    "looks",
    # the end
    "turns",  # own turns to come
    "sets-off",  # the chance to be who sets off the end
    "waiting",  # turns of others before the next own one
)
FEATURE_COUNT = len(FEATURES)
(
    POINTS,
    REGION_POINTS,
    BEHIND,
    CUSTOMER_POINTS,
    NEXT_CUSTOMER,
    NOBLE_POINTS,
    POINTS_FOR_KOKU,
    POINTS_FOR_GOODS,
    MASTERY,
    ONE_SHORT,
    KOKU,
    KOKU_SQUARED,
    ALL_GOODS,
    GOODS_SQUARED,
    FAVOR,
    FAVOR_SQUARED,
    FAVOR_LIMIT,
    OWNER_POINTS,
    OWNER_KOKU,
    OWNER_GOODS,
    OWNER_FAVOR,
    OWNER_INFLUENCE,
    OWN_NEAR,
    INFLUENCE,
    FIRST_TYPE,
    _,
    _,
    _,
    _,
    ROYAL,
    SHIPS,
    LATE_SHIPS,
    JOURNEY,
    OPEN_REGIONS,
    READY,
    NEARLY,
    REGIONS_READY,
    SAILING,
    LOOKS,
    TURNS,
    SETS_OFF,
    WAITING,
) = range(FEATURE_COUNT)

REACH = 3  # influence
TILES_PER_TURN = 0.45  # tiles that a turn takes out of the row, as seen in play
MOST_TILES = sum(TILES_PER_ERA)
VISITS_PER_TILE = 1.0  # sails that go by while one tile leaves the row, as seen in play


def _end_tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the own turns to come, and the chance to set off the end, by players, tiles left and turns to wait.

    Each turn takes the next tile with the chance TILES_PER_TURN: the turn that takes the last one has a negative
    binomial distribution.
    """
    turns = np.zeros((MAX_SEATS + 1, MOST_TILES + 1, MAX_SEATS))
    sets_off = np.zeros_like(turns)
    chance = np.zeros(MOST_TILES + 1)  # by tiles left: that so many turns pass before the one that takes the last
    chance[1] = TILES_PER_TURN
    for before in range(12 * MOST_TILES):
        for seats in range(2, MAX_SEATS + 1):
            for waiting in range(seats):
                last = before % seats == waiting
                own = (before - waiting) // seats + 1 if before >= waiting else 0
                sets_off[seats, :, waiting] += chance * last
                turns[seats, :, waiting] += chance * (own + (not last))
        chance[1:] = (1.0 - TILES_PER_TURN) * chance[1:] + TILES_PER_TURN * chance[:-1]
    return turns, sets_off


TURNS_TO_COME, CHANCE_TO_SET_OFF = _end_tables()

# The numbers of a position, by seat.
POSITION = np.dtype(
    [
        ("seats", "f8", (MAX_SEATS, FEATURE_COUNT)),
        ("steps", "i2", (MAX_SEATS,)),  # influence in one region, by seat
        ("cheapest", "i2", (REGIONS,)),  # empty space by region
        ("touch", "f8", (SHORE_SPACES,)),  # rough worth of a visit to the seat that looks
    ],
    align=True,
)
