"""The worth of actions to a seat, in points, and the best action with the die on each face.

The best actions are found for all faces together, which takes less time than one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import doubled, lowest, places_above
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.worth import (
    AMOUNTS,
    ANY_GOOD,
    BUILD_ACTION,
    BUILD_WORTH,
    DELIVERY_ACTION,
    DELIVERY_WORTH,
    END_KOKU,
    FACE_ACTION,
    FACE_WORTH,
    GOOD,
    JOURNEY,
    OUTLOOK,
    OWNER,
    ROYAL_SHORE,
    SHORE,
    STEPS,
    TILE,
    TOUCHED,
    favor_worth,
    influence_worth,
    koku_worth,
    mastery_worth,
    note_influences,
    noted_influence,
    owner_worth,
    place_points,
    reward_worth,
    scarcity,
    shortage,
    tiles_left,
    visits_to_come,
)
from rogsim.games.river_of_gold.components import names
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.build import build_cost
from rogsim.games.river_of_gold.rules.deliver import IN_REGION, has_customer_of
from rogsim.games.river_of_gold.rules.sail import (
    MERCHANT_FAVOR,
    MERCHANT_GOOD,
    MERCHANT_INFLUENCE,
    MERCHANT_POINTS,
    NOBLE_ANY_GOOD,
    NOBLE_DIE,
    NOBLE_INFLUENCE,
    NOBLE_KOKU,
    NOBLE_OWN,
    NOBLE_RIVAL,
    merchant_amount,
    noble_amount,
    regions_built_in,
    sail_target,
    touches,
)
from rogsim.games.river_of_gold.rules.scoring import COUNTED_BY_NOBLE, largest
from rogsim.games.river_of_gold.rules.supply import customers_delivered, goods_in_store, has

NOTHING = -1.0e9
ALL_REGIONS = (1 << names.REGIONS) - 1
NOTED_AMOUNTS = (1 << AMOUNTS) - 2  # of influence: from 1 on
ALL_FACES = ALL_REGIONS << 1  # a mask of faces begins with bit 1
NOBLES_ASHORE = (1 << NOBLE_ANY_GOOD) | (1 << NOBLE_KOKU)  # those that change what the royal ship gets ashore
NOBLES_AT_SEA = (1 << NOBLE_RIVAL) | (1 << NOBLE_OWN) | (1 << NOBLE_INFLUENCE)  # those that give more for its sails


def note_faces(tables: Any, view: Any, seat: int, faces: int, memory: Any) -> None:
    """Note the best action with the die on each of a mask of faces, and its worth."""
    player, notes = view.players[seat], memory.notes
    regions = faces >> 1  # each face stands for the region of the same number
    if notes[w.OUTLOOK] == 0.0:  # otherwise the whole shore is noted
        reached = tables.reached[player.ships[0], regions] | tables.reached[player.ships[1], regions]
        note_shore(tables, view, seat, reached & places_above(view.shore, names.EMPTY), False, memory)
    note_buildings(tables, view, seat, ALL_REGIONS if player.patron == names.KAIU else regions, memory)
    note_deliveries(tables, view, seat, ALL_REGIONS if player.patron == names.YORITOMO else regions, memory)
    while faces != 0:
        face = lowest(faces)
        faces &= faces - 1
        action, worth = best_sail(tables, view, seat, face, memory)
        other, other_worth = best_noted(BUILD_ACTION, BUILD_WORTH, face, player.patron == names.KAIU, memory)
        other_worth = notes[w.BUILD] * other_worth + notes[w.PACE]
        if other_worth > worth:
            action, worth = other, other_worth
        other, other_worth = best_noted(DELIVERY_ACTION, DELIVERY_WORTH, face, player.patron == names.YORITOMO, memory)
        if other_worth > worth:
            action, worth = other, other_worth
        notes[FACE_ACTION + face] = action
        notes[FACE_WORTH + face] = worth


def best_noted(actions: int, worths: int, face: int, anywhere: bool, memory: Any) -> tuple[int, float]:
    """Return the best action of a run of notes, and its worth: in the region of a face, or anywhere."""
    best = face - 1
    if anywhere:
        best = 0
        for region in range(1, names.REGIONS):
            best = region if memory.notes[worths + region] > memory.notes[worths + best] else best
    return int(memory.notes[actions + best]), memory.notes[worths + best]


def best_sail(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best sail with the die on a face, and its worth."""
    player = view.players[seat]
    best, best_worth = act.PASS, NOTHING
    for ship in range(2):
        reach = 0
        if player.royal == ship and has(player.delivered, NOBLE_DIE):
            reach = noble_amount(tables, NOBLE_DIE)
        for turned in range(-reach, reach + 1):
            to = sail_target(player.ships[ship], face if turned == 0 else 1 + (face - 1 + turned) % names.FACES)
            worth = sail_worth(tables, view, seat, ship, to, memory)
            if worth > best_worth:
                best, best_worth = act.SAIL + ship * names.RIVER_SPACES + to, worth
    return best, best_worth


def sail_worth(tables: Any, view: Any, seat: int, ship: int, to: int, memory: Any) -> float:
    """Return the worth of sailing a ship to a river space."""
    player, worth = view.players[seat], sum_noted(tables, to, SHORE, memory)
    here = player.ships[ship]
    has_nobles = (player.royal == ship) & (player.delivered & (NOBLES_ASHORE | NOBLES_AT_SEA) != 0)
    if has_nobles | (player.patron == names.DAIDOJI) | np.isnan(worth):
        worth = arrival_worth(tables, view, seat, ship, to, memory)
    worth += memory.notes[w.ADVANCE] * (to - here if to >= here else to - here + names.RIVER_SPACES)
    if memory.notes[w.OUTLOOK] != 0.0:
        worth += memory.notes[w.OUTLOOK] * (memory.notes[OUTLOOK + to] - memory.notes[OUTLOOK + here])
    if to < here:
        journey = memory.notes[JOURNEY]
        worth += note_journey(tables, view, seat, memory) if np.isnan(journey) else journey
    return memory.notes[w.SAIL] * worth


def note_journey(tables: Any, view: Any, seat: int, memory: Any) -> float:
    """Note the worth of a completed journey, and return it."""
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
    if player.patron == names.DAIDOJI and touches(tables, view, seat, to, False):
        worth += tables.daidoji_points
    return worth


def note_outlook(tables: Any, view: Any, seat: int, memory: Any) -> None:
    """Note for every river space the average worth of the next sail of a ship there."""
    notes = memory.notes
    if notes[w.OUTLOOK] == 0.0:
        return
    note_shore(tables, view, seat, places_above(view.shore, names.EMPTY), False, memory)
    for to in range(names.RIVER_SPACES):
        notes[TOUCHED + to] = touch_worth(tables, view, seat, to, False, memory)
    total = 0.0  # over the spaces that the faces of the die reach
    for face in range(names.FACES):
        total += notes[TOUCHED + face]
    for here in range(names.RIVER_SPACES):
        total += notes[TOUCHED + sail_target(here, names.FACES)] - notes[TOUCHED + here]
        notes[OUTLOOK + here] = total / names.FACES


def touch_worth(tables: Any, view: Any, seat: int, to: int, royal: bool, memory: Any) -> float:
    """Return the worth of the shore spaces that a river space touches, to the royal ship with what nobles add there."""
    run = ROYAL_SHORE if royal else SHORE
    worth = sum_noted(tables, to, run, memory)
    if np.isnan(worth):
        unknown = 0
        for i in range(names.SHORES_PER_RIVER_SPACE):
            space = tables.river_shore[to, i]
            unknown |= int(np.isnan(memory.notes[run + space])) << space
        note_shore(tables, view, seat, unknown, royal, memory)
        worth = sum_noted(tables, to, run, memory)
    return worth


def sum_noted(tables: Any, to: int, run: int, memory: Any) -> float:
    """Add up what is noted in a run of the shore spaces that a river space touches."""
    worth = 0.0
    for i in range(names.SHORES_PER_RIVER_SPACE):
        worth += memory.notes[run + tables.river_shore[to, i]]
    return worth


def note_shore(tables: Any, view: Any, seat: int, spaces: int, royal: bool, memory: Any) -> None:
    """Note the worth of touching each of a mask of spaces: the visit and own owner rewards, less part of rivals'."""
    notes, run = memory.notes, ROYAL_SHORE if royal else SHORE
    rest = spaces
    while rest != 0:
        space = lowest(rest)
        rest &= rest - 1
        notes[run + space] = visit_worth(tables, view, seat, space, royal, memory)
    markers = doubled(spaces) & places_above(view.markers, names.NONE)  # two to a space
    while markers != 0:
        marker = lowest(markers)
        markers &= markers - 1
        space, owner = marker >> 1, view.markers[marker >> 1, marker & 1]
        tile, region = view.shore[space], tables.shore_region[space]
        if owner == seat:
            notes[run + space] += reward_worth(tables, view, seat, tables.tiles[tile].owner, region, memory)
        else:
            notes[run + space] -= notes[w.RIVAL] * owner_worth(tables, tile, view.players[owner], memory)


def visit_worth(tables: Any, view: Any, seat: int, space: int, royal: bool, memory: Any) -> float:
    """Return the worth of a visit to a shore space, by the royal ship with what nobles add there."""
    player, tile = view.players[seat], view.shore[space]
    if tile == names.EMPTY:
        koku = float(tables.empty_space_koku)
        if royal and has(player.delivered, NOBLE_KOKU):
            koku += noble_amount(tables, NOBLE_KOKU)
        return koku_worth(tables, player, koku, memory)
    worth = reward_worth(tables, view, seat, tables.tiles[tile].visitor, tables.shore_region[space], memory)
    if royal and tables.tiles[tile].kind == names.MARKET and has(player.delivered, NOBLE_ANY_GOOD):
        worth = max(worth, memory.notes[GOOD + ANY_GOOD])
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


def journey_worth(tables: Any, view: Any, seat: int, memory: Any) -> float:
    """Return the worth of a completed journey: its reward, the merchants, and one tile fewer in the row."""
    player = view.players[seat]
    koku = koku_worth(tables, player, tables.journey_koku, memory)
    worth = memory.notes[w.JOURNEY] + max(koku, memory.notes[GOOD + ANY_GOOD]) + memory.notes[w.PACE]
    if player.delivered_by_type[names.MERCHANT] > 0:
        for region in range(names.REGIONS):
            if has(player.delivered, names.MERCHANT * names.REGIONS + region):
                worth += merchant_worth(tables, view, seat, names.MERCHANT * names.REGIONS + region, memory)
    return worth


def merchant_worth(tables: Any, view: Any, seat: int, merchant: int, memory: Any) -> float:
    """Return the worth of a merchant for one journey."""
    player = view.players[seat]
    steps = merchant_amount(tables, merchant)
    amount = float(steps)
    if merchant == MERCHANT_INFLUENCE:
        worth = 0.0
        regions = regions_built_in(tables, view, seat)
        for region in range(names.REGIONS):
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


def note_buildings(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best building in each of a mask of regions, and its worth without the weights `build` and `pace`."""
    player, notes = view.players[seat], memory.notes
    for region in range(names.REGIONS):
        notes[BUILD_ACTION + region] = act.PASS
        notes[BUILD_WORTH + region] = NOTHING
    spaces = spaces_to_build_on(tables, view, player, regions)
    note_all_steps(tables, view, seat, spaces, memory)
    while spaces != 0:
        space = lowest(spaces)
        spaces &= spaces - 1
        region = tables.shore_region[space]
        ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
        visits = visits_worth(tables, view, seat, space, memory)
        best, best_worth = notes[BUILD_ACTION + region], notes[BUILD_WORTH + region]
        for place in range(view.row_length):
            worth = building_worth(region, place, ground, visits, memory)
            better = worth > best_worth
            best = (act.BUILD + space * names.MAX_ROW + place) if better else best
            best_worth = worth if better else best_worth
        notes[BUILD_ACTION + region] = best
        notes[BUILD_WORTH + region] = best_worth


def spaces_to_build_on(tables: Any, view: Any, player: Any, regions: int) -> int:
    """Return the mask of the empty spaces of a mask of regions that a player can pay for."""
    koku, discount = player.koku, tables.artisan_discount
    discounted = player.delivered >> names.ARTISAN * names.REGIONS & ALL_REGIONS
    paid = tables.payable_spaces[min(koku, names.MAX_KOKU)]
    paid |= tables.payable_spaces[min(koku + discount, names.MAX_KOKU)] & tables.spaces_of[discounted]
    return paid & tables.spaces_of[regions] & ~places_above(view.shore, names.EMPTY)


def build_worth(tables: Any, view: Any, seat: int, space: int, place: int, memory: Any) -> float:
    """Return the worth of building a tile of the row, without the weight `pace`; `note_steps` must come first."""
    player, region = view.players[seat], tables.shore_region[space]
    ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
    return building_worth(region, place, ground, visits_worth(tables, view, seat, space, memory), memory)


def building_worth(region: int, place: int, ground: float, visits: float, memory: Any) -> float:
    """Add the worth of a tile of the row to that of the space: at once, by visits, and by its influence."""
    return (
        ground
        + (memory.notes[TILE + place] + visits * memory.notes[OWNER + place])
        + memory.notes[STEPS + region * names.MAX_ROW + place]
    )


def note_all_steps(tables: Any, view: Any, seat: int, spaces: int, memory: Any) -> None:
    """Note the worth of the influence for building in every region with one of a mask of spaces."""
    amounts = 0
    for place in range(view.row_length):
        amounts |= 1 << tables.tiles[view.row[place]].build
    for region in range(names.REGIONS):
        if spaces & tables.spaces_of[1 << region] != 0:
            note_influences(tables, view, seat, region, amounts & NOTED_AMOUNTS, memory)
            note_steps(tables, view, seat, region, memory)


def note_steps(tables: Any, view: Any, seat: int, region: int, memory: Any) -> None:
    """Note for each tile of the row the worth of the influence for building it in a region."""
    for place in range(view.row_length):
        worth = noted_influence(tables, view, seat, region, tables.tiles[view.row[place]].build, memory)
        memory.notes[STEPS + region * names.MAX_ROW + place] = worth


def space_worth(tables: Any, view: Any, player: Any, space: int, cost: int, memory: Any) -> float:
    """Return the worth of building any tile on a shore space: the patron's points, less the price of the koku."""
    worth = -koku_price(tables, view, player, cost, memory)
    if player.patron == names.TAKA:
        worth += tables.taka_points * tables.shore_touches[space]
    return worth


def koku_price(tables: Any, view: Any, player: Any, koku: int, memory: Any) -> float:
    """Return the cost of paying koku: it falls toward the end, when little is left to buy, but merchants score koku."""
    left = min(1.0, 2.0 * memory.notes[w.LEFT])
    scarce = scarcity(player.koku - 0.5 * koku, memory)
    return koku * max(memory.notes[END_KOKU], memory.notes[w.KOKU] * left * scarce)


def visits_worth(tables: Any, view: Any, seat: int, space: int, memory: Any) -> float:
    """Return the weighted number of expected visits to a shore space, more for those of the seat's ships nearby."""
    ships, reach = view.players[seat].ships, tables.shore_reach[space]
    faces = reach[ships[0]] + reach[ships[1]]
    return memory.notes[w.OWNER] * (visits_to_come(tables, view, space, memory) + memory.notes[w.NEAR] * faces)


def note_deliveries(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best delivery in each of a mask of regions, after exchanges if it needs any, and its worth."""
    notes = memory.notes
    for region in range(names.REGIONS):
        notes[DELIVERY_ACTION + region] = act.PASS
        notes[DELIVERY_WORTH + region] = NOTHING
    rest = view.players[seat].hand & IN_REGION * regions
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        worth = delivery_with_exchanges(tables, view, seat, customer, memory)
        region = customer % names.REGIONS
        if worth > notes[DELIVERY_WORTH + region]:
            notes[DELIVERY_ACTION + region] = act.DELIVER + customer
            notes[DELIVERY_WORTH + region] = worth


def delivery_with_exchanges(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of a delivery, less the spare goods that are exchanged for missing ones; NOTHING if too few."""
    player = view.players[seat]
    missing = shortage(tables, player, customer)
    if missing > 0 and missing > spare_pairs(tables, player, customer):
        return NOTHING
    worth = delivery_worth(tables, view, seat, customer, memory) - order_price(tables, customer, memory)
    return worth - exchange_price(tables, missing, memory)


def delivery_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of delivering to a customer, without subtracting the goods."""
    player = view.players[seat]
    kind, region = customer // names.REGIONS, customer % names.REGIONS
    count = customers_delivered(player)
    last = len(tables.customer_points) - 1  # more customers score the same
    points = tables.customer_points
    scored = points[min(count + 1, last)] - points[min(count, last)]
    worth = memory.notes[w.CUSTOMER] + scored
    worth += influence_worth(tables, view, seat, region, tables.delivery_influence[kind], memory)
    worth += favor_worth(player, tables.delivery_favor[kind], memory)
    higher = player.delivered_by_type[kind] + 1 - largest(player.delivered_by_type)
    if higher > 0:
        worth += mastery_worth(tables, view, seat, names.FIRE, higher, memory)
    if player.delivered_by_type[kind] == 0:
        worth += mastery_worth(tables, view, seat, names.AIR, 1, memory)
    if player.patron == names.KUDAKA and not has_customer_of(player, region):
        worth += tables.kudaka_points
    ability = ability_worth(tables, view, seat, customer, memory)
    worth += memory.notes[w.FIRST_TYPE + kind] + memory.notes[w.ABILITY] * ability
    return memory.notes[w.DELIVER] * worth


def ability_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the expected worth of a customer's ability in the rest of the game and at its end."""
    player = view.players[seat]
    kind, region = customer // names.REGIONS, customer % names.REGIONS
    if memory.notes[w.FINAL] > 0.5:
        return final_ability_worth(tables, view, seat, customer)
    left = memory.notes[w.LEFT]
    tiles = tiles_left(tables, view) / view.seats
    if kind == names.ARTISAN:
        return 1.0 + memory.notes[w.KOKU] * tables.artisan_discount * tiles / names.REGIONS
    if kind == names.ELDER:
        return place_points(tables, view, seat, region) + 2.0 * left
    if kind == names.MERCHANT:
        return 1.5 + 3.0 * left
    if kind == names.MONK:
        return 1.0 + 4.0 * left
    return 1.0 + noble_worth(tables, player, region, 1.5) + 3.0 * left


def final_ability_worth(tables: Any, view: Any, seat: int, customer: int) -> float:
    """Return the points that a customer delivered to in the last turn adds to final scoring."""
    player = view.players[seat]
    kind, region = customer // names.REGIONS, customer % names.REGIONS
    if kind == names.ARTISAN:
        left = goods_in_store(player)
        for good in range(len(names.GOODS)):
            left -= tables.orders[customer, good]
        return float(left // tables.artisan_goods_per_point)
    if kind == names.ELDER:
        return place_points(tables, view, seat, region)
    if kind == names.MERCHANT:
        return float(player.koku // tables.merchant_koku_per_point)
    if kind == names.MONK:
        return 0.0
    return noble_worth(tables, player, region, 2.0)


def noble_worth(tables: Any, player: Any, number: int, others: float) -> float:
    """Return the points of a noble for the buildings that it counts; nobles 5 and 6 count about `others`."""
    counted = player.owned[COUNTED_BY_NOBLE[number]] if number < len(COUNTED_BY_NOBLE) else others
    return tables.noble_points * counted


def order_price(tables: Any, customer: int, memory: Any) -> float:
    """Return the worth that the goods of an order would have elsewhere."""
    price = 0.0
    for good in range(len(names.GOODS)):
        price += tables.orders[customer, good]
    return memory.notes[w.SPEND] * memory.notes[w.GOOD] * price


def exchange_price(tables: Any, missing: int, memory: Any) -> float:
    """Return the worth of the goods that are exchanged for `missing` others."""
    return tables.goods_for_good * memory.notes[w.GOOD] * missing


def spare_pairs(tables: Any, player: Any, customer: int) -> int:
    """Return the number of exchanges possible with the goods that an order does not need."""
    pairs = 0
    for good in range(names.KINDS):
        spare = player.goods[good] - tables.orders[customer, good]
        if spare > 0:
            pairs += spare // tables.goods_for_good
    return pairs


def step_toward(tables: Any, player: Any, action: int) -> int:
    """Return the next step of an action: an exchange if it is a delivery and goods are missing, otherwise the action.

    Each exchange gives one missing good, and no order exceeds the limit of goods, so the action comes in the end.
    """
    customer = action - act.DELIVER
    if act.DELIVER <= action < act.TAKE_GOOD and shortage(tables, player, customer) > 0:
        return exchange_toward(tables, player, customer)
    return action


def exchange_toward(tables: Any, player: Any, customer: int) -> int:
    """Return an exchange of spare goods for one that an order lacks."""
    for give in range(names.KINDS):
        if player.goods[give] - tables.orders[customer, give] < tables.goods_for_good:
            continue
        for get in range(names.KINDS):
            if player.goods[get] < tables.orders[customer, get]:
                return act.EXCHANGE + give * names.KINDS + get
    return act.PASS
