"""The components as strict, frozen models, in the layout of the TOML files in `data`.

Units: koku, goods (silk, rice, porcelain), favor, influence (spaces of a track), points. Regions, shore
spaces and river spaces count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from rogsim.game.kit.parameters.models import (
    COSTS,
    HELPS,
    ComponentSet,
    Part,
    PrintedPart,
    Switch,
    Text,
    TwoToFour,
    listed,
    not_allowed,
    whole,
)
from rogsim.games.river_of_gold.components.names import (
    CUSTOMER_SCORES,
    MASTERIES_PER_GAME,
    MAX_FAVOR,
    MAX_GOODS,
    MAX_GOODS_IN_REWARD,
    MAX_HAND,
    MAX_INFLUENCE,
    MAX_KOKU,
    MAX_POINTS,
    MAX_POINTS_IN_REWARD,
    MAX_ROW,
    MAX_SEATS,
    PLACES,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    SHORES_PER_RIVER_SPACE,
    TILES_IN_SET,
)


def _track_space(key: object) -> object:
    """Read the key of a track reward, which is a text in TOML."""
    for space in range(1, MAX_INFLUENCE + 1):
        if key == str(space) or (type(key) is int and key == space):
            return space
    raise not_allowed(f"the number of a track space, from 1 to {MAX_INFLUENCE}")


Koku = Annotated[int, whole(0, MAX_KOKU)]
KokuForEach = Annotated[int, whole(0, MAX_KOKU), "koku for each building of that type owned"]
Points = Annotated[int, whole(0, MAX_POINTS)]
RewardPoints = Annotated[int, whole(0, MAX_POINTS_IN_REWARD)]
Goods = Annotated[int, whole(0, MAX_GOODS)]
RewardGoods = Annotated[int, whole(0, MAX_GOODS_IN_REWARD)]
Favor = Annotated[int, whole(0, MAX_FAVOR)]
Influence = Annotated[int, whole(0, MAX_INFLUENCE)]
Region = Annotated[int, whole(1, REGIONS)]
ShoreNumber = Annotated[int, whole(1, SHORE_SPACES)]
RiverNumber = Annotated[int, whole(1, RIVER_SPACES)]
TrackSpace = Annotated[int, BeforeValidator(_track_space)]
Divisor = Annotated[int, whole(1, MAX_KOKU)]
TwoPlaces = Annotated[tuple[Points, ...], listed(1, 2, label="Points of region tile {} with two players")]
ThreePlaces = Annotated[
    tuple[Points, ...], listed(1, PLACES, label="Points of region tile {} with three or four players")
]
MasteryPoints = Annotated[tuple[Points, ...], listed(1, MAX_SEATS, label="Mastery points with {} players")]
EraTiles = Annotated[
    tuple[Annotated[int, whole(1, TILES_IN_SET["era1"])], ...],
    listed(2, label="Era 1 and era 2 tiles with {} players"),
]
FourShores = Annotated[tuple[ShoreNumber, ...], listed(SHORES_PER_RIVER_SPACE)]

Good = Literal["silk", "rice", "porcelain"]
Building = Literal["port", "market", "manor", "shrine"]
TileSet = Literal["start", "era1", "era2", "imperial"]
ShoreKind = Literal["open", "imperial", "start23", "start2"]
Clan = Literal["crab", "mantis", "crane", "scorpion"]
MasteryId = Literal["air", "courts", "earth", "fire", "void", "water"]
PatronId = Literal[
    "kaiu-shihobu",
    "yasuki-taka",
    "yoritomo",
    "kudaka",
    "daidoji-uji",
    "kakita-ryoku",
    "shosuro-hyobu",
    "bayushi-kashiko",
]


class Limits(Part):
    """The most that a player can hold, and the length of every influence track."""

    koku: Annotated[int, whole(1, MAX_KOKU), "most koku that a player can hold"]
    good: Annotated[int, whole(1, MAX_GOODS), "most of each good that a player can hold"]
    favor_limit: Annotated[Favor, "how far the favor limit can rise"]
    influence: Annotated[int, whole(2, MAX_INFLUENCE), "spaces of every influence track"]


class Order(Part):
    """Goods of each kind: an order, or what a player starts with."""

    silk: Goods = 0
    rice: Goods = 0
    porcelain: Goods = 0


class Setup(Part):
    """The set-up: what is dealt, placed and given to players before the first turn."""

    koku_by_turn_order: Annotated[
        tuple[Koku, ...], listed(MAX_SEATS, label="Starting koku"), HELPS, "koku at the start, by turn order"
    ]
    goods: Annotated[Order, "at the start, for every player"]
    favor: Annotated[Favor, "divine favor at the start"]
    favor_limit: Annotated[Favor, "favor limit at the start"]
    hand: Annotated[int, whole(0, MAX_HAND), "customer cards at the start"]
    building_row: Annotated[int, whole(1, MAX_ROW), "building tiles on offer"]
    masteries: Annotated[int, whole(MASTERIES_PER_GAME, MASTERIES_PER_GAME)]
    era_tiles: Annotated[TwoToFour[EraTiles], "tiles in the stacks of era 1 and era 2, with this number of players"]
    starting_tiles: TwoToFour[Annotated[int, whole(0, TILES_IN_SET["start"])]]
    ship_spaces: Annotated[
        tuple[RiverNumber, ...],
        listed(2, label="Ship spaces"),
        "river spaces of the top and the middle ship before their first roll",
    ]


class Exchange(Part):
    """Prices, and the small gains of a turn's actions."""

    # With 1 good for another a player could exchange forever.
    goods_for_good: Annotated[int, whole(2, MAX_GOODS), COSTS, "equal goods paid for one of another kind"]
    koku_for_favor: Annotated[int, whole(1, MAX_KOKU), COSTS, "koku paid for a divine favor"]
    empty_space_koku: Annotated[Koku, HELPS, "koku for each empty shore space visited"]
    journey_koku: Annotated[Koku, HELPS, "koku for a completed journey, unless a good is taken"]
    row_end_favor: Annotated[Favor, HELPS, "favor for building the tile at the row's end"]
    artisan_discount: Annotated[Koku, HELPS, "koku off in the region of an artisan delivered to"]


class Scoring(Part):
    """Points at the end of the game, and for ending it."""

    customers_delivered: Annotated[
        tuple[Points, ...],
        listed(CUSTOMER_SCORES, first=0, label="Points for customers"),
        HELPS,
        "points for each number of customers delivered to; the last entry also for more",
    ]
    end_trigger: Annotated[Points, HELPS, "points for triggering the end of the game"]
    merchant_koku_per_point: Annotated[Divisor, COSTS, "koku left for each point, for each merchant"]
    artisan_goods_per_point: Annotated[Divisor, COSTS, "goods left for each point, for each artisan"]
    noble_points: Annotated[Points, HELPS, "points for each building, type or region that a noble counts"]
    second_place_within: Annotated[
        int, whole(1, MAX_INFLUENCE), "two players: second place scores only within this many influence of the first"
    ]


class TrackReward(Part):
    """The reward of a space of the influence track."""

    points: Annotated[RewardPoints, "points"] = 0
    koku: Annotated[Koku, "koku"] = 0
    silk: Annotated[RewardGoods, "silk"] = 0
    rice: Annotated[RewardGoods, "rice"] = 0
    porcelain: Annotated[RewardGoods, "porcelain"] = 0
    favor: Annotated[Favor, "divine favor"] = 0
    any_good: Annotated[RewardGoods, "goods of choice"] = 0


class Track(Part):
    """The influence track of every region: its rewards by space, and the good of space 2 by region."""

    imperial_flower: Annotated[int, whole(1, MAX_INFLUENCE), COSTS, "space of the imperial flower"]
    rewards: Annotated[Mapping[TrackSpace, TrackReward], HELPS, "for reaching this space of a track:"]
    good_at_2: Annotated[
        tuple[Good, ...], listed(REGIONS, label="Goods at space 2"), "good of the track's space 2, by region"
    ]


class Rulings(Part):
    """Rules of the rulebook that a variant may switch off."""

    end_trigger_bonus: Annotated[Switch, "triggering the end of the game scores"]
    last_turns: Annotated[Switch, "after the end is triggered, every other player has one more turn"]
    emperors_visit: Annotated[Switch, "the last tile of era 1 triggers the Emperor's Visit"]
    two_player_distance: Annotated[Switch, "with two players, second place scores only near the first"]
    favor_breaks_ties: Annotated[Switch, "favor left breaks ties between equal points"]


class RegionTiles(Part):
    """Points for first, second and third place of the six region scoring tiles, by side."""

    two_players: Annotated[
        tuple[TwoPlaces, ...], listed(REGIONS), HELPS, "points for the places on this region tile, two players"
    ]
    three_or_four_players: Annotated[
        tuple[ThreePlaces, ...],
        listed(REGIONS),
        HELPS,
        "points for the places on this region tile, three or four players",
    ]


class Regions(Part):
    """The names of regions 1 to 6."""

    names: Annotated[tuple[Text, ...], listed(REGIONS)]


class ShoreSpace(Part):
    """A shore space: its region, its cost in koku, and its tile at the start."""

    id: ShoreNumber
    region: Region
    cost: Annotated[Koku, COSTS, "koku to build on this shore space"]
    kind: ShoreKind


class River(Part):
    """The river spaces in sailing order: the shore spaces and the regions that each touches."""

    shore: Annotated[tuple[FourShores, ...], listed(RIVER_SPACES)]
    regions: Annotated[tuple[Annotated[tuple[Region, ...], listed(1, REGIONS)], ...], listed(RIVER_SPACES)]


class Reward(TrackReward):
    """The reward of a building for a visitor or an owner."""

    koku_per_port: KokuForEach = 0
    koku_per_market: KokuForEach = 0
    koku_per_manor: KokuForEach = 0
    koku_per_shrine: KokuForEach = 0
    koku_per_customer: Annotated[Koku, "koku for each customer delivered to"] = 0
    influence: Annotated[Influence, "influence in the region"] = 0
    draw_and_discard: Annotated[int, whole(0, 1), "1: draw a customer, then discard one"] = 0


class Tile(Part):
    """A building tile, with the influence that building it brings and its two rewards."""

    id: Text
    set: TileSet
    type: Building
    copies: Annotated[int, whole(1, TILES_IN_SET["era1"]), "number of these tiles"]
    build: Annotated[Influence, HELPS, "influence for the builder"]
    # Whoever visits gets it, so it may help others as much as the owner.
    visitor: Annotated[Reward, "for the visitor:"]
    owner: Annotated[Reward, HELPS, "for each marker's owner:"]

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Era tiles have a bonus and an owner, the others have copies; all have a visitor."""
        of_era = row["set"] in ("era1", "era2")
        return key == "visitor" or of_era == (key in ("build", "owner"))


class CustomerCard(Part):
    """What all customers have: an order of goods, and a region."""

    id: Text
    region: Region
    order: Annotated[Order, COSTS, "goods that the customer orders"]


class Artisan(CustomerCard):
    """An artisan: a discount in the region, points for goods left."""

    type: Literal["artisan"]


class Elder(CustomerCard):
    """An elder: doubles the region's points at the end."""

    type: Literal["elder"]


class Merchant(CustomerCard):
    """A merchant: `journey` names what every completed journey gives, `amount` says how much."""

    type: Literal["merchant"]
    journey: Text
    amount: Annotated[int, whole(0, MAX_KOKU), HELPS, "what the merchant gives for a completed journey"]


class Monk(CustomerCard):
    """A monk: a second marker on a building of the player or of an opponent."""

    type: Literal["monk"]
    second_marker: Annotated[Literal["own", "opponent"], "whose building gets the second marker"]


class Noble(PrintedPart, CustomerCard):
    """A noble: `royal_ship` names its effect on the royal ship, `amount` says how much (noble 1 has none)."""

    type: Literal["noble"]
    royal_ship: Text
    amount: Annotated[int, whole(0, MAX_KOKU), HELPS, "what the noble adds to the royal ship"] = 0
    end_point_per: Text


Customer = Annotated[Artisan | Elder | Merchant | Monk | Noble, Field(discriminator="type")]


class DeliveryReward(Part):
    """The immediate reward of a delivery."""

    influence: Annotated[Influence, HELPS, "influence for a delivery of this type"] = 0
    favor_limit: Annotated[Favor, HELPS, "rise of the favor limit for a delivery of this type"] = 0
    favor: Annotated[Favor, HELPS, "favor for a delivery of this type"] = 0


class Delivery(Part):
    """The immediate rewards of deliveries, by type of customer."""

    artisan: DeliveryReward
    elder: DeliveryReward
    merchant: DeliveryReward
    monk: DeliveryReward
    noble: DeliveryReward


class Mastery(Part):
    """A mastery: `count` is the number that it requires."""

    id: MasteryId
    count: Annotated[int, whole(1, SHORE_SPACES), COSTS, "number that the mastery requires"]
    needs: Text


class Patron(PrintedPart):
    """A clan patron; which parameters it has depends on its effect."""

    id: PatronId
    clan: Clan
    title: Text
    effect: Text
    bonus_koku: Annotated[Koku, HELPS, "additional koku at the start"] = 0
    bonus_customers: Annotated[int, whole(0, MAX_HAND), HELPS, "additional customer cards at the start"] = 0
    points: Annotated[Points, HELPS, "points each time the effect applies"] = 0
    cost_favor: Annotated[Favor, COSTS, "favor for each use"] = 0


class Sections(ComponentSet):
    """All components, each value checked by itself; `Facts` adds checks that they agree."""

    limits: Limits
    setup: Setup
    exchange: Exchange
    track: Track
    scoring: Scoring
    mastery_points: Annotated[
        TwoToFour[MasteryPoints],
        HELPS,
        "points for claiming a mastery first, second, ..., with this number of players",
    ]
    rulings: Rulings
    region_tiles: RegionTiles
    regions: Regions
    shore: tuple[ShoreSpace, ...]
    river: River
    tile: tuple[Tile, ...]
    delivery: Delivery
    customer: tuple[Customer, ...]
    mastery: tuple[Mastery, ...]
    patron: tuple[Patron, ...]
