"""Rewards: those on building tiles, for a visitor or an owner, and those passed on the track of a region.

The parts of a reward come in this order: points, koku, koku for each ..., goods, favor, goods of choice, influence,
draw and discard.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.state_fields import push, push_choice
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    FROM_PATRON,
    FROM_TRACK,
    HYOBU,
    KASHIKO,
    KINDS,
    MAX_SEATS,
)
from rogsim.games.river_of_gold.rules.agenda import CLIMB, DRAW, FAVOR, INFLUENCE
from rogsim.games.river_of_gold.rules.state import GOOD
from rogsim.games.river_of_gold.rules.supply import gain_at_once, gain_koku, score


def gain_influence(tables: Any, game: Any, seat: int, region: int, amount: int) -> None:
    """Move a seat's marker in a region; a good of choice interrupts the move, and the agenda keeps the rest."""
    start = game.players[seat].influence[region]
    goal = destination(tables, game, seat, region, amount)
    _reward_passed_hyobu(tables, game, seat, region, start, goal)
    advance_marker(tables, game, seat, region, goal)


def destination(tables: Any, game: Any, seat: int, region: int, amount: int) -> int:
    """Return the space on which a move of some steps ends."""
    player = game.players[seat]
    space = player.influence[region]
    end = tables.influence_end
    if player.patron != KASHIKO:
        return min(space + amount, end)
    for _ in range(amount):
        if space < end:
            space += 1
        while space < end and _is_occupied(game, seat, region, space):
            space += 1
    return space


def _is_occupied(game: Any, seat: int, region: int, space: int) -> bool:
    """Return whether another player's marker is on a space of the track."""
    for other in range(game.seats):
        if other != seat and game.players[other].influence[region] == space:
            return True
    return False


def advance_marker(tables: Any, game: Any, seat: int, region: int, goal: int) -> None:
    """Move to the goal from reward to reward, collecting each one; after a good of choice the agenda continues."""
    player = game.players[seat]
    space = tables.next_reward[region, player.influence[region]]
    while space <= goal:
        reward = tables.track_rewards[tables.track[region, space]]
        gain_at_once(tables, player, reward, FROM_TRACK)
        if reward.any_good > 0:
            player.influence[region] = space
            if space < goal:
                push(game, CLIMB, seat, region, goal)
            ask_goods(game, seat, reward.any_good)
            return
        space = tables.next_reward[region, space]
    player.influence[region] = goal


def ask_goods(game: Any, seat: int, count: int) -> None:
    """Let a seat choose some goods, one after the other."""
    for _ in range(count):
        push_choice(game, GOOD, seat)


def _reward_passed_hyobu(tables: Any, game: Any, seat: int, region: int, start: int, goal: int) -> None:
    """Score for every other player with Shosuro Hyobu whose marker, at space 1 or higher, this move passes."""
    for other in range(MAX_SEATS):
        rival = game.players[other]
        if rival.patron == HYOBU and other != seat:
            if rival.influence[region] >= 1 and start < rival.influence[region] < goal:
                score(rival, FROM_PATRON, tables.hyobu_points)


KINDS_OF_BUILDING = len(BUILDINGS)


def collect(tables: Any, game: Any, seat: int, reward: Any, region: int, source: int) -> None:
    """Give a seat a reward; parts that need a choice go on the agenda."""
    gain_at_once(tables, game.players[seat], reward, source)
    if reward.more == 1:
        _collect_more(tables, game, seat, reward, region)


def _collect_more(tables: Any, game: Any, seat: int, reward: Any, region: int) -> None:
    """Give the parts of a reward that few have; the order of gains does not matter as long as nobody is asked."""
    if reward.koku_per_any > 0:
        player = game.players[seat]
        gain_koku(tables, player, koku_for_each(player, reward))
    if reward.any_good == 0 and reward.draw == 0:
        if reward.influence > 0:
            gain_influence(tables, game, seat, region, reward.influence)
    else:
        _put_off(game, seat, reward, region)


def collect_goods_of_choice(tables: Any, game: Any, seat: int, reward: Any, region: int, source: int) -> None:
    """Give a seat a reward with every printed good as a good of choice (noble 1 at a market)."""
    player = game.players[seat]
    score(player, source, reward.points)
    gain_koku(tables, player, reward.koku + koku_for_each(player, reward))
    _put_off(game, seat, reward, region)
    if reward.favor > 0:
        push(game, FAVOR, seat, 0, reward.favor)
    for good in range(KINDS):
        ask_goods(game, seat, reward.goods[good])


def koku_for_each(player: Any, reward: Any) -> int:
    """Return the koku for the buildings owned and the customers delivered to."""
    koku = 0
    for kind in range(KINDS_OF_BUILDING):
        koku += reward.koku_per[kind] * player.owned[kind]
    for kind in range(len(player.delivered_by_type)):
        koku += reward.koku_per_customer * player.delivered_by_type[kind]
    return koku


def _put_off(game: Any, seat: int, reward: Any, region: int) -> None:
    """Put the later parts of a reward on the agenda, in reverse order."""
    for _ in range(reward.draw):
        push(game, DRAW, seat, 1, 0)
    if reward.influence > 0:
        push(game, INFLUENCE, seat, region, reward.influence)
    ask_goods(game, seat, reward.any_good)
