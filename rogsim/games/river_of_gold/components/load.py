"""The components of River of Gold: read from `data`, checked against each other, listed, and changed by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rogsim.game.kit.parameters import ParameterBook
from rogsim.game.kit.parameters.models import (
    Keys,
    Problems,
    as_printed,
    at_most,
    complete_ids,
    exact_keys,
    problem,
    unique_ids,
)
from rogsim.games.river_of_gold.components.models import (
    Merchant,
    Noble,
    Order,
    Patron,
    Reward,
    Sections,
    Tile,
    TrackReward,
)
from rogsim.games.river_of_gold.components.names import (
    CLANS,
    CUSTOMER_TYPES,
    END_POINT_PER,
    GOODS,
    JOURNEY_MOST,
    JOURNEYS,
    MASTERIES,
    MASTERY_MOST,
    MAX_GOODS_IN_REWARD,
    MAX_HAND,
    MAX_TILE_KINDS,
    PATRON_PARAMETERS,
    PATRONS,
    PLAYER_COUNTS,
    REGIONS,
    ROYAL_SHIP,
    ROYAL_SHIP_MOST,
    SHORE_SPACES,
    SPACES_PER_REGION,
    TILES_IN_SET,
)


def check_setup(facts: Sections) -> Problems:
    """Starting resources are within the limits; stacks and starting tiles match the row and the board."""
    setup, limits = facts.setup, facts.limits
    for seat, koku in enumerate(setup.koku_by_turn_order):
        yield from at_most(("setup", "koku_by_turn_order", seat), koku, limits.koku, "limits.koku")
    yield from _goods_at_most(("setup", "goods"), setup.goods, limits.good)
    yield from at_most(("setup", "favor_limit"), setup.favor_limit, limits.favor_limit, "limits.favor_limit")
    yield from at_most(("setup", "favor"), setup.favor, setup.favor_limit, "setup.favor_limit")
    row = setup.building_row
    for players in PLAYER_COUNTS:
        era1, era2 = setup.era_tiles[players]
        path = ("setup", "era_tiles", str(players))
        if era1 <= row:
            yield problem((*path, 0), era1, f"more than {row} (setup.building_row)")
        yield from at_most((*path, 1), era2, TILES_IN_SET["era2"], "the tiles of era 2")
    kinds = Counter(space.kind for space in facts.shore)
    spaces = {2: kinds["start23"] + kinds["start2"], 3: kinds["start23"], 4: 0}
    for players, marked in spaces.items():
        if setup.starting_tiles[players] != marked:
            path = ("setup", "starting_tiles", str(players))
            yield problem(path, setup.starting_tiles[players], f"{marked} (spaces marked on the board)")


def check_track(facts: Sections) -> Problems:
    """Rewards and the imperial flower are on the track, and space 2 keeps its good."""
    end = facts.limits.influence
    yield from at_most(("track", "imperial_flower"), facts.track.imperial_flower, end, "limits.influence")
    for space, reward in facts.track.rewards.items():
        if reward == TrackReward():
            continue  # none
        path = ("track", "rewards", str(space))
        yield from at_most(path, space, end, "limits.influence")
        if space == 2:
            yield problem(path, space, "any other space; the good of space 2 is in track.good_at_2")
        yield from _few_goods(path, reward)


def check_points(facts: Sections) -> Problems:
    """Masteries have at most as many rewards as players, the highest first, in the order of claiming."""
    for players in PLAYER_COUNTS:
        points = facts.mastery_points[players]
        path = ("mastery_points", str(players))
        if len(points) > players:
            yield problem(path, points, f"a list of 1 to {players}")
        if list(points) != sorted(points, reverse=True):
            yield problem(path, points, "the highest points first")


def check_shore(facts: Sections) -> Problems:
    """Thirty shore spaces, numbered in order, five in each region; a space for every imperial market."""
    ids = [space.id for space in facts.shore]
    if len(ids) != SHORE_SPACES:
        yield problem(("shore",), len(ids), f"{SHORE_SPACES} shore spaces")
    for place, number in enumerate(ids):
        if number != place + 1:
            yield problem(("shore", place, "id"), number, f"{place + 1}, because spaces are in order")
    in_region = Counter(space.region for space in facts.shore)
    for region in range(1, REGIONS + 1):
        if in_region[region] != SPACES_PER_REGION:
            allowed = f"{SPACES_PER_REGION} shore spaces in region {region}"
            yield problem(("shore",), in_region[region], allowed)
    imperial = sum(space.kind == "imperial" for space in facts.shore)
    if imperial != TILES_IN_SET["imperial"]:
        yield problem(("shore",), imperial, f'{TILES_IN_SET["imperial"]} shore spaces of kind "imperial"')


def check_river(facts: Sections) -> Problems:
    """River spaces list different shore spaces in ascending order, and their regions; every shore space is listed."""
    region_of = {space.id: space.region for space in facts.shore}
    for place, shore in enumerate(facts.river.shore):
        if list(shore) != sorted(set(shore)):
            yield problem(("river", "shore", place), shore, "different shore spaces in ascending order")
        touched = sorted({region_of[number] for number in shore if number in region_of})
        if list(facts.river.regions[place]) != touched:
            path = ("river", "regions", place)
            yield problem(path, facts.river.regions[place], f"{touched}, the regions of its shore spaces")
    reached = {number for shore in facts.river.shore for number in shore}
    for number in sorted(set(region_of) - reached):
        yield problem(("river", "shore"), 0, f"1 or more river spaces that touch shore space {number}")


def check_tiles(facts: Sections) -> Problems:
    """There are 24 + 16 + 6 + 3 tiles, named after set and type; only era tiles have a bonus and an owner."""
    yield from unique_ids("tile", [tile.id for tile in facts.tile])
    copies: Counter[str] = Counter()
    for place, tile in enumerate(facts.tile):
        copies[tile.set] += tile.copies
        yield from _tile_problems(place, tile)
    yield from at_most(("tile",), len(facts.tile), MAX_TILE_KINDS, "different tiles")
    for name, needed in TILES_IN_SET.items():
        if copies[name] != needed:
            yield problem(("tile",), copies[name], f'{needed} tiles of set "{name}", copies counted')


def _tile_problems(place: int, tile: Tile) -> Problems:
    beginning = f"{tile.set}-{tile.type}"
    if tile.id != beginning and not tile.id.startswith(f"{beginning}-"):
        yield problem(("tile", place, "id"), tile.id, f'an id that begins with "{beginning}"')
    if tile.set in ("era1", "era2") and tile.copies != 1:
        yield problem(("tile", place, "copies"), tile.copies, "1, because every era tile has a separate row")
    if tile.set in ("start", "imperial"):
        if tile.build:
            yield problem(("tile", place, "build"), tile.build, f'0 for a tile of set "{tile.set}"')
        if tile.owner != Reward():
            found = tile.owner.model_dump(exclude_defaults=True)
            yield problem(("tile", place, "owner"), found, f'no owner reward for a tile of set "{tile.set}"')
    yield from _few_goods(("tile", place, "visitor"), tile.visitor)
    yield from _few_goods(("tile", place, "owner"), tile.owner)


def check_customers(facts: Sections) -> Problems:
    """One customer of each type for each region, its order within the limits, its abilities as printed."""
    yield from unique_ids("customer", [customer.id for customer in facts.customer])
    needed = len(CUSTOMER_TYPES) * REGIONS
    if len(facts.customer) != needed:
        yield problem(("customer",), len(facts.customer), f"{needed} customers")
    cards: Counter[tuple[str, int]] = Counter((customer.type, customer.region) for customer in facts.customer)
    for kind in CUSTOMER_TYPES:
        for region in range(1, REGIONS + 1):
            if cards[kind, region] != 1:
                yield problem(("customer",), cards[kind, region], f"1 {kind} of region {region}")
    for place, customer in enumerate(facts.customer):
        row = ("customer", place)
        expected = f"{customer.type}-{customer.region}"
        if customer.id != expected:
            yield problem((*row, "id"), customer.id, f'"{expected}", its type and region')
        yield from _goods_at_most((*row, "order"), customer.order, facts.limits.good)
        if isinstance(customer, Merchant):
            yield from _merchant_problems(row, customer)
        elif isinstance(customer, Noble):
            yield from _noble_problems(row, customer)


def _merchant_problems(row: tuple[str, int], merchant: Merchant) -> Problems:
    printed = merchant.region - 1
    yield from as_printed((*row, "journey"), merchant.journey, JOURNEYS[printed])
    yield from at_most((*row, "amount"), merchant.amount, JOURNEY_MOST[printed], "for this ability")


def _noble_problems(row: tuple[str, int], noble: Noble) -> Problems:
    printed = noble.region - 1
    yield from as_printed((*row, "royal_ship"), noble.royal_ship, ROYAL_SHIP[printed])
    yield from as_printed((*row, "end_point_per"), noble.end_point_per, END_POINT_PER[printed])
    needed = ("amount",) if ROYAL_SHIP_MOST[printed] else ()
    yield from exact_keys(row, noble, ("amount",), needed)
    if needed:
        yield from at_most((*row, "amount"), noble.amount, ROYAL_SHIP_MOST[printed], "for this ability")


def check_masteries(facts: Sections) -> Problems:
    """Every mastery once, asking for no more than exists."""
    yield from complete_ids("mastery", [mastery.id for mastery in facts.mastery], MASTERIES)
    for place, mastery in enumerate(facts.mastery):
        most = MASTERY_MOST[mastery.id]
        yield from at_most(("mastery", place, "count"), mastery.count, most, "all there are")


def check_patrons(facts: Sections) -> Problems:
    """Every patron once, of its clan and with the parameters of its effect; Yoritomo's hand is not too large."""
    parameters = tuple(name for name, field in Patron.model_fields.items() if not field.is_required())
    room = MAX_HAND - facts.setup.hand
    yield from complete_ids("patron", [patron.id for patron in facts.patron], PATRONS)
    for place, patron in enumerate(facts.patron):
        row = ("patron", place)
        clan = CLANS[PATRONS.index(patron.id) // 2]
        if patron.clan != clan:
            yield problem((*row, "clan"), patron.clan, f'"{clan}"')
        yield from exact_keys(row, patron, parameters, PATRON_PARAMETERS[patron.id])
        why = f"{MAX_HAND} less setup.hand"
        yield from at_most((*row, "bonus_customers"), patron.bonus_customers, room, why)


def _goods_at_most(path: Keys, goods: Order, most: int) -> Problems:
    for good in GOODS:
        yield from at_most((*path, good), getattr(goods, good), most, "limits.good")


def _few_goods(path: Keys, reward: object) -> Problems:
    """A reward holds few goods, because each of them can become a choice."""
    goods = sum(getattr(reward, good) for good in (*GOODS, "any_good"))
    if goods > MAX_GOODS_IN_REWARD:
        yield problem(path, goods, f"at most {MAX_GOODS_IN_REWARD} goods in one reward")


CHECKS = (
    *(check_setup, check_track, check_points, check_shore, check_river),
    *(check_tiles, check_customers, check_masteries, check_patrons),
)


DATA_FOLDER = Path(__file__).parent / "data"

# Every component file with the top-level keys that it holds.
FILES = {
    "setup.toml": ("limits", "setup", "exchange", "track", "scoring", "mastery_points", "rulings", "region_tiles"),
    "board.toml": ("shore", "regions", "river"),
    "tiles.toml": ("tile",),
    "customers.toml": ("delivery", "customer"),
    "masteries.toml": ("mastery",),
    "patrons.toml": ("patron",),
}

# What the rules depend on: names, and places on the board.
FIXED = (
    *("regions", "river", "region", "set", "type", "kind", "clan", "title", "effect", "journey", "royal_ship"),
    *("end_point_per", "needs", "starting_tiles"),
)
GOOD_SPACE = 2  # of a track; its good is in track.good_at_2


class Facts(Sections):
    """All components, each value within its range and in agreement with the others."""

    checks = CHECKS


def _spaces_with_rewards(facts: Mapping[str, Any]) -> Sequence[str]:
    """Return the spaces of a track that can have a reward."""
    return [str(space) for space in range(1, facts["limits"]["influence"] + 1) if space != GOOD_SPACE]


BOOK = ParameterBook(
    model=Facts,
    folder=DATA_FOLDER,
    files=FILES,
    fixed=FIXED,
    keys={"track.rewards": _spaces_with_rewards},
)
load_facts = BOOK.load
printed_facts = BOOK.printed
printed_book = BOOK.parameters
fixed_names = BOOK.fixed_names
check_change = BOOK.check_change
with_change = BOOK.with_change
