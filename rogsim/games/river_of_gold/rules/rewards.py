"""The rewards on building tiles, collected by a visitor or an owner.

The parts of a reward come in this order: points, koku, koku for each ..., goods, favor, goods of choice, influence,
draw and discard.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined, kernel
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import push
from rogsim.games.river_of_gold.components.names import BUILDINGS, KINDS
from rogsim.games.river_of_gold.rules.agenda import DRAW, FAVOR, INFLUENCE
from rogsim.games.river_of_gold.rules.influence import ask_goods, gain_influence
from rogsim.games.river_of_gold.rules.supply import gain_at_once, gain_koku, score

KINDS_OF_BUILDING = len(BUILDINGS)


@inlined
def collect(tables: Any, game: Any, seat: int, reward: Any, region: int, source: int) -> None:
    """Give a seat a reward; parts that need a choice go on the agenda."""
    gain_at_once(tables, game.players[at(seat)], reward, source)
    if reward.more == 1:
        _collect_more(tables, game, seat, reward, region)


@kernel
def _collect_more(tables: Any, game: Any, seat: int, reward: Any, region: int) -> None:
    """Give the parts of a reward that few have; the order of gains does not matter as long as nobody is asked."""
    if reward.koku_per_any > 0:
        player = game.players[at(seat)]
        gain_koku(tables, player, koku_for_each(player, reward))
    if reward.any_good == 0 and reward.draw == 0:
        if reward.influence > 0:
            gain_influence(tables, game, seat, region, int(reward.influence))
    else:
        _put_off(game, seat, reward, region)


@kernel
def collect_goods_of_choice(tables: Any, game: Any, seat: int, reward: Any, region: int, source: int) -> None:
    """Give a seat a reward with every printed good as a good of choice (noble 1 at a market)."""
    player = game.players[seat]
    score(player, source, reward.points)
    gain_koku(tables, player, int(reward.koku) + koku_for_each(player, reward))
    _put_off(game, seat, reward, region)
    if reward.favor > 0:
        push(game, FAVOR, seat, 0, int(reward.favor))
    for good in range(KINDS):
        ask_goods(game, seat, int(reward.goods[good]))


@inlined
def koku_for_each(player: Any, reward: Any) -> int:
    """Return the koku for the buildings owned and the customers delivered to."""
    koku = 0
    for kind in range(KINDS_OF_BUILDING):
        koku += int(reward.koku_per[kind]) * int(player.owned[kind])
    for kind in range(len(player.delivered_by_type)):
        koku += int(reward.koku_per_customer) * int(player.delivered_by_type[kind])
    return koku


@kernel
def _put_off(game: Any, seat: int, reward: Any, region: int) -> None:
    """Put the later parts of a reward on the agenda, in reverse order."""
    for _ in range(reward.draw):
        push(game, DRAW, seat, 1, 0)
    if reward.influence > 0:
        push(game, INFLUENCE, seat, region, int(reward.influence))
    ask_goods(game, seat, int(reward.any_good))
