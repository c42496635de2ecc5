"""The rulebook's words as small whole numbers, with lists that give the word for each number, and the largest values.

Seats and the spots of a River Board count from 0 in memory; traces count spots from 1. Components may have no larger
values than those here, so that every value fits into the record of a game.
"""

from __future__ import annotations

MAX_SEATS = 4
PLAYER_COUNTS = (2, 3, 4)

RESOURCES = ("wood", "stone", "clay", "food")
WOOD, STONE, CLAY, FOOD = range(4)
PRODUCED = RESOURCES[:FOOD]  # the resources that production symbols show and cards cost
SYMBOLS = ("none", *PRODUCED)

TERRAINS = ("forest", "desert", "badlands", "mountain", "meadow")
COUNTED = ("none", *TERRAINS)

# Where a pioneer can be placed.
PLACES = ("claim", "wood", "stone", "clay", "food", "reserve", "construct", "first", "swap")
CLAIM, PRODUCE, GET_FOOD, RESERVE, CONSTRUCT, TAKE_PAWN, SWAP = 0, 1, 4, 5, 6, 7, 8  # PRODUCE + resource

CLASSES = ("player", "shared", "any")  # whose pioneers the spots of a place count

BOARDS = ("black", "blue", "green", "yellow")
SPOTS = 12  # of a River Board, along the river
COLUMNS, ROWS = 4, 3
# The spots of each column from top to bottom: the river flows to the right, back, and to the right again.
COLUMN_SPOTS = tuple((column, 2 * COLUMNS - 1 - column, 2 * COLUMNS + column) for column in range(COLUMNS))

_TILES_OF = (("F", 14), ("D", 12), ("B", 10), ("M", 8), ("X", 4), ("G", 17))  # X: mixed, G: meadow
TERRAIN_OF_LETTER = dict(zip("FDBMG", TERRAINS, strict=True))
TILES = tuple(f"{letter}{number:02}" for letter, count in _TILES_OF for number in range(1, count + 1))
LAND = TILES.index("G01")  # how many are no meadows: all tiles are too many for one set of bits
CARDS = tuple(f"H{number:02}" for number in range(1, 34))

# What a meadow does.
EFFECTS = ("none", "production", "gift", "collection", "swap", "boat", "token", "cleanup")
EFFECT_KEYS = {  # the parameters that an effect needs
    "production": ("resource",),
    "gift": ("resource", "amount"),
    "cleanup": ("resource", "amount", "points"),
    "collection": ("terrain_counted",),
    "swap": ("amount",),
}
NO_EFFECT, PRODUCTION, GIFT, COLLECTION, SWAP_TWICE, BOAT, TOKEN, CLEANUP = range(len(EFFECTS))

NONE = -1  # no tile, no card, no resource
ANY = -1  # a place without a limit

# The sources of points, in words; the first two are the only ones before the final scoring.
POINT_SOURCES = {"buildings": "buildings", "tokens": "bonus tokens", "columns": "columns of matching terrain"}
POINT_SOURCES |= {"leftovers": "resources left", "meadows": "meadow tiles"}


MAX_COST = 5  # of one resource on a building card
MAX_DISCOUNT = 2  # resources off the cost of a reserved card
LEAST_GIVEN, MAX_GIVEN = 2, 4  # resources in one trade
MAX_TILES_UP = 12  # face-up terrain tiles
MAX_CARDS_UP = 6  # face-up building cards
MAX_RESERVED = 3
MAX_TOKENS = 30
MAX_TOKEN_VALUE = 6  # in rows, which do not tell higher ones apart
MAX_TOKEN_SPOTS = 6
MAX_ON_BOAT = 6  # pioneers on a boat at the start
MAX_SUPPLY = 25  # of one resource
MAX_SYMBOLS = 4  # of one kind on a tile or spot
MAX_POINTS = 50  # of a card, a token, a set
MAX_AMOUNT = 10  # that a meadow gives
MAX_PIONEERS = MAX_SEATS * (MAX_ON_BOAT + 1)  # of all players
UNLIMITED = MAX_PIONEERS + 1  # spots of a place without a limit: there never are as many pioneers
