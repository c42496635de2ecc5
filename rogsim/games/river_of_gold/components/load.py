"""The components of River of Gold: read from `data`, checked against each other, listed, and changed by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rogsim.base.validation import Problem
from rogsim.game.kit.components import Book, at_most, wrong
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.components.declared import Facts, Merchant, Noble

Problems = Iterator[Problem]


def check_setup(facts: Facts) -> Problems:
    """Starting resources are within the limits; stacks and starting tiles match the row and the board."""
    setup, limits = facts.setup, facts.limits
    for seat, koku in enumerate(setup.koku_by_turn_order, 1):
        yield from at_most(f"setup.koku_by_turn_order.{seat}", koku, limits.koku, "limits.koku")
    yield from _goods_at_most("setup.goods", setup.goods, limits.good)
    yield from at_most("setup.favor_limit", setup.favor_limit, limits.favor_limit, "limits.favor_limit")
    yield from at_most("setup.favor", setup.favor, setup.favor_limit, "setup.favor_limit")
    kinds = Counter(space.kind for space in facts.shore)
    marked = {2: kinds["start23"] + kinds["start2"], 3: kinds["start23"], 4: 0}
    for players, (era1, era2) in setup.era_tiles.items():
        if era1 <= setup.building_row:
            why = f"more than {setup.building_row} (setup.building_row)"
            yield wrong(f"setup.era_tiles.{players}.1", era1, why)
        yield from at_most(f"setup.era_tiles.{players}.2", era2, names.TILES_IN_SET["era2"], "the tiles of era 2")
        found = setup.starting_tiles[players]
        if found != marked[players]:
            yield wrong(f"setup.starting_tiles.{players}", found, f"{marked[players]} (spaces marked on the board)")


def check_track(facts: Facts) -> Problems:
    """Rewards and the imperial flower are on the track."""
    end = facts.limits.influence
    yield from at_most("track.imperial_flower", facts.track.imperial_flower, end, "limits.influence")
    for space, reward in facts.track.rewards.items():
        if any(vars(reward).values()):
            yield from at_most(f"track.rewards.{space}", space, end, "limits.influence")
            yield from _few_goods(f"track.rewards.{space}", reward)


def check_points(facts: Facts) -> Problems:
    """Masteries have at most as many rewards as players, the highest first, in the order of claiming."""
    for players, points in facts.mastery_points.items():
        name = f"mastery_points.{players}"
        if len(points) > players:
            yield wrong(name, points, f"a list of 1 to {players}")
        if list(points) != sorted(points, reverse=True):
            yield wrong(name, points, "the highest points first")


def check_shore(facts: Facts) -> Problems:
    """Five shore spaces in each region, and a space for every imperial market."""
    in_region = Counter(space.region for space in facts.shore)
    for region in range(1, names.REGIONS + 1):
        if in_region[region] != names.SPACES_PER_REGION:
            yield wrong("shore", in_region[region], f"{names.SPACES_PER_REGION} shore spaces in region {region}")
    imperial = sum(space.kind == "imperial" for space in facts.shore)
    if imperial != names.TILES_IN_SET["imperial"]:
        yield wrong("shore", imperial, f'{names.TILES_IN_SET["imperial"]} shore spaces of kind "imperial"')


def check_river(facts: Facts) -> Problems:
    """River spaces list different shore spaces in ascending order, and their regions; every shore space is listed."""
    region_of = {space.id: space.region for space in facts.shore}
    for place, (shore, regions) in enumerate(zip(facts.river.shore, facts.river.regions, strict=True), 1):
        if list(shore) != sorted(set(shore)):
            yield wrong(f"river.shore.{place}", shore, "different shore spaces in ascending order")
        touched = sorted({region_of[number] for number in shore})
        if list(regions) != touched:
            yield wrong(f"river.regions.{place}", regions, f"{touched}, the regions of its shore spaces")
    for number in sorted(region_of.keys() - {number for shore in facts.river.shore for number in shore}):
        yield wrong("river.shore", 0, f"1 or more river spaces that touch shore space {number}")


def check_tiles(facts: Facts) -> Problems:
    """There are 24 + 16 + 6 + 3 tiles, named after set and type; only era tiles have a bonus and an owner."""
    copies: Counter[str] = Counter()
    for tile in facts.tile:
        copies[tile.set] += tile.copies
        name, beginning = f"tile.{tile.id}", f"{tile.set}-{tile.type}"
        if tile.id != beginning and not tile.id.startswith(f"{beginning}-"):
            yield wrong(f"{name}.id", tile.id, f'an id that begins with "{beginning}"')
        if tile.set in names.ERAS:
            yield from at_most(f"{name}.copies", tile.copies, 1, "every era tile has a separate row")
        else:
            yield from at_most(f"{name}.build", tile.build, 0, f'for a tile of set "{tile.set}"')
            if any(vars(tile.owner).values()):
                given = {key: value for key, value in vars(tile.owner).items() if value}
                yield wrong(f"{name}.owner", given, f'no owner reward for a tile of set "{tile.set}"')
        yield from _few_goods(f"{name}.visitor", tile.visitor)
        yield from _few_goods(f"{name}.owner", tile.owner)
    yield from at_most("tile", len(facts.tile), names.TILE_KINDS, "different tiles")
    for kind, needed in names.TILES_IN_SET.items():
        if copies[kind] != needed:
            yield wrong("tile", copies[kind], f'{needed} tiles of set "{kind}", copies counted')


def check_customers(facts: Facts) -> Problems:
    """The id of a customer says its type and region; its order is within the limits, its abilities are as printed."""
    for customer in facts.customer:
        name, printed = f"customer.{customer.id}", customer.region - 1
        if customer.id != f"{customer.type}-{customer.region}":
            yield wrong(f"{name}.id", customer.id, f'"{customer.type}-{customer.region}", its type and region')
        yield from _goods_at_most(f"{name}.order", customer.order, facts.limits.good)
        if isinstance(customer, Merchant):
            yield from _as_printed(f"{name}.journey", customer.journey, names.JOURNEYS[printed])
            yield from at_most(f"{name}.amount", customer.amount, names.JOURNEY_MOST[printed], "for this ability")
        elif isinstance(customer, Noble):
            yield from _as_printed(f"{name}.royal_ship", customer.royal_ship, names.ROYAL_SHIP[printed])
            yield from _as_printed(f"{name}.end_point_per", customer.end_point_per, names.END_POINT_PER[printed])
            yield from at_most(f"{name}.amount", customer.amount, names.ROYAL_SHIP_MOST[printed], "for this ability")


def check_people(facts: Facts) -> Problems:
    """No mastery asks for more than exists; patrons are of their clans, and Yoritomo's hand is not too large."""
    for mastery in facts.mastery:
        yield from at_most(
            f"mastery.{mastery.id}.count", mastery.count, names.MASTERY_MOST[mastery.id], "all there are"
        )
    room = names.MAX_HAND - facts.setup.hand
    for number, patron in enumerate(facts.patron):
        clan = names.CLANS[number * len(names.CLANS) // len(names.PATRONS)]
        yield from _as_printed(f"patron.{patron.id}.clan", patron.clan, clan)
        name = f"patron.{patron.id}.bonus_customers"
        yield from at_most(name, patron.bonus_customers, room, f"{names.MAX_HAND} less setup.hand")


def _as_printed(name: str, found: str, printed: str) -> Problems:
    if found != printed:
        yield wrong(name, found, f'"{printed}", as printed')


def _goods_at_most(name: str, goods: Any, most: int) -> Problems:
    for good in names.GOODS:
        yield from at_most(f"{name}.{good}", getattr(goods, good), most, "limits.good")


def _few_goods(name: str, reward: Any) -> Problems:
    """A reward holds few goods, because each of them can become a choice."""
    goods = sum(getattr(reward, good) for good in (*names.GOODS, "any_good"))
    if goods > names.MAX_GOODS_IN_REWARD:
        yield wrong(name, goods, f"at most {names.MAX_GOODS_IN_REWARD} goods in one reward")


BOOK = Book(
    Facts,
    Path(__file__).parent / "data",
    (
        *(check_setup, check_track, check_points, check_shore, check_river),
        *(check_tiles, check_customers, check_people),
    ),
)
SETS_IN_ORDER = ("era1", "era2", "start", "imperial")  # tiles are numbered through these
TILES = tuple(tile["id"] for kind in SETS_IN_ORDER for tile in BOOK.printed()["tile"] if tile["set"] == kind)
