"""The topics of reports on this game, in the rulebook's words, and the measures that distinguish the play of bots."""

from __future__ import annotations

from rogsim.game.topics import Measure, ProfileTable, counts, levels, members, sources
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import BOARDS, LAND, PLACES, POINT_SOURCES, PRODUCED, TERRAINS, TILES
from rogsim.games.the_river.play.narrate import card_words, meadow_words, tile_words
from rogsim.games.the_river.play.rows import TOKEN_VALUES

PRINTED = BOOK.printed()
ROWS = {tile["id"]: tile for tile in PRINTED["tile"]}

WORKPLACES = {
    "placed_claim": "Claim a terrain tile",
    **{f"placed_{resource}": f"Produce {resource}" for resource in PRODUCED},
    "placed_food": "Food",
    "placed_reserve": "Reserve a building",
    "placed_construct": "Construct a building",
    "placed_first": "Take the First Player Pawn",
    "placed_swap": "Swap terrain tiles",
}

POINTS = {
    "points_buildings": "Buildings",
    "points_tokens": "Bonus tokens",
    "points_columns": "Columns",
    "points_leftovers": "Resources left",
    "points_meadows": "Meadow tiles",
}

COLOURS = {board: board.title() for board in BOARDS}
TERRAIN = {f"{terrain}_tiles": terrain.title() for terrain in TERRAINS}
PAWN = {"pawn_gained": "Pawn taken from another player", "rounds_begun": "Rounds begun"}
PIONEERS = {"fifth_pioneer": "Fifth pioneer freed", "settled": "Pioneers settled"}
TAKEN = {"tokens": "Bonus tokens"}
TOKENS = {value: f"Bonus token of {value}" for value in TOKEN_VALUES}
CARDS = {card["id"]: card_words(card) for card in PRINTED["card"]}

TOPICS = (
    levels("boards", "River Boards", "board", "River Board", COLOURS, "board", dealt={"boards": "dealt"}),
    counts("places", "Places of pioneers", "Which place goes with winning?", "pioneers placed", WORKPLACES, "place"),
    counts("terrain", "Terrain", "Which terrain goes with winning?", "tiles at the end", TERRAIN, "tile"),
    members("tiles", "lands", "terrain tile", {name: tile_words(ROWS[name]) for name in TILES[:LAND]}, "tile"),
    members("meadows", "meadows", "meadow tile", {name: meadow_words(ROWS[name]) for name in TILES[LAND:]}, "tile"),
    members("cards", "cards", "building card", CARDS, "card"),
    counts("tokens", "Number of bonus tokens", "What is a bonus token worth?", "tokens taken", TAKEN, "token_set"),
    members("values", "token_values", "bonus token", TOKENS, "token_set"),
    counts("pawn", "First Player Pawn", "Does it pay to take the First Player Pawn?", "times", PAWN),
    counts("pioneers", "Pioneers", "Does the fifth pioneer pay, and what do settlers cost?", "pioneers", PIONEERS),
    sources(POINTS),
)


PLACED = tuple(f"placed_{place}" for place in PLACES)
OWNED = ("tiles", "meadow_tiles", "buildings", "tokens", "settled", "trades", "given_up")

PROFILE = (
    ProfileTable("where its pioneers go", tuple(Measure(place, (f"placed_{place}",), PLACED) for place in PLACES)),
    ProfileTable("what it has and does", tuple(Measure(name.replace("_", " "), (name,)) for name in OWNED)),
    ProfileTable("points by source", tuple(Measure(source, (f"points_{source}",)) for source in POINT_SOURCES)),
)
