"""How the planner chooses: it plays its whole turn out on copies of a world, and takes what leads to the best position.

A turn is a line of steps: favor bought, the die turned, exchanges for an order, the action, and the choices that
follow it. What chance decides is the same for all lines that are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.games.river_of_gold import actions as act
from rogsim.games.river_of_gold.actions import MENU
from rogsim.games.river_of_gold.apply import apply
from rogsim.games.river_of_gold.bots.evaluation import SHEET, chance_to_win
from rogsim.games.river_of_gold.bots.evaluation import FIRST_PATRON
from rogsim.games.river_of_gold.bots.policy import exchange_toward, spare_pairs
from rogsim.games.river_of_gold.bots.worth import shortage
from rogsim.games.river_of_gold.favor import favor_needed
from rogsim.games.river_of_gold.legal import legal
from rogsim.games.river_of_gold.names import CUSTOMERS, FACES, REGIONS, YORITOMO
from rogsim.games.river_of_gold.phases import DRAFT, OVER, PAUSE, SET_DIE, TURN
from rogsim.games.river_of_gold.state import GAME
from rogsim.games.river_of_gold.supply import has
from rogsim.games.river_of_gold.worlds import WORLD, deal_world
from rogsim.jit import kernel, part, records

LINE = 12  # steps of a turn at most, before the choices that follow its action
MOST_LINES = 16
NO_STEP = -1

ROOM = np.dtype(
    [
        ("world", WORLD),  # the game as it may be
        ("turned", GAME),  # after favor and die
        ("line", GAME),  # after the action, and the choices settled so far
        ("probe", GAME),  # one answer to the next choice, played to the end of the turn
        ("menu", MENU),
        ("options", MENU),
        ("steps", "i2", (LINE,)),  # of the line that is being tried, NO_STEP after its last
        ("wanted", "i8"),  # how many lines are to be kept
        ("kept", "i8"),  # how many are
        ("lines", "i2", (MOST_LINES, LINE)),  # their steps, the best line first
        ("worths", "f8", (MOST_LINES,)),  # and the worth of each
        ("sheet", SHEET),
    ],
    align=True,
)

# What the planner notes between the steps of a turn: which turn, how many steps there are, how many are done, the steps.
TURN_NOTED, COUNT, DONE, STEPS = range(4)


def choose_by_plan(tables: Any, view: Any, menu: Any, own: Any) -> int:
    """Return the place on the menu of the choice that leads to the best position found."""
    rooms = records(ROOM, 1)
    return plan(tables, view, menu, own, rooms)


@kernel
def plan(tables: Any, view: Any, menu: Any, own: Any, rooms: Any) -> int:
    """Choose with the given room to work in."""
    room = rooms[0]
    seat = int(view.actor)
    if view.phase == DRAFT:
        return favourite_patron(menu, own)
    if view.phase == TURN:
        place = place_of(menu, noted_step(view, own))
        if place >= 0:
            own.notes[DONE] += 1.0
            return place
    deal_world(tables, view, seat, own.stream, room.world)
    if view.phase == TURN:
        find_turns(tables, seat, 1, own, room)
        note_line(view, own, room.lines[0])
        return max(place_of(menu, int(room.lines[0, 0])), 0)
    room.line = room.world.game
    return max(place_of(menu, best_answer(tables, seat, own, room)), 0)


@part
def favourite_patron(menu: Any, own: Any) -> int:
    """Return the place of the patron that is liked most."""
    best = 0
    for i in range(menu.count):
        liked = own.weights[FIRST_PATRON + int(menu.actions[i]) - act.TAKE_PATRON]
        if liked > own.weights[FIRST_PATRON + int(menu.actions[best]) - act.TAKE_PATRON]:
            best = i
    return best


@kernel
def place_of(menu: Any, action: int) -> int:
    """Return where an action stands on the menu, or -1."""
    for i in range(menu.count):
        if menu.actions[i] == action:
            return i
    return -1


@part
def noted_step(view: Any, own: Any) -> int:
    """Return the next step of the line that was found at the turn's first choice, or -1."""
    at = int(own.notes[DONE])
    if own.notes[TURN_NOTED] != float(view.turn) + 1.0 or at >= int(own.notes[COUNT]):
        return -1
    return int(own.notes[STEPS + at])


@part
def note_line(view: Any, own: Any, line: Any) -> None:
    """Note the steps of a turn, the first one as done."""
    own.notes[TURN_NOTED] = float(view.turn) + 1.0
    own.notes[DONE] = 1.0
    count = 0
    while count < LINE and line[count] != NO_STEP:
        own.notes[STEPS + count] = float(line[count])
        count += 1
    own.notes[COUNT] = float(count)


@kernel
def find_turns(tables: Any, seat: int, wanted: int, own: Any, room: Any) -> None:
    """Try every turn from the world; leave the best ones, as many as wanted, in `room.lines`."""
    room.wanted = wanted
    room.kept = 0
    player = room.world.game.players[seat]
    for face in range(1, FACES + 1):
        price = favor_needed(player.die, face)
        bought = max(0, price - int(player.favor))
        if price > player.favor_limit or bought * int(tables.koku_for_favor) > player.koku:
            continue
        room.turned = room.world.game
        count = 0
        for _ in range(bought):
            count = take_step(tables, room.turned, room, count, act.BUY_FAVOR)
        if price > 0:
            count = take_step(tables, room.turned, room, count, act.TURN_DIE + face - 1)
        try_actions(tables, seat, own, room, count)
        try_exchanges(tables, seat, own, room, count)


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
def try_actions(tables: Any, seat: int, own: Any, room: Any, count: int) -> None:
    """Try every action that the die allows now."""
    list_legal(tables, room.turned, room.menu)
    for i in range(room.menu.count):
        action = int(room.menu.actions[i])
        if act.BUILD <= action < act.TAKE_GOOD:
            room.line = room.turned
            try_line(tables, seat, own, room, count, action)


@kernel
def try_exchanges(tables: Any, seat: int, own: Any, room: Any, count: int) -> None:
    """Try the deliveries that exchanges of spare goods make possible."""
    player = room.turned.players[seat]
    for customer in range(len(CUSTOMERS)):
        if not has(player.hand, customer) or (player.patron != YORITOMO and customer % REGIONS != player.die - 1):
            continue
        missing = shortage(tables, player, customer)
        if missing == 0 or missing > spare_pairs(tables, player, customer) or count + missing >= LINE:
            continue
        room.line = room.turned
        steps = count
        for _ in range(missing):
            exchange = exchange_toward(tables, room.line.players[seat], customer)
            steps = take_step(tables, room.line, room, steps, exchange)
        try_line(tables, seat, own, room, steps, act.DELIVER + customer)


@kernel
def try_line(tables: Any, seat: int, own: Any, room: Any, count: int, action: int) -> None:
    """Play an action and what follows in `room.line`; keep its steps if it is among the best so far."""
    count = take_step(tables, room.line, room, count, action)
    for i in range(count, LINE):
        room.steps[i] = NO_STEP
    settle(tables, seat, own, room)
    keep_line(room, chance_to_win(tables, room.line, seat, own, room.sheet))


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
def settle(tables: Any, seat: int, own: Any, room: Any) -> None:
    """Take the best answers, one after the other, to the choices that an action leads to, up to the next turn."""
    while room.line.phase != TURN and room.line.phase != OVER:
        if room.line.actor == seat and room.line.phase != PAUSE:
            answer = best_answer(tables, seat, own, room)
        else:
            answer = plain_answer(tables, room.line, room.options)
        carry_out(tables, room.line, answer)


@kernel
def best_answer(tables: Any, seat: int, own: Any, room: Any) -> int:
    """Return the answer to the choice in `room.line` that leads to the best position at the end of the turn."""
    list_legal(tables, room.line, room.options)
    count = int(room.options.count)
    best, best_worth = int(room.options.actions[0]), -1.0
    if count == 1:
        return best
    for i in range(count):
        list_legal(tables, room.line, room.options)
        action = int(room.options.actions[i])
        if act.EXCHANGE <= action < act.BUY_FAVOR or (action == act.BUY_FAVOR and room.line.phase != PAUSE):
            continue
        room.probe = room.line
        carry_out(tables, room.probe, action)
        while room.probe.phase != TURN and room.probe.phase != OVER:
            carry_out(tables, room.probe, plain_answer(tables, room.probe, room.options))
        worth = chance_to_win(tables, room.probe, seat, own, room.sheet)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@kernel
def plain_answer(tables: Any, game: Any, menu: Any) -> int:
    """Return an answer that needs no thought: the first one that is no exchange."""
    list_legal(tables, game, menu)
    return int(menu.actions[0])
