"""The policy of the personas and `tuned`: it takes the action that their weights value most."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import lowest
from rogsim.game.kit.search.lines import place_on_menu
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import (
    ALL_FACES,
    NOTHING,
    delivery_worth,
    koku_price,
    note_faces,
    note_outlook,
    order_price,
    step_toward,
)
from rogsim.games.river_of_gold.bots.worth import (
    FACE_ACTION,
    FACE_WORTH,
    PLANNED,
    PLANNED_TURN,
    koku_worth,
    note_goods,
    owner_worth,
    shortage,
    take_notes,
    visits_to_come,
    weigh_moment,
)
from rogsim.games.river_of_gold.bots.worth import GOOD as GOOD_NOTE
from rogsim.games.river_of_gold.components.names import FACES, MERCHANT, NONE
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.sail import MERCHANT_SALE, merchant_amount
from rogsim.games.river_of_gold.rules.state import DISCARD, DRAFT, GOOD, JOURNEY, MARKER, PAUSE, SELL, SET_DIE, TURN
from rogsim.games.river_of_gold.rules.supply import favor_needed, has


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
    if phase == TURN:
        return choose_step(tables, view, menu, memory)
    weigh_moment(tables, view, memory)
    if phase == SET_DIE:
        return max(place_on_menu(menu, choose_die(tables, view, memory)), 0)
    note_goods(tables, view.players[view.actor], memory)
    best, best_worth = 0, NOTHING
    for i in range(menu.count):
        action = menu.actions[i]
        if act.EXCHANGE <= action < act.TURN_DIE:
            continue
        worth = choice_worth(tables, view, phase, action, memory)
        if worth > best_worth:
            best, best_worth = i, worth
    return best


def choose_step(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the next step of a turn, whose action is chosen once, not after each step."""
    notes, turn = memory.notes, view.turn + 1.0
    place, step, action = -1, act.PASS, act.PASS
    if notes[PLANNED_TURN] == turn:
        action = int(notes[PLANNED])
        step = step_toward(tables, view.players[view.actor], action)
        place = place_on_menu(menu, step)
    if place < 0:
        step, action = next_steps(tables, view, memory)
        place = max(place_on_menu(menu, step), 0)
    notes[PLANNED] = action
    notes[PLANNED_TURN] = 0.0 if action in (step, act.PASS) else turn
    return place


def next_steps(tables: Any, view: Any, memory: Any) -> tuple[int, int]:
    """Return the best first step of a turn, and the action that it leads to.

    The step is the action, or turning the die or an exchange for it. If it is buying favor, the action is PASS: it is
    chosen after that.
    """
    seat = view.actor
    player = view.players[seat]
    die = player.die
    weigh_moment(tables, view, memory)
    take_notes(tables, view, seat, True, memory)
    note_outlook(tables, view, seat, memory)
    faces, bought, koku_cost = faces_in_reach(tables, player, die, False), 0, 0.0
    if memory.notes[w.BUY] < 0.5:
        note_faces(tables, view, seat, faces, memory)
    else:
        bought = faces_in_reach(tables, player, die, True) & ~faces
        faces |= bought
        koku_cost = koku_price(tables, view, player, tables.koku_for_favor, memory)
        note_with_bought(tables, view, seat, faces, bought, memory)
    best = best_face(die, faces, bought, koku_cost, memory)
    if best == 0:
        return act.PASS, act.PASS
    if has(bought, best):
        return act.BUY_FAVOR, act.PASS
    action = int(memory.notes[FACE_ACTION + best])
    return step_toward(tables, player, action) if best == die else act.TURN_DIE + best - 1, action


def best_face(die: int, faces: int, bought: int, koku_cost: float, memory: Any) -> int:
    """Return the face whose action is worth most, less what it costs to turn the die there; 0 if none has an action."""
    best, best_worth = 0, NOTHING
    while faces != 0:
        face = lowest(faces)
        faces &= faces - 1
        favor = has(bought, face)
        cost = memory.notes[w.FAVOR] * (favor_needed(die, face) - favor) + koku_cost * favor
        worth = memory.notes[FACE_WORTH + face] - cost
        better = worth > best_worth
        best = face if better else best
        best_worth = worth if better else best_worth
    return best


def note_with_bought(tables: Any, view: Any, seat: int, faces: int, bought: int, memory: Any) -> None:
    """Note the best actions as `note_faces`; for some of the faces a favor must be bought first.

    A completed journey is noted once, with the koku left at the lowest face that completes one; so faces come in order.
    """
    player = view.players[seat]
    while faces != 0:
        buying = has(bought, lowest(faces))
        others = faces & (~bought if buying else bought)
        group = faces & ((others & -others) - 1)  # the next ones of the same kind
        faces &= ~group
        price = tables.koku_for_favor * int(buying)
        player.koku -= price
        note_faces(tables, view, seat, group, memory)
        player.koku += price


def faces_in_reach(tables: Any, player: Any, die: int, may_buy: bool) -> int:
    """Return the mask of the faces that a player can turn the die to, with at most one favor bought."""
    favor = player.favor
    buying = may_buy & (favor < player.favor_limit) & (tables.koku_for_favor <= player.koku)
    found = 0
    for face in range(1, FACES + 1):
        found |= int(favor_needed(die, face) <= favor + int(buying)) << face
    return found


def choose_in_pause(tables: Any, view: Any) -> int:
    """Buy favor if koku would exceed the limit, or if the game is over for this seat; otherwise continue."""
    player = view.players[view.actor]
    if player.favor >= player.favor_limit or player.koku < tables.koku_for_favor:
        return act.PASS
    over = view.last_turns != NONE
    merchants = player.delivered_by_type[MERCHANT]
    if over and merchants == 0:
        return act.BUY_FAVOR
    crowded = player.koku > tables.koku_limit - tables.koku_for_favor
    return act.BUY_FAVOR if crowded and not over else act.PASS


def choose_die(tables: Any, view: Any, memory: Any) -> int:
    """Set the die to the best face if it beats the average by more than the favor costs; otherwise roll."""
    seat = view.actor
    player = view.players[seat]
    if player.favor < tables.kakita_favor:
        return act.PASS
    take_notes(tables, view, seat, True, memory)
    note_outlook(tables, view, seat, memory)
    note_faces(tables, view, seat, ALL_FACES, memory)
    total, best, best_worth = 0.0, act.PASS, NOTHING
    for face in range(1, FACES + 1):
        worth = memory.notes[FACE_WORTH + face]
        total += worth
        if worth > best_worth:
            best, best_worth = act.SET_FACE + face - 1, worth
    gain = best_worth - total / FACES
    return best if gain > memory.notes[w.FAVOR] * tables.kakita_favor else act.PASS


def choice_worth(tables: Any, view: Any, phase: int, action: int, memory: Any) -> float:
    """Return the worth of a choice that follows an action, for comparison with the others on the menu."""
    seat = view.actor
    player = view.players[seat]
    if phase == GOOD:
        return memory.notes[GOOD_NOTE + action - act.TAKE_GOOD]
    if phase == JOURNEY:
        if action == act.JOURNEY_KOKU:
            return koku_worth(tables, player, tables.journey_koku, memory)
        return memory.notes[GOOD_NOTE + action - act.JOURNEY_GOOD]
    if phase == SELL:
        return sale_worth(tables, view, player, action, memory)
    if phase == MARKER:
        space = action - act.PLACE_MARKER
        return owner_worth(tables, view.shore[space], player, memory) * visits_to_come(tables, view, space, memory)
    if phase == DISCARD:
        return -card_worth(tables, view, seat, action - act.DISCARD_CUSTOMER, memory)
    if phase == DRAFT:
        return memory.weights[w.FIRST_PATRON + action - act.TAKE_PATRON]
    # The royal ship: the one with more of the river ahead of it.
    return -player.ships[action - act.MAKE_ROYAL]


def sale_worth(tables: Any, view: Any, player: Any, action: int, memory: Any) -> float:
    """Return the worth of selling a good instead of keeping it; 0 for stopping."""
    if action == act.PASS:
        return 0.0
    good = action - act.SELL_GOOD
    koku = koku_worth(tables, player, merchant_amount(tables, MERCHANT_SALE), memory)
    player.goods[good] -= 1
    note_goods(tables, player, memory)
    player.goods[good] += 1
    return koku - memory.notes[GOOD_NOTE + good]


def card_worth(tables: Any, view: Any, seat: int, customer: int, memory: Any) -> float:
    """Return the worth of a customer in the hand: its delivery, less the goods still missing in the time left."""
    player = view.players[seat]
    missing = float(shortage(tables, player, customer))
    hurry = 1.0 + 2.0 * (1.0 - memory.notes[w.LEFT])
    worth = delivery_worth(tables, view, seat, customer, memory) - order_price(tables, customer, memory)
    return worth - memory.notes[w.NEED] * missing * hurry
