"""Gaining and paying koku, goods, favor and points: only these functions enforce limits.

Gains above a limit are lost; the supply is never short.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined
from rogsim.game.kit.bits import bit as bit
from rogsim.game.kit.bits import has as has
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.components.names import KINDS, NONE
from rogsim.games.river_of_gold.components.tables import PART, PART_BITS


@inlined
def gain_koku(tables: Any, player: Any, amount: int) -> None:
    """Take koku from the supply, up to the limit."""
    gained = min(int(amount), int(tables.koku_limit) - int(player.koku))
    player.koku += gained
    player.ledger.koku_gained += gained


@inlined
def pay_koku(player: Any, amount: int) -> None:
    """Return koku to the supply; the caller ensures that the player has enough."""
    player.koku -= amount
    player.ledger.koku_spent += amount


@inlined
def gain_good(tables: Any, player: Any, good: int, amount: int) -> None:
    """Take goods of one kind, up to the limit."""
    gained = min(int(amount), int(tables.good_limit) - int(player.goods[at(good)]))
    player.goods[at(good)] += gained
    player.ledger.goods_gained[at(good)] += gained


@inlined
def gain_favor(player: Any, amount: int) -> None:
    """Move the sun marker up, at most to the moon marker."""
    player.favor = min(int(player.favor) + int(amount), int(player.favor_limit))


@inlined
def score(player: Any, source: int, points: int) -> None:
    """Score points during the game, and record their source."""
    player.points += points
    player.ledger.points[at(source)] += points


@inlined
def gain_at_once(tables: Any, player: Any, reward: Any, source: int) -> None:
    """Gain the points, koku, goods and favor of a reward: to add nothing is quicker than to ask what there is."""
    score(player, source, reward.points)
    gain_koku(tables, player, reward.koku)
    for good in range(KINDS):
        gain_good(tables, player, good, reward.goods[at(good)])
    gain_favor(player, reward.favor)


@inlined
def gain_sum(tables: Any, player: Any, rewards: int, source: int) -> None:
    """Gain the points, koku, goods and favor of rewards that were added as numbers."""
    score(player, source, rewards & PART)
    gain_koku(tables, player, rewards >> PART_BITS & PART)
    for good in range(KINDS):
        gain_good(tables, player, good, rewards >> PART_BITS * (2 + good) & PART)
    gain_favor(player, rewards >> PART_BITS * (2 + KINDS) & PART)


@inlined
def customers_delivered(player: Any) -> int:
    """Return the number of customers that the player delivered to."""
    delivered = 0
    for kind in range(len(player.delivered_by_type)):
        delivered += int(player.delivered_by_type[kind])
    return delivered


@inlined
def goods_in_store(player: Any) -> int:
    """Return the number of the player's goods of all kinds."""
    return int(player.goods[0]) + int(player.goods[1]) + int(player.goods[2])


@inlined
def is_owner(game: Any, seat: int, space: int) -> bool:
    """Return whether the seat has a marker on the building at a shore space."""
    return game.markers[space, 0] == seat or game.markers[space, 1] == seat


@inlined
def is_rival_owner(game: Any, seat: int, space: int) -> bool:
    """Return whether another seat has a marker on the building at a shore space."""
    first, second = game.markers[space, 0], game.markers[space, 1]
    return (first != NONE and first != seat) or (second != NONE and second != seat)
