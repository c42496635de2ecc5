"""The board as reports draw it: the river from its source down to the bay, with the shore spaces on both banks.

Each river space touches odd shore spaces that follow each other, and even ones that do: one bank has the odd ones. The
bends are like a river's, and not those of the printed board.
"""

from __future__ import annotations

import math

from rogsim.game.topics import Area, BoardMap, Spaces
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.names import (
    GOODS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SPACES_PER_REGION,
)
from rogsim.games.river_of_gold.play.rows import RIVER, SPACES

PRINTED = BOOK.printed()
STOPS = tuple(f"stops_{number}" for number in RIVER)
LENGTH = SHORE_SPACES / 2  # of the river: a shore space on each bank is 1 long
BENDS, BEND = 3, 0.75  # how many, and how far out
SHORE_SIZE, RIVER_SIZE, WATER = (1.5, 0.9), (1.2, 0.84), 1.5  # widths and heights of the spaces, width of the river
FROM_RIVER = (WATER + SHORE_SIZE[0]) / 2 + 0.05
MIDDLE = 3.6


def river_at(y: float) -> float:
    """Return where the middle of the river is, so far down."""
    return MIDDLE + BEND * math.sin(math.pi * BENDS * y / LENGTH)


def beside(place: int) -> tuple[float, float]:
    """Return the middle of the shore space with this place in the order of their numbers."""
    y = place // 2 + 0.5
    return river_at(y) + (FROM_RIVER if place % 2 else -FROM_RIVER), y


RIVER_PLACES = tuple((river_at(y), y) for y in (LENGTH * (place + 0.5) / RIVER_SPACES for place in range(RIVER_SPACES)))

SHORE = Spaces(
    "shore",
    "Shore spaces",
    "shore space",
    {name: str(number) for number, name in enumerate(SPACES, 1)},
    ("spaces",),
    "building",
    "owned a building there",
    tuple(beside(place) for place in range(SHORE_SPACES)),
    SHORE_SIZE,
    visit="stops on the river spaces beside it",
    visits=tuple(
        tuple(STOPS[place] for place, touched in enumerate(PRINTED["river"]["shore"]) if number in touched)
        for number in range(1, SHORE_SPACES + 1)
    ),
)
RIVER_MAP = Spaces(
    "river",
    "River spaces",
    "river space",
    {name: str(number) for number, name in enumerate(STOPS, 1)},
    STOPS,
    "stop",
    "stopped there",
    RIVER_PLACES,
    RIVER_SIZE,
    "stops there",
    tuple((name,) for name in STOPS),
)
NAMES = PRINTED["regions"]["names"]
WIDTH = SPACES_PER_REGION / 2
AREAS = tuple(Area(NAMES[region], region * WIDTH, (region + 1) * WIDTH) for region in range(REGIONS))

BOARD = BoardMap(
    "Does it pay to sail or to build anywhere in particular?",
    (RIVER_MAP, SHORE),
    AREAS,
    tuple((river_at(y), y) for y in range(round(LENGTH) + 1)),
    WATER,
    "Downriver is down. Each shore space lies near the river spaces that touch it; the bends are only a sketch.",
    ("koku_gained", *(f"{good}_gained" for good in GOODS)),
    "koku and goods",
)
