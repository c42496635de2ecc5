"""The board as reports draw it: the river from left to right, with the shore spaces above and below."""

from __future__ import annotations

from rogsim.game.board_map import Area, BoardMap, Spaces
from rogsim.games.river_of_gold.components.load import printed_facts
from rogsim.games.river_of_gold.components.names import (
    GOODS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SPACES_PER_REGION,
)
from rogsim.games.river_of_gold.records.rows import RIVER, SPACES

PRINTED = printed_facts()
STOPS = tuple(f"stops_{number}" for number in RIVER)
COLUMNS = SHORE_SPACES / 2  # shore spaces side by side
STRETCH = COLUMNS / RIVER_SPACES  # width of a river space

SHORE = Spaces(
    "shore",
    "Shore spaces",
    "shore space",
    {name: str(number) for number, name in enumerate(SPACES, 1)},
    ("spaces",),
    "building",
    "owned a building there",
    tuple((place // 2 + 0.5, 0.5 if place % 2 == 0 else 2.5) for place in range(SHORE_SPACES)),
    visit="stops on the river spaces beside it",
    visits=tuple(
        tuple(STOPS[place] for place, beside in enumerate(PRINTED["river"]["shore"]) if number in beside)
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
    tuple(((place + 0.5) * STRETCH, 1.5) for place in range(RIVER_SPACES)),
    (STRETCH, 1.0),
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
    "The middle row is the river, downriver to the right. Shore spaces are in the order of their numbers, odd ones "
    "above the river and even ones below, not on their banks.",
    ("koku_gained", *(f"{good}_gained" for good in GOODS)),
    "koku and goods",
)
