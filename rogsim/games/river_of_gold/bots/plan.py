"""How `planner`, `search` and `learned` think ahead: which turns they compare, how all seats play on, what counts.

A turn is a line of steps: buying favor, turning the die, exchanges for an order, the action. Promising turns are played
out on copies of a possible world, and evaluated. The policy answers the choices that follow. Chance is the same for all
lines that are compared. The kit compares the turns in possible worlds (`rogsim.game.kit.search`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import records
from rogsim.game.kit.bits import lowest
from rogsim.game.kit.evaluation import chance_to_win, take_weights
from rogsim.game.kit.search import plan_choice, plan_evenly, search_choice
from rogsim.game.kit.search.hooks import Search, carry_out, list_legal
from rogsim.game.kit.search.lines import ENDGAME, NO_STEP, follow, keep_line, lines_to_keep, place_on_menu, search_of
from rogsim.game.rng import draw
from rogsim.games.river_of_gold.bots import weights as w
from rogsim.games.river_of_gold.bots.actions_worth import (
    NOTHING,
    build_worth,
    delivery_with_exchanges,
    exchange_toward,
    note_outlook,
    note_steps,
    sail_worth,
    step_toward,
)
from rogsim.games.river_of_gold.bots.evaluation import SHEET
from rogsim.games.river_of_gold.bots.policy import choose_by_weights, choose_in_pause, next_steps
from rogsim.games.river_of_gold.bots.worth import policy_for, shortage, take_notes, time_left, weigh_moment
from rogsim.games.river_of_gold.components.names import FACES, MAX_ROW, NONE, REGIONS, RIVER_SPACES, YORITOMO
from rogsim.games.river_of_gold.play.determinization import deal_roll, deal_world
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.state import DRAFT, GAME, OVER, PAUSE, SET_DIE, TURN
from rogsim.games.river_of_gold.rules.supply import favor_needed

LINE = 12  # the most steps of a turn, without the choices that follow its action
MOST_LINES = 16
MOST_CANDIDATES = 12
SPARE_CANDIDATES = 3  # tried in addition to the number of lines to keep
MOST_EXCHANGES = 4  # before a delivery

# An action with the die on a face, and its worth by the policy.
CANDIDATE = np.dtype([("worth", "f8"), ("face", "i8"), ("action", "i8")], align=True)

TURN_SEARCH = search_of(
    GAME,
    MOST_LINES,
    LINE,
    ("turned", GAME),  # the world after buying favor and turning the die
    ("reply", GAME),  # the line after one answer to the next choice, played to the end of the turn
    ("menu", MENU),
    ("options", MENU),
    ("candidates", CANDIDATE, (MOST_CANDIDATES,)),  # the actions to try, the best first
    ("candidates_wanted", "i8"),
    ("candidates_count", "i8"),
    ("sheet", SHEET),
)


def find_turns(tables: Any, seat: int, wanted: int, search: Any) -> None:
    """Try the turns that the policy values most, and keep the best ones in `search.lines`.

    Parameters
    ----------
    tables
        TABLES record.
    seat
        The seat whose turn begins in `search.world`.
    wanted
        How many lines to keep, at most MOST_LINES.
    search
        TURN_SEARCH record: its `sheet` values positions, and the policies there value actions and answer choices.
    """
    search.wanted = wanted
    search.kept = 0
    search.candidates_count = 0
    search.candidates_wanted = min(wanted + SPARE_CANDIDATES, MOST_CANDIDATES)
    policy = policy_of(tables, search)
    weigh_moment(tables, search.world.game, policy)
    take_notes(tables, search.world.game, seat, False, policy)
    note_outlook(tables, search.world.game, seat, policy)
    for face in range(1, FACES + 1):
        if can_turn(tables, search.world.game.players[seat], face):
            turn_to(tables, seat, face, search)
            add_actions(tables, seat, face, search)
            add_deliveries(tables, seat, face, search)
    for number in range(search.candidates_count):
        candidate = search.candidates[number]
        count = turn_to(tables, seat, candidate.face, search)
        search.line = search.turned
        action = candidate.action
        if action >= act.DELIVER:
            for _ in range(shortage(tables, search.line.players[seat], action - act.DELIVER)):
                exchange = exchange_toward(tables, search.line.players[seat], action - act.DELIVER)
                count = take_step(tables, search.line, search, count, exchange)
        try_line(tables, seat, count, action, search)


def policy_of(tables: Any, search: Any) -> Any:
    """Return the memory of the policy for the moment of the world."""
    return policy_for(tables, search.world.game, search.sheet.position.policies)


def can_turn(tables: Any, player: Any, face: int) -> bool:
    """Return whether a player can turn the die to a face, with the favor that it has or can buy."""
    price = favor_needed(player.die, face)
    bought = max(0, price - player.favor)
    return price <= player.favor_limit and bought * tables.koku_for_favor <= player.koku


def turn_to(tables: Any, seat: int, face: int, search: Any) -> int:
    """Turn the die to a face in `search.turned`, buying favor if needed; return the number of steps."""
    search.turned = search.world.game
    player = search.turned.players[seat]
    price = favor_needed(player.die, face)
    count = 0
    for _ in range(price - player.favor):
        count = take_step(tables, search.turned, search, count, act.BUY_FAVOR)
    if price > 0:
        count = take_step(tables, search.turned, search, count, act.TURN_DIE + face - 1)
    return count


def add_actions(tables: Any, seat: int, face: int, search: Any) -> None:
    """Add the actions that the die in `search.turned` allows to the candidates, valued by the policy."""
    game, policy = search.turned, policy_of(tables, search)
    list_legal(tables, game, search.menu)
    region = NONE
    for i in range(search.menu.count):
        action = search.menu.actions[i]
        if act.BUILD <= action < act.SAIL:
            space, place = (action - act.BUILD) // MAX_ROW, (action - act.BUILD) % MAX_ROW
            if tables.shore_region[space] != region:
                region = tables.shore_region[space]
                note_steps(tables, game, seat, region, policy)
            worth = policy.notes[w.BUILD] * build_worth(tables, game, seat, space, place, policy)
            add_candidate(tables, seat, face, action, worth + policy.notes[w.PACE], search)
        elif act.SAIL <= action < act.DELIVER:
            ship, to = (action - act.SAIL) // RIVER_SPACES, (action - act.SAIL) % RIVER_SPACES
            add_candidate(tables, seat, face, action, sail_worth(tables, game, seat, ship, to, policy), search)


def add_deliveries(tables: Any, seat: int, face: int, search: Any) -> None:
    """Add the deliveries that the die in `search.turned` allows, some of them after exchanges of spare goods."""
    game, policy = search.turned, policy_of(tables, search)
    player = game.players[seat]
    rest = player.hand
    while rest != 0:
        customer = lowest(rest)
        rest &= rest - 1
        if player.patron != YORITOMO and customer % REGIONS != player.die - 1:
            continue
        worth = delivery_with_exchanges(tables, game, seat, customer, policy)
        if worth != NOTHING and shortage(tables, player, customer) <= MOST_EXCHANGES:
            add_candidate(tables, seat, face, act.DELIVER + customer, worth, search)


def add_candidate(tables: Any, seat: int, face: int, action: int, worth: float, search: Any) -> None:
    """Insert an action with the die on a face into the candidates; turning the die reduces its worth."""
    before, after = search.world.game.players[seat], search.turned.players[seat]
    notes = policy_of(tables, search).notes
    worth -= notes[w.FAVOR] * (before.favor - after.favor)
    worth -= notes[w.KOKU] * (before.koku - after.koku)
    place = search.candidates_count
    while place > 0 and search.candidates[place - 1].worth < worth:
        place -= 1
    if place >= search.candidates_wanted:
        return
    search.candidates_count = min(search.candidates_count + 1, search.candidates_wanted)
    for later in range(search.candidates_count - 1, place, -1):
        search.candidates[later] = search.candidates[later - 1]
    candidate = search.candidates[place]
    candidate.worth, candidate.face, candidate.action = worth, face, action


def take_step(tables: Any, game: Any, search: Any, count: int, action: int) -> int:
    """Carry out a step and record it; return the number of steps."""
    carry_out(tables, game, action)
    search.steps[count] = action
    return count + 1


def try_line(tables: Any, seat: int, count: int, action: int, search: Any) -> None:
    """Play an action and the choices that follow in `search.line`; keep the line if it is among the best so far."""
    count = take_step(tables, search.line, search, count, action)
    for i in range(count, LINE):
        search.steps[i] = NO_STEP
    settle(tables, search)
    keep_line(search, chance_to_win(tables, search.line, seat, search.sheet))


def settle(tables: Any, search: Any) -> None:
    """Answer the choices that follow an action by the policy, up to the next turn."""
    while search.line.phase != TURN and search.line.phase != OVER:
        answer(tables, search.line, search.options, search.sheet.position.policies)


def answer(tables: Any, game: Any, menu: Any, policies: Any) -> None:
    """Answer a choice within a turn by the policy; in a pause that needs no menu."""
    if game.phase == PAUSE:
        carry_out(tables, game, choose_in_pause(tables, game))
        return
    list_legal(tables, game, menu)
    policy = policy_for(tables, game, policies)
    place = choose_by_weights(tables, game, menu, policy) if menu.count > 1 else 0
    carry_out(tables, game, menu.actions[place])


def move(tables: Any, game: Any, menu: Any, policies: Any) -> None:
    """Take a turn by the policy, up to its action; if that needs favor to be bought, only this first step."""
    seat = game.actor
    step, action = next_steps(tables, game, policy_for(tables, game, policies))
    if step == act.PASS:  # unusual weights may value no action, but a turn cannot be passed
        answer(tables, game, menu, policies)
        return
    carry_out(tables, game, step)
    while step != action and action != act.PASS:
        step = step_toward(tables, game.players[seat], action)
        carry_out(tables, game, step)


def best_answer(tables: Any, seat: int, search: Any) -> int:
    """Return the answer to the choice in `search.line` that leads to the best position at the end of the turn."""
    list_legal(tables, search.line, search.options)
    count = search.options.count
    best, best_worth = search.options.actions[0], -1.0
    if count == 1:
        return best
    for i in range(count):
        action = search.options.actions[i]
        if act.EXCHANGE <= action < act.BUY_FAVOR or (action == act.BUY_FAVOR and search.line.phase != PAUSE):
            continue
        search.reply = search.line
        carry_out(tables, search.reply, action)
        while search.reply.phase != TURN and search.reply.phase != OVER:
            carry_out(tables, search.reply, plain_answer(tables, search.reply, search.menu))
        worth = chance_to_win(tables, search.reply, seat, search.sheet)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def plain_answer(tables: Any, game: Any, menu: Any) -> int:
    """Return the first answer on the menu, which is not an exchange."""
    list_legal(tables, game, menu)
    return menu.actions[0]


FACE_STEPS = (0, 3, 1, 4, 2, 5)  # added to the first world's face: distant ones first, so that two worlds differ most

# Memory for one choice.
SCRATCH = np.dtype(
    [
        ("search", TURN_SEARCH),
        ("first_face", "i8"),  # of the seat's next roll in the first world, 0 to 5
    ],
    align=True,
)


def choose_by_rollouts(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the first step of the line with the best rollouts."""
    scratches = records(SCRATCH, 1)
    return search_choice(tables, view, menu, memory, scratches)


def choose_by_plan(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that leads to the best position found."""
    if view.phase != TURN:
        return answer_choice(tables, view, menu, memory, records(SCRATCH, 1))
    place = follow(view, menu, memory)
    if place >= 0:  # without clearing the memory for a choice
        return place
    return plan_choice(tables, view, menu, memory, records(SCRATCH, 1))


def answer_choice(tables: Any, view: Any, menu: Any, memory: Any, scratches: Any) -> int:
    """Return the place on the menu of the best answer to a choice within a turn, or before the first one."""
    scratch, seat = scratches[0], view.actor
    search = scratch.search
    take_weights(memory.weights, view.seats, search.sheet)
    knows_patrons = search.sheet.position.knows_patrons
    if view.phase == SET_DIE and knows_patrons and left_of(tables, view, scratch) <= memory.weights[ENDGAME]:
        return plan_evenly(tables, view, menu, memory, scratches, FACES)
    if view.phase == SET_DIE or (view.phase == DRAFT and not knows_patrons):  # the evaluation does not cover them
        return choose_by_weights(tables, view, menu, policy_for(tables, view, search.sheet.position.policies))
    deal_world(tables, view, seat, memory.stream, search.world)
    search.line = search.world.game
    return max(place_on_menu(menu, best_answer(tables, seat, search)), 0)


def list_lines(tables: Any, view: Any, menu: Any, memory: Any, scratch: Any) -> None:
    """List the lines to try: the best turns found, or within a turn every answer on the menu."""
    search = scratch.search
    take_weights(memory.weights, view.seats, search.sheet)
    if view.phase == TURN:
        deal_world(tables, view, view.actor, memory.stream, search.world)
        find_turns(tables, view.actor, lines_to_keep(memory, search), search)
        return
    search.kept = 0
    for i in range(menu.count):
        action = menu.actions[i]
        is_exchange = act.EXCHANGE <= action < act.TURN_DIE
        if search.kept == MOST_LINES or (is_exchange and (view.phase != PAUSE or action != act.BUY_FAVOR)):
            continue
        search.lines[search.kept, 0] = action
        search.lines[search.kept, 1] = NO_STEP
        search.worths[search.kept] = 0.0
        search.kept += 1


def deal_next_world(tables: Any, view: Any, number: int, memory: Any, scratch: Any) -> None:
    """Deal the next world; in every six worlds the seat's next roll shows each face once.

    This is stratified sampling: the seat's next roll separates lines more than any other chance.
    """
    seat = view.actor
    if number == 0:
        scratch.first_face = draw(memory.stream, FACES)
    deal_world(tables, view, seat, memory.stream, scratch.search.world)
    face = 1 + (scratch.first_face + FACE_STEPS[number % FACES]) % FACES
    deal_roll(scratch.search.world.game, seat, face, memory.stream)


def play_by_policy(tables: Any, game: Any, scratch: Any) -> None:
    """Take a turn's next step, or answer a choice, by the policy."""
    if game.phase == TURN:
        move(tables, game, scratch.search.options, scratch.search.sheet.position.policies)
    else:
        answer(tables, game, scratch.search.options, scratch.search.sheet.position.policies)


def evaluate(tables: Any, game: Any, seat: int, scratch: Any) -> float:
    """Return a seat's chance to win."""
    return chance_to_win(tables, game, seat, scratch.search.sheet)


def left_of(tables: Any, game: Any, scratch: Any) -> float:
    """Return the time left."""
    return time_left(tables, game) if game.last_turns == NONE else 0.0


SEARCH = Search(SCRATCH, list_lines, deal_next_world, play_by_policy, evaluate, left_of)
