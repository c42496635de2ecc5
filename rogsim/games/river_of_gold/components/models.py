"""The components as strict, frozen models, in the layout of the TOML files in `data`.

Units: koku, goods (silk, rice, porcelain), favor, influence (spaces of a track), points. Regions, shore
spaces and river spaces count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from rogsim.game.kit.parameters.models import ByPlayers, ComponentSet, Part, PrintedPart
from rogsim.game.kit.parameters.value_types import Switch, Text, listed, whole
from rogsim.games.river_of_gold.components.limits import (
    CUSTOMER_SCORES,
    MAX_GOODS,
    MAX_HAND,
    MAX_INFLUENCE,
    MAX_KOKU,
    TILES_IN_SET,
)
from rogsim.games.river_of_gold.components.names import (
    MASTERIES_PER_GAME,
    MAX_ROW,
    MAX_SEATS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
)
from rogsim.games.river_of_gold.components.value_types import (
    Building,
    Clan,
    Divisor,
    Favor,
    FourShores,
    Good,
    Goods,
    Influence,
    Koku,
    MasteryId,
    PatronId,
    Points,
    Region,
    RewardGoods,
    RewardPoints,
    RiverNumber,
    ShoreKind,
    ShoreNumber,
    ThreePlaces,
    TileSet,
    TrackSpace,
    TwoPlaces,
)


class Limits(Part):
    """The most that a player can hold, and the length of every influence track."""

    koku: Annotated[int, whole(1, MAX_KOKU)]
    good: Annotated[int, whole(1, MAX_GOODS)]
    favor_limit: Favor
    influence: Annotated[int, whole(2, MAX_INFLUENCE)]


class Order(Part):
    """Goods of each kind: an order, or what a player starts with."""

    silk: Goods = 0
    rice: Goods = 0
    porcelain: Goods = 0


class Setup(Part):
    """The set-up: what is dealt, placed and given to players before the first turn."""

    koku_by_turn_order: Annotated[tuple[Koku, ...], listed(MAX_SEATS)]
    goods: Order
    favor: Favor
    favor_limit: Favor
    hand: Annotated[int, whole(0, MAX_HAND)]
    building_row: Annotated[int, whole(1, MAX_ROW)]
    masteries: Annotated[int, whole(MASTERIES_PER_GAME, MASTERIES_PER_GAME)]
    era_tiles: ByPlayers[Annotated[tuple[Annotated[int, whole(1, TILES_IN_SET["era1"])], ...], listed(2)]]
    starting_tiles: ByPlayers[Annotated[int, whole(0, TILES_IN_SET["start"])]]
    ship_spaces: Annotated[tuple[RiverNumber, ...], listed(2)]


class Exchange(Part):
    """Prices, and the small gains of a turn's actions."""

    goods_for_good: Annotated[int, whole(2, MAX_GOODS)]  # with 1 a player could exchange forever
    koku_for_favor: Annotated[int, whole(1, MAX_KOKU)]
    empty_space_koku: Koku
    journey_koku: Koku
    row_end_favor: Favor
    artisan_discount: Koku


class Scoring(Part):
    """Points at the end of the game, and for ending it."""

    customers_delivered: Annotated[tuple[Points, ...], listed(CUSTOMER_SCORES, first=0)]
    end_trigger: Points
    merchant_koku_per_point: Divisor
    artisan_goods_per_point: Divisor
    noble_points: Points
    second_place_within: Annotated[int, whole(1, MAX_INFLUENCE)]


class TrackReward(Part):
    """The reward of a space of the influence track."""

    points: RewardPoints = 0
    koku: Koku = 0
    silk: RewardGoods = 0
    rice: RewardGoods = 0
    porcelain: RewardGoods = 0
    favor: Favor = 0
    any_good: RewardGoods = 0


class Track(Part):
    """The influence track of every region: its rewards by space, and the good of space 2 by region."""

    imperial_flower: Annotated[int, whole(1, MAX_INFLUENCE)]
    rewards: Mapping[TrackSpace, TrackReward]
    good_at_2: Annotated[tuple[Good, ...], listed(REGIONS)]


class Rulings(Part):
    """Rules of the rulebook that a variant may switch off."""

    end_trigger_bonus: Switch
    last_turns: Switch
    emperors_visit: Switch
    two_player_distance: Switch
    favor_breaks_ties: Switch


class RegionTiles(Part):
    """Points for first, second and third place of the six region scoring tiles, by side."""

    two_players: Annotated[tuple[TwoPlaces, ...], listed(REGIONS)]
    three_or_four_players: Annotated[tuple[ThreePlaces, ...], listed(REGIONS)]


class Regions(Part):
    """The names of regions 1 to 6."""

    names: Annotated[tuple[Text, ...], listed(REGIONS)]


class ShoreSpace(Part):
    """A shore space: its region, its cost in koku, and its tile at the start."""

    id: ShoreNumber
    region: Region
    cost: Koku
    kind: ShoreKind


class River(Part):
    """The river spaces in sailing order: the shore spaces and the regions that each touches."""

    shore: Annotated[tuple[FourShores, ...], listed(RIVER_SPACES)]
    regions: Annotated[tuple[Annotated[tuple[Region, ...], listed(1, REGIONS)], ...], listed(RIVER_SPACES)]


class Reward(TrackReward):
    """The reward of a building for a visitor or an owner."""

    koku_per_port: Koku = 0
    koku_per_market: Koku = 0
    koku_per_manor: Koku = 0
    koku_per_shrine: Koku = 0
    koku_per_customer: Koku = 0
    influence: Influence = 0
    draw_and_discard: Annotated[int, whole(0, 1)] = 0


class Tile(Part):
    """A building tile, with the influence that building it brings and its two rewards."""

    id: Text
    set: TileSet
    type: Building
    copies: Annotated[int, whole(1, TILES_IN_SET["era1"])]
    build: Influence
    visitor: Reward
    owner: Reward

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Era tiles have a bonus and an owner, the others have copies; all have a visitor."""
        of_era = row["set"] in ("era1", "era2")
        return key == "visitor" or of_era == (key in ("build", "owner"))


class CustomerCard(Part):
    """What all customers have: an order of goods, and a region."""

    id: Text
    region: Region
    order: Order


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
    amount: Annotated[int, whole(0, MAX_KOKU)]


class Monk(CustomerCard):
    """A monk: a second marker on a building of the player or of an opponent."""

    type: Literal["monk"]
    second_marker: Literal["own", "opponent"]


class Noble(PrintedPart, CustomerCard):
    """A noble: `royal_ship` names its effect on the royal ship, `amount` says how much (noble 1 has none)."""

    type: Literal["noble"]
    royal_ship: Text
    amount: Annotated[int, whole(0, MAX_KOKU)] = 0
    end_point_per: Text


Customer = Annotated[Artisan | Elder | Merchant | Monk | Noble, Field(discriminator="type")]


class DeliveryReward(Part):
    """The immediate reward of a delivery."""

    influence: Influence = 0
    favor_limit: Favor = 0
    favor: Favor = 0


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
    count: Annotated[int, whole(1, SHORE_SPACES)]
    needs: Text


class Patron(PrintedPart):
    """A clan patron; which parameters it has depends on its effect."""

    id: PatronId
    clan: Clan
    title: Text
    effect: Text
    bonus_koku: Koku = 0
    bonus_customers: Annotated[int, whole(0, MAX_HAND)] = 0
    points: Points = 0
    cost_favor: Favor = 0


class Sections(ComponentSet):
    """All components, each value checked by itself; `Facts` adds checks that they agree."""

    limits: Limits
    setup: Setup
    exchange: Exchange
    track: Track
    scoring: Scoring
    mastery_points: ByPlayers[Annotated[tuple[Points, ...], listed(1, MAX_SEATS)]]
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
