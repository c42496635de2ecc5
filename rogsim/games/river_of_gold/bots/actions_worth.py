"""The worth of building, sailing and delivering to a seat, in points; sailing touches shore spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import FIRST_OF_TWO, doubled, lowest, places_above, places_equal
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.notes import (
    ANY_GOOD,
    END_KOKU,
    GOOD,
    JOURNEY,
    OUTLOOK,
    ROYAL_SHORE,
    SHORE,
    TOUCHED,
    noted_influence,
    reward_worth,
)
from rogsim.games.river_of_gold.bots.worth import (
    favor_worth,
    influence_worth,
    koku_worth,
    mastery_worth,
    owner_worth,
    place_points,
    scarcity,
    tiles_left,
)
from rogsim.games.river_of_gold.components.names import (
    AIR,
    ARTISAN,
    DAIDOJI,
    ELDER,
    EMPTY,
    FACES,
    FIRE,
    GOODS,
    KUDAKA,
    MARKET,
    MERCHANT,
    MONK,
    NONE,
    REGIONS,
    RIVER_SPACES,
    SHORES_PER_RIVER_SPACE,
    TAKA,
)
from rogsim.games.river_of_gold.rules.deliver import has_customer_of
from rogsim.games.river_of_gold.rules.sail import (
    MERCHANT_FAVOR,
    MERCHANT_GOOD,
    MERCHANT_INFLUENCE,
    MERCHANT_POINTS,
    NOBLE_ANY_GOOD,
    NOBLE_INFLUENCE,
    NOBLE_KOKU,
    NOBLE_OWN,
    NOBLE_RIVAL,
    merchant_amount,
    noble_amount,
    regions_built_in,
    sail_target,
)
from rogsim.games.river_of_gold.rules.scoring import COUNTED_BY_NOBLE, largest
from rogsim.games.river_of_gold.rules.supply import customers_delivered, goods_in_store, has, is_owner, is_rival_owner


def note_outlook(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Store for every river space the average worth of the next sail of a ship there."""
    if memory.notes[w.OUTLOOK] == 0.0:
        return
    touched = memory.notes[TOUCHED : TOUCHED + RIVER_SPACES]
    note_all_touched(tables, view, seat, memory)
    total = 0.0  # over the spaces that the faces of the die reach
    for face in range(FACES):
        total += touched[face]
    for here in range(RIVER_SPACES):
        total += touched[sail_target(here, FACES)] - touched[here]
        memory.notes[OUTLOOK + here] = total / FACES


def note_all_touched(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Note the worth of all buildings, and of what every river space touches."""
    note_touched_buildings(tables, view, seat, places_above(view.shore, EMPTY), memory)
    for to in range(RIVER_SPACES):
        memory.notes[TOUCHED + to] = sum_noted(tables, to, SHORE, memory)


def note_reached(tables: Any, view: Any, seat: int, faces: int, memory: Any) -> None:
    """Note the worth of the buildings that the ships can touch with a mask of faces."""
    ships = view.players[seat].ships
    shores = tables.reached[ships[0], faces >> 1] | tables.reached[ships[1], faces >> 1]
    note_touched_buildings(tables, view, seat, shores & places_above(view.shore, EMPTY), memory)


def note_touched_buildings(tables: Any, view: Any, seat: int, spaces: int, memory: Any) -> None:
    """Note the same as `shore_worth` for each of a mask of shore spaces, in passes that need no test for each space."""
    rest = spaces
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        tile, region = tables.tiles[view.shore[space]], tables.shore_region[space]
        memory.notes[SHORE + space] = reward_worth(tables, view, seat, tile.visitor, region, memory)
    marked = doubled(spaces) & places_above(view.markers, NONE)
    own = marked & places_equal(view.markers, seat)
    for marker in range(2):  # in the order of the markers of a space
        add_own(tables, view, seat, own & FIRST_OF_TWO << marker, memory)
        take_rivals(tables, view, marked & ~own & FIRST_OF_TWO << marker, memory)


def add_own(tables: Any, view: Any, seat: int, markers: int, memory: Any) -> None:
    """Add the owner rewards of a mask of the seat's markers, two to a space, to the notes of their spaces."""
    while markers != 0:
        space = lowest(markers) >> 1
        markers &= markers - 1
        tile, region = tables.tiles[view.shore[space]], tables.shore_region[space]
        memory.notes[SHORE + space] += reward_worth(tables, view, seat, tile.owner, region, memory)


def take_rivals(tables: Any, view: Any, markers: int, memory: Any) -> None:
    """Subtract part of the owner rewards of a mask of rivals' markers from the notes of their spaces."""
    while markers != 0:
        marker = lowest(markers)
        markers &= markers - 1
        space, owner = marker >> 1, view.markers[marker >> 1, marker & 1]
        worth = owner_worth(tables, view.shore[space], view.players[owner], memory)
        memory.notes[SHORE + space] -= memory.notes[w.RIVAL] * worth


def sum_noted(tables: Any, to: int, run: int, memory: Any) -> float:
    """Add up what is noted in a run of the shore spaces that a river space touches."""
    worth = 0.0
    for i in range(SHORES_PER_RIVER_SPACE):
        worth += memory.notes[run + tables.river_shore[to, i]]
    return worth


def touch_worth(tables: Any, view: Any, seat: int, to: int, nobles_ashore: bool, memory: Any) -> float:
    """Return the worth of all that a river space touches; it is stored, because several sails may lead there."""
    if nobles_ashore:
        return sum_shores(tables, view, seat, to, True, memory)
    note = TOUCHED + to
    if np.isnan(memory.notes[note]):
        memory.notes[note] = sum_shores(tables, view, seat, to, False, memory)
    return memory.notes[note]


def sum_shores(tables: Any, view: Any, seat: int, to: int, nobles_ashore: bool, memory: Any) -> float:
    """Add up the worth of the shore spaces that a river space touches, with what nobles give the royal ship there."""
    shores, run = tables.river_shore[to], ROYAL_SHORE if nobles_ashore else SHORE
    unknown = 0
    for i in range(SHORES_PER_RIVER_SPACE):
        unknown |= int(np.isnan(memory.notes[run + shores[i]])) << i
    while unknown != 0:
        space = shores[lowest(unknown)]
        unknown &= unknown - 1
        memory.notes[run + space] = shore_worth(tables, view, seat, space, nobles_ashore, memory)
    return sum_noted(tables, to, run, memory)


def shore_worth(tables: Any, view: Any, seat: int, space: int, royal: bool, memory: Any) -> float:
    """Return the worth of touching a shore space: visitor reward and the seat's owner rewards, less part of rivals'."""
    player = view.players[seat]
    number = view.shore[space]
    if number == EMPTY:
        koku = float(tables.empty_space_koku)
        if royal and has(player.delivered, NOBLE_KOKU):
            koku += noble_amount(tables, NOBLE_KOKU)
        return koku_worth(tables, player, koku, memory)
    region, tile = tables.shore_region[space], tables.tiles[number]
    worth = reward_worth(tables, view, seat, tile.visitor, region, memory)
    if royal and tile.kind == MARKET and has(player.delivered, NOBLE_ANY_GOOD):
        worth = max(worth, memory.notes[GOOD + ANY_GOOD])
    for marker in range(2):
        owner = view.markers[space, marker]
        if owner == NONE:
            break
        if owner == seat:
            worth += reward_worth(tables, view, seat, tile.owner, region, memory)
        else:
            worth -= memory.notes[w.RIVAL] * owner_worth(tables, number, view.players[owner], memory)
    return worth


NOBLES_ASHORE = (1 << NOBLE_ANY_GOOD) | (1 << NOBLE_KOKU)  # those that change what the royal ship gets ashore
NOBLES_AT_SEA = (1 << NOBLE_RIVAL) | (1 << NOBLE_OWN) | (1 << NOBLE_INFLUENCE)  # those that give more for its sails


def space_worth(tables: Any, view: Any, player: Any, space: int, cost: int, memory: Any) -> float:
    """Return the worth of building any tile on a shore space: the patron's points, less the price of the koku."""
    worth = -koku_price(tables, view, player, cost, memory)
    if player.patron == TAKA:
        worth += tables.taka_points * tables.shore_touches[space]
    return worth


def koku_price(tables: Any, view: Any, player: Any, koku: int, memory: Any) -> float:
    """Return the cost of paying koku: it falls toward the end, when little is left to buy, but merchants score koku."""
    left = min(1.0, 2.0 * memory.notes[w.LEFT])
    scarce = scarcity(player.koku - 0.5 * koku, memory)
    return koku * max(memory.notes[END_KOKU], memory.notes[w.KOKU] * left * scarce)


def sail_worth(tables: Any, view: Any, seat: int, ship: int, to: int, memory: Any) -> float:
    """Return the worth of sailing a ship to a river space."""
    return sail_worth_touching(tables, view, seat, ship, to, memory.notes[TOUCHED + to], memory)


def sail_worth_touching(tables: Any, view: Any, seat: int, ship: int, to: int, touched: float, memory: Any) -> float:
    """Return the worth of sailing a ship to a river space, given that of what it touches there, or nan."""
    player, worth = view.players[seat], touched
    has_nobles = (player.royal == ship) & (player.delivered & (NOBLES_ASHORE | NOBLES_AT_SEA) != 0)
    if has_nobles | (player.patron == DAIDOJI) | np.isnan(worth):
        worth = arrival_worth(tables, view, seat, ship, to, memory)
    here = player.ships[ship]
    worth += memory.notes[w.ADVANCE] * (to - here if to >= here else to - here + RIVER_SPACES)
    if memory.notes[w.OUTLOOK] != 0.0:
        worth += memory.notes[w.OUTLOOK] * (memory.notes[OUTLOOK + to] - memory.notes[OUTLOOK + here])
    if to < here:
        journey = memory.notes[JOURNEY]
        worth += note_journey(tables, view, seat, memory) if np.isnan(journey) else journey
    return memory.notes[w.SAIL] * worth


def note_journey(tables: Any, view: Any, seat: int, memory: Any) -> float:
    """Store the worth of a completed journey, and return it."""
    worth = journey_worth(tables, view, seat, memory)
    memory.notes[JOURNEY] = worth
    return worth


def arrival_worth(tables: Any, view: Any, seat: int, ship: int, to: int, memory: Any) -> float:
    """Return the worth of what a ship touches in a river space, with what nobles and the patron add."""
    player = view.players[seat]
    royal = player.royal == ship
    worth = touch_worth(tables, view, seat, to, royal and player.delivered & NOBLES_ASHORE != 0, memory)
    if royal and player.delivered & NOBLES_AT_SEA != 0:
        worth = add_nobles(tables, view, seat, to, worth, memory)
    if player.patron == DAIDOJI and touches(tables, view, seat, to, False):
        worth += tables.daidoji_points
    return worth


def add_nobles(tables: Any, view: Any, seat: int, to: int, worth: float, memory: Any) -> float:
    """Return the worth of a sail of the royal ship, with what its nobles add."""
    delivered = view.players[seat].delivered
    if has(delivered, NOBLE_RIVAL) and touches(tables, view, seat, to, False):
        worth += noble_amount(tables, NOBLE_RIVAL)
    if has(delivered, NOBLE_OWN) and touches(tables, view, seat, to, True):
        worth += noble_amount(tables, NOBLE_OWN)
    if has(delivered, NOBLE_INFLUENCE):
        amount = noble_amount(tables, NOBLE_INFLUENCE)
        for i in range(tables.river_region_count[to]):
            worth += noted_influence(tables, view, seat, tables.river_regions[to, i], amount, memory)
    return worth


def touches(tables: Any, view: Any, seat: int, to: int, mine: bool) -> bool:
    """Return whether a river space touches a building of the seat, or of a rival."""
    for i in range(SHORES_PER_RIVER_SPACE):
        space = tables.river_shore[to, i]
        if is_owner(view, seat, space) if mine else is_rival_owner(view, seat, space):
            return True
    return False


def journey_worth(tables: Any, view: Any, seat: int, memory: Any) -> float:
    """Return the worth of a completed journey: its reward, the merchants, and one tile fewer in the row."""
    player = view.players[seat]
    koku = koku_worth(tables, player, tables.journey_koku, memory)
    worth = memory.notes[w.JOURNEY] + max(koku, memory.notes[GOOD + ANY_GOOD]) + memory.notes[w.PACE]
    if player.delivered_by_type[MERCHANT] > 0:
        for region in range(REGIONS):
            if has(player.delivered, MERCHANT * REGIONS + region):
                worth += merchant_worth(tables, view, seat, MERCHANT * REGIONS + region, memory)
    return worth


def merchant_worth(tables: Any, view: Any, seat: int, merchant: int, memory: Any) -> float:
    """Return the worth of a merchant for one journey."""
    player = view.players[seat]
    steps = merchant_amount(tables, merchant)
    amount = float(steps)
    if merchant == MERCHANT_INFLUENCE:
        worth = 0.0
        regions = regions_built_in(tables, view, seat)
        for region in range(REGIONS):
            if has(regions, region):
                worth += noted_influence(tables, view, seat, region, steps, memory)
        return worth
    if merchant == MERCHANT_POINTS:
        return amount * customers_delivered(player)
    if merchant == MERCHANT_GOOD:
        return amount * memory.notes[GOOD + ANY_GOOD]
    if merchant == MERCHANT_FAVOR:
        return favor_worth(player, amount, memory)
    return koku_worth(tables, player, amount, memory)  # for one good sold, or at once


def delivery_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of delivering to a customer, without subtracting the goods."""
    player = view.players[seat]
    kind, region = customer // REGIONS, customer % REGIONS
    count = customers_delivered(player)
    last = len(tables.customer_points) - 1  # more customers score the same
    points = tables.customer_points
    scored = points[min(count + 1, last)] - points[min(count, last)]
    worth = memory.notes[w.CUSTOMER] + scored
    worth += influence_worth(tables, view, seat, region, tables.delivery_influence[kind], memory)
    worth += favor_worth(player, tables.delivery_favor[kind], memory)
    higher = player.delivered_by_type[kind] + 1 - largest(player.delivered_by_type)
    if higher > 0:
        worth += mastery_worth(tables, view, seat, FIRE, higher, memory)
    if player.delivered_by_type[kind] == 0:
        worth += mastery_worth(tables, view, seat, AIR, 1, memory)
    if player.patron == KUDAKA and not has_customer_of(player, region):
        worth += tables.kudaka_points
    ability = ability_worth(tables, view, seat, customer, memory)
    worth += memory.notes[w.FIRST_TYPE + kind] + memory.notes[w.ABILITY] * ability
    return memory.notes[w.DELIVER] * worth


def ability_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the expected worth of a customer's ability in the rest of the game and at its end."""
    player = view.players[seat]
    kind, region = customer // REGIONS, customer % REGIONS
    if memory.notes[w.FINAL] > 0.5:
        return final_ability_worth(tables, view, seat, customer)
    left = memory.notes[w.LEFT]
    tiles = tiles_left(tables, view) / view.seats
    if kind == ARTISAN:
        return 1.0 + memory.notes[w.KOKU] * tables.artisan_discount * tiles / REGIONS
    if kind == ELDER:
        return place_points(tables, view, seat, region, player.influence[region]) + 2.0 * left
    if kind == MERCHANT:
        return 1.5 + 3.0 * left
    if kind == MONK:
        return 1.0 + 4.0 * left
    return 1.0 + noble_worth(tables, player, region, 1.5) + 3.0 * left


def final_ability_worth(tables: Any, view: Any, seat: int, customer: int) -> float:
    """Return the points that a customer delivered to in the last turn adds to final scoring."""
    player = view.players[seat]
    kind, region = customer // REGIONS, customer % REGIONS
    if kind == ARTISAN:
        left = goods_in_store(player)
        for good in range(len(GOODS)):
            left -= tables.orders[customer, good]
        return float(left // tables.artisan_goods_per_point)
    if kind == ELDER:
        return place_points(tables, view, seat, region, player.influence[region])
    if kind == MERCHANT:
        return float(player.koku // tables.merchant_koku_per_point)
    if kind == MONK:
        return 0.0
    return noble_worth(tables, player, region, 2.0)


def noble_worth(tables: Any, player: Any, number: int, others: float) -> float:
    """Return the points of a noble for the buildings that it counts; nobles 5 and 6 count about `others`."""
    counted = player.owned[COUNTED_BY_NOBLE[number]] if number < len(COUNTED_BY_NOBLE) else others
    return tables.noble_points * counted


def order_price(tables: Any, customer: int, memory: Any) -> float:
    """Return the worth that the goods of an order would have elsewhere."""
    price = 0.0
    for good in range(len(GOODS)):
        price += tables.orders[customer, good]
    return memory.notes[w.SPEND] * memory.notes[w.GOOD] * price
