"""The topics of reports on this game, in the rulebook's words."""

from __future__ import annotations

from rogsim.game.topics import Topic
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import BOARDS, PRODUCED, TERRAINS, TILES
from rogsim.games.the_river.records.narrate_words import card_words, tile_words
from rogsim.games.the_river.records.rows import LAND

PRINTED = BOOK.printed()
TILE_WORDS = {tile["id"]: tile_words(tile) for tile in PRINTED["tile"]}

PLACES = {
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

TOPICS = (
    Topic(
        "boards",
        "River Boards",
        "Is any River Board too strong or too weak?",
        "level",
        ("board",),
        "River Board",
        {board: board.title() for board in BOARDS},
        dealt={"boards": "dealt"},
        about=("board",),
    ),
    Topic(
        "places",
        "Places of pioneers",
        "Which place for pioneers goes with winning?",
        "count",
        tuple(PLACES),
        "pioneers placed",
        PLACES,
        about=("place",),
    ),
    Topic(
        "terrain",
        "Terrain",
        "Which terrain goes with winning?",
        "count",
        tuple(f"{terrain}_tiles" for terrain in TERRAINS),
        "tiles at the end (a mixed tile counts for both kinds)",
        {f"{terrain}_tiles": terrain.title() for terrain in TERRAINS},
    ),
    Topic(
        "tiles",
        "Terrain tiles",
        "Does any single terrain tile go with winning?",
        "member",
        ("lands",),
        "terrain tile",
        {name: TILE_WORDS[name] for name in TILES[:LAND]},
        claim=False,
        about=("tile",),
    ),
    Topic(
        "meadows",
        "Meadow tiles",
        "Does any single meadow tile go with winning?",
        "member",
        ("meadows",),
        "meadow tile",
        {name: TILE_WORDS[name] for name in TILES[LAND:]},
        claim=False,
        about=("tile",),
    ),
    Topic(
        "cards",
        "Building cards",
        "Does any single building card go with winning?",
        "member",
        ("cards",),
        "building card",
        {card["id"]: card_words(card) for card in PRINTED["card"]},
        claim=False,
        about=("card",),
    ),
    Topic(
        "tokens",
        "Bonus tokens",
        "What is a bonus token worth?",
        "count",
        ("tokens",),
        "bonus tokens taken",
        {"tokens": "Bonus tokens"},
        about=("token_set",),
    ),
    Topic(
        "pawn",
        "First Player Pawn",
        "Does it pay to take the First Player Pawn?",
        "count",
        ("pawn_gained", "rounds_begun"),
        "times",
        {"pawn_gained": "Pawn taken from another player", "rounds_begun": "Rounds begun"},
    ),
    Topic(
        "pioneers",
        "Pioneers",
        "Does the fifth pioneer pay, and what do settlers cost?",
        "count",
        ("fifth_pioneer", "settled"),
        "pioneers",
        {"fifth_pioneer": "Fifth pioneer freed", "settled": "Pioneers settled"},
    ),
    Topic(
        "ends",
        "End of the game",
        "Does it pay to trigger the end of the game?",
        "count",
        ("ended_game",),
        "triggered the end",
        {"ended_game": "Triggered the end"},
        whether=True,
    ),
    Topic(
        "sources",
        "Points by source",
        "Where do the winners' points come from?",
        "parts",
        tuple(POINTS),
        "source",
        POINTS,
    ),
)
