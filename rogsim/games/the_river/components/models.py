"""The components as strict, frozen models, in the layout of `data/the-river.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from rogsim.game.kit.parameters.models import (
    COSTS,
    HELPS,
    ROWS_BY_PLAYERS,
    ComponentSet,
    Part,
    PrintedPart,
    Rows,
    Switch,
    Text,
    TwoToFour,
    listed,
    whole,
)
from rogsim.games.the_river.components import names

Seats = Annotated[int, whole(2, names.MAX_SEATS)]
Amount = Annotated[int, whole(0, names.MAX_AMOUNT)]
Points = Annotated[int, whole(0, names.MAX_POINTS)]
Cost = Annotated[int, whole(0, names.MAX_COST), COSTS, "cost of the building in this resource"]
Resources = Annotated[
    int, whole(0, names.MAX_SUPPLY), "resources on this island at the start, with this number of players"
]
Symbols = Annotated[int, whole(0, names.MAX_SYMBOLS)]
TilesUp = Annotated[int, whole(1, names.MAX_TILES_UP)]
TokenSpots = TwoToFour[Annotated[int, whole(1, names.MAX_TOKEN_SPOTS)]]
Bonus = TwoToFour[Amount]

SpotKey = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
Symbol = Literal["none", "wood", "stone", "clay"]
Terrain = Literal["forest", "desert", "badlands", "mountain", "meadow"]
Counted = Literal["none", "forest", "desert", "badlands", "mountain", "meadow"]
Effect = Literal["none", "production", "gift", "collection", "swap", "boat", "token", "cleanup"]

EACH_COUNT = Rows(names.PLAYER_COUNTS, "players")
EFFECT_PARAMETERS = {key for keys in names.EFFECT_KEYS.values() for key in keys}


class Setup(Part):
    """What players begin with."""

    pioneers_on_boat: Annotated[int, whole(1, names.MAX_ON_BOAT), "pioneers on each boat at the start"]
    display_cards: Annotated[int, whole(1, names.MAX_CARDS_UP), "face-up building cards"]
    preliminary_tiles: Annotated[
        TwoToFour[Annotated[int, whole(2, names.MAX_SEATS + 1)]],
        "face-up terrain tiles in the preliminary turn, with this number of players",
    ]


class DisplayTiles(Part):
    """The terrain tiles that lie face up in a round."""

    spots: Annotated[TwoToFour[TilesUp], "face-up terrain tiles in a round, with this number of players"]


class TurnRules(Part):
    """The numbers of a turn and of its actions."""

    trade_give: Annotated[int, whole(names.LEAST_GIVEN, names.MAX_GIVEN), COSTS, "resources given in a trade"]
    trade_get: Annotated[int, whole(1, names.MAX_GIVEN - 1), HELPS, "food for a trade"]
    claims_per_round: Annotated[int, whole(0, names.SPOTS), "terrain tiles that a player may claim in a round"]
    reserved_max: Annotated[int, whole(0, names.MAX_RESERVED), "reserved building cards that a player may have"]
    reserved_discount: Annotated[
        int, whole(0, names.MAX_DISCOUNT), HELPS, "resources off the cost of a reserved building"
    ]
    extra_pioneer_on_token: Annotated[
        int, whole(1, names.MAX_TOKEN_SPOTS), "the bonus token that frees the extra pioneer"
    ]
    food_action: Annotated[
        int, whole(1, names.MAX_AMOUNT), HELPS, "food for a pioneer on the food island, or so much of another resource"
    ]


class End(Part):
    """What triggers the end of the game."""

    tokens: Annotated[TokenSpots, "bonus tokens of a player that end the game, with this number of players"]
    tiles: Annotated[int, whole(2, names.SPOTS), "terrain tiles of a player that end the game"]


class Score(Part):
    """Points at the end of the game."""

    column_top_two: Annotated[Points, HELPS, "points for a column whose upper two tiles match"]
    column_three: Annotated[Points, HELPS, "points for a column whose three tiles match"]
    leftover_set: Annotated[int, whole(1, names.MAX_SUPPLY), COSTS, "resources left for each set"]
    leftover_points: Annotated[Points, HELPS, "points for each set of resources left"]
    production_meadow_cap: Annotated[Points, HELPS, "most points of a production meadow"]


class TokenSet(Part):
    """The bonus tokens in play, in the order in which they are taken: values, then zeros."""

    players: Seats
    values: Annotated[
        tuple[Points, ...],
        listed(1, names.MAX_TOKENS, label="Bonus tokens"),
        HELPS,
        "the bonus tokens in the order in which they are taken, with this number of players",
    ]
    zeros: Annotated[
        int, whole(0, names.MAX_TOKENS), "bonus tokens without points after those, with this number of players"
    ]


class Supply(Part):
    """The resources on the islands at the start."""

    players: Seats
    wood: Resources
    stone: Resources
    clay: Resources
    food: Resources


class Place(PrintedPart):
    """A place for pioneers."""

    id: Text
    kind: Literal["player", "shared", "any"] = Field(alias="class")
    spots: Annotated[
        TwoToFour[Annotated[int, whole(names.ANY, names.MAX_PIONEERS)]],
        "pioneers of all players in a round, with this number of players; -1: any number",
    ]
    first_bonus: Annotated[
        Bonus, HELPS, "extra resources for the first pioneer in a round, with this number of players"
    ] = Bonus.model_validate({"2": 0, "3": 0, "4": 0})


class Spot(Part):
    """A spot of a River Board, and what is printed on it."""

    id: Annotated[int, whole(1, names.SPOTS)]
    row: Annotated[int, whole(1, names.ROWS)]
    column: Annotated[int, whole(1, names.COLUMNS)]
    production: Annotated[Switch, "whether the board's production symbol is printed here"]
    store: Annotated[Symbols, "warehouses printed here"]
    settlement: Annotated[Switch, "whether covering this spot settles a pioneer"]


class Board(Part):
    """A River Board: its printed symbols by spot, and its spots for bonus tokens."""

    id: Text
    production: Annotated[Mapping[SpotKey, Symbol], HELPS, "the production symbol printed on this spot"]
    # Spots beyond those that end the game hardly ever get a token.
    token_spots: Annotated[TokenSpots, "spots for bonus tokens, with this number of players"]


class Production(Part):
    """Production symbols."""

    wood: Symbols = 0
    stone: Symbols = 0
    clay: Symbols = 0


class Tile(PrintedPart):
    """A terrain tile; a meadow has an effect, with the parameters that it needs."""

    id: Text
    terrain: Annotated[tuple[Terrain, ...], listed(1, 2, label="Terrain"), "the two kinds of terrain of a mixed tile"]
    production: Annotated[Production, HELPS, "production symbols for this resource"]
    store: Annotated[Symbols, HELPS, "warehouses on the tile"]
    effect: Annotated[Effect, "what the meadow does"] = "none"
    resource: Annotated[Symbol, "the resource of the meadow"] = "none"
    amount: Annotated[Amount, HELPS, "resources that the meadow gives, or swaps"] = 0
    points: Annotated[Points, HELPS, "points of the meadow at the end"] = 0
    terrain_counted: Annotated[Counted, "the terrain for which the meadow gives points"] = "none"

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Return whether a tile has the parameter: a mixed one its terrain, a meadow whatever any effect needs."""
        if key == "terrain":
            return len(row[key]) > 1
        return key in row or (key in EFFECT_PARAMETERS and "effect" in row)


class Card(Part):
    """A building card: its cost and its points."""

    id: Text
    wood: Cost
    stone: Cost
    clay: Cost
    points: Annotated[Points, HELPS, "points of the building"]


class Sections(ComponentSet):
    """All components, each value checked by itself; `Components` adds checks that they agree."""

    setup: Setup
    display_tiles: DisplayTiles
    turn: TurnRules
    end: End
    score: Score
    token_set: Annotated[tuple[TokenSet, ...], ROWS_BY_PLAYERS, EACH_COUNT]
    supply: Annotated[tuple[Supply, ...], EACH_COUNT]
    place: Annotated[tuple[Place, ...], Rows(names.PLACES)]
    spot: Annotated[tuple[Spot, ...], Rows(range(1, names.SPOTS + 1))]
    board: Annotated[tuple[Board, ...], Rows(names.BOARDS)]
    tile: Annotated[tuple[Tile, ...], Rows(names.TILES)]
    card: Annotated[tuple[Card, ...], Rows(names.CARDS)]
