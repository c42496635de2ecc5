"""Masteries: six goals, three of them in play; each player can claim each one once while rewards are left."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined
from rogsim.game.kit.journal import note
from rogsim.games.river_of_gold.components.names import AIR, COURTS, EARTH, FIRE, FROM_MASTERY, MASTERIES, VOID
from rogsim.games.river_of_gold.rules.journal import CLAIMED
from rogsim.games.river_of_gold.rules.supply import score


@inlined
def claim_masteries(tables: Any, game: Any) -> None:
    """Claim every mastery in play that the active player has reached and not yet claimed, while rewards are left."""
    player = game.players[game.active]
    for mastery in range(len(MASTERIES)):
        claims = game.claims[mastery]
        if claims < 0 or claims >= tables.mastery_rewards or player.claimed[mastery] > 0:
            continue
        if mastery_progress(tables, player, mastery) >= tables.mastery_needs[mastery]:
            score(player, FROM_MASTERY, tables.mastery_points[claims])
            game.claims[mastery] += 1
            player.claimed[mastery] = game.claims[mastery]
            note(game.secret, CLAIMED, game.active, mastery)


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
        if values[i] >= least:
            count += 1
    return count


@inlined
def largest(values: Any) -> int:
    """Return the largest of some counts."""
    most = 0
    for i in range(len(values)):
        most = max(most, int(values[i]))
    return most
