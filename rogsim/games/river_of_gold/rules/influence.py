"""Influence: moving along the track of a region, collecting every reward passed or reached."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import push, push_choice
from rogsim.games.river_of_gold.components.names import FROM_PATRON, FROM_TRACK, HYOBU, KASHIKO, MAX_SEATS
from rogsim.games.river_of_gold.rules.agenda import CLIMB
from rogsim.games.river_of_gold.rules.phases import GOOD
from rogsim.games.river_of_gold.rules.supply import gain_at_once, score


@kernel
def gain_influence(tables: Any, game: Any, seat: int, region: int, amount: int) -> None:
    """Move a seat's marker in a region; a good of choice interrupts the move, and the agenda keeps the rest."""
    start = int(game.players[at(seat)].influence[at(region)])
    goal = destination(tables, game, seat, region, amount)
    _reward_passed_hyobu(tables, game, seat, region, start, goal)
    advance_marker(tables, game, seat, region, goal)


@kernel
def destination(tables: Any, game: Any, seat: int, region: int, amount: int) -> int:
    """Return the space on which a move of some steps ends."""
    player = game.players[at(seat)]
    space = int(player.influence[at(region)])
    end = int(tables.influence_end)
    if player.patron != KASHIKO:
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
    """Move to the goal from reward to reward, collecting each one; after a good of choice the agenda continues."""
    player = game.players[at(seat)]
    space = int(tables.next_reward[at(region), at(player.influence[at(region)])])
    while space <= goal:
        reward = tables.track_rewards[at(tables.track[at(region), at(space)])]
        gain_at_once(tables, player, reward, FROM_TRACK)
        if reward.any_good > 0:
            player.influence[at(region)] = space
            if space < goal:
                push(game, CLIMB, seat, region, goal)
            ask_goods(game, seat, int(reward.any_good))
            return
        space = int(tables.next_reward[at(region), at(space)])
    player.influence[at(region)] = goal


@kernel
def ask_goods(game: Any, seat: int, count: int) -> None:
    """Let a seat choose some goods, one after the other."""
    for _ in range(count):
        push_choice(game, GOOD, seat)


@part
def _reward_passed_hyobu(tables: Any, game: Any, seat: int, region: int, start: int, goal: int) -> None:
    """Score for every other player with Shosuro Hyobu whose marker, at space 1 or higher, this move passes."""
    for other in range(MAX_SEATS):
        rival = game.players[other]
        if rival.patron == HYOBU and other != seat:
            if rival.influence[region] >= 1 and start < rival.influence[region] < goal:
                score(rival, FROM_PATRON, tables.hyobu_points)
