"""`legal` lists every legal action of `game.actor` on a menu."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import has, places_above, write_each
from rogsim.game.kit.menus import list_if, list_row
from rogsim.game.rules import BLOCK
from rogsim.games.the_river.components import names
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.construct import list_payments, payable
from rogsim.games.the_river.rules.state import DISCARD, EMPTY, PAY, START, SWAPS, TAKE, TURN
from rogsim.games.the_river.rules.storage import HELD, holding_of

SIDE = names.MAX_GIVEN + 1
COUNT_BITS = 8
# What a player can hold, food first, then as `holding_of` counts; more than can be given away counts as that.
HOLDINGS = np.indices((HELD,) * len(names.RESOURCES)).reshape(len(names.RESOURCES), -1)[[1, 2, 3, 0]].T


def _trades(give: int) -> list[tuple[int, ...]]:
    """Return the trades of `give` resources that each holding allows."""
    sets = HOLDINGS[HOLDINGS.sum(axis=1) == give]
    sets = sets[np.lexsort(sets.T[::-1])]  # in the order of their actions
    actions = act.TRADE + sets @ (SIDE * SIDE, SIDE, 1, 0)
    return [tuple(actions[row].tolist()) for row in (sets <= HOLDINGS[:, None]).all(axis=2)]


_ALLOWED = [trades for give in range(names.LEAST_GIVEN, SIDE) for trades in _trades(give)]
MOST = -(-max(map(len, _ALLOWED)) // BLOCK) * BLOCK  # of one holding, as whole blocks
# Where each list of trades begins: listed once, because many holdings allow the same, so that all stay at hand.
_FIRST = dict(zip(_LISTS := dict.fromkeys(_ALLOWED), np.cumsum([0, *map(len, _LISTS)]).tolist(), strict=False))
TRADES = np.array([action for trades in _FIRST for action in trades] + [0] * MOST, np.int16)
# Of each holding, size after size: where its trades begin, and in the lowest bits how many they are.
RANGES = np.array([(_FIRST[trades] << COUNT_BITS) + len(trades) for trades in _ALLOWED], np.int32)


def list_sets(holding: int, food: int, give: int, menu: Any) -> int:
    """Fill the menu with the trades of `give` resources; return their number."""
    found = RANGES[
        ((give - names.LEAST_GIVEN) * HELD + min(food, names.MAX_GIVEN)) * HELD ** len(names.PRODUCED) + holding
    ]
    first, count = found >> COUNT_BITS, found & (1 << COUNT_BITS) - 1
    for i in range(BLOCK):  # there are hardly ever more: a fixed number becomes one block, and no loop
        menu.actions[i] = TRADES[first + i]
    for i in range(BLOCK, count):
        menu.actions[i] = TRADES[first + i]
    return count


# By number of tiles: the exchanges of every pair of spots with tiles, and how many they are, as rows for `list_row`.
EXCHANGES = np.zeros((names.SPOTS + 1, -(-len(act.PAIRS) // BLOCK) * BLOCK), np.int16)
for _tiles, _row in enumerate(EXCHANGES):
    _pairs = [act.EXCHANGE + pair for pair, (_, second) in enumerate(act.PAIRS) if second <= _tiles]
    _row[: len(_pairs)], _row[-1] = _pairs, len(_pairs)

# By mask of islands: producing on each, in the same form.
ISLANDS = np.zeros((1 << len(names.RESOURCES), 8), np.int16)
for _mask, _row in enumerate(ISLANDS):
    _places = [place for place in range(len(names.RESOURCES)) if _mask >> place & 1]
    _actions = [act.FOOD if place == names.FOOD else act.PRODUCE + place for place in _places]
    _row[: len(_actions)], _row[-1] = _actions, len(_actions)

NO_CARD = 63  # the bit of a mask of cards for a spot without one: never set
ALL_CARDS = (1 << len(names.CARDS)) - 1
# By whether cards can be reserved, and card: reserving and building it, or only building it, to be written together.
CARD_ACTIONS = np.zeros((2, NO_CARD + 1, 2), np.int16)
for _card in range(len(names.CARDS)):
    CARD_ACTIONS[:, _card] = act.CONSTRUCT + _card
    CARD_ACTIONS[1, _card, 0] = act.RESERVE + _card
USUAL_CARDS_UP = 4


def legal(tables: Any, game: Any, menu: Any) -> None:
    """Fill the menu with every legal action of `game.actor`, each once; it is never empty before the game ends."""
    player = game.players[game.actor]
    if game.phase == TURN:
        list_turn(tables, game, player, menu)
    elif game.phase == START:
        menu.count = list_tiles(game, menu, 0, act.START, True)
    elif game.phase == DISCARD:
        menu.count = list_held(player.resources, len(names.RESOURCES), menu, act.DISCARD)
    elif game.phase == TAKE:
        menu.count = list_held(game.islands, len(names.PRODUCED), menu, act.TAKE)
    elif game.phase == PAY:
        list_payments(tables, player, game.card, menu)
    else:
        menu.count = list_exchanges(player, menu, game.phase == SWAPS)


def list_turn(tables: Any, game: Any, player: Any, menu: Any) -> None:
    """List the trades and every place that a pioneer can go to; if there is none, spending it (J1)."""
    places = game.places
    holding, food = holding_of(player.resources), player.resources[names.FOOD]
    trades = list_sets(holding, food, tables.trade_give, menu)
    trades *= int(game.islands[names.FOOD] >= tables.trade_get)
    count = list_claims(tables, game, player, menu, trades)
    count = list_islands(tables, game, player, menu, count, places)
    count = list_cards(tables, game, player, menu, count, places, holding)
    count = list_if(has(places, names.TAKE_PAWN), menu, count, act.FIRST)
    count = list_if((player.tile_count >= 2) & has(places, names.SWAP), menu, count, act.SWAP)
    menu.count = list_if(count == trades, menu, count, act.PASS)


def list_tiles(game: Any, menu: Any, count: int, first: int, legal_now: bool) -> int:
    """Add an action for each face-up tile if that is legal; they are written in any case, as in `list_if`."""
    write_each(menu.actions, count, game.display, first)
    return count + game.display_count * int(legal_now)


def list_claims(tables: Any, game: Any, player: Any, menu: Any, count: int) -> int:
    """Add the face-up tiles, unless the board is complete or the player claimed often enough in this round."""
    may_claim = (player.tile_count < names.SPOTS) & (player.claims < tables.spots[names.CLAIM])
    return list_tiles(game, menu, count, act.CLAIM, may_claim)


def list_islands(tables: Any, game: Any, player: Any, menu: Any, count: int, places: int) -> int:
    """Add the islands that give the player at least one resource; without a warehouse none does (J3, J25)."""
    some, producing = places_above(game.islands, 0), places_above(player.production, 0)
    bonus = places_above(tables.first_bonus, 0) & places >> EMPTY + names.PRODUCE
    giving = some & (producing | bonus) | int(some != 0) << names.FOOD
    return list_row(menu, count, ISLANDS, (giving & places >> names.PRODUCE) * int(player.warehouses > 0))


def symbols(tables: Any, game: Any, player: Any, resource: int) -> int:
    """Return how much the player would produce: symbols in sight, and the bonus of the first pioneer on the island."""
    first = game.pioneers[names.PRODUCE + resource] == 0
    return player.production[resource] + tables.first_bonus[resource] * first


def list_cards(tables: Any, game: Any, player: Any, menu: Any, count: int, places: int, holding: int) -> int:
    """Add the cards that can be reserved, and those that can be built, reserved ones included."""
    may_reserve = int(player.reserved_count < tables.reserved_max and has(places, names.RESERVE))
    may_construct, food = has(places, names.CONSTRUCT), player.resources[names.FOOD]
    paid = payable(tables, holding, food) * may_construct
    for spot in range(USUAL_CARDS_UP):  # a fixed number needs no loop
        count = list_card(game.cards[spot], menu, count, may_reserve, paid)
    for spot in range(USUAL_CARDS_UP, tables.cards_up):
        count = list_card(game.cards[spot], menu, count, may_reserve, paid)
    paid = payable(tables, holding, food + tables.reserved_discount) * may_construct
    for i in range(len(player.reserved)):
        card = player.reserved[i]
        count = list_if(has(paid, card & NO_CARD), menu, count, act.CONSTRUCT + card)
    return count


def list_card(card: int, menu: Any, count: int, may_reserve: int, paid: int) -> int:
    """Add reserving a card if that is legal, and building it if it is in a mask; as in `list_if`, both are written."""
    card &= NO_CARD
    for i in range(2):
        menu.actions[count + i] = CARD_ACTIONS[may_reserve, card, i]
    return count + has(ALL_CARDS * may_reserve, card) + has(paid, card)


def list_held(amounts: Any, kinds: int, menu: Any, first: int) -> int:
    """Add an action for each resource of which there is any."""
    count = 0
    for resource in range(kinds):
        count = list_if(amounts[resource] > 0, menu, count, first + resource)
    return count


def list_exchanges(player: Any, menu: Any, may_skip: bool) -> int:
    """Add every pair of spots with tiles, and skipping if the swap may be declined (J27)."""
    menu.actions[0] = act.SKIP
    return list_row(menu, int(may_skip), EXCHANGES, player.tile_count)
