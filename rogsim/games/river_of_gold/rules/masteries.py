"""Masteries: six goals, three of them in play; each player can claim each one once while rewards are left."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined
from rogsim.game.kit.journal import note
from rogsim.game.kit.masks import lowest
from rogsim.game.kit.menus import at
from rogsim.games.river_of_gold.components.names import AIR, COURTS, EARTH, FIRE, FROM_MASTERY, MASTERIES, VOID, WATER
from rogsim.games.river_of_gold.rules.journal import CLAIMED
from rogsim.games.river_of_gold.rules.supply import score


@inlined
def claim_masteries(tables: Any, game: Any) -> None:
    """Claim every mastery in play that the active player has reached and not yet claimed, while rewards are left."""
    player = game.players[at(game.active)]
    claimed = masteries_left(tables, game, player) & masteries_reached(tables, player)
    while claimed != 0:
        mastery = lowest(claimed)
        score(player, FROM_MASTERY, tables.mastery_points[game.claims[mastery]])
        game.claims[mastery] += 1
        player.claimed[mastery] = game.claims[mastery]
        note(game.secret, CLAIMED, game.active, mastery)
        claimed &= claimed - 1


@inlined
def masteries_left(tables: Any, game: Any, player: Any) -> int:
    """Return the mask of the masteries that the player can still claim: in play, not claimed, with a reward left."""
    left = 0
    for mastery in range(len(MASTERIES)):
        claims = game.claims[mastery]
        can = (claims >= 0) & (claims < tables.mastery_rewards) & (player.claimed[mastery] == 0)
        left |= int(can) << mastery
    return left


@inlined
def masteries_reached(tables: Any, player: Any) -> int:
    """Return the mask of the masteries that the player has reached: all at once, because most turns claim none."""
    return (
        has_reached(tables, player, AIR)
        | has_reached(tables, player, COURTS)
        | has_reached(tables, player, EARTH)
        | has_reached(tables, player, FIRE)
        | has_reached(tables, player, VOID)
        | has_reached(tables, player, WATER)
    )


@inlined
def has_reached(tables: Any, player: Any, mastery: int) -> int:
    """Return a mask with the bit of a mastery, if the player has reached it."""
    return int(mastery_progress(tables, player, mastery) >= tables.mastery_needs[mastery]) << mastery


@inlined
def mastery_progress(tables: Any, player: Any, mastery: int) -> int:
    """Return a player's progress toward a mastery, in the unit of what it needs."""
    if mastery == AIR:
        return count_at_least(player.delivered_by_type, 1)
    elif mastery == COURTS:
        return count_at_least(player.influence, tables.imperial_flower)
    elif mastery == EARTH:
        return largest(player.owned)
    elif mastery == FIRE:
        return largest(player.delivered_by_type)
    elif mastery == VOID:
        return count_at_least(player.influence, 1)
    return count_at_least(player.owned, 1)


@inlined
def count_at_least(values: Any, least: int) -> int:
    """Count the values that are at least a given one."""
    count = 0
    for i in range(len(values)):
        count += int(values[i] >= least)
    return count


@inlined
def largest(values: Any) -> int:
    """Return the largest of some counts."""
    most = 0
    for i in range(len(values)):
        most = max(most, int(values[i]))
    return most
