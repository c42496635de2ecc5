"""The components: every number with its range, its meaning, and its place in `data/the-river.toml` and the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.game.kit.kinds import (
    FIXED,
    HOLDER,
    OTHERS,
    OWN_NAME,
    ByPlayers,
    Components,
    Count,
    Flag,
    Keyed,
    Listed,
    OneOf,
    Rows,
    Text,
    printed,
)
from rogsim.games.the_river.components import names
from rogsim.games.the_river.components.names import PLAYER_COUNTS

Amount = Count(0, names.MAX_AMOUNT)
Points = Count(0, names.MAX_POINTS)
Symbols = Count(0, names.MAX_SYMBOLS)
TokenSpots = ByPlayers(PLAYER_COUNTS, Count(1, names.MAX_TOKEN_SPOTS))

COST = printed("cost of the building in this resource", OTHERS)
RESOURCES = printed("resources on this island at the start, with this number of players")


class Setup:
    """What players begin with."""

    pioneers_on_boat: Count[1, names.MAX_ON_BOAT] = printed("pioneers on each boat at the start")
    display_cards: Count[1, names.MAX_CARDS_UP] = printed("face-up building cards", into="cards_up")
    preliminary_tiles: ByPlayers[PLAYER_COUNTS, Count[2, names.MAX_SEATS + 1]] = printed(
        "face-up terrain tiles in the preliminary turn, with this number of players", into="tiles_up_first"
    )


class DisplayTiles:
    """The terrain tiles that lie face up in a round."""

    spots: ByPlayers[PLAYER_COUNTS, Count[1, names.MAX_TILES_UP]] = printed(
        "face-up terrain tiles in a round, with this number of players", into="tiles_up"
    )


class TurnRules:
    """The numbers of a turn and of its actions."""

    trade_give: Count[names.LEAST_GIVEN, names.MAX_GIVEN] = printed("resources given in a trade", OTHERS)
    trade_get: Count[1, names.MAX_GIVEN - 1] = printed("food for a trade", HOLDER)
    claims_per_round: Count[0, names.SPOTS] = printed("terrain tiles that a player may claim in a round")
    reserved_max: Count[0, names.MAX_RESERVED] = printed("reserved building cards that a player may have")
    reserved_discount: Count[0, names.MAX_DISCOUNT] = printed("resources off the cost of a reserved building", HOLDER)
    extra_pioneer_on_token: Count[1, names.MAX_TOKEN_SPOTS] = printed("the bonus token that frees the extra pioneer")
    food_action: Count[1, names.MAX_AMOUNT] = printed(
        "food for a pioneer on the food island, or so much of another resource", HOLDER
    )


class End:
    """What triggers the end of the game."""

    tokens: TokenSpots = printed(
        "bonus tokens of a player that end the game, with this number of players", into="end_tokens"
    )
    tiles: Count[2, names.SPOTS] = printed("terrain tiles of a player that end the game", into="end_tiles")


class Score:
    """Points at the end of the game."""

    column_top_two: Points = printed("points for a column whose upper two tiles match", HOLDER)
    column_three: Points = printed("points for a column whose three tiles match", HOLDER)
    leftover_set: Count[1, names.MAX_SUPPLY] = printed("resources left for each set", OTHERS)
    leftover_points: Points = printed("points for each set of resources left", HOLDER)
    production_meadow_cap: Points = printed("most points of a production meadow", HOLDER)


class TokenSet:
    """The bonus tokens in play, in the order in which they are taken: values, then zeros."""

    players: Count[2, names.MAX_SEATS] = FIXED
    values: Listed[Points, 1, names.MAX_TOKENS] = printed(
        "the bonus tokens in the order in which they are taken, with this number of players",
        HOLDER,
        label="Bonus tokens",
        into="token_values",
    )
    zeros: Count[0, names.MAX_TOKENS] = printed("bonus tokens without points after those, with this number of players")


class Supply:
    """The resources on the islands at the start."""

    players: Count[2, names.MAX_SEATS] = FIXED
    wood: Count[0, names.MAX_SUPPLY] = RESOURCES
    stone: Count[0, names.MAX_SUPPLY] = RESOURCES
    clay: Count[0, names.MAX_SUPPLY] = RESOURCES
    food: Count[0, names.MAX_SUPPLY] = RESOURCES


class Place:
    """A place for pioneers; only production has an extra resource."""

    id: Text
    class_: OneOf[names.CLASSES] = FIXED
    spots: ByPlayers[PLAYER_COUNTS, Count[names.ANY, names.MAX_PIONEERS]] = printed(
        "pioneers of all players in a round, with this number of players; -1: any number"
    )
    first_bonus: ByPlayers[PLAYER_COUNTS, Amount] = printed(
        "extra resources for the first pioneer in a round, with this number of players", HOLDER
    )

    @staticmethod
    def has(row: Mapping[str, Any], key: str) -> bool:
        """Return whether a place has a key."""
        return key != "first_bonus" or row.get("id") in names.PRODUCED


class Spot:
    """A spot of a River Board, and what is printed on it."""

    id: Count[1, names.SPOTS] = FIXED
    row: Count[1, names.ROWS] = FIXED
    column: Count[1, names.COLUMNS] = FIXED
    production: Flag = printed("whether the board's production symbol is printed here")
    store: Symbols = printed("warehouses printed here", into="printed_store")
    settlement: Flag = printed("whether covering this spot settles a pioneer", into="settlement")


class Board:
    """A River Board: its printed symbols by spot, and its spots for bonus tokens."""

    id: Text
    production: Keyed[range(1, names.SPOTS + 1), OneOf[names.SYMBOLS]] = printed(
        "the production symbol printed on this spot", HOLDER
    )
    # Spots beyond those that end the game hardly ever get a token.
    token_spots: TokenSpots = printed("spots for bonus tokens, with this number of players", into="token_spots")


class Production:
    """Production symbols."""

    wood: Symbols = printed(default=0)
    stone: Symbols = printed(default=0)
    clay: Symbols = printed(default=0)


class Tile:
    """A terrain tile; a meadow has an effect, with the parameters that it needs."""

    id: Text
    terrain: Listed[OneOf[names.TERRAINS], 1, 2] = printed("the two kinds of terrain of a mixed tile", label="Terrain")
    production: Production = printed("production symbols for this resource", HOLDER)
    store: Symbols = printed("warehouses on the tile", HOLDER)
    effect: OneOf[names.EFFECTS] = printed("what the meadow does", default="none")
    resource: OneOf[names.SYMBOLS] = printed("the resource of the meadow", default="none")
    amount: Amount = printed("resources that the meadow gives, or swaps", HOLDER, default=0)
    points: Points = printed("points of the meadow at the end", HOLDER, default=0)
    terrain_counted: OneOf[names.COUNTED] = printed("the terrain for which the meadow gives points", default="none")

    @staticmethod
    def has(row: Mapping[str, Any], key: str) -> bool:
        """Return whether a tile has a key: only meadows have whatever any effect needs."""
        of_meadows = ("effect", "resource", "amount", "points", "terrain_counted")
        return key not in of_meadows or names.TERRAIN_OF_LETTER.get(str(row.get("id"))[:1]) == "meadow"

    @staticmethod
    def is_fixed(row: Mapping[str, Any], key: str) -> bool:
        """Return whether the terrain is that of the id."""
        return key == "terrain" and str(row.get("id"))[:1] in names.TERRAIN_OF_LETTER


class Card:
    """A building card: its cost and its points."""

    id: Text
    wood: Count[0, names.MAX_COST] = COST
    stone: Count[0, names.MAX_COST] = COST
    clay: Count[0, names.MAX_COST] = COST
    points: Points = printed("points of the building", HOLDER)


class Sections(Components):
    """All components."""

    setup: Setup = printed(into=OWN_NAME)
    display_tiles: DisplayTiles
    turn: TurnRules = printed(into=OWN_NAME)
    end: End
    score: Score = printed(into=OWN_NAME)
    token_set: Rows[TokenSet, PLAYER_COUNTS]
    supply: Rows[Supply, PLAYER_COUNTS] = printed(into="supply")
    place: Rows[Place, names.PLACES]
    spot: Rows[Spot, range(1, names.SPOTS + 1)]
    board: Rows[Board, names.BOARDS]
    tile: Rows[Tile, names.TILES]
    card: Rows[Card, names.CARDS]
