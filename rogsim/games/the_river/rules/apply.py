"""`apply` carries out one action and everything that follows by itself; nothing else changes a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.games.the_river.components import names
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.construct import only_payment, pay, reserve
from rogsim.games.the_river.rules.display import take_tile
from rogsim.games.the_river.rules.legal import symbols
from rogsim.games.the_river.rules.round import ALL_EVENTS, advance, follow_up
from rogsim.games.the_river.rules.state import DISPLAY, EMPTY, EXCHANGE, OVER, PAY, STORE, TAKE, TURN
from rogsim.games.the_river.rules.storage import give_back_all, give_up, only_kind, take
from rogsim.games.the_river.rules.tiles import put_tile, swap_tiles

# The two spots, from 0, of each exchange.
FIRST_SPOT = np.array([first - 1 for first, _ in act.PAIRS])
SECOND_SPOT = np.array([second - 1 for _, second in act.PAIRS])


def apply(tables: Any, game: Any, action: int) -> None:
    """Carry out a legal action of `game.actor`, then everything up to the next decision."""
    carry_out(tables, game, action)
    if DISPLAY <= game.phase < OVER:
        advance(tables, game, ALL_EVENTS)


def carry_out(tables: Any, game: Any, action: int) -> None:
    """Carry out a legal action, with all that follows by itself up to the next decision or event."""
    player = game.players[game.actor]
    game.phase = STORE  # unless something must be chosen first
    if action < act.CLAIM:
        take_resource_or_place(tables, game, player, action)
    elif action < act.CONSTRUCT:
        take_component(tables, game, player, action)
    elif action < act.EXCHANGE:
        action = construct(tables, game, player, action - act.CONSTRUCT)
    elif action < act.TRADE:
        exchange(game, player, action - act.EXCHANGE)
    elif action < act.PAY:
        trade(tables, game, player, action - act.TRADE)
    if action >= act.PAY:
        pay(tables, game, player, action)
    if game.phase == STORE:
        follow_up(tables, game)


def place(tables: Any, game: Any, player: Any, spot: int) -> None:
    """Place a pioneer."""
    player.boat -= 1
    player.placed += 1
    player.ledger.placed[spot] += 1
    game.pioneers[spot] += 1
    full = int(game.pioneers[spot] >= tables.spots[spot])
    game.places &= ~((full | 1 << EMPTY) << spot)


def take_component(tables: Any, game: Any, player: Any, action: int) -> None:
    """Pick or claim a tile, or reserve a building."""
    if action >= act.RESERVE:
        place(tables, game, player, names.RESERVE)
        reserve(game, player, action - act.RESERVE)
        return
    tile = action - act.START
    if action < act.START:
        place(tables, game, player, names.CLAIM)
        player.claims += 1
        tile = action - act.CLAIM
    take_tile(game, tile)
    put_tile(tables, game, player, tile)


def construct(tables: Any, game: Any, player: Any, card: int) -> int:
    """Begin to build a card; return its payment as an action, or NONE if the player must choose."""
    place(tables, game, player, names.CONSTRUCT)
    game.card = card
    payment = only_payment(tables, player, card)
    if payment == names.NONE:
        game.phase = PAY
    return payment


def take_resource_or_place(tables: Any, game: Any, player: Any, action: int) -> None:
    """Carry out an action that takes or returns resources, or only needs a place; or skip, or pass."""
    if action >= act.DISCARD:
        give_up(game, player, action - act.DISCARD, 1)
    elif action >= act.TAKE:
        player.ledger.food += take(game, player, action - act.TAKE, tables.food_action)
    elif action >= act.PRODUCE:
        produce(tables, game, player, action - act.PRODUCE)
    elif action == act.FOOD:
        place(tables, game, player, names.GET_FOOD)
        get_food(tables, game, player)
    elif action == act.SWAP:
        place(tables, game, player, names.SWAP)
        if player.tile_count > 2:
            game.phase = EXCHANGE
        else:
            swap_tiles(player, 0, 1)
    elif action == act.FIRST:
        place(tables, game, player, names.TAKE_PAWN)
        player.ledger.pawn_gained += game.pawn != game.active
        game.pawn = game.active
    elif action == act.SKIP:
        game.swaps_left = 0
    else:  # PASS
        player.boat -= 1
        player.placed += 1
        player.ledger.passes += 1


def produce(tables: Any, game: Any, player: Any, resource: int) -> None:
    """Take as many resources as symbols are in sight, and the bonus of the first pioneer."""
    amount = symbols(tables, game, player, resource)
    place(tables, game, player, names.PRODUCE + resource)
    player.ledger.produced[resource] += take(game, player, resource, amount)


def get_food(tables: Any, game: Any, player: Any) -> None:
    """Take food; where there is none, another resource, which the player chooses if there are several."""
    some = game.islands[names.FOOD] > 0
    taken = names.FOOD if some else only_kind(game.islands, len(names.PRODUCED))
    if taken == names.NONE:
        game.phase = TAKE
    else:
        player.ledger.food += take(game, player, taken, tables.food_action)


def trade(tables: Any, game: Any, player: Any, code: int) -> None:
    """Trade resources for food; the same turn goes on."""
    wood, stone, clay = act.named_in(code, names.MAX_GIVEN)
    give_back_all(game, player, wood, stone, clay, tables.trade_give - wood - stone - clay)
    player.ledger.food += take(game, player, names.FOOD, tables.trade_get)
    player.ledger.trades += 1
    game.phase = TURN


def exchange(game: Any, player: Any, pair: int) -> None:
    """Swap two tiles: the action of the place, or one of those of the swap meadow."""
    swap_tiles(player, FIRST_SPOT[pair], SECOND_SPOT[pair])
    game.swaps_left = max(int(game.swaps_left) - 1, 0)
