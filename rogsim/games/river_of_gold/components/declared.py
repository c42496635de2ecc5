"""The components: every number with its range, its meaning, and its place in the files in `data` and in the tables.

Units: koku, goods (silk, rice, porcelain), favor, influence (spaces of a track), points. Regions, shore
spaces and river spaces count from 1.
"""

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
    Each,
    Flag,
    Keyed,
    Listed,
    OneOf,
    Rows,
    Text,
    printed,
)
from rogsim.games.river_of_gold.components import names

Koku = Count(0, names.MAX_KOKU)
Price = Count(1, names.MAX_KOKU)
Points = Count(0, names.MAX_POINTS)
Goods = Count(0, names.MAX_GOODS)
RewardGoods = Count(0, names.MAX_GOODS_IN_REWARD)
Favor = Count(0, names.MAX_FAVOR)
Influence = Count(0, names.MAX_INFLUENCE)
Region = Count(1, names.REGIONS)
EraTiles = Count(1, names.TILES_IN_SET["era1"])
StartingTiles = Count(0, names.TILES_IN_SET["start"])

KOKU_FOR_EACH = printed("koku for each building of that type owned", default=0)
NO_GOODS = printed(default=0)


class Limits:
    """The most that a player can hold, and the length of every influence track."""

    koku: Count[1, names.MAX_KOKU] = printed("most koku that a player can hold", into="koku_limit")
    good: Count[1, names.MAX_GOODS] = printed("most of each good that a player can hold", into="good_limit")
    favor_limit: Favor = printed("how far the favor limit can rise", into="favor_limit_end")
    influence: Count[2, names.MAX_INFLUENCE] = printed("spaces of every influence track", into="influence_end")


class Order:
    """Goods of each kind: an order, or what a player starts with."""

    silk: Goods = NO_GOODS
    rice: Goods = NO_GOODS
    porcelain: Goods = NO_GOODS


class Setup:
    """The set-up: what is dealt, placed and given to players before the first turn."""

    koku_by_turn_order: Listed[Koku, names.MAX_SEATS] = printed(
        "koku at the start, by turn order", HOLDER, "Starting koku", into="start_koku"
    )
    goods: Order = printed("at the start, for every player", into="start_goods")
    favor: Favor = printed("divine favor at the start", into="start_favor")
    favor_limit: Favor = printed("favor limit at the start", into="start_favor_limit")
    hand: Count[0, names.MAX_HAND] = printed("customer cards at the start", into="start_hand")
    building_row: Count[1, names.MAX_ROW] = printed("building tiles on offer", into="row_size")
    masteries: Count[names.MASTERIES_PER_GAME, names.MASTERIES_PER_GAME]
    era_tiles: ByPlayers[names.PLAYER_COUNTS, Listed[EraTiles, 2]] = printed(
        "tiles in the stacks of era 1 and era 2, with this number of players",
        label="Era 1 and era 2 tiles with {} players",
        into="era_tiles",
    )
    starting_tiles: ByPlayers[names.PLAYER_COUNTS, StartingTiles] = FIXED
    ship_spaces: Listed[Count[1, names.RIVER_SPACES], 2] = printed(
        "river spaces of the top and the middle ship before their first roll", label="Ship spaces"
    )


class Exchange:
    """Prices, and the small gains of a turn's actions."""

    # With 1 good for another a player could exchange forever.
    goods_for_good: Count[2, names.MAX_GOODS] = printed("equal goods paid for one of another kind", OTHERS)
    koku_for_favor: Price = printed("koku paid for a divine favor", OTHERS)
    empty_space_koku: Koku = printed("koku for each empty shore space visited", HOLDER)
    journey_koku: Koku = printed("koku for a completed journey, unless a good is taken", HOLDER)
    row_end_favor: Favor = printed("favor for building the tile at the row's end", HOLDER)
    artisan_discount: Koku = printed("koku off in the region of an artisan delivered to", HOLDER)


class TrackReward:
    """The reward of a space of the influence track."""

    points: Count[0, names.MAX_POINTS_IN_REWARD] = printed("points", default=0)
    koku: Koku = printed("koku", default=0)
    silk: RewardGoods = printed("silk", default=0)
    rice: RewardGoods = printed("rice", default=0)
    porcelain: RewardGoods = printed("porcelain", default=0)
    favor: Favor = printed("divine favor", default=0)
    any_good: RewardGoods = printed("goods of choice", default=0)


class Track:
    """The influence track of every region: its rewards by space, and the good of space 2 by region."""

    imperial_flower: Count[1, names.MAX_INFLUENCE] = printed("space of the imperial flower", OTHERS)
    rewards: Keyed[names.REWARD_SPACES, TrackReward] = printed("for reaching this space of a track:", HOLDER)
    good_at_2: Listed[OneOf[names.GOODS], names.REGIONS] = printed(
        "good of the track's space 2, by region", label="Goods at space 2"
    )


class Scoring:
    """Points at the end of the game, and for ending it."""

    customers_delivered: Listed[Points, names.CUSTOMER_SCORES, names.CUSTOMER_SCORES, 0] = printed(
        "points for each number of customers delivered to; the last entry also for more",
        HOLDER,
        "Points for customers",
    )
    end_trigger: Points = printed("points for triggering the end of the game", HOLDER)
    merchant_koku_per_point: Price = printed("koku left for each point, for each merchant", OTHERS)
    artisan_goods_per_point: Price = printed("goods left for each point, for each artisan", OTHERS)
    noble_points: Points = printed("points for each building, type or region that a noble counts", HOLDER)
    second_place_within: Count[1, names.MAX_INFLUENCE] = printed(
        "two players: second place scores only within this many influence of the first"
    )


class Rulings:
    """Rules of the rulebook that a variant may switch off."""

    end_trigger_bonus: Flag = printed("triggering the end of the game scores")
    last_turns: Flag = printed("after the end is triggered, every other player has one more turn", into="last_turns")
    emperors_visit: Flag = printed("the last tile of era 1 triggers the Emperor's Visit", into="emperors_visit")
    two_player_distance: Flag = printed("with two players, second place scores only near the first")
    favor_breaks_ties: Flag = printed("favor left breaks ties between equal points", into="favor_breaks_ties")


class RegionTiles:
    """Points for first, second and third place of the six region scoring tiles, by side."""

    two_players: Listed[Listed[Points, 1, 2], names.REGIONS] = printed(
        "points for the places on this region tile, two players", HOLDER, "Points of region tile {} with two players"
    )
    three_or_four_players: Listed[Listed[Points, 1, names.PLACES], names.REGIONS] = printed(
        "points for the places on this region tile, three or four players",
        HOLDER,
        "Points of region tile {} with three or four players",
    )


class Regions:
    """The names of regions 1 to 6."""

    names: Listed[Text, names.REGIONS]


class ShoreSpace:
    """A shore space: its region, its cost in koku, and its tile at the start."""

    id: Count[1, names.SHORE_SPACES] = FIXED
    region: Region = FIXED
    cost: Koku = printed("koku to build on this shore space", OTHERS, into="shore_cost")
    kind: OneOf[names.SHORE_KINDS] = FIXED


class River:
    """The river spaces in sailing order: the shore spaces and the regions that each touches."""

    shore: Listed[Listed[Count[1, names.SHORE_SPACES], names.SHORES_PER_RIVER_SPACE], names.RIVER_SPACES] = FIXED
    regions: Listed[Listed[Region, 1, names.REGIONS], names.RIVER_SPACES] = FIXED


class Reward(TrackReward):
    """The reward of a building for a visitor or an owner."""

    koku_per_port: Koku = KOKU_FOR_EACH
    koku_per_market: Koku = KOKU_FOR_EACH
    koku_per_manor: Koku = KOKU_FOR_EACH
    koku_per_shrine: Koku = KOKU_FOR_EACH
    koku_per_customer: Koku = printed("koku for each customer delivered to", default=0)
    influence: Influence = printed("influence in the region", default=0)
    draw_and_discard: Count[0, 1] = printed("1: draw a customer, then discard one", default=0)


class Tile:
    """A building tile, with the influence that building it brings and its two rewards."""

    id: Text
    set: OneOf[names.TILE_SETS] = FIXED
    type: OneOf[names.BUILDINGS] = FIXED
    copies: EraTiles = printed("number of these tiles")
    build: Influence = printed("influence for the builder", HOLDER)
    # Whoever visits gets it, so it may help others as much as the owner.
    visitor: Reward = printed("for the visitor:")
    owner: Reward = printed("for each marker's owner:", HOLDER)

    @staticmethod
    def is_fixed(row: Mapping[str, Any], key: str) -> bool:
        """Return whether a key is always the same: there is one tile of each in an era, and only those are built."""
        of_era = row.get("set") in names.ERAS
        return key != "visitor" and of_era != (key in ("build", "owner"))


class Customer:
    """What all customers have: an order of goods, and a region."""

    id: Text
    region: Region = FIXED
    order: Order = printed("goods that the customer orders", OTHERS)
    type: OneOf[names.CUSTOMER_TYPES] = FIXED


class Artisan(Customer):
    """An artisan: a discount in the region, points for goods left."""


class Elder(Customer):
    """An elder: doubles the region's points at the end."""


class Merchant(Customer):
    """A merchant: `journey` names what every completed journey gives, `amount` says how much."""

    journey: Text
    amount: Koku = printed("what the merchant gives for a completed journey", HOLDER)


class Monk(Customer):
    """A monk: a second marker on a building of the player or of an opponent."""

    second_marker: OneOf[names.WHOSE] = printed("whose building gets the second marker")


class Noble(Customer):
    """A noble: `royal_ship` names its effect on the royal ship, `amount` says how much (noble 1 has none)."""

    royal_ship: Text
    amount: Koku = printed("what the noble adds to the royal ship", HOLDER)
    end_point_per: Text

    @staticmethod
    def has(row: Mapping[str, Any], key: str) -> bool:
        """Return whether the effect has an amount."""
        return key != "amount" or row.get("id") != names.CUSTOMERS[-names.REGIONS]


class DeliveryReward:
    """The immediate reward of a delivery."""

    influence: Influence = printed(
        "influence for a delivery of this type", HOLDER, into="delivery_influence", default=0
    )
    favor_limit: Favor = printed(
        "rise of the favor limit for a delivery of this type", HOLDER, into="delivery_favor_limit", default=0
    )
    favor: Favor = printed("favor for a delivery of this type", HOLDER, into="delivery_favor", default=0)


class Mastery:
    """A mastery: `count` is the number that it requires."""

    id: Text
    count: Count[1, names.SHORE_SPACES] = printed("number that the mastery requires", OTHERS, into="mastery_needs")
    needs: Text


class Patron:
    """A clan patron; which parameters it has depends on its effect."""

    id: Text
    clan: OneOf[names.CLANS] = FIXED
    title: Text
    effect: Text
    bonus_koku: Koku = printed("additional koku at the start", HOLDER)
    bonus_customers: Count[0, names.MAX_HAND] = printed("additional customer cards at the start", HOLDER)
    points: Points = printed("points each time the effect applies", HOLDER)
    cost_favor: Favor = printed("favor for each use", OTHERS)

    @staticmethod
    def has(row: Mapping[str, Any], key: str) -> bool:
        """Return whether the effect of a patron has a parameter."""
        return key in ("id", "clan", "title", "effect", *names.PATRON_PARAMETERS.get(str(row.get("id")), ()))


class Facts(Components):
    """All components."""

    limits: Limits
    setup: Setup
    exchange: Exchange = printed(into=OWN_NAME)
    track: Track = printed(into=OWN_NAME)
    scoring: Scoring = printed(into=OWN_NAME)
    mastery_points: ByPlayers[names.PLAYER_COUNTS, Listed[Points, 1, names.MAX_SEATS]] = printed(
        "points for claiming a mastery first, second, ..., with this number of players",
        HOLDER,
        "Mastery points with {} players",
        "mastery_points",
    )
    rulings: Rulings
    region_tiles: RegionTiles
    regions: Regions
    shore: Rows[ShoreSpace, range(1, names.SHORE_SPACES + 1)]
    river: River
    tile: Rows[Tile]
    delivery: Each[names.CUSTOMER_TYPES, DeliveryReward]
    customer: Rows[
        dict(zip(names.CUSTOMER_TYPES, (Artisan, Elder, Merchant, Monk, Noble), strict=True)), names.CUSTOMERS
    ]
    mastery: Rows[Mastery, names.MASTERIES]
    patron: Rows[Patron, names.PATRONS]
