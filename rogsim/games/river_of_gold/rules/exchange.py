"""Exchanges: 2 equal goods for 1 other good, 5 koku for 1 favor; at any moment of the player's own turn."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, part
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.components.names import GOODS
from rogsim.games.river_of_gold.rules.actions import BUY_FAVOR, EXCHANGE
from rogsim.games.river_of_gold.rules.phases import SELL
from rogsim.games.river_of_gold.rules.supply import gain_favor, gain_good, pay_koku

KINDS = len(GOODS)


@inlined
def can_exchange_goods(tables: Any, player: Any, give: int, get: int) -> bool:
    """Return whether 2 of one good can be exchanged for 1 of another within its limit."""
    return give != get and player.goods[give] >= tables.goods_for_good and player.goods[get] < tables.good_limit


@inlined
def can_buy_favor(tables: Any, player: Any) -> bool:
    """Return whether koku can be exchanged for favor within the favor limit."""
    return player.koku >= tables.koku_for_favor and player.favor < player.favor_limit


@inlined
def can_exchange(tables: Any, player: Any) -> bool:
    """Return whether the player can make any exchange."""
    if can_buy_favor(tables, player):
        return True
    for give in range(KINDS):
        if player.goods[give] >= tables.goods_for_good:
            for get in range(KINDS):
                if can_exchange_goods(tables, player, give, get):
                    return True
    return False


@inlined
def list_exchanges(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add every exchange that the player can make to the menu; return the new count."""
    for give in range(KINDS):
        if player.goods[give] >= tables.goods_for_good:
            for get in range(KINDS):
                if give != get and player.goods[get] < tables.good_limit:
                    menu.actions[at(count)] = EXCHANGE + give * KINDS + get
                    count += 1
    if can_buy_favor(tables, player):
        menu.actions[at(count)] = BUY_FAVOR
        count += 1
    return count


@part
def apply_exchange(tables: Any, game: Any, action: int) -> None:
    """Carry out an exchange of the active player; the open choice stays open."""
    player = game.players[game.active]
    if action == BUY_FAVOR:
        pay_koku(player, tables.koku_for_favor)
        gain_favor(player, 1)
    else:
        give, get = (action - EXCHANGE) // KINDS, (action - EXCHANGE) % KINDS
        player.goods[give] -= tables.goods_for_good
        gain_good(tables, player, get, 1)
    player.ledger.exchanges += 1
    game.must_sell = game.phase == SELL
