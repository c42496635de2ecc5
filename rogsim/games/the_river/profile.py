"""The measures that distinguish the play of bots."""

from __future__ import annotations

from rogsim.game.topics import Measure, ProfileTable
from rogsim.games.the_river.components.names import PLACES, POINT_SOURCES

PLACED = tuple(f"placed_{place}" for place in PLACES)
OWNED = ("tiles", "meadow_tiles", "buildings", "tokens", "settled", "trades", "given_up")

PROFILE = (
    ProfileTable("where its pioneers go", tuple(Measure(place, (f"placed_{place}",), PLACED) for place in PLACES)),
    ProfileTable("what it has and does", tuple(Measure(name.replace("_", " "), (name,)) for name in OWNED)),
    ProfileTable("points by source", tuple(Measure(source, (f"points_{source}",)) for source in POINT_SOURCES)),
)
