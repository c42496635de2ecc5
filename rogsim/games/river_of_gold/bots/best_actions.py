"""The best action with the die on each face: found for all faces together, which takes less time than one by one."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import lowest, places_above
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import (
    delivery_worth,
    note_reached,
    order_price,
    sail_worth,
    sail_worth_touching,
    space_worth,
    sum_noted,
)
from rogsim.games.river_of_gold.bots.notes import (
    AMOUNTS,
    BUILD_ACTION,
    BUILD_WORTH,
    DELIVERY_ACTION,
    DELIVERY_WORTH,
    FACE_ACTION,
    FACE_WORTH,
    OWNER,
    SHORE,
    STEPS,
    TILE,
    note_influences,
    noted_influence,
)
from rogsim.games.river_of_gold.bots.worth import shortage, visits_to_come
from rogsim.games.river_of_gold.components.names import (
    ARTISAN,
    EMPTY,
    FACES,
    KAIU,
    KINDS,
    MAX_KOKU,
    MAX_ROW,
    REGIONS,
    RIVER_SPACES,
    YORITOMO,
)
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.build import build_cost
from rogsim.games.river_of_gold.rules.deliver import IN_REGION
from rogsim.games.river_of_gold.rules.sail import NOBLE_DIE, noble_amount, sail_target
from rogsim.games.river_of_gold.rules.supply import has

NOTHING = -1.0e9
ALL_REGIONS = (1 << REGIONS) - 1
NOTED_AMOUNTS = (1 << AMOUNTS) - 2  # of influence: from 1 on
ALL_FACES = ALL_REGIONS << 1  # a mask of faces begins with bit 1


def note_faces(tables: Any, view: Any, seat: int, faces: int, memory: Any) -> None:
    """Note the best action with the die on each of a mask of faces, and its worth."""
    player, notes = view.players[seat], memory.notes
    regions = faces >> 1  # each face stands for the region of the same number
    if notes[w.OUTLOOK] == 0.0:  # otherwise all river spaces are noted
        note_reached(tables, view, seat, faces, memory)
    note_buildings(tables, view, seat, ALL_REGIONS if player.patron == KAIU else regions, memory)
    note_deliveries(tables, view, seat, ALL_REGIONS if player.patron == YORITOMO else regions, memory)
    while faces != 0:
        face = lowest(faces)
        faces &= faces - 1
        action, worth = best_sail(tables, view, seat, face, memory)
        other, other_worth = best_noted(BUILD_ACTION, BUILD_WORTH, face, player.patron == KAIU, memory)
        other_worth = notes[w.BUILD] * other_worth + notes[w.PACE]
        if other_worth > worth:
            action, worth = other, other_worth
        other, other_worth = best_noted(DELIVERY_ACTION, DELIVERY_WORTH, face, player.patron == YORITOMO, memory)
        if other_worth > worth:
            action, worth = other, other_worth
        notes[FACE_ACTION + face] = action
        notes[FACE_WORTH + face] = worth


def best_noted(actions: int, worths: int, face: int, anywhere: bool, memory: Any) -> tuple[int, float]:
    """Return the best action of a run of notes, and its worth: in the region of a face, or anywhere."""
    best = face - 1
    if anywhere:
        best = 0
        for region in range(1, REGIONS):
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
            to = sail_target(player.ships[ship], face if turned == 0 else 1 + (face - 1 + turned) % FACES)
            if turned == 0:  # all that it touches is noted
                worth = sail_worth_touching(tables, view, seat, ship, to, sum_noted(tables, to, SHORE, memory), memory)
            else:
                worth = sail_worth(tables, view, seat, ship, to, memory)
            if worth > best_worth:
                best, best_worth = act.SAIL + ship * RIVER_SPACES + to, worth
    return best, best_worth


def note_buildings(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best building in each of a mask of regions, and its worth without the weights `build` and `pace`."""
    player, notes = view.players[seat], memory.notes
    for region in range(REGIONS):
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
            best = (act.BUILD + space * MAX_ROW + place) if better else best
            best_worth = worth if better else best_worth
        notes[BUILD_ACTION + region] = best
        notes[BUILD_WORTH + region] = best_worth


def spaces_to_build_on(tables: Any, view: Any, player: Any, regions: int) -> int:
    """Return the mask of the empty spaces of a mask of regions that a player can pay for."""
    koku, discount = player.koku, tables.artisan_discount
    discounted = player.delivered >> ARTISAN * REGIONS & ALL_REGIONS
    paid = tables.payable_spaces[min(koku, MAX_KOKU)]
    paid |= tables.payable_spaces[min(koku + discount, MAX_KOKU)] & tables.spaces_of[discounted]
    return paid & tables.spaces_of[regions] & ~places_above(view.shore, EMPTY)


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
        + memory.notes[STEPS + region * MAX_ROW + place]
    )


def visits_worth(tables: Any, view: Any, seat: int, space: int, memory: Any) -> float:
    """Return the weighted number of expected visits to a shore space, more for those of the seat's ships nearby."""
    ships, reach = view.players[seat].ships, tables.shore_reach[space]
    faces = reach[ships[0]] + reach[ships[1]]
    return memory.notes[w.OWNER] * (visits_to_come(tables, view, space, memory) + memory.notes[w.NEAR] * faces)


def note_all_steps(tables: Any, view: Any, seat: int, spaces: int, memory: Any) -> None:
    """Note the worth of the influence for building in every region with one of a mask of spaces."""
    regions, amounts = 0, 0
    for region in range(REGIONS):
        regions |= int(spaces & tables.spaces_of[1 << region] != 0) << region
    for place in range(view.row_length):
        amounts |= 1 << tables.tiles[view.row[place]].build
    amounts &= NOTED_AMOUNTS
    while regions != 0:
        region = lowest(regions)
        regions &= regions - 1
        note_influences(tables, view, seat, region, amounts, memory)
        note_steps(tables, view, seat, region, memory)


def note_steps(tables: Any, view: Any, seat: int, region: int, memory: Any) -> None:
    """Note for each tile of the row the worth of the influence for building it in a region."""
    for place in range(view.row_length):
        steps = tables.tiles[view.row[place]].build
        memory.notes[STEPS + region * MAX_ROW + place] = noted_influence(tables, view, seat, region, steps, memory)


def note_deliveries(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best delivery in each of a mask of regions, after exchanges if it needs any, and its worth."""
    notes = memory.notes
    for region in range(REGIONS):
        notes[DELIVERY_ACTION + region] = act.PASS
        notes[DELIVERY_WORTH + region] = NOTHING
    rest = view.players[seat].hand & IN_REGION * regions
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        worth = delivery_with_exchanges(tables, view, seat, customer, memory)
        region = customer % REGIONS
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


def step_toward(tables: Any, player: Any, action: int) -> int:
    """Return the next step of an action: an exchange if it is a delivery and goods are missing, otherwise the action.

    Each exchange gives one missing good, and no order exceeds the limit of goods, so the action comes in the end.
    """
    customer = action - act.DELIVER
    if act.DELIVER <= action < act.TAKE_GOOD and shortage(tables, player, customer) > 0:
        return exchange_toward(tables, player, customer)
    return action


def exchange_price(tables: Any, missing: int, memory: Any) -> float:
    """Return the worth of the goods that are exchanged for `missing` others."""
    return tables.goods_for_good * memory.notes[w.GOOD] * missing


def spare_pairs(tables: Any, player: Any, customer: int) -> int:
    """Return the number of exchanges possible with the goods that an order does not need."""
    pairs = 0
    for good in range(KINDS):
        spare = player.goods[good] - tables.orders[customer, good]
        if spare > 0:
            pairs += spare // tables.goods_for_good
    return pairs


def exchange_toward(tables: Any, player: Any, customer: int) -> int:
    """Return an exchange of spare goods for one that an order lacks."""
    for give in range(KINDS):
        if player.goods[give] - tables.orders[customer, give] < tables.goods_for_good:
            continue
        for get in range(KINDS):
            if player.goods[get] < tables.orders[customer, get]:
                return act.EXCHANGE + give * KINDS + get
    return act.PASS
