"""The policy of the personas and `tuned`: it takes the action that their weights value most."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import (
    NOTHING,
    construct_worth,
    discard_worth,
    find_trade,
    food_worth,
    gain_worth,
    holdings_worth,
    payment_worth,
    reserve_worth,
    trade_worth,
)
from rogsim.games.the_river.bots.terrain import best_swap, lead_of, swap_gain, tile_worth
from rogsim.games.the_river.components.names import COLLECTION, NONE, PRODUCTION, TERRAINS
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.apply import FIRST_SPOT, SECOND_SPOT
from rogsim.games.the_river.rules.legal import symbols
from rogsim.games.the_river.rules.phases import TURN


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
    weigh_moment(tables, view, memory)
    best, best_worth = 0, NOTHING
    for i in range(menu.count):
        worth = action_worth(tables, view, int(menu.actions[i]), memory)
        if worth > best_worth:
            best, best_worth = i, worth
    return best


@kernel
def weigh_moment(tables: Any, view: Any, memory: Any) -> None:
    """Note the weights for this moment, and what all actions are compared by."""
    notes, player = memory.notes, view.players[view.actor]
    note_weights(tables, view, memory)
    if view.end == 1:
        notes[w.RESOURCE] = float(tables.leftover_points) / float(tables.leftover_set)
        notes[w.FOOD_MORE] = 0.0
        notes[w.RESERVED] = 0.0
        if player.boat <= (view.phase == TURN):  # no pioneer is left to build
            notes[w.OPEN] = 0.0
            notes[w.SAFE] = 0.0
    note_tiles(tables, player, notes)
    notes[w.NEXT_TOKEN] = token_worth(tables, view, player, memory)
    notes[w.HELD] = holdings_worth(tables, view, player, NONE, memory)
    notes[w.TRADE_CARD] = find_trade(tables, view, player, memory) if view.phase == TURN else NONE


@part
def note_weights(tables: Any, view: Any, memory: Any) -> None:
    """Note the weights for this number of players, and how much of the game is left."""
    first = w.first_weight(view.seats)
    for i in range(w.WEIGHT_COUNT):
        memory.notes[i] = memory.weights[first + i]
    memory.notes[w.LEFT] = time_left(tables, view)


@part
def time_left(tables: Any, view: Any) -> float:
    """Return how much of the game is left, from 1 to 0: what the player nearest to the end still lacks."""
    left = 1.0 - float(view.end)
    for seat in range(view.seats):
        player = view.players[seat]
        left = min(left, 1.0 - float(player.token_count) / float(tables.end_tokens))
        left = min(left, 1.0 - float(player.tile_count) / float(tables.end_tiles))
    return left


@part
def note_tiles(tables: Any, player: Any, notes: Any) -> None:
    """Note what further tiles would add to those on the board."""
    for i in range(w.COLLECTED, w.NOTE_COUNT):
        notes[i] = 0.0
    for spot in range(player.tile_count):
        tile = tables.tiles[player.tiles[spot]]
        for kind in range(len(TERRAINS)):
            notes[w.SAME + kind] += tile.terrain >> kind & 1
        if tile.effect == COLLECTION:
            for kind in range(len(TERRAINS)):
                notes[w.COLLECTED + kind] += tile.counted >> kind & 1
        elif tile.effect == PRODUCTION and player.production[tile.resource] < tables.production_meadow_cap:
            notes[w.WANTED + tile.resource] += 1.0


@part
def token_waits(tables: Any, view: Any, player: Any) -> bool:
    """Return whether a player would take a bonus token with the next building."""
    return player.token_count < tables.token_spots[player.board] and view.tokens_taken < tables.token_count


@part
def token_worth(tables: Any, view: Any, player: Any, memory: Any) -> float:
    """Return what the next bonus token brings, the fifth pioneer and the end of the game included."""
    notes = memory.notes
    if not token_waits(tables, view, player):
        return 0.0
    worth = float(tables.token_values[view.tokens_taken])
    if player.token_count + 1 == tables.extra_pioneer_on_token and player.fifth == 1:
        worth += notes[w.PIONEER] * notes[w.LEFT]
    if player.token_count + 1 == tables.end_tokens and view.end == 0:
        worth += notes[w.FINISH] * lead_of(tables, view)
    return worth


@kernel
def action_worth(tables: Any, view: Any, action: int, memory: Any) -> float:
    """Return the worth of an action, in the moment that was noted last."""
    player = view.players[view.actor]
    if action >= act.PAY:
        return payment_worth(tables, view, player, action - act.PAY, memory)
    if action >= act.TRADE:
        return trade_worth(tables, view, player, action - act.TRADE, memory)
    if action >= act.EXCHANGE:
        pair = action - act.EXCHANGE
        return float(swap_gain(tables, player, FIRST_SPOT[pair], SECOND_SPOT[pair]))
    if action >= act.CONSTRUCT:
        return construct_worth(tables, view, player, action - act.CONSTRUCT, memory)
    if action >= act.RESERVE:
        return reserve_worth(tables, view, player, action - act.RESERVE, memory)
    if action >= act.CLAIM:
        first = act.START if action >= act.START else act.CLAIM
        return tile_worth(tables, view, player, action - first, memory)
    if action >= act.DISCARD:
        return discard_worth(tables, view, player, action - act.DISCARD, memory)
    if action >= act.TAKE:
        return gain_worth(tables, view, player, action - act.TAKE, int(tables.food_action), memory)
    return place_worth(tables, view, player, action, memory)


@part
def place_worth(tables: Any, view: Any, player: Any, action: int, memory: Any) -> float:
    """Return the worth of an action that names no tile and no card."""
    if action >= act.PRODUCE:
        resource = action - act.PRODUCE
        return gain_worth(tables, view, player, resource, symbols(tables, view, player, resource), memory)
    if action == act.FOOD:
        return food_worth(tables, view, player, memory)
    if action == act.SWAP:
        return memory.notes[w.SWAPPED] * best_swap(tables, player)
    if action == act.FIRST and view.end == 0:
        distance = (int(view.actor) + int(view.seats) - int(view.pawn)) % int(view.seats)
        return memory.notes[w.PAWN] * float(distance) if distance > 0 else memory.notes[w.HOLD]
    return 0.0
