"""The types of values in components: koku, goods, favor, points, places on the board, known words."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator

from rogsim.game.kit.parameters.models import listed, not_allowed, whole
from rogsim.games.river_of_gold.components.limits import (
    MAX_FAVOR,
    MAX_GOODS,
    MAX_GOODS_IN_REWARD,
    MAX_INFLUENCE,
    MAX_KOKU,
    MAX_POINTS,
    MAX_POINTS_IN_REWARD,
    PLACES,
    TILES_IN_SET,
)
from rogsim.games.river_of_gold.components.names import (
    MAX_SEATS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SHORES_PER_RIVER_SPACE,
)


def _track_space(key: object) -> object:
    """Read the key of a track reward, which is a text in TOML."""
    for space in range(1, MAX_INFLUENCE + 1):
        if key == str(space) or (type(key) is int and key == space):
            return space
    raise not_allowed(f"the number of a track space, from 1 to {MAX_INFLUENCE}")


Koku = Annotated[int, whole(0, MAX_KOKU)]
KokuForEach = Annotated[int, whole(0, MAX_KOKU), "koku for each building of that type owned"]
Points = Annotated[int, whole(0, MAX_POINTS)]
RewardPoints = Annotated[int, whole(0, MAX_POINTS_IN_REWARD)]
Goods = Annotated[int, whole(0, MAX_GOODS)]
RewardGoods = Annotated[int, whole(0, MAX_GOODS_IN_REWARD)]
Favor = Annotated[int, whole(0, MAX_FAVOR)]
Influence = Annotated[int, whole(0, MAX_INFLUENCE)]
Region = Annotated[int, whole(1, REGIONS)]
ShoreNumber = Annotated[int, whole(1, SHORE_SPACES)]
RiverNumber = Annotated[int, whole(1, RIVER_SPACES)]
TrackSpace = Annotated[int, BeforeValidator(_track_space)]
Divisor = Annotated[int, whole(1, MAX_KOKU)]
TwoPlaces = Annotated[tuple[Points, ...], listed(1, 2, label="Points of region tile {} with two players")]
ThreePlaces = Annotated[
    tuple[Points, ...], listed(1, PLACES, label="Points of region tile {} with three or four players")
]
MasteryPoints = Annotated[tuple[Points, ...], listed(1, MAX_SEATS, label="Mastery points with {} players")]
EraTiles = Annotated[
    tuple[Annotated[int, whole(1, TILES_IN_SET["era1"])], ...],
    listed(2, label="Era 1 and era 2 tiles with {} players"),
]
FourShores = Annotated[tuple[ShoreNumber, ...], listed(SHORES_PER_RIVER_SPACE)]

Good = Literal["silk", "rice", "porcelain"]
Building = Literal["port", "market", "manor", "shrine"]
TileSet = Literal["start", "era1", "era2", "imperial"]
ShoreKind = Literal["open", "imperial", "start23", "start2"]
Clan = Literal["crab", "mantis", "crane", "scorpion"]
MasteryId = Literal["air", "courts", "earth", "fire", "void", "water"]
PatronId = Literal[
    "kaiu-shihobu",
    "yasuki-taka",
    "yoritomo",
    "kudaka",
    "daidoji-uji",
    "kakita-ryoku",
    "shosuro-hyobu",
    "bayushi-kashiko",
]
