"""`apply` carries out one action and everything that follows automatically; nothing else changes a game."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.state_fields import ASK, pop, push
from rogsim.games.river_of_gold.components.names import MAX_ROW, RIVER_SPACES
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules import agenda as todo
from rogsim.games.river_of_gold.rules.build import build, discard_row_end, refill_row
from rogsim.games.river_of_gold.rules.deliver import (
    deliver,
    delivery_reward,
    discard_customer,
    draw_then_discard,
    place_marker,
    second_marker,
)
from rogsim.games.river_of_gold.rules.rewards import advance_marker, gain_influence
from rogsim.games.river_of_gold.rules.sail import (
    journey_reward,
    merchants,
    owner_rewards,
    patron_sails,
    royal_ship,
    sail,
    sell,
    take_journey_reward,
    visitor_rewards,
)
from rogsim.games.river_of_gold.rules.setup import take_patron
from rogsim.games.river_of_gold.rules.state import AUTOMATIC, PAUSE, SET_DIE
from rogsim.games.river_of_gold.rules.supply import apply_exchange, can_exchange, gain_favor, gain_good, turn_die
from rogsim.games.river_of_gold.rules.turn import emperors_visit, end_turn, roll_die


def apply(tables: Any, game: Any, action: int) -> None:
    """Carry out an action of `game.actor`, then everything up to the next choice; the caller ensures it is legal."""
    game.secret.journal_size = 0
    if act.EXCHANGE <= action < act.TURN_DIE:
        apply_exchange(tables, game, action)
    elif act.TURN_DIE <= action < act.BUILD:
        turn_die(game, action - act.TURN_DIE + 1)
    else:
        phase = game.phase
        game.phase = AUTOMATIC
        if action < act.BUILD:
            apply_pass(game, phase)
        elif action < act.TAKE_GOOD:
            apply_main_action(tables, game, action)
        else:
            apply_choice(tables, game, action)
        advance(tables, game)


def apply_pass(game: Any, phase: int) -> None:
    """Continue; if Kakita Ryoku could have set the die, roll it."""
    if phase == SET_DIE:
        roll_die(game)


def apply_main_action(tables: Any, game: Any, action: int) -> None:
    """Build, sail or deliver; the end of the turn follows."""
    push(game, todo.END_TURN, game.active, 0, 0)
    if action < act.SAIL:
        code = action - act.BUILD
        build(tables, game, int(code // MAX_ROW), code % MAX_ROW)
    elif action < act.DELIVER:
        ship = int(action >= act.SAIL + RIVER_SPACES)
        sail(tables, game, ship, action - act.SAIL - ship * RIVER_SPACES)
    else:
        deliver(tables, game, action - act.DELIVER)


def apply_choice(tables: Any, game: Any, action: int) -> None:
    """Carry out a choice that follows an action, or the patron draft."""
    player = game.players[game.actor]
    if action < act.JOURNEY_KOKU:
        gain_good(tables, player, action - act.TAKE_GOOD, 1)
    elif action < act.SELL_GOOD:
        take_journey_reward(tables, game, action)
    elif action < act.PLACE_MARKER:
        sell(tables, game, action - act.SELL_GOOD)
    elif action < act.MAKE_ROYAL:
        place_marker(tables, game, action - act.PLACE_MARKER)
    elif action < act.DISCARD_CUSTOMER:
        player.royal = action - act.MAKE_ROYAL
    elif action < act.SET_FACE:
        discard_customer(game, game.actor, action - act.DISCARD_CUSTOMER)
    elif action < act.TAKE_PATRON:
        player.favor -= tables.kakita_favor
        player.ledger.favor_spent += tables.kakita_favor
        player.die = action - act.SET_FACE + 1
    else:
        take_patron(tables, game, action - act.TAKE_PATRON)


def advance(tables: Any, game: Any) -> None:
    """Work through the agenda until somebody must choose or the game is over."""
    while game.phase == AUTOMATIC:
        kind, seat, a, b = pop(game)
        if kind == todo.END_TURN:
            end_turn(tables, game, a)
        elif kind == ASK:
            put_choice(tables, game, a, seat, b == 1)
        else:
            follow(tables, game, kind, seat, a, b)


def put_choice(tables: Any, game: Any, phase: int, seat: int, asked: bool) -> None:
    """Ask a seat for a choice; if it is not the active one, the active player may exchange first."""
    if seat != game.active and not asked and can_exchange(tables, game.players[game.active]):
        push(game, ASK, seat, phase, 1)
        game.phase = PAUSE
        game.actor = game.active
    else:
        game.phase = phase
        game.actor = seat


def follow(tables: Any, game: Any, kind: int, seat: int, a: int, b: int) -> None:  # noqa: C901 - a plain list
    """Carry out a task that follows an action, a reward or the Emperor's Visit."""
    if kind == todo.VISITOR_REWARDS:
        visitor_rewards(tables, game, a)
    elif kind == todo.OWNER_REWARDS:
        owner_rewards(tables, game, a, b)
    elif kind == todo.ROYAL_SHIP:
        royal_ship(tables, game)
    elif kind == todo.PATRON_SAILS:
        patron_sails(tables, game)
    elif kind == todo.JOURNEY_REWARD:
        journey_reward(game)
    elif kind == todo.MERCHANTS:
        merchants(tables, game, a)
    elif kind == todo.ROW_END:
        discard_row_end(tables, game)
    elif kind == todo.REFILL:
        refill_row(tables, game)
    elif kind == todo.INFLUENCE:
        gain_influence(tables, game, seat, a, b)
    elif kind == todo.CLIMB:
        advance_marker(tables, game, seat, a, b)
    elif kind == todo.FAVOR:
        gain_favor(game.players[seat], b)
    elif kind == todo.DRAW:
        draw_then_discard(game, seat, a)
    elif kind == todo.DELIVERY_REWARD:
        delivery_reward(tables, game, a)
    elif kind == todo.SECOND_MARKER:
        second_marker(tables, game, a)
    elif kind == todo.EMPERORS_VISIT:
        emperors_visit(tables, game, a, b)
