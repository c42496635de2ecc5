"""The turns that a seat can take: those that look worth it are played out on copies of a world, and judged.

A turn is a line of steps: favor bought, the die turned, exchanges for an order, the action; the choices that follow it
are answered one after the other. What chance decides is the same for all lines that are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import inlined, kernel, part
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import delivery_worth, note_outlook, order_price, sail_worth
from rogsim.games.river_of_gold.bots.evaluation import SHEET, chance_to_win
from rogsim.games.river_of_gold.bots.notes import take_notes, weigh_moment
from rogsim.games.river_of_gold.bots.policy import (
    build_worth,
    choose_by_weights,
    choose_in_pause,
    exchange_toward,
    next_steps,
    note_steps,
    spare_pairs,
)
from rogsim.games.river_of_gold.bots.worth import shortage
from rogsim.games.river_of_gold.components.names import CUSTOMERS, FACES, MAX_ROW, NONE, REGIONS, RIVER_SPACES, YORITOMO
from rogsim.games.river_of_gold.play.determinization import WORLD
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.favor import favor_needed
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER, PAUSE, TURN
from rogsim.games.river_of_gold.rules.state import GAME
from rogsim.games.river_of_gold.rules.supply import has

LINE = 12  # steps of a turn at most, before the choices that follow its action
MOST_LINES = 16
MOST_IDEAS = 12
SPARE_IDEAS = 3  # tried beyond the lines that are wanted
MOST_EXCHANGES = 4  # before a delivery
NO_STEP = -1

# An action with the die on a face, and what the plain player thinks of it.
IDEA = np.dtype([("worth", "f8"), ("face", "i8"), ("action", "i8")], align=True)

ROOM = np.dtype(
    [
        ("world", WORLD),  # the game as it may be
        ("turned", GAME),  # after favor and die
        ("line", GAME),  # after the action, and the choices settled so far
        ("probe", GAME),  # one answer to the next choice, played to the end of the turn
        ("menu", MENU),
        ("options", MENU),
        ("steps", "i2", (LINE,)),  # of the line that is being tried, NO_STEP after its last
        ("ideas", IDEA, (MOST_IDEAS,)),  # the actions worth trying, the best first
        ("ideas_wanted", "i8"),
        ("ideas_count", "i8"),
        ("wanted", "i8"),  # how many lines are to be kept
        ("kept", "i8"),  # how many are
        ("lines", "i2", (MOST_LINES, LINE)),  # their steps, the best line first
        ("worths", "f8", (MOST_LINES,)),  # and the worth of each
        ("sheet", SHEET),
    ],
    align=True,
)


@kernel
def find_turns(tables: Any, seat: int, wanted: int, hall: Any) -> None:
    """Try the turns that the plain player likes best; leave the best ones, as many as wanted, in `room.lines`."""
    room = hall.room
    room.wanted = wanted
    room.kept = 0
    room.ideas_count = 0
    room.ideas_wanted = min(wanted + SPARE_IDEAS, MOST_IDEAS)
    weigh_moment(tables, room.world.game, hall.player)
    take_notes(tables, room.world.game, seat, hall.player)
    note_outlook(tables, room.world.game, seat, hall.player)
    for face in range(1, FACES + 1):
        if can_turn(tables, room.world.game.players[seat], face):
            turn_to(tables, seat, face, room)
            gather_actions(tables, seat, face, hall)
            gather_exchanges(tables, seat, face, hall)
    for number in range(room.ideas_count):
        idea = room.ideas[number]
        count = turn_to(tables, seat, int(idea.face), room)
        room.line = room.turned
        action = int(idea.action)
        if action >= act.DELIVER:
            for _ in range(shortage(tables, room.line.players[seat], action - act.DELIVER)):
                exchange = exchange_toward(tables, room.line.players[seat], action - act.DELIVER)
                count = take_step(tables, room.line, room, count, exchange)
        try_line(tables, seat, count, action, hall)


@inlined
def can_turn(tables: Any, player: Any, face: int) -> bool:
    """Say whether a player can have the die on a face, with the favor that its koku buy."""
    price = favor_needed(player.die, face)
    bought = max(0, price - int(player.favor))
    return price <= player.favor_limit and bought * int(tables.koku_for_favor) <= player.koku


@kernel
def turn_to(tables: Any, seat: int, face: int, room: Any) -> int:
    """Turn the die to a face in `room.turned`, with favor bought if need be; return the number of steps."""
    room.turned = room.world.game
    player = room.turned.players[seat]
    price = favor_needed(player.die, face)
    count = 0
    for _ in range(price - int(player.favor)):
        count = take_step(tables, room.turned, room, count, act.BUY_FAVOR)
    if price > 0:
        count = take_step(tables, room.turned, room, count, act.TURN_DIE + face - 1)
    return count


@kernel
def gather_actions(tables: Any, seat: int, face: int, hall: Any) -> None:
    """Note the actions that the die in `room.turned` allows, as the plain player values them."""
    game, player = hall.room.turned, hall.player
    list_legal(tables, game, hall.room.menu)
    region = NONE
    for i in range(hall.room.menu.count):
        action = int(hall.room.menu.actions[i])
        if act.BUILD <= action < act.SAIL:
            space, place = (action - act.BUILD) // MAX_ROW, (action - act.BUILD) % MAX_ROW
            if tables.shore_region[space] != region:
                region = int(tables.shore_region[space])
                note_steps(tables, game, seat, region, player)
            worth = player.notes[w.BUILD] * build_worth(tables, game, seat, space, place, player)
            worth += player.notes[w.PACE]
        elif act.SAIL <= action < act.DELIVER:
            ship, to = (action - act.SAIL) // RIVER_SPACES, (action - act.SAIL) % RIVER_SPACES
            worth = sail_worth(tables, game, seat, ship, to, player)
        elif act.DELIVER <= action < act.TAKE_GOOD:
            customer = action - act.DELIVER
            worth = delivery_worth(tables, game, seat, customer, player) - order_price(tables, customer, player)
        else:
            continue
        note_idea(tables, seat, face, action, worth, hall)


@kernel
def gather_exchanges(tables: Any, seat: int, face: int, hall: Any) -> None:
    """Note the deliveries that exchanges of spare goods make possible."""
    game = hall.room.turned
    player = game.players[seat]
    for customer in range(len(CUSTOMERS)):
        if not has(player.hand, customer) or (player.patron != YORITOMO and customer % REGIONS != player.die - 1):
            continue
        missing = shortage(tables, player, customer)
        if 0 < missing <= spare_pairs(tables, player, customer) and missing <= MOST_EXCHANGES:
            worth = delivery_worth(tables, game, seat, customer, hall.player)
            worth -= order_price(tables, customer, hall.player) + 2.0 * hall.player.notes[w.GOOD] * float(missing)
            note_idea(tables, seat, face, act.DELIVER + customer, worth, hall)


@kernel
def note_idea(tables: Any, seat: int, face: int, action: int, worth: float, hall: Any) -> None:
    """Note an action with the die on a face among the ideas, less what turning the die costs."""
    room = hall.room
    before, after = room.world.game.players[seat], room.turned.players[seat]
    worth -= hall.player.notes[w.FAVOR] * float(int(before.favor) - int(after.favor))
    worth -= hall.player.notes[w.KOKU] * float(int(before.koku) - int(after.koku))
    place = int(room.ideas_count)
    while place > 0 and room.ideas[place - 1].worth < worth:
        place -= 1
    if place >= room.ideas_wanted:
        return
    room.ideas_count = min(int(room.ideas_count) + 1, int(room.ideas_wanted))
    for later in range(room.ideas_count - 1, place, -1):
        room.ideas[later] = room.ideas[later - 1]
    idea = room.ideas[place]
    idea.worth, idea.face, idea.action = worth, face, action


@kernel
def take_step(tables: Any, game: Any, room: Any, count: int, action: int) -> int:
    """Carry out a step and write it down; return the number of steps."""
    carry_out(tables, game, action)
    room.steps[count] = action
    return count + 1


@kernel
def carry_out(tables: Any, game: Any, action: int) -> None:
    """Apply an action to a game of the planner's own."""
    apply(tables, game, action)


@kernel
def list_legal(tables: Any, game: Any, menu: Any) -> None:
    """List the legal choices in a game of the planner's own."""
    legal(tables, game, menu)


@kernel
def try_line(tables: Any, seat: int, count: int, action: int, hall: Any) -> None:
    """Play an action and what follows in `room.line`; keep its steps if it is among the best so far."""
    room = hall.room
    count = take_step(tables, room.line, room, count, action)
    for i in range(count, LINE):
        room.steps[i] = NO_STEP
    settle(tables, hall)
    keep_line(room, chance_to_win(tables, room.line, seat, hall.judge, room.sheet))


@part
def keep_line(room: Any, worth: float) -> None:
    """Put the line that was tried in its place among the best; of equals the first stays before."""
    place = int(room.kept)
    while place > 0 and room.worths[place - 1] < worth:
        place -= 1
    if place >= room.wanted:
        return
    last = min(int(room.kept), int(room.wanted) - 1)
    for later in range(last, place, -1):
        room.worths[later] = room.worths[later - 1]
        for i in range(LINE):
            room.lines[later, i] = room.lines[later - 1, i]
    room.worths[place] = worth
    for i in range(LINE):
        room.lines[place, i] = room.steps[i]
    room.kept = last + 1


@kernel
def settle(tables: Any, hall: Any) -> None:
    """Answer the choices that an action leads to as the plain player would, up to the next turn."""
    room = hall.room
    while room.line.phase != TURN and room.line.phase != OVER:
        answer(tables, room.line, room.options, hall.player)


@kernel
def answer(tables: Any, game: Any, menu: Any, player: Any) -> None:
    """Answer a choice within a turn as the plain player would; in a pause that needs no menu."""
    if game.phase == PAUSE:
        carry_out(tables, game, choose_in_pause(tables, game))
        return
    list_legal(tables, game, menu)
    place = choose_by_weights(tables, game, menu, player) if menu.count > 1 else 0
    carry_out(tables, game, int(menu.actions[place]))


@kernel
def move(tables: Any, game: Any, menu: Any, player: Any) -> None:
    """Take the next step of a turn as the plain player would: a turned die is used at once, not thought about again."""
    step, after = next_steps(tables, game, player)
    if step == act.PASS:  # with odd weights nothing may look worth it, and a turn cannot be passed
        answer(tables, game, menu, player)
        return
    carry_out(tables, game, step)
    if after != act.PASS:
        carry_out(tables, game, after)


@kernel
def best_answer(tables: Any, seat: int, own: Any, room: Any) -> int:
    """Return the answer to the choice in `room.line` that leads to the best position at the end of the turn."""
    list_legal(tables, room.line, room.options)
    count = int(room.options.count)
    best, best_worth = int(room.options.actions[0]), -1.0
    if count == 1:
        return best
    for i in range(count):
        action = int(room.options.actions[i])
        if act.EXCHANGE <= action < act.BUY_FAVOR or (action == act.BUY_FAVOR and room.line.phase != PAUSE):
            continue
        room.probe = room.line
        carry_out(tables, room.probe, action)
        while room.probe.phase != TURN and room.probe.phase != OVER:
            carry_out(tables, room.probe, plain_answer(tables, room.probe, room.menu))
        worth = chance_to_win(tables, room.probe, seat, own, room.sheet)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@kernel
def plain_answer(tables: Any, game: Any, menu: Any) -> int:
    """Return an answer that needs no thought: the first one that is no exchange."""
    list_legal(tables, game, menu)
    return int(menu.actions[0])
