"""The components as strict, frozen models, in the layout of `data/the-river.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from rogsim.game.kit.parameters.models import ByPlayers, ComponentSet, Part, PrintedPart
from rogsim.game.kit.parameters.value_types import ROWS_BY_PLAYERS, Switch, Text, listed, whole
from rogsim.games.the_river.components import limits
from rogsim.games.the_river.components.names import ANY, COLUMNS, EFFECT_KEYS, MAX_SEATS, ROWS, SPOTS

Amount = Annotated[int, whole(0, limits.MAX_AMOUNT)]
Cost = Annotated[int, whole(0, limits.MAX_COST)]
Points = Annotated[int, whole(0, limits.MAX_POINTS)]
Resources = Annotated[int, whole(0, limits.MAX_SUPPLY)]
Symbols = Annotated[int, whole(0, limits.MAX_SYMBOLS)]
Bonus = ByPlayers[Amount]
TokenSpots = ByPlayers[Annotated[int, whole(1, limits.MAX_TOKEN_SPOTS)]]

SpotKey = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]
Symbol = Literal["none", "wood", "stone", "clay"]
Terrain = Literal["forest", "desert", "badlands", "mountain", "meadow"]
Counted = Literal["none", "forest", "desert", "badlands", "mountain", "meadow"]
Effect = Literal["none", "production", "gift", "collection", "swap", "boat", "token", "cleanup"]


EFFECT_PARAMETERS = {key for keys in EFFECT_KEYS.values() for key in keys}


class Setup(Part):
    """What players begin with."""

    pioneers_on_boat: Annotated[int, whole(1, limits.MAX_ON_BOAT)]
    display_cards: Annotated[int, whole(1, limits.MAX_CARDS_UP)]
    preliminary_tiles: ByPlayers[Annotated[int, whole(2, MAX_SEATS + 1)]]


class DisplayTiles(Part):
    """The terrain tiles that lie face up in a round."""

    spots: ByPlayers[Annotated[int, whole(1, limits.MAX_TILES_UP)]]


class TurnRules(Part):
    """The figures of a turn and of its actions."""

    trade_give: Annotated[int, whole(2, limits.MAX_GIVEN)]
    trade_get: Annotated[int, whole(1, limits.MAX_GIVEN - 1)]
    claims_per_round: Annotated[int, whole(0, SPOTS)]
    reserved_max: Annotated[int, whole(0, limits.MAX_RESERVED)]
    reserved_discount: Annotated[int, whole(0, limits.MAX_DISCOUNT)]
    extra_pioneer_on_token: Annotated[int, whole(1, limits.MAX_TOKEN_SPOTS)]
    food_action: Annotated[int, whole(1, limits.MAX_AMOUNT)]


class End(Part):
    """What triggers the end of the game."""

    tokens: TokenSpots
    tiles: Annotated[int, whole(2, SPOTS)]


class Score(Part):
    """Points at the end of the game."""

    column_top_two: Points
    column_three: Points
    leftover_set: Annotated[int, whole(1, limits.MAX_SUPPLY)]
    leftover_points: Points
    production_meadow_cap: Points


class TokenSet(Part):
    """The bonus tokens in play, in the order in which they are taken: values, then zeros."""

    players: Annotated[int, whole(2, MAX_SEATS)]
    values: Annotated[tuple[Points, ...], listed(1, limits.MAX_TOKENS)]
    zeros: Annotated[int, whole(0, limits.MAX_TOKENS)]


class Supply(Part):
    """The resources on the islands at the start."""

    players: Annotated[int, whole(2, MAX_SEATS)]
    wood: Resources
    stone: Resources
    clay: Resources
    food: Resources


class Place(PrintedPart):
    """A place for pioneers."""

    id: Text
    kind: Literal["player", "shared", "any"] = Field(alias="class")
    spots: ByPlayers[Annotated[int, whole(ANY, limits.MAX_PIONEERS)]]
    first_bonus: Bonus = Bonus.model_validate({"2": 0, "3": 0, "4": 0})


class Spot(Part):
    """A spot of a River Board, and what is printed on it."""

    id: Annotated[int, whole(1, SPOTS)]
    row: Annotated[int, whole(1, ROWS)]
    column: Annotated[int, whole(1, COLUMNS)]
    production: Switch
    store: Symbols
    settlement: Switch


class Board(Part):
    """A River Board: its printed symbols by spot, and its spots for bonus tokens."""

    id: Text
    production: Mapping[SpotKey, Symbol]
    token_spots: TokenSpots


class Production(Part):
    """Production symbols."""

    wood: Symbols = 0
    stone: Symbols = 0
    clay: Symbols = 0


class Tile(PrintedPart):
    """A terrain tile; a meadow has an effect, with the parameters that it needs."""

    id: Text
    terrain: Annotated[tuple[Terrain, ...], listed(1, 2)]
    production: Production
    store: Symbols
    effect: Effect = "none"
    resource: Symbol = "none"
    amount: Amount = 0
    points: Points = 0
    terrain_counted: Counted = "none"

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
    points: Points


class Sections(ComponentSet):
    """All components, each value checked by itself; `Components` adds checks that they agree."""

    setup: Setup
    display_tiles: DisplayTiles
    turn: TurnRules
    end: End
    score: Score
    token_set: Annotated[tuple[TokenSet, ...], ROWS_BY_PLAYERS]
    supply: tuple[Supply, ...]
    place: tuple[Place, ...]
    spot: tuple[Spot, ...]
    board: tuple[Board, ...]
    tile: tuple[Tile, ...]
    card: tuple[Card, ...]
