"""Koku, goods, favor and points: gained, paid, exchanged, and spent on the die; only these functions enforce limits.

Gains above a limit are lost; the supply is never short. At any moment of the player's own turn, 2 equal goods buy 1
other good, and 5 koku buy 1 favor. Each favor turns the die by one, up or down, and 6 and 1 are adjacent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.bits import bit as bit
from rogsim.game.kit.bits import has as has
from rogsim.game.kit.menus import list_if, list_row
from rogsim.games.river_of_gold.components.names import FACES, KINDS, NONE
from rogsim.games.river_of_gold.components.tables import ENOUGH, PART, PART_BITS, ROOM
from rogsim.games.river_of_gold.rules.actions import BUY_FAVOR, EXCHANGE
from rogsim.games.river_of_gold.rules.state import SELL


def gain_koku(tables: Any, player: Any, amount: int) -> None:
    """Take koku from the supply, up to the limit."""
    gained = min(amount, tables.koku_limit - player.koku)
    player.koku += gained
    player.ledger.koku_gained += gained


def pay_koku(player: Any, amount: int) -> None:
    """Return koku to the supply; the caller ensures that the player has enough."""
    player.koku -= amount
    player.ledger.koku_spent += amount


def gain_good(tables: Any, player: Any, good: int, amount: int) -> None:
    """Take goods of one kind, up to the limit."""
    gained = min(amount, tables.good_limit - player.goods[good])
    player.goods[good] += gained
    player.ledger.goods_gained[good] += gained


def gain_favor(player: Any, amount: int) -> None:
    """Move the sun marker up, at most to the moon marker."""
    player.favor = min(player.favor + amount, player.favor_limit)


def score(player: Any, source: int, points: int) -> None:
    """Score points during the game, and record their source."""
    player.points += points
    player.ledger.points[source] += points


def gain_at_once(tables: Any, player: Any, reward: Any, source: int) -> None:
    """Gain the points, koku, goods and favor of a reward: to add nothing is quicker than to ask what there is."""
    score(player, source, reward.points)
    gain_koku(tables, player, reward.koku)
    for good in range(KINDS):
        gain_good(tables, player, good, reward.goods[good])
    gain_favor(player, reward.favor)


def gain_sum(tables: Any, player: Any, rewards: int, source: int) -> None:
    """Gain the points, koku, goods and favor of rewards that were added as numbers."""
    score(player, source, rewards & PART)
    gain_koku(tables, player, rewards >> PART_BITS & PART)
    for good in range(KINDS):
        gain_good(tables, player, good, rewards >> PART_BITS * (2 + good) & PART)
    gain_favor(player, rewards >> PART_BITS * (2 + KINDS) & PART)


def customers_delivered(player: Any) -> int:
    """Return the number of customers that the player delivered to."""
    delivered = 0
    for kind in range(len(player.delivered_by_type)):
        delivered += player.delivered_by_type[kind]
    return delivered


def goods_in_store(player: Any) -> int:
    """Return the number of the player's goods of all kinds."""
    return player.goods[0] + player.goods[1] + player.goods[2]


def is_owner(game: Any, seat: int, space: int) -> bool:
    """Return whether the seat has a marker on the building at a shore space."""
    return game.markers[space, 0] == seat or game.markers[space, 1] == seat


def is_rival_owner(game: Any, seat: int, space: int) -> bool:
    """Return whether another seat has a marker on the building at a shore space."""
    first, second = game.markers[space, 0], game.markers[space, 1]
    return (first != NONE and first != seat) or (second != NONE and second != seat)


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


def exchange_row(tables: Any, player: Any) -> int:
    """Return the row of EXCHANGE_ROWS with the exchanges that the player can make: a look-up instead of nine tests.

    Its number has two bits for each good: whether there are enough to give, and whether there is room for one more.
    """
    row = 0
    for good in range(KINDS):
        row |= tables.exchangeable[player.goods[good]] << 2 * good
    return row


def can_exchange(tables: Any, player: Any) -> bool:
    """Return whether the player can make any exchange."""
    return can_buy_favor(tables, player) | (EXCHANGE_ROWS[exchange_row(tables, player), -1] > 0)


def list_exchanges(tables: Any, player: Any, menu: Any, count: int) -> int:
    """Add every exchange that the player can make to the menu; return the new count."""
    count = list_row(menu, count, EXCHANGE_ROWS, exchange_row(tables, player))
    return list_if(can_buy_favor(tables, player), menu, count, BUY_FAVOR)


def apply_exchange(tables: Any, game: Any, action: int) -> None:
    """Carry out an exchange of the active player; the open choice stays open."""
    player = game.players[game.active]
    if action == BUY_FAVOR:
        pay_koku(player, tables.koku_for_favor)
        gain_favor(player, 1)
    else:
        pair = action - EXCHANGE
        player.goods[pair // KINDS] -= tables.goods_for_good
        gain_good(tables, player, pair % KINDS, 1)
    player.ledger.exchanges += 1
    game.must_sell = game.phase == SELL


def favor_needed(die: int, face: int) -> int:
    """Return the favor that it costs to turn a die to a face, the shorter way round."""
    steps = abs(face - die)
    return min(steps, FACES - steps)


def turn_die(game: Any, face: int) -> None:
    """Turn the active player's die to a face and pay for it."""
    player = game.players[game.active]
    price = favor_needed(player.die, face)
    player.favor -= price
    player.ledger.favor_spent += price
    player.die = face
