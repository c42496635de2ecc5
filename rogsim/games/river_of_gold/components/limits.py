"""The largest figures that the components may carry, so that every one of them fits the game in memory.

What the board itself fixes (six regions, thirty shore spaces, ...) stands in `names`.
"""

from __future__ import annotations

MAX_KOKU = 100  # a limit, a cost or a gain
MAX_POINTS = 100  # one gain
MAX_POINTS_IN_REWARD = 40  # of a tile or a track: they come again and again, and all points together fit 16 bits
MAX_GOODS = 20  # of one kind, in store or in an order
MAX_GOODS_IN_REWARD = 6  # all kinds together: each may become a choice that waits for its turn
MAX_FAVOR = 20
MAX_INFLUENCE = 30  # spaces on a track
MAX_HAND = 6  # customer cards at the start
MAX_DIE_STEPS = 3  # up or down: any face of the die
CUSTOMER_SCORES = 7  # points for 0 ... 5 customers, and for six or more
PLACES = 3  # that score in a region

MAX_TILE_KINDS = 46  # different tiles
TILES_IN_SET = {"start": 6, "era1": 24, "era2": 16, "imperial": 3}
MASTERY_MOST = {"air": 5, "courts": 6, "earth": 30, "fire": 6, "void": 6, "water": 4}

# What customers are printed with, by region 1 to 6: the rules know these abilities by the customer's number.
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
    "market_good_is_any_good",  # has no figure
    "koku_per_empty_space",
    "influence_1_in_each_adjacent_region",
    "point_if_opponent_building_visited",
    "die_plus_or_minus_1",
    "point_if_own_building_visited",
)
ROYAL_SHIP_MOST = (0, MAX_KOKU, MAX_INFLUENCE, MAX_POINTS, MAX_DIE_STEPS, MAX_POINTS)
END_POINT_PER = ("market", "port", "manor", "shrine", "different_type", "different_region")

# The figures that each patron's effect has.
PATRON_FIGURES = {
    "kaiu-shihobu": ("bonus_koku",),
    "yasuki-taka": ("points",),
    "yoritomo": ("bonus_customers",),
    "kudaka": ("points",),
    "daidoji-uji": ("points",),
    "kakita-ryoku": ("cost_favor",),
    "shosuro-hyobu": ("points",),
    "bayushi-kashiko": (),
}
