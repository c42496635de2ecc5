"""The best action with the die on each face: found for all faces together, which takes less time than one by one."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.bits import lowest, places_above
from rogsim.game.kit.menus import at
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


@kernel
def note_faces(tables: Any, view: Any, seat: int, faces: int, memory: Any) -> None:
    """Note the best action with the die on each of a mask of faces, and its worth."""
    player, notes = view.players[at(seat)], memory.notes
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
        notes[at(FACE_ACTION + face)] = float(action)
        notes[at(FACE_WORTH + face)] = worth


@inlined
def best_noted(actions: int, worths: int, face: int, anywhere: bool, memory: Any) -> tuple[int, float]:
    """Return the best action of a run of notes, and its worth: in the region of a face, or anywhere."""
    best = face - 1
    if anywhere:
        best = 0
        for region in range(1, REGIONS):
            best = region if memory.notes[at(worths + region)] > memory.notes[at(worths + best)] else best
    return int(memory.notes[at(actions + best)]), memory.notes[at(worths + best)]


@part
def best_sail(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best sail with the die on a face, and its worth."""
    player = view.players[at(seat)]
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


@part
def note_buildings(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best building in each of a mask of regions, and its worth without the weights `build` and `pace`."""
    player, notes = view.players[at(seat)], memory.notes
    for region in range(REGIONS):
        notes[BUILD_ACTION + region] = float(act.PASS)
        notes[BUILD_WORTH + region] = NOTHING
    spaces = spaces_to_build_on(tables, view, player, regions)
    note_all_steps(tables, view, seat, spaces, memory)
    while spaces != 0:
        space = lowest(spaces)
        spaces &= spaces - 1
        region = int(tables.shore_region[at(space)])
        ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
        visits = visits_worth(tables, view, seat, space, memory)
        best, best_worth = notes[at(BUILD_ACTION + region)], notes[at(BUILD_WORTH + region)]
        for place in range(view.row_length):
            worth = building_worth(region, place, ground, visits, memory)
            better = worth > best_worth
            best = float(act.BUILD + space * MAX_ROW + place) if better else best
            best_worth = worth if better else best_worth
        notes[at(BUILD_ACTION + region)] = best
        notes[at(BUILD_WORTH + region)] = best_worth


@inlined
def spaces_to_build_on(tables: Any, view: Any, player: Any, regions: int) -> int:
    """Return the mask of the empty spaces of a mask of regions that a player can pay for."""
    koku, discount = int(player.koku), int(tables.artisan_discount)
    discounted = int(player.delivered) >> ARTISAN * REGIONS & ALL_REGIONS
    paid = int(tables.payable_spaces[at(min(koku, MAX_KOKU))])
    paid |= int(tables.payable_spaces[at(min(koku + discount, MAX_KOKU))]) & int(tables.spaces_of[at(discounted)])
    return paid & int(tables.spaces_of[at(regions)]) & ~places_above(view.shore, EMPTY)


@kernel
def build_worth(tables: Any, view: Any, seat: int, space: int, place: int, memory: Any) -> float:
    """Return the worth of building a tile of the row, without the weight `pace`; `note_steps` must come first."""
    player, region = view.players[seat], int(tables.shore_region[space])
    ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
    return building_worth(region, place, ground, visits_worth(tables, view, seat, space, memory), memory)


@inlined
def building_worth(region: int, place: int, ground: float, visits: float, memory: Any) -> float:
    """Add the worth of a tile of the row to that of the space: at once, by visits, and by its influence."""
    return (
        ground
        + (memory.notes[at(TILE + place)] + visits * memory.notes[at(OWNER + place)])
        + memory.notes[at(STEPS + region * MAX_ROW + place)]
    )


@inlined
def visits_worth(tables: Any, view: Any, seat: int, space: int, memory: Any) -> float:
    """Return the weighted number of expected visits to a shore space, more for those of the seat's ships nearby."""
    ships, reach = view.players[at(seat)].ships, tables.shore_reach[at(space)]
    faces = int(reach[at(ships[0])]) + int(reach[at(ships[1])])
    return memory.notes[w.OWNER] * (visits_to_come(tables, view, space, memory) + memory.notes[w.NEAR] * float(faces))


@part
def note_all_steps(tables: Any, view: Any, seat: int, spaces: int, memory: Any) -> None:
    """Note the worth of the influence for building in every region with one of a mask of spaces."""
    regions, amounts = 0, 0
    for region in range(REGIONS):
        regions |= int(spaces & int(tables.spaces_of[1 << region]) != 0) << region
    for place in range(view.row_length):
        amounts |= 1 << int(tables.tiles[at(view.row[at(place)])].build)
    amounts &= NOTED_AMOUNTS
    while regions != 0:
        region = lowest(regions)
        regions &= regions - 1
        note_influences(tables, view, seat, region, amounts, memory)
        note_steps(tables, view, seat, region, memory)


@kernel
def note_steps(tables: Any, view: Any, seat: int, region: int, memory: Any) -> None:
    """Note for each tile of the row the worth of the influence for building it in a region."""
    for place in range(view.row_length):
        steps = tables.tiles[at(view.row[at(place)])].build
        memory.notes[at(STEPS + region * MAX_ROW + place)] = noted_influence(tables, view, seat, region, steps, memory)


@part
def note_deliveries(tables: Any, view: Any, seat: int, regions: int, memory: Any) -> None:
    """Note the best delivery in each of a mask of regions, after exchanges if it needs any, and its worth."""
    notes = memory.notes
    for region in range(REGIONS):
        notes[DELIVERY_ACTION + region] = float(act.PASS)
        notes[DELIVERY_WORTH + region] = NOTHING
    rest = int(view.players[at(seat)].hand) & IN_REGION * regions
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        worth = delivery_with_exchanges(tables, view, seat, customer, memory)
        region = customer % REGIONS
        if worth > notes[at(DELIVERY_WORTH + region)]:
            notes[at(DELIVERY_ACTION + region)] = float(act.DELIVER + customer)
            notes[at(DELIVERY_WORTH + region)] = worth


@part
def delivery_with_exchanges(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of a delivery, less the spare goods that are exchanged for missing ones; NOTHING if too few."""
    player = view.players[at(seat)]
    missing = shortage(tables, player, customer)
    if missing > 0 and missing > spare_pairs(tables, player, customer):
        return NOTHING
    worth = delivery_worth(tables, view, seat, customer, memory) - order_price(tables, customer, memory)
    return worth - exchange_price(tables, missing, memory)


@part
def step_toward(tables: Any, player: Any, action: int) -> int:
    """Return the next step of an action: an exchange if it is a delivery and goods are missing, otherwise the action.

    Each exchange gives one missing good, and no order exceeds the limit of goods, so the action comes in the end.
    """
    customer = action - act.DELIVER
    if act.DELIVER <= action < act.TAKE_GOOD and shortage(tables, player, customer) > 0:
        return exchange_toward(tables, player, customer)
    return action


@inlined
def exchange_price(tables: Any, missing: int, memory: Any) -> float:
    """Return the worth of the goods that are exchanged for `missing` others."""
    return float(tables.goods_for_good) * memory.notes[w.GOOD] * float(missing)


@part
def spare_pairs(tables: Any, player: Any, customer: int) -> int:
    """Return the number of exchanges possible with the goods that an order does not need."""
    pairs = 0
    for good in range(KINDS):
        spare = int(player.goods[good]) - int(tables.orders[at(customer), good])
        if spare > 0:
            pairs += spare // int(tables.goods_for_good)
    return pairs


@part
def exchange_toward(tables: Any, player: Any, customer: int) -> int:
    """Return an exchange of spare goods for one that an order lacks."""
    for give in range(KINDS):
        if int(player.goods[give]) - int(tables.orders[customer, give]) < tables.goods_for_good:
            continue
        for get in range(KINDS):
            if player.goods[get] < tables.orders[customer, get]:
                return act.EXCHANGE + give * KINDS + get
    return act.PASS
