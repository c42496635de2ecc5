"""`legal` lists every legal action of `game.actor` on a menu."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import inlined, kernel, part
from rogsim.game.kit.byte_lists import write_each
from rogsim.game.kit.menus import at, list_if, list_row
from rogsim.game.rules import BLOCK
from rogsim.games.the_river.components.names import (
    CLAIM,
    CONSTRUCT,
    FOOD,
    GET_FOOD,
    NONE,
    PRODUCE,
    PRODUCED,
    RESERVE,
    RESOURCES,
    SPOTS,
    SWAP,
    TAKE_PAWN,
)
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.construct import holding_of, list_payments, missing
from rogsim.games.the_river.rules.phases import DISCARD, PAY, START, SWAPS, TAKE, TURN
from rogsim.games.the_river.rules.trades import list_sets

# By number of tiles: the exchanges of every pair of spots with tiles, and how many they are, as rows for `list_row`.
EXCHANGES = np.zeros((SPOTS + 1, -(-len(act.PAIRS) // BLOCK) * BLOCK), np.int16)
for _tiles, _row in enumerate(EXCHANGES):
    _pairs = [act.EXCHANGE + pair for pair, (_, second) in enumerate(act.PAIRS) if second <= _tiles]
    _row[: len(_pairs)], _row[-1] = _pairs, len(_pairs)


@part
def legal(tables: Any, game: Any, menu: Any) -> None:
    """Fill the menu with every legal action of `game.actor`, each once; it is never empty before the game ends."""
    player = game.players[at(game.actor)]
    if game.phase == TURN:
        list_turn(tables, game, player, menu)
    elif game.phase == START:
        menu.count = list_tiles(game, menu, 0, act.START, True)
    elif game.phase == DISCARD:
        menu.count = list_held(player.resources, len(RESOURCES), menu, act.DISCARD)
    elif game.phase == TAKE:
        menu.count = list_held(game.islands, len(PRODUCED), menu, act.TAKE)
    elif game.phase == PAY:
        list_payments(tables, player, int(game.card), menu)
    else:
        menu.count = list_exchanges(player, menu, game.phase == SWAPS)


@kernel  # machine code of its own: inside the play loop too few registers are left for it
def list_turn(tables: Any, game: Any, player: Any, menu: Any) -> None:
    """List the trades and every place that a pioneer can go to; if there is none, spending it (J1)."""
    trades = list_trades(tables, game, player, menu)
    count = list_claims(tables, game, player, menu, trades)
    count = list_islands(tables, game, player, menu, count)
    count = list_cards(tables, game, player, menu, count)
    count = list_if(is_free(tables, game, TAKE_PAWN), menu, count, act.FIRST)
    count = list_if((player.tile_count >= 2) & is_free(tables, game, SWAP), menu, count, act.SWAP)
    menu.count = list_if(count == trades, menu, count, act.PASS)


@inlined
def is_free(tables: Any, game: Any, place: int) -> bool:
    """Return whether a place that all players share has room for a pioneer."""
    return game.pioneers[place] < tables.spots[place]


@inlined
def list_trades(tables: Any, game: Any, player: Any, menu: Any) -> int:
    """Add every set of resources that can be traded for food; return the count, as all these functions do."""
    if game.islands[FOOD] < tables.trade_get:
        return 0
    return list_sets(player.resources, int(tables.trade_give), menu)


@inlined
def list_tiles(game: Any, menu: Any, count: int, first: int, legal_now: bool) -> int:
    """Add an action for each face-up tile if that is legal; they are written in any case, as in `list_if`."""
    write_each(menu.actions, count, game.display, first)
    return count + int(game.display_count) * int(legal_now)


@inlined
def list_claims(tables: Any, game: Any, player: Any, menu: Any, count: int) -> int:
    """Add the face-up tiles, unless the board is complete or the player claimed often enough in this round."""
    may_claim = (player.tile_count < SPOTS) & (player.claims < tables.spots[CLAIM])
    return list_tiles(game, menu, count, act.CLAIM, may_claim)


@inlined
def list_islands(tables: Any, game: Any, player: Any, menu: Any, count: int) -> int:
    """Add the islands that give the player at least one resource; without a warehouse none does (J3, J25)."""
    if player.warehouses == 0:
        return count
    left = 0
    for resource in range(len(PRODUCED)):
        left += int(game.islands[resource])
        some = (game.islands[resource] > 0) & (symbols(tables, game, player, resource) > 0)
        count = list_if(some & is_free(tables, game, PRODUCE + resource), menu, count, act.PRODUCE + resource)
    some = left + int(game.islands[FOOD]) > 0
    return list_if(some & is_free(tables, game, GET_FOOD), menu, count, act.FOOD)


@inlined
def symbols(tables: Any, game: Any, player: Any, resource: int) -> int:
    """Return how much the player would produce: symbols in sight, and the bonus of the first pioneer on the island."""
    first = game.pioneers[PRODUCE + resource] == 0
    return int(player.production[resource]) + int(tables.first_bonus[resource]) * int(first)


@inlined
def list_cards(tables: Any, game: Any, player: Any, menu: Any, count: int) -> int:
    """Add the cards that can be reserved, and those that can be built, reserved ones included."""
    may_reserve = (player.reserved_count < tables.reserved_max) & is_free(tables, game, RESERVE)
    may_build = is_free(tables, game, CONSTRUCT)
    holding, food = holding_of(player.resources), int(player.resources[FOOD])
    for spot in range(tables.cards_up):
        card = int(game.cards[spot])
        count = list_if(may_reserve & (card != NONE), menu, count, act.RESERVE + card)
        payable = may_build & (missing(tables, card, holding) <= food)
        count = list_if(payable, menu, count, act.CONSTRUCT + card)
    food += int(tables.reserved_discount)
    for i in range(len(player.reserved)):
        card = int(player.reserved[i])
        payable = may_build & (missing(tables, card, holding) <= food)
        count = list_if(payable, menu, count, act.CONSTRUCT + card)
    return count


@part
def list_held(amounts: Any, kinds: int, menu: Any, first: int) -> int:
    """Add an action for each resource of which there is any."""
    count = 0
    for resource in range(kinds):
        count = list_if(amounts[resource] > 0, menu, count, first + resource)
    return count


@part
def list_exchanges(player: Any, menu: Any, may_skip: bool) -> int:
    """Add every pair of spots with tiles, and skipping if the swap may be declined (J27)."""
    menu.actions[0] = act.SKIP
    return list_row(menu, int(may_skip), EXCHANGES, int(player.tile_count))
