"""The policy of the personas and `tuned`: it takes the action that their weights value most."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bots import noted
from rogsim.games.the_river.bots import holdings
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.terrain import lead_of, note_board, note_needs, swap_gain, swap_worth, tile_worth
from rogsim.games.the_river.components.names import NONE
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.apply import FIRST_SPOT, SECOND_SPOT
from rogsim.games.the_river.rules.legal import symbols
from rogsim.games.the_river.rules.state import DISCARD, EXCHANGE, PAY, SWAPS, TURN


def choose_by_weights(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return the place on the menu of the action that the weights value most; no chance is involved."""
    return best_place(tables, view, menu, memory.weights, noted(memory.notes, w.MOMENT))


def best_place(tables: Any, view: Any, menu: Any, weights: Any, moment: Any) -> int:
    """Return the place on the menu of the action that the weights value most; of equal ones the first."""
    weigh_moment(tables, view, weights, moment)
    best, best_worth, player = 0, holdings.NOTHING, view.players[view.actor]
    for i in range(menu.count):
        worth = action_worth(tables, view, player, menu.actions[i], moment)
        if worth > best_worth:
            best, best_worth = i, worth
    return best


def weigh_moment(tables: Any, view: Any, weights: Any, moment: Any) -> None:
    """Note the weights for this moment, and what all actions are compared by."""
    player = view.players[view.actor]
    note_weights(tables, view, weights, moment)
    if view.end == 1:
        moment.weights[w.RESOURCE] = tables.leftover_points / tables.leftover_set
        moment.weights[w.FOOD_MORE] = 0.0
        moment.weights[w.RESERVED] = 0.0
        if player.boat <= (view.phase == TURN):  # no pioneer is left to build
            moment.weights[w.OPEN] = 0.0
            moment.weights[w.SAFE] = 0.0
    moment.lead = w.UNKNOWN
    if view.phase != PAY and view.phase != DISCARD:  # there terrain does not matter
        note_board(tables, player, moment)
    if view.phase == EXCHANGE or view.phase == SWAPS:
        note_needs(tables, moment)
    moment.next_token = token_worth(tables, view, player, moment)
    holdings.note_hopes(tables, view, player, moment)
    moment.held = holdings.resources_worth(player, 0, 0, moment) + moment.hope
    moment.trade_card = holdings.find_trade(tables, view, player, moment) if view.phase == TURN else NONE


def note_weights(tables: Any, view: Any, weights: Any, moment: Any) -> None:
    """Note the weights for this number of players, and how much of the game is left."""
    first = w.first_weight(view.seats)
    for i in range(w.WEIGHT_COUNT):
        moment.weights[i] = weights[first + i]
    moment.left = time_left(tables, view)


def time_left(tables: Any, view: Any) -> float:
    """Return how much of the game is left, from 1 to 0: what the player nearest to the end still lacks."""
    tokens, tiles = 0, 0
    for seat in range(view.seats):
        tokens = max(tokens, view.players[seat].token_count)
        tiles = max(tiles, view.players[seat].tile_count)
    left = min(1.0 - tokens / tables.end_tokens, 1.0 - tiles / tables.end_tiles)
    return min(left, 1.0 - view.end)


def token_waits(tables: Any, view: Any, player: Any) -> bool:
    """Return whether a player would take a bonus token with the next building."""
    return player.token_count < tables.token_spots[player.board] and view.tokens_taken < tables.token_count


def token_worth(tables: Any, view: Any, player: Any, moment: Any) -> float:
    """Return what the next bonus token brings, the fifth pioneer and the end of the game included."""
    if not token_waits(tables, view, player):
        return 0.0
    worth = float(tables.token_values[view.tokens_taken])
    if player.token_count + 1 == tables.extra_pioneer_on_token and player.fifth == 1:
        worth += moment.weights[w.PIONEER] * moment.left
    if player.token_count + 1 == tables.end_tokens and view.end == 0:
        worth += moment.weights[w.FINISH] * lead_of(tables, view, moment)
    return worth


def action_worth(tables: Any, view: Any, player: Any, action: int, moment: Any) -> float:
    """Return the worth of an action to the actor, in the moment that was noted last."""
    if action >= act.PAY:
        return holdings.payment_worth(tables, view, player, action - act.PAY, moment)
    if action >= act.TRADE:
        return holdings.trade_worth(tables, player, action - act.TRADE, moment)
    if action >= act.EXCHANGE:
        pair = action - act.EXCHANGE
        return float(swap_gain(tables, FIRST_SPOT[pair], SECOND_SPOT[pair], moment))
    if action >= act.CONSTRUCT:
        return holdings.construct_worth(tables, player, action - act.CONSTRUCT, holdings.UNSPENT, moment)
    if action >= act.RESERVE:
        return holdings.reserve_worth(tables, player, action - act.RESERVE, moment)
    if action >= act.CLAIM:
        first = act.START if action >= act.START else act.CLAIM
        return tile_worth(tables, view, player, action - first, moment)
    if action >= act.DISCARD:
        return holdings.holdings_worth(player, NONE, holdings.of_one(action - act.DISCARD, 1), moment)
    if action >= act.TAKE:
        return holdings.gain_worth(view, player, action - act.TAKE, tables.food_action, moment)
    return place_worth(tables, view, player, action, moment)


def place_worth(tables: Any, view: Any, player: Any, action: int, moment: Any) -> float:
    """Return the worth of an action that takes resources, or only needs a place."""
    if action >= act.PRODUCE:
        resource = action - act.PRODUCE
        return holdings.gain_worth(view, player, resource, symbols(tables, view, player, resource), moment)
    if action == act.FOOD:
        return holdings.food_worth(tables, view, player, moment)
    if action == act.SWAP:
        return swap_worth(tables, view, player, moment)
    if action == act.FIRST and view.end == 0:
        distance = (view.actor + view.seats - view.pawn) % view.seats
        return moment.weights[w.PAWN] * distance if distance > 0 else moment.weights[w.HOLD]
    return 0.0
