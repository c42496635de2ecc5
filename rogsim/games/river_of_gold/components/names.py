"""The rulebook's words as small whole numbers, with lists that give the word for each number, and the largest values.

Regions, shore spaces, river spaces and die faces are printed from 1; in memory regions and spaces count from 0, while a
die holds its face. Only `actions`, traces and their narration convert between the two. Components may have no larger
values than those here, so that every value fits into the record of a game.
"""

from __future__ import annotations

MAX_SEATS = 4
PLAYER_COUNTS = (2, 3, 4)
REGIONS = 6
REGION_NAMES = tuple(str(region) for region in range(1, REGIONS + 1))
SHORE_SPACES = 30
SPACES_PER_REGION = 5
RIVER_SPACES = 14
SHORES_PER_RIVER_SPACE = 4
FACES = 6
MAX_ROW = 6
MAX_ERA_TILES = 24

GOODS = ("silk", "rice", "porcelain")
SILK, RICE, PORCELAIN = range(3)
KINDS = len(GOODS)

BUILDINGS = ("port", "market", "manor", "shrine")
PORT, MARKET, MANOR, SHRINE = range(4)

CUSTOMER_TYPES = ("artisan", "elder", "merchant", "monk", "noble")
ARTISAN, ELDER, MERCHANT, MONK, NOBLE = range(5)

# A customer's number is its type times six plus its region; the ids are in alphabetical order, too.
CUSTOMERS = tuple(f"{kind}-{region}" for kind in CUSTOMER_TYPES for region in range(1, REGIONS + 1))

MASTERIES = ("air", "courts", "earth", "fire", "void", "water")
AIR, COURTS, EARTH, FIRE, VOID, WATER = range(6)
MASTERIES_PER_GAME = 3

# A patron's clan is half its number, rounded down.
PATRONS = (
    "kaiu-shihobu",
    "yasuki-taka",
    "yoritomo",
    "kudaka",
    "daidoji-uji",
    "kakita-ryoku",
    "shosuro-hyobu",
    "bayushi-kashiko",
)
KAIU, TAKA, YORITOMO, KUDAKA, DAIDOJI, KAKITA, HYOBU, KASHIKO = range(8)
CLANS = ("crab", "mantis", "crane", "scorpion")

TILES_IN_SET = {"start": 6, "era1": 24, "era2": 16, "imperial": 3}
TILE_SETS = tuple(TILES_IN_SET)
ERAS = ("era1", "era2")
TILES_PER_ERA = tuple(TILES_IN_SET[era] for era in ERAS)
SHORE_KINDS = ("open", "imperial", "start23", "start2")  # which tile a shore space has at the start
WHOSE = ("own", "opponent")  # building: that with a monk's second marker
GOOD_SPACE = 2  # of a track: gives the region's good
REWARD_SPACES = tuple(space for space in range(1, 19) if space != GOOD_SPACE)  # that can have another reward

NONE = -1  # no patron, no owner, no royal ship
EMPTY = -1  # a shore space without a building

# The sources of points during the game.
POINT_SOURCES = ("tracks", "visits", "owners", "masteries", "patron", "other")
FROM_TRACK, FROM_VISIT, FROM_OWNER, FROM_MASTERY, FROM_PATRON, FROM_OTHER = range(6)


MAX_KOKU = 100  # a limit, a cost or a gain
MAX_POINTS = 100  # one gain
MAX_POINTS_IN_REWARD = 40  # of a tile or a track: these repeat, and the total must fit into 16 bits
MAX_GOODS = 20  # of one kind, in store or in an order
MAX_GOODS_IN_REWARD = 6  # of all kinds together: each may become a choice on the agenda
MAX_FAVOR = 20
MAX_INFLUENCE = 30  # spaces on a track
MAX_HAND = 6  # customer cards at the start
MAX_DIE_STEPS = 3  # up or down: any face of the die
CUSTOMER_SCORES = 7  # points for 0 ... 5 customers, and for six or more
PLACES = 3  # that score in a region

TILE_KINDS = 46  # different tiles at most
MASTERY_MOST = {"air": 5, "courts": 6, "earth": 30, "fire": 6, "void": 6, "water": 4}

# The printed abilities of customers, by region 1 to 6: the rules identify them by the customer's number.
JOURNEYS = (
    "influence_1_in_each_region_where_you_own_a_building",
    "point_per_customer_delivered",
    "any_good",
    "sell_goods_for_5_koku_each",
    "favor",
    "koku_3",
)
JOURNEY_MOST = (MAX_INFLUENCE, MAX_POINTS, MAX_GOODS_IN_REWARD, MAX_KOKU, MAX_FAVOR, MAX_KOKU)
ROYAL_SHIP = (
    "market_good_is_any_good",  # has no number
    "koku_per_empty_space",
    "influence_1_in_each_adjacent_region",
    "point_if_opponent_building_visited",
    "die_plus_or_minus_1",
    "point_if_own_building_visited",
)
ROYAL_SHIP_MOST = (0, MAX_KOKU, MAX_INFLUENCE, MAX_POINTS, MAX_DIE_STEPS, MAX_POINTS)
END_POINT_PER = ("market", "port", "manor", "shrine", "different_type", "different_region")

# The parameters of each patron's effect.
PATRON_PARAMETERS = {
    "kaiu-shihobu": ("bonus_koku",),
    "yasuki-taka": ("points",),
    "yoritomo": ("bonus_customers",),
    "kudaka": ("points",),
    "daidoji-uji": ("points",),
    "kakita-ryoku": ("cost_favor",),
    "shosuro-hyobu": ("points",),
    "bayushi-kashiko": (),
}
