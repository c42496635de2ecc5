"""The measures that distinguish the play of bots."""

from __future__ import annotations

from rogsim.game.topics import Measure, ProfileTable
from rogsim.games.the_river.components.names import PLACES, POINT_SOURCES, PRODUCED

PLACED = tuple(f"placed_{place}" for place in PLACES)

PROFILE = (
    ProfileTable(
        "where its pioneers go",
        (
            Measure("claim a tile", ("placed_claim",), PLACED),
            Measure("produce", tuple(f"placed_{resource}" for resource in PRODUCED), PLACED),
            Measure("food", ("placed_food",), PLACED),
            Measure("reserve", ("placed_reserve",), PLACED),
            Measure("construct", ("placed_construct",), PLACED),
            Measure("first player", ("placed_first",), PLACED),
            Measure("swap tiles", ("placed_swap",), PLACED),
        ),
    ),
    ProfileTable(
        "what it has at the end",
        (
            Measure("tiles", ("tiles",)),
            Measure("meadow tiles", ("meadow_tiles",)),
            Measure("buildings", ("buildings",)),
            Measure("bonus tokens", ("tokens",)),
            Measure("settled pioneers", ("settled",)),
            Measure("trades", ("trades",)),
            Measure("given up", ("given_up",)),
        ),
    ),
    ProfileTable(
        "points by source",
        tuple(Measure(source, (f"points_{source}",)) for source in POINT_SOURCES),
    ),
)
