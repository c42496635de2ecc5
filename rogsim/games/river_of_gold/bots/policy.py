"""The policy of the personas and `tuned`: it takes the action that their weights value most."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.masks import lowest
from rogsim.game.kit.menus import at
from rogsim.game.kit.search.following import place_on_menu
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import (
    delivery_worth,
    koku_price,
    note_outlook,
    order_price,
    sail_worth,
    space_worth,
)
from rogsim.games.river_of_gold.bots.notes import OWNER, STEPS, TILE, noted_influence, take_notes, weigh_moment
from rogsim.games.river_of_gold.bots.worth import (
    good_worth,
    koku_worth,
    rough_worth,
    shortage,
    visits_to_come,
)
from rogsim.games.river_of_gold.components.names import (
    EMPTY,
    FACES,
    GOODS,
    KAIU,
    MAX_ROW,
    MERCHANT,
    NONE,
    REGIONS,
    RIVER_SPACES,
    SPACES_PER_REGION,
    YORITOMO,
)
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.build import build_cost, build_discount
from rogsim.games.river_of_gold.rules.deliver import IN_REGION
from rogsim.games.river_of_gold.rules.favor import favor_needed
from rogsim.games.river_of_gold.rules.phases import DISCARD, DRAFT, GOOD, JOURNEY, MARKER, PAUSE, SELL, SET_DIE, TURN
from rogsim.games.river_of_gold.rules.sail import FIRST_NOBLE, NOBLE_DIE, sail_target
from rogsim.games.river_of_gold.rules.supply import has

NOTHING = -1.0e9
KINDS = len(GOODS)


@kernel
def choose_by_weights(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that the weights value most; no chance is involved.

    Parameters
    ----------
    tables, view, menu
        TABLES, GAME and MENU records: what the seat `view.actor` sees and may do.
    memory
        BOT_MEMORY record whose weights are those of `weights.NAMES`; its notes are overwritten.
    """
    phase = view.phase
    if phase == PAUSE:  # as frequent as a turn, and needs no weights
        return max(place_on_menu(menu, choose_in_pause(tables, view)), 0)
    weigh_moment(tables, view, memory)
    if phase == TURN:
        return max(place_on_menu(menu, choose_turn(tables, view, memory)[0]), 0)
    if phase == SET_DIE:
        return max(place_on_menu(menu, choose_die(tables, view, memory)), 0)
    best, best_worth = 0, NOTHING
    for i in range(menu.count):
        action = int(menu.actions[i])
        if act.EXCHANGE <= action < act.TURN_DIE:
            continue
        worth = choice_worth(tables, view, phase, action, memory)
        if worth > best_worth:
            best, best_worth = i, worth
    return best


@kernel
def next_steps(tables: Any, view: Any, memory: Any) -> tuple[int, int]:
    """Return the best step of a turn and, if it turns the die, the action to take then; otherwise PASS."""
    weigh_moment(tables, view, memory)
    return choose_turn(tables, view, memory)


@kernel
def choose_turn(tables: Any, view: Any, memory: Any) -> tuple[int, int]:
    """Return the best step of a turn, and the action to take after it if it turns the die, otherwise PASS.

    The step is an action, or buying favor, turning the die or an exchange that makes a better action possible.
    """
    seat = int(view.actor)
    player = view.players[seat]
    die = int(player.die)
    take_notes(tables, view, seat, memory.notes[w.BUY] < 0.5, memory)
    note_outlook(tables, view, seat, memory)
    best, after, best_worth = act.PASS, act.PASS, NOTHING
    rest = faces_in_reach(tables, player, die, memory.notes[w.BUY] >= 0.5)
    while rest != 0:
        face = lowest(rest)
        rest &= rest - 1
        price = favor_needed(die, face)
        bought = max(0, price - int(player.favor))
        koku = bought * int(tables.koku_for_favor)
        cost = memory.notes[w.FAVOR] * float(price - bought)
        if koku > 0:
            cost += koku_price(tables, view, player, koku, memory)
        player.koku -= koku
        action, worth = best_at_face(tables, view, seat, face, memory)
        player.koku += koku
        if worth - cost > best_worth:
            best_worth = worth - cost
            if bought > 0:
                best, after = act.BUY_FAVOR, act.PASS
            elif price > 0:
                best, after = act.TURN_DIE + face - 1, action
            else:
                best, after = action, act.PASS
    return best, after


@inlined
def faces_in_reach(tables: Any, player: Any, die: int, may_buy: bool) -> int:
    """Return the mask of the faces that a player can turn the die to, with at most one favor bought."""
    favor = int(player.favor)
    buying = may_buy & (favor < player.favor_limit) & (tables.koku_for_favor <= player.koku)
    found = 0
    for face in range(1, FACES + 1):
        found |= int(favor_needed(die, face) <= favor + int(buying)) << face
    return found


@kernel
def best_at_face(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best action with the die on a face, and its worth."""
    action, worth = best_sail(tables, view, seat, face, memory)
    other, other_worth = best_build(tables, view, seat, face, memory)
    if other_worth > worth:
        action, worth = other, other_worth
    other, other_worth = best_delivery(tables, view, seat, face, memory)
    if other_worth > worth:
        action, worth = other, other_worth
    return action, worth


@part
def best_sail(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best sail with the die on a face, and its worth."""
    player = view.players[at(seat)]
    best, best_worth = act.PASS, NOTHING
    for ship in range(2):
        reach = 0
        if player.royal == ship and has(player.delivered, NOBLE_DIE):
            reach = int(tables.noble_amount[NOBLE_DIE - FIRST_NOBLE])
        for turned in range(-reach, reach + 1):
            to = sail_target(player.ships[ship], face if turned == 0 else 1 + (face - 1 + turned) % FACES)
            worth = sail_worth(tables, view, seat, ship, to, memory)
            if worth > best_worth:
                best, best_worth = act.SAIL + ship * RIVER_SPACES + to, worth
    return best, best_worth


@part
def best_build(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best building with the die on a face, and its worth."""
    if view.players[seat].patron != KAIU:
        return best_build_in(tables, view, seat, face - 1, memory)
    best, best_worth = act.PASS, NOTHING
    for region in range(REGIONS):
        action, worth = best_build_in(tables, view, seat, region, memory)
        if worth > best_worth:
            best, best_worth = action, worth
    return best, best_worth


@kernel
def best_build_in(tables: Any, view: Any, seat: int, region: int, memory: Any) -> tuple[int, float]:
    """Return the best building in a region, and its worth."""
    player = view.players[at(seat)]
    best, best_worth = act.PASS, NOTHING
    rest = spaces_to_build_on(tables, view, player, region)
    if rest != 0:
        note_steps(tables, view, seat, region, memory)
    while rest != 0:
        space = int(tables.region_spaces[at(region), at(lowest(rest))])
        rest &= rest - 1
        ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
        visits = visits_worth(tables, view, seat, space, memory)
        for place in range(view.row_length):
            worth = building_worth(place, ground, visits, memory)
            better = worth > best_worth
            best = act.BUILD + space * MAX_ROW + place if better else best
            best_worth = worth if better else best_worth
    return best, memory.notes[w.BUILD] * best_worth + memory.notes[w.PACE]


@inlined
def spaces_to_build_on(tables: Any, view: Any, player: Any, region: int) -> int:
    """Return the mask of the spaces of a region, by place in it, that are empty and that a player can pay for."""
    means = int(player.koku) + build_discount(tables, player, region)
    found = 0
    for i in range(SPACES_PER_REGION):  # without a branch: which spaces are empty, no processor can guess
        space = at(tables.region_spaces[at(region), i])
        found |= int((view.shore[space] == EMPTY) & (tables.shore_cost[space] <= means)) << i
    return found


@kernel
def build_worth(tables: Any, view: Any, seat: int, space: int, place: int, memory: Any) -> float:
    """Return the worth of building a tile of the row, without the weight `pace`; `note_steps` must come first."""
    player = view.players[seat]
    ground = space_worth(tables, view, player, space, build_cost(tables, player, space), memory)
    return building_worth(place, ground, visits_worth(tables, view, seat, space, memory), memory)


@inlined
def building_worth(place: int, ground: float, visits: float, memory: Any) -> float:
    """Add the worth of a tile of the row to that of the space: at once, by visits, and by its influence."""
    return (
        ground
        + (memory.notes[at(TILE + place)] + visits * memory.notes[at(OWNER + place)])
        + memory.notes[at(STEPS + place)]
    )


@inlined
def visits_worth(tables: Any, view: Any, seat: int, space: int, memory: Any) -> float:
    """Return the weighted number of expected visits to a shore space, more for those of the seat's ships nearby."""
    ships, reach = view.players[at(seat)].ships, tables.shore_reach[at(space)]
    faces = int(reach[at(ships[0])]) + int(reach[at(ships[1])])
    return memory.notes[w.OWNER] * (visits_to_come(tables, view, space, memory) + memory.notes[w.NEAR] * float(faces))


@kernel
def note_steps(tables: Any, view: Any, seat: int, region: int, memory: Any) -> None:
    """Store for each tile of the row the worth of the influence for building it in a region."""
    for place in range(view.row_length):
        steps = tables.tiles[at(view.row[at(place)])].build
        memory.notes[at(STEPS + place)] = noted_influence(tables, view, seat, region, steps, memory)


@part
def best_delivery(tables: Any, view: Any, seat: int, face: int, memory: Any) -> tuple[int, float]:
    """Return the best step toward a delivery with the die on a face, and its worth: the delivery, or an exchange."""
    if view.players[seat].patron != YORITOMO:
        return best_delivery_in(tables, view, seat, face - 1, memory)
    best, best_worth = act.PASS, NOTHING
    for region in range(REGIONS):
        action, worth = best_delivery_in(tables, view, seat, region, memory)
        if worth > best_worth:
            best, best_worth = action, worth
    return best, best_worth


@kernel
def best_delivery_in(tables: Any, view: Any, seat: int, region: int, memory: Any) -> tuple[int, float]:
    """Return the best step toward a delivery in a region, and its worth."""
    best, best_worth = act.PASS, NOTHING
    rest = int(view.players[at(seat)].hand) & IN_REGION << region
    while rest != 0:
        action, worth = step_to_delivery(tables, view, seat, lowest(rest), memory)
        rest &= rest - 1
        if worth > best_worth:
            best, best_worth = action, worth
    return best, best_worth


@part
def step_to_delivery(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> tuple[int, float]:
    """Return the delivery, or the exchange of spare goods that it needs first, and the worth of delivering then."""
    player = view.players[at(seat)]
    missing = shortage(tables, player, customer)
    if missing > 0 and missing > spare_pairs(tables, player, customer):
        return act.PASS, NOTHING
    worth = delivery_worth(tables, view, seat, customer, memory) - order_price(tables, customer, memory)
    if missing == 0:
        return act.DELIVER + customer, worth
    return exchange_toward(tables, player, customer), worth - 2.0 * memory.notes[w.GOOD] * float(missing)


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


@part
def choose_in_pause(tables: Any, view: Any) -> int:
    """Buy favor if koku would exceed the limit, or if the game is over for this seat; otherwise continue."""
    player = view.players[view.actor]
    if player.favor >= player.favor_limit or player.koku < tables.koku_for_favor:
        return act.PASS
    over = view.last_turns != NONE
    merchants = int(player.delivered_by_type[MERCHANT])
    if over and merchants == 0:
        return act.BUY_FAVOR
    crowded = player.koku > tables.koku_limit - tables.koku_for_favor
    return act.BUY_FAVOR if crowded and not over else act.PASS


@part
def choose_die(tables: Any, view: Any, memory: Any) -> int:
    """Set the die to the best face if it beats the average by more than the favor costs; otherwise roll."""
    seat = int(view.actor)
    player = view.players[seat]
    if player.favor < tables.kakita_favor:
        return act.PASS
    take_notes(tables, view, seat, True, memory)
    note_outlook(tables, view, seat, memory)
    total, best, best_worth = 0.0, act.PASS, NOTHING
    for face in range(1, FACES + 1):
        _, worth = best_at_face(tables, view, seat, face, memory)
        total += worth
        if worth > best_worth:
            best, best_worth = act.SET_FACE + face - 1, worth
    gain = best_worth - total / FACES
    return best if gain > memory.notes[w.FAVOR] * float(tables.kakita_favor) else act.PASS


@part
def choice_worth(tables: Any, view: Any, phase: int, action: int, memory: Any) -> float:
    """Return the worth of a choice that follows an action, for comparison with the others on the menu."""
    seat = int(view.actor)
    player = view.players[seat]
    if phase == GOOD:
        return good_worth(tables, player, action - act.TAKE_GOOD, memory)
    if phase == JOURNEY:
        if action == act.JOURNEY_KOKU:
            return koku_worth(tables, player, float(tables.journey_koku), memory)
        return good_worth(tables, player, action - act.JOURNEY_GOOD, memory)
    if phase == SELL:
        return sale_worth(tables, view, player, action, memory)
    if phase == MARKER:
        space = action - act.PLACE_MARKER
        owner = tables.tiles[view.shore[space]].owner
        return rough_worth(tables, owner, player, memory) * visits_to_come(tables, view, space, memory)
    if phase == DISCARD:
        return -card_worth(tables, view, seat, action - act.DISCARD_CUSTOMER, memory)
    if phase == DRAFT:
        return memory.weights[w.FIRST_PATRON + action - act.TAKE_PATRON]
    # The royal ship: the one with more of the river ahead of it.
    return -float(player.ships[action - act.MAKE_ROYAL])


@part
def sale_worth(tables: Any, view: Any, player: Any, action: int, memory: Any) -> float:
    """Return the worth of selling a good instead of keeping it; 0 for stopping."""
    if action == act.PASS:
        return 0.0
    good = action - act.SELL_GOOD
    koku = koku_worth(tables, player, float(tables.merchant_amount[3]), memory)
    player.goods[good] -= 1
    kept = good_worth(tables, player, good, memory)
    player.goods[good] += 1
    return koku - kept


@part
def card_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of a customer in the hand: its delivery, less the goods still missing in the time left."""
    player = view.players[seat]
    missing = float(shortage(tables, player, customer))
    hurry = 1.0 + 2.0 * (1.0 - memory.notes[w.LEFT])
    worth = delivery_worth(tables, view, seat, customer, memory) - order_price(tables, customer, memory)
    return worth - memory.notes[w.NEED] * missing * hurry
