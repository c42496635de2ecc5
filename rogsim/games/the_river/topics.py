"""The topics of reports on this game, in the rulebook's words."""

from __future__ import annotations

from collections.abc import Mapping

from rogsim.game.topics import Topic
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import BOARDS, PRODUCED, TERRAINS, TILES
from rogsim.games.the_river.records.narrate_words import card_words, meadow_words, tile_words
from rogsim.games.the_river.records.rows import LAND, TOKEN_VALUES

PRINTED = BOOK.printed()
ROWS = {tile["id"]: tile for tile in PRINTED["tile"]}

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

TERRAIN = {f"{terrain}_tiles": terrain.title() for terrain in TERRAINS}
PAWN = {"pawn_gained": "Pawn taken from another player", "rounds_begun": "Rounds begun"}
PIONEERS = {"fifth_pioneer": "Fifth pioneer freed", "settled": "Pioneers settled"}
TOKENS = {value: f"Bonus token of {value}" for value in TOKEN_VALUES}
CARDS = {card["id"]: card_words(card) for card in PRINTED["card"]}


def _counts(
    name: str, title: str, question: str, noun: str, labels: Mapping[str, str], *about: str, whether: bool = False
) -> Topic:
    """Return a topic about numbers; the labels are those of its columns."""
    return Topic(name, title, question, "count", tuple(labels), noun, labels, whether, about=about)


def _members(name: str, column: str, noun: str, labels: Mapping[str, str], about: str) -> Topic:
    """Return a topic about what a seat has or has not, of which some stand out by chance."""
    question = f"Does any single {noun} go with winning?"
    return Topic(
        name, f"{noun.capitalize()}s", question, "member", (column,), noun, labels, claim=False, about=(about,)
    )


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
    _counts("places", "Places of pioneers", "Which place goes with winning?", "pioneers placed", PLACES, "place"),
    _counts("terrain", "Terrain", "Which terrain goes with winning?", "tiles at the end", TERRAIN, "tile"),
    _members("tiles", "lands", "terrain tile", {name: tile_words(ROWS[name]) for name in TILES[:LAND]}, "tile"),
    _members("meadows", "meadows", "meadow tile", {name: meadow_words(ROWS[name]) for name in TILES[LAND:]}, "tile"),
    _members("cards", "cards", "building card", CARDS, "card"),
    _counts(
        "tokens",
        "Number of bonus tokens",
        "What is a bonus token worth?",
        "tokens taken",
        {"tokens": "Bonus tokens"},
        "token_set",
    ),
    _members("values", "token_values", "bonus token", TOKENS, "token_set"),
    _counts("pawn", "First Player Pawn", "Does it pay to take the First Player Pawn?", "times", PAWN),
    _counts("pioneers", "Pioneers", "Does the fifth pioneer pay, and what do settlers cost?", "pioneers", PIONEERS),
    _counts(
        "ends",
        "End of the game",
        "Does it pay to trigger the end of the game?",
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
