"""The components as one record that the compiled rules read: changed parameters need no compiling.

`make_tables` converts checked components and a scenario's options into a TABLES record for one player count. It also
holds what bots look up instead of computing it again and again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.kinds import columns_of, fill
from rogsim.game.records import record
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.declared import Facts, Merchant, Monk, Noble
from rogsim.games.river_of_gold.components.load import SETS_IN_ORDER


def note_spaces(tables: Any) -> None:
    """Note which shore spaces some koku pay for, and which are in a mask of regions."""
    costs, regions = tables.shore_cost.tolist(), tables.shore_region.tolist()
    for koku in range(names.MAX_KOKU + 1):
        tables.payable_spaces[koku] = sum(1 << space for space, cost in enumerate(costs) if cost <= koku)
    for mask in range(1 << names.REGIONS):
        tables.spaces_of[mask] = sum(1 << space for space, region in enumerate(regions) if mask >> region & 1)


def note_reached_shores(tables: Any) -> None:
    """Note which shore spaces a ship can touch, given where it is and which faces the die can show."""
    touched = [sum(1 << space for space in spaces) for spaces in tables.river_shore.tolist()]
    for here, reached in enumerate(tables.reached):
        for face in range(1, names.FACES + 1):  # the masks whose highest face this is
            masks = np.arange(1 << face - 1, 1 << face)
            reached[masks] = reached[masks - (1 << face - 1)] | touched[(here + face) % names.RIVER_SPACES]


VISITOR, OWNER = range(2)  # of `tables.rough_rewards`

# The rough worth of one of each reward in points, to compare sails.
KOKU_WORTH, GOOD_WORTH, FAVOR_WORTH, STEP_WORTH, JOURNEY_WORTH = 0.4, 1.0, 0.9, 0.7, 2.0


def note_rewards(tables: Any) -> None:
    """Note the parts of the numbered rewards side by side, as compiled code reads them, and their rough worth."""
    tiles = tables.tiles[: names.TILE_KINDS]
    for number, reward in enumerate([*tables.track_rewards, *(tile.owner for tile in tiles)]):
        parts = (reward.points, reward.favor, reward.koku, reward.goods_in_all, reward.influence)
        tables.reward_parts[:, number] = parts
    for number, tile in enumerate(tiles):
        tables.rough_rewards[VISITOR, number] = rough_reward(tile.visitor)
        tables.rough_rewards[OWNER, number] = rough_reward(tile.owner)


def rough_reward(reward: Any) -> float:
    """Return the rough worth of a reward."""
    koku = float(reward.koku) + 2.0 * float(reward.koku_per_any)
    worth = float(reward.points) + KOKU_WORTH * koku + GOOD_WORTH * float(reward.goods_in_all)
    return worth + FAVOR_WORTH * float(reward.favor) + STEP_WORTH * float(reward.influence)


NO_TILE = names.TILE_KINDS  # its place in `tiles`: for an empty shore space
TRACK_REWARDS = names.MAX_INFLUENCE + 1 + names.REGIONS
NUMBERED_REWARDS = TRACK_REWARDS + names.TILE_KINDS  # those of the tracks, then the owner rewards of the tiles
MAX_CUSTOMER_POINTS = 16
MAX_MASTERY_SETS = 20
NO_BUILDING = -1
ENOUGH, ROOM = 1, 2  # bits of `exchangeable`
# A reward as one number: points, koku, goods, favor, more. They stay apart when the rewards of a river space are added.
PART_BITS = 9
PART = (1 << PART_BITS) - 1
MORE_SHIFT = PART_BITS * (3 + len(names.GOODS))
NO_SPACE = 127  # beyond every track

# Small, because every bot is given copies: `limits` keeps all values of a reward within one byte.
REWARD = record(
    [
        ("points", "i1"),
        ("koku", "i1"),
        ("koku_per_any", "i1"),  # 1 if koku depend on buildings or customers
        ("koku_per", "i1", (len(names.BUILDINGS),)),  # for each building owned, by type
        ("koku_per_customer", "i1"),
        ("goods", "i1", (len(names.GOODS),)),
        ("favor", "i1"),
        ("any_good", "i1"),  # goods of choice
        ("influence", "i1"),
        ("draw", "i1"),  # times to draw a customer and discard one
        ("goods_in_all", "i1"),  # those of choice included
        ("more", "i1"),  # 1 if there is more than points, koku, goods and favor: most rewards have no more
    ]
)

TILE = record(
    [
        ("kind", "i1"),  # of building
        ("build", "i1"),  # influence for the builder
        ("visitor", REWARD),
        ("owner", REWARD),
    ]
)

PATRON_FIELDS = {  # each with the patron and its parameter
    "kaiu_koku": ("kaiu-shihobu", "bonus_koku"),
    "taka_points": ("yasuki-taka", "points"),
    "yoritomo_customers": ("yoritomo", "bonus_customers"),
    "kudaka_points": ("kudaka", "points"),
    "daidoji_points": ("daidoji-uji", "points"),
    "kakita_favor": ("kakita-ryoku", "cost_favor"),
    "hyobu_points": ("shosuro-hyobu", "points"),
}

TABLES = record(
    [
        ("seats", "i2"),
        *columns_of(Facts),
        # set-up
        ("ship_spaces", "i2", (2,)),
        ("imperial_tiles", "i2", (3,)),
        ("imperial_spaces", "i2", (3,)),
        ("start_tiles", "i2", (6,)),
        ("start_spaces", "i2", (6,)),
        ("start_count", "i2"),
        ("mastery_mode", "i2"),
        ("mastery_sets", "i2", (MAX_MASTERY_SETS, names.MASTERIES_PER_GAME)),
        ("mastery_sets_count", "i2"),
        ("patron_mode", "i2"),
        ("patrons", "i2", (names.MAX_SEATS,)),  # by seat, if the scenario names them
        # the board
        ("shore_region", "i2", (names.SHORE_SPACES,)),
        ("payable_spaces", "i4", (names.MAX_KOKU + 1,)),  # by koku: mask of the shore spaces that they pay for
        ("spaces_of", "i4", (1 << names.REGIONS,)),  # mask of the shore spaces of a mask of regions
        ("shore_touches", "i2", (names.SHORE_SPACES,)),  # number of river spaces that touch it
        ("region_spaces", "i2", (names.REGIONS, names.SPACES_PER_REGION)),
        ("river_shore", "i2", (names.RIVER_SPACES, names.SHORES_PER_RIVER_SPACE)),
        # by river space and mask of faces (bit 0: face 1): mask of the shore spaces that a ship can touch next
        ("reached", "i4", (names.RIVER_SPACES, 1 << names.FACES)),
        (
            "shore_reach",
            "i1",
            (names.SHORE_SPACES, names.RIVER_SPACES),
        ),  # faces with which a ship from there touches it
        ("river_regions", "i2", (names.RIVER_SPACES, names.REGIONS)),
        ("river_region_count", "i2", (names.RIVER_SPACES,)),
        ("track", "i1", (names.REGIONS, names.MAX_INFLUENCE + 1)),  # the track reward of each space; 0 is none
        ("next_reward", "i1", (names.REGIONS, names.MAX_INFLUENCE + 1)),  # the next space that has one, or NO_SPACE
        ("track_rewards", REWARD, (TRACK_REWARDS,)),  # those of all tracks, then the good of each region
        # tiles and customers
        ("tiles", TILE, (names.TILE_KINDS + 1,)),  # the last one, NO_TILE, stands for an empty shore space
        ("reward_parts", "f8", (5, NUMBERED_REWARDS)),  # for bots: points, favor, koku, goods, influence
        ("rough_rewards", "f8", (2, names.TILE_KINDS)),  # for bots: the rough worth of visitor and owner rewards
        ("visits", "i8", (names.TILE_KINDS + 1,)),  # visitor rewards as one number: of an empty space, then by tile
        ("orders", "i2", (len(names.CUSTOMERS), len(names.GOODS))),
        (
            "fillable",
            "i4",
            (len(names.GOODS), names.MAX_GOODS + 1),
        ),  # mask of the orders that so many can fill
        ("merchant_amount", "i2", (names.REGIONS,)),
        ("noble_amount", "i2", (names.REGIONS,)),
        ("monk_marks_own", "i2", (names.REGIONS,)),
        # exchanges and small rewards
        ("exchangeable", "i1", (names.MAX_GOODS + 1,)),  # of an amount of a good: ENOUGH to give, ROOM for more
        *((field, "i2") for field in PATRON_FIELDS),
        # masteries and scoring
        ("mastery_rewards", "i2"),
        ("region_points", "i2", (names.REGIONS, names.PLACES)),  # by scoring tile
        (
            "shared_points",
            "f8",
            (names.REGIONS, names.MAX_SEATS, names.MAX_SEATS + 1),
        ),  # by tile, players ahead, players sharing
        ("customer_points", "i2", (MAX_CUSTOMER_POINTS,)),
    ]
)


def make_tables(facts: Facts, players: int) -> Any:
    """Return a TABLES record of checked components for a player count, with default options."""
    tables = records(TABLES, 1)[0]
    tables.seats = players
    fill(tables, facts, players)
    tables.ship_spaces[:] = [space - 1 for space in facts.setup.ship_spaces]
    note_exchangeable(tables)
    _fill_board(tables, facts, players)
    _fill_tracks(tables, facts)
    _fill_tiles(tables, facts)
    _fill_customers(tables, facts)
    for field, (patron, key) in PATRON_FIELDS.items():
        tables[field] = next(getattr(one, key) for one in facts.patron if one.id == patron)
    _fill_scoring(tables, facts, players)
    return tables


def note_exchangeable(tables: Any) -> None:
    """Note for each amount of a good whether it can be given or got in an exchange."""
    for amount in range(names.MAX_GOODS + 1):
        enough, room = amount >= tables.goods_for_good, amount < tables.good_limit
        tables.exchangeable[amount] = ENOUGH * enough + ROOM * room


def _fill_board(tables: Any, facts: Facts, players: int) -> None:
    tables.shore_region[:] = [space.region - 1 for space in facts.shore]
    for region in range(names.REGIONS):
        tables.region_spaces[region] = [space.id - 1 for space in facts.shore if space.region == region + 1]
    note_spaces(tables)
    start_kinds = {2: ("start23", "start2"), 3: ("start23",)}.get(players, ())
    start_spaces = [space.id - 1 for space in facts.shore if space.kind in start_kinds]
    tables.start_spaces[: len(start_spaces)] = start_spaces
    tables.start_count = len(start_spaces)
    tables.imperial_spaces[:] = [space.id - 1 for space in facts.shore if space.kind == "imperial"]
    for at, spaces in enumerate(facts.river.shore):
        tables.river_shore[at] = sorted(space - 1 for space in spaces)
        for space in spaces:
            tables.shore_touches[space - 1] += 1
            for face in range(1, names.FACES + 1):
                tables.shore_reach[space - 1, (at - face) % names.RIVER_SPACES] += 1
    note_reached_shores(tables)
    for at, regions in enumerate(facts.river.regions):
        tables.river_regions[at, : len(regions)] = sorted(region - 1 for region in regions)
        tables.river_region_count[at] = len(regions)


def _fill_tracks(tables: Any, facts: Facts) -> None:
    for space, reward in facts.track.rewards.items():
        tables.track[:, space] = space
        _fill_reward(tables.track_rewards[space], **vars(reward))
    for region, good in enumerate(facts.track.good_at_2):
        number = names.MAX_INFLUENCE + 1 + region
        tables.track[region, names.GOOD_SPACE] = number
        _fill_reward(tables.track_rewards[number], **{good: 1})
    note_next_rewards(tables)


def note_next_rewards(tables: Any) -> None:
    """Note for each space of the tracks which is the next one that has a reward: a move skips those without."""
    for region in range(names.REGIONS):
        following = NO_SPACE
        for space in range(names.MAX_INFLUENCE, -1, -1):
            tables.next_reward[region, space] = following
            if tables.track[region, space] != 0:
                following = space


def _fill_reward(out: Any, draw_and_discard: int = 0, **amounts: int) -> None:
    """Fill a REWARD record; what the reward does not mention stays 0."""
    for name, amount in amounts.items():
        if name in out.dtype.names:
            out[name] = amount
    out.koku_per[:] = [amounts.get(f"koku_per_{building}", 0) for building in names.BUILDINGS]
    out.koku_per_any = any(amount for name, amount in amounts.items() if name.startswith("koku_per_"))
    out.goods[:] = [amounts.get(good, 0) for good in names.GOODS]
    out.draw = draw_and_discard
    out.goods_in_all = sum(out.goods) + out.any_good
    note_more(out)


def note_more(reward: Any) -> None:
    """Note whether a reward has parts that few have."""
    reward.more = any(reward[part] > 0 for part in ("koku_per_any", "any_good", "influence", "draw"))


def _fill_tiles(tables: Any, facts: Facts) -> None:
    copies: dict[str, list[int]] = {}
    for number, tile in enumerate(tile for kind in SETS_IN_ORDER for tile in facts.tile if tile.set == kind):
        out = tables.tiles[number]
        out.kind, out.build = names.BUILDINGS.index(tile.type), tile.build
        _fill_reward(out.visitor, **vars(tile.visitor))
        _fill_reward(out.owner, **vars(tile.owner))
        copies[tile.set] = copies.get(tile.set, []) + [number] * tile.copies
    tables.start_tiles[:], tables.imperial_tiles[:] = copies["start"], copies["imperial"]
    tables.tiles[NO_TILE].kind = NO_BUILDING
    _fill_reward(tables.tiles[NO_TILE].visitor, koku=facts.exchange.empty_space_koku)
    note_visits(tables)
    note_rewards(tables)


def note_visits(tables: Any) -> None:
    """Note the visitor reward of each tile, and of an empty space, as one number."""
    for tile in range(names.EMPTY, names.TILE_KINDS):
        reward = tables.tiles[tile].visitor
        parts = (reward.points, reward.koku, *reward.goods, reward.favor, reward.more)
        tables.visits[tile + 1] = sum(int(part) << PART_BITS * place for place, part in enumerate(parts))


def _fill_customers(tables: Any, facts: Facts) -> None:
    for number, customer in enumerate(facts.customer):
        region = customer.region - 1
        tables.orders[number] = [getattr(customer.order, good) for good in names.GOODS]
        if isinstance(customer, Merchant):
            tables.merchant_amount[region] = customer.amount
        elif isinstance(customer, Noble):
            tables.noble_amount[region] = customer.amount
        elif isinstance(customer, Monk):
            tables.monk_marks_own[region] = customer.second_marker == "own"
    note_fillable(tables)


def note_fillable(tables: Any) -> None:
    """Note which orders each amount of a good can fill, as far as this good goes."""
    for good in range(len(names.GOODS)):
        for amount in range(names.MAX_GOODS + 1):
            filled = [customer for customer in range(len(names.CUSTOMERS)) if tables.orders[customer, good] <= amount]
            tables.fillable[good, amount] = sum(1 << customer for customer in filled)


def _fill_scoring(tables: Any, facts: Facts, players: int) -> None:
    tables.mastery_rewards = len(facts.mastery_points[players])
    tiles = facts.region_tiles
    for number, points in enumerate(tiles.two_players if players == 2 else tiles.three_or_four_players):
        tables.region_points[number, : len(points)] = points
    note_shared_points(tables)
    customers = facts.scoring.customers_delivered
    tables.customer_points[: len(customers)] = customers
    tables.customer_points[len(customers) :] = customers[-1]
    if not facts.rulings.end_trigger_bonus:
        tables.end_trigger = 0
    if players != 2 or not facts.rulings.two_player_distance:
        tables.second_place_within = 0  # second place always counts


def note_shared_points(tables: Any) -> None:
    """Note what each of the players gets who share a place in a region, which bots do not round down."""
    for tile, points in enumerate(tables.region_points.tolist()):
        for ahead in range(names.MAX_SEATS):
            for tied in range(1, names.MAX_SEATS + 1):
                tables.shared_points[tile, ahead, tied] = sum(points[ahead : ahead + tied]) / tied
