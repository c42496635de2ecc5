"""The types of values in components: counts, points, resources, terrains, spots of a River Board."""

from __future__ import annotations

from typing import Annotated, Literal

from rogsim.game.kit.parameters.models import ByPlayers
from rogsim.game.kit.parameters.value_types import whole
from rogsim.games.the_river.components.limits import (
    MAX_AMOUNT,
    MAX_COST,
    MAX_PIONEERS,
    MAX_POINTS,
    MAX_SUPPLY,
    MAX_SYMBOLS,
    MAX_TILES_UP,
    MAX_TOKEN_SPOTS,
)
from rogsim.games.the_river.components.names import ANY, COLUMNS, MAX_SEATS, ROWS, SPOTS

Amount = Annotated[int, whole(0, MAX_AMOUNT)]
Cost = Annotated[int, whole(0, MAX_COST)]
Points = Annotated[int, whole(0, MAX_POINTS)]
Resources = Annotated[int, whole(0, MAX_SUPPLY)]
Symbols = Annotated[int, whole(0, MAX_SYMBOLS)]
Pioneers = ByPlayers[Annotated[int, whole(ANY, MAX_PIONEERS)]]
Bonus = ByPlayers[Annotated[int, whole(0, MAX_AMOUNT)]]
NO_BONUS = Bonus.model_validate({"2": 0, "3": 0, "4": 0})
FirstTiles = ByPlayers[Annotated[int, whole(2, MAX_SEATS + 1)]]
TilesUp = ByPlayers[Annotated[int, whole(1, MAX_TILES_UP)]]
Tokens = ByPlayers[Annotated[int, whole(1, MAX_TOKEN_SPOTS)]]
Players = Annotated[int, whole(2, MAX_SEATS)]
SpotNumber = Annotated[int, whole(1, SPOTS)]
Row = Annotated[int, whole(1, ROWS)]
Column = Annotated[int, whole(1, COLUMNS)]

SpotKey = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
Produced = Literal["wood", "stone", "clay"]
Terrain = Literal["forest", "desert", "badlands", "mountain", "meadow"]
Effect = Literal["none", "production", "gift", "cleanup", "collection", "swap", "boat", "token"]
