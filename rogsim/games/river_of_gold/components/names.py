"""The rulebook's words as small whole numbers, with lists that give the word for each number.

Regions, shore spaces, river spaces and die faces are printed from 1; in memory regions and spaces count from 0, while a
die holds its face. Only `actions`, traces and their narration convert between the two.
"""

from __future__ import annotations

MAX_SEATS = 4
PLAYER_COUNTS = (2, 3, 4)
REGIONS = 6
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

ERAS = ("era1", "era2")
TILES_PER_ERA = (24, 16)

NONE = -1  # no patron, no owner, no royal ship
EMPTY = -1  # a shore space without a building

# The sources of points during the game.
POINT_SOURCES = ("tracks", "visits", "owners", "masteries", "patron", "other")
FROM_TRACK, FROM_VISIT, FROM_OWNER, FROM_MASTERY, FROM_PATRON, FROM_OTHER = range(6)
