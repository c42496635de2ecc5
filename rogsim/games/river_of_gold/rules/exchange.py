"""Exchanges: 2 equal goods for 1 other good, 5 koku for 1 favor; at any moment of the player's own turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import inlined, part
from rogsim.game.kit.menus import at, list_if, list_row
from rogsim.games.river_of_gold.components.names import KINDS
from rogsim.games.river_of_gold.components.tables import ENOUGH, ROOM
from rogsim.games.river_of_gold.rules.actions import BUY_FAVOR, EXCHANGE
from rogsim.games.river_of_gold.rules.phases import SELL
from rogsim.games.river_of_gold.rules.supply import (
    gain_favor,
    gain_good,
    pay_koku,
)


@inlined
def can_buy_favor(tables: Any, player: Any) -> bool:
    """Return whether koku can be exchanged for favor within the favor limit."""
    return (player.koku >= tables.koku_for_favor) & (player.favor < player.favor_limit)


def _exchange_rows() -> Any:
    """Return for each set of goods that can be given or got the exchanges, and their number; see `exchange_row`."""
    pairs = [(give, get) for give in range(KINDS) for get in range(KINDS) if give != get]
    rows = np.zeros((1 << 2 * KINDS, len(pairs) + 2), np.int16)  # eight places are one block
    for goods, row in enumerate(rows):
        actions = [
            EXCHANGE + give * KINDS + get
            for give, get in pairs
            if goods & ENOUGH << 2 * give and goods & ROOM << 2 * get
        ]
        row[: len(actions)], row[-1] = actions, len(actions)
    return rows


EXCHANGE_ROWS = _exchange_rows()


@inlined
def exchange_row(tables: Any, player: Any) -> int:
    """Return the row of EXCHANGE_ROWS with the exchanges that the player can make: a look-up instead of nine tests.

    Its number has two bits for each good: whether there are enough to give, and whether there is room for one more.
    """
    row = 0
    for good in range(KINDS):
        row |= int(tables.exchangeable[at(player.goods[good])]) << 2 * good
    return row


@inlined
def can_exchange(tables: Any, player: Any) -> bool:
    """Return whether the player can make any exchange."""
    return can_buy_favor(tables, player) | (EXCHANGE_ROWS[at(exchange_row(tables, player)), -1] > 0)


@inlined
def list_exchanges(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add every exchange that the player can make to the menu; return the new count."""
    count = list_row(menu, count, EXCHANGE_ROWS, exchange_row(tables, player))
    return list_if(can_buy_favor(tables, player), menu, count, BUY_FAVOR)


@part
def apply_exchange(tables: Any, game: Any, action: int) -> None:
    """Carry out an exchange of the active player; the open choice stays open."""
    player = game.players[at(game.active)]
    if action == BUY_FAVOR:
        pay_koku(player, tables.koku_for_favor)
        gain_favor(player, 1)
    else:
        pair = at(action - EXCHANGE)
        player.goods[pair // at(KINDS)] -= tables.goods_for_good
        gain_good(tables, player, int(pair % at(KINDS)), 1)
    player.ledger.exchanges += 1
    game.must_sell = game.phase == SELL
