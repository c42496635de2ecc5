"""Influence: moving along the track of a region, with every reward passed or reached."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.games.river_of_gold.components.names import FROM_PATRON, FROM_TRACK, HYOBU, KASHIKO
from rogsim.games.river_of_gold.rules.agenda import CLIMB, push, push_choice
from rogsim.games.river_of_gold.rules.phases import GOOD
from rogsim.games.river_of_gold.rules.supply import gain_favor, gain_good, gain_koku, score


@kernel
def gain_influence(tables: Any, game: Any, seat: int, region: int, amount: int) -> None:
    """Move a seat's marker in a region; stops for a good of choice and leaves the rest to the agenda."""
    player = game.players[seat]
    start = int(player.influence[region])
    goal = destination(tables, game, seat, region, amount)
    _reward_passed_hyobu(tables, game, seat, region, start, goal)
    advance_marker(tables, game, seat, region, goal)


@kernel
def destination(tables: Any, game: Any, seat: int, region: int, amount: int) -> int:
    """Return the space that a move of so many steps ends on."""
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
    """Say whether another player's marker stands on a space of the track."""
    for other in range(game.seats):
        if other != seat and game.players[other].influence[region] == space:
            return True
    return False


@kernel
def advance_marker(tables: Any, game: Any, seat: int, region: int, goal: int) -> None:
    """Step to the goal, collecting each space's reward; after a good of choice the agenda goes on."""
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
    """Let a seat choose so many goods, one after the other."""
    for _ in range(count):
        push_choice(game, GOOD, seat)


@part
def _reward_passed_hyobu(tables: Any, game: Any, seat: int, region: int, start: int, goal: int) -> None:
    """Score for each other Shosuro Hyobu whose marker, at space 1 or higher, this one move passes."""
    for other in range(game.seats):
        rival = game.players[other]
        if other != seat and rival.patron == HYOBU:
            if rival.influence[region] >= 1 and start < rival.influence[region] < goal:
                score(rival, FROM_PATRON, tables.hyobu_points)
