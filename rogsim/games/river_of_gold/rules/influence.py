"""Influence: moving along the track of a region, collecting every reward passed or reached."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.agenda import push, push_choice
from rogsim.games.river_of_gold.components.names import FROM_PATRON, FROM_TRACK, HYOBU, KASHIKO
from rogsim.games.river_of_gold.rules.agenda import CLIMB
from rogsim.games.river_of_gold.rules.phases import GOOD
from rogsim.games.river_of_gold.rules.supply import gain_favor, gain_good, gain_koku, score


@kernel
def gain_influence(tables: Any, game: Any, seat: int, region: int, amount: int) -> None:
    """Move a seat's marker in a region; a good of choice interrupts the move, and the agenda keeps the rest."""
    player = game.players[seat]
    start = int(player.influence[region])
    goal = destination(tables, game, seat, region, amount)
    _reward_passed_hyobu(tables, game, seat, region, start, goal)
    advance_marker(tables, game, seat, region, goal)


@kernel
def destination(tables: Any, game: Any, seat: int, region: int, amount: int) -> int:
    """Return the space on which a move of some steps ends."""
    space = int(game.players[seat].influence[region])
    end = int(tables.influence_end)
    if game.players[seat].patron != KASHIKO:
        return min(space + int(amount), end)
    for _ in range(amount):
        if space < end:
            space += 1
        while space < end and _is_occupied(game, seat, region, space):
            space += 1
    return space


@part
def _is_occupied(game: Any, seat: int, region: int, space: int) -> bool:
    """Return whether another player's marker is on a space of the track."""
    for other in range(game.seats):
        if other != seat and game.players[other].influence[region] == space:
            return True
    return False


@kernel
def advance_marker(tables: Any, game: Any, seat: int, region: int, goal: int) -> None:
    """Move to the goal space by space and collect each reward; after a good of choice the agenda continues."""
    player = game.players[seat]
    while player.influence[region] < goal:
        player.influence[region] += 1
        number = tables.track[region, player.influence[region]]
        if number == 0:
            continue
        reward = tables.track_rewards[number]
        if reward.points > 0:
            score(player, FROM_TRACK, reward.points)
        if reward.koku > 0:
            gain_koku(tables, player, reward.koku)
        for good in range(3):
            if reward.goods[good] > 0:
                gain_good(tables, player, good, reward.goods[good])
        if reward.favor > 0:
            gain_favor(player, reward.favor)
        if reward.any_good > 0:
            if player.influence[region] < goal:
                push(game, CLIMB, seat, region, goal)
            ask_goods(game, seat, int(reward.any_good))
            return


@kernel
def ask_goods(game: Any, seat: int, count: int) -> None:
    """Let a seat choose some goods, one after the other."""
    for _ in range(count):
        push_choice(game, GOOD, seat)


@part
def _reward_passed_hyobu(tables: Any, game: Any, seat: int, region: int, start: int, goal: int) -> None:
    """Score for every other player with Shosuro Hyobu whose marker, at space 1 or higher, this move passes."""
    for other in range(game.seats):
        rival = game.players[other]
        if other != seat and rival.patron == HYOBU:
            if rival.influence[region] >= 1 and start < rival.influence[region] < goal:
                score(rival, FROM_PATRON, tables.hyobu_points)
