"""The components as strict, frozen models, in the layout of `data/the-river.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from rogsim.game.kit.parameters.models import ComponentSet, Part
from rogsim.game.kit.parameters.value_types import Switch, Text, listed, whole
from rogsim.games.the_river.components.limits import (
    MAX_AMOUNT,
    MAX_CARDS_UP,
    MAX_DISCOUNT,
    MAX_GIVEN,
    MAX_ON_BOAT,
    MAX_RESERVED,
    MAX_SUPPLY,
    MAX_TOKEN_SPOTS,
    MAX_TOKENS,
)
from rogsim.games.the_river.components.names import SPOTS
from rogsim.games.the_river.components.value_types import (
    NO_BONUS,
    Amount,
    Bonus,
    Column,
    Cost,
    Effect,
    FirstTiles,
    Pioneers,
    Players,
    Points,
    Produced,
    Resources,
    Row,
    SpotKey,
    SpotNumber,
    Symbols,
    Terrain,
    TilesUp,
    Tokens,
)


class Printed(Part):
    """A component that has only the parameters that are printed on it."""

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Return whether the printed component has the parameter."""
        return key in row


class Setup(Part):
    """What players begin with."""

    pioneers_on_boat: Annotated[int, whole(1, MAX_ON_BOAT)]
    display_cards: Annotated[int, whole(1, MAX_CARDS_UP)]
    preliminary_tiles: FirstTiles


class DisplayTiles(Part):
    """The terrain tiles that lie face up in a round."""

    spots: TilesUp


class TurnRules(Part):
    """The figures of a turn and of its actions."""

    trade_give: Annotated[int, whole(2, MAX_GIVEN)]
    trade_get: Annotated[int, whole(1, MAX_GIVEN - 1)]
    claims_per_round: Annotated[int, whole(0, SPOTS)]
    reserved_max: Annotated[int, whole(0, MAX_RESERVED)]
    reserved_discount: Annotated[int, whole(0, MAX_DISCOUNT)]
    extra_pioneer_on_token: Annotated[int, whole(1, MAX_TOKEN_SPOTS)]
    food_action: Annotated[int, whole(1, MAX_AMOUNT)]


class End(Part):
    """What triggers the end of the game."""

    tokens: Tokens
    tiles: Annotated[int, whole(2, SPOTS)]


class Score(Part):
    """Points at the end of the game."""

    column_top_two: Points
    column_three: Points
    leftover_set: Annotated[int, whole(1, MAX_SUPPLY)]
    leftover_points: Points
    production_meadow_cap: Points


class TokenSet(Part):
    """The bonus tokens in play, in the order in which they are taken: values, then zeros."""

    players: Players
    values: Annotated[tuple[Points, ...], listed(1, MAX_TOKENS)]
    zeros: Annotated[int, whole(0, MAX_TOKENS)]


class Supply(Part):
    """The resources on the islands at the start."""

    players: Players
    wood: Resources
    stone: Resources
    clay: Resources
    food: Resources


class Place(Printed):
    """A place for pioneers."""

    id: Text
    kind: Literal["player", "shared", "any"] = Field(alias="class")
    spots: Pioneers
    first_bonus: Bonus = NO_BONUS


class Spot(Part):
    """A spot of a River Board, and what is printed on it."""

    id: SpotNumber
    row: Row
    column: Column
    production: Switch
    store: Symbols
    settlement: Switch


class Board(Part):
    """A River Board: its printed symbols by spot, and its spots for bonus tokens."""

    id: Text
    production: Mapping[SpotKey, Produced]
    token_spots: Tokens


class Production(Part):
    """Production symbols."""

    wood: Symbols = 0
    stone: Symbols = 0
    clay: Symbols = 0


class Tile(Printed):
    """A terrain tile; a meadow has an effect, with the parameters that it needs."""

    id: Text
    terrain: Annotated[tuple[Terrain, ...], listed(1, 2)]
    production: Production
    store: Symbols
    effect: Effect = "none"
    resource: Produced = "wood"
    amount: Amount = 0
    points: Points = 0
    terrain_counted: Terrain = "forest"


class Card(Part):
    """A building card: its cost and its points."""

    id: Text
    wood: Cost
    stone: Cost
    clay: Cost
    points: Points


def _one_row_each(rows: Any) -> Any:
    """Split a row for several numbers of players into one for each of them."""
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        return rows
    counts = [row.get("players") for row in rows]
    listed_counts = [count if isinstance(count, list) else [count] for count in counts]
    return [{**row, "players": count} for row, each in zip(rows, listed_counts, strict=True) for count in each]


class Sections(ComponentSet):
    """All components, each value checked by itself; `Components` adds checks that they agree."""

    setup: Setup
    display_tiles: DisplayTiles
    turn: TurnRules
    end: End
    score: Score
    token_set: Annotated[tuple[TokenSet, ...], BeforeValidator(_one_row_each)]
    supply: tuple[Supply, ...]
    place: tuple[Place, ...]
    spot: tuple[Spot, ...]
    board: tuple[Board, ...]
    tile: tuple[Tile, ...]
    card: tuple[Card, ...]
