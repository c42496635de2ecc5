"""Masteries: six goals, three of them in play; each player can claim each one once while rewards are left."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import inlined
from rogsim.game.kit.bits import BYTE_BITS, ONES, SPARE, at_least, lowest, packed, size
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import note
from rogsim.games.river_of_gold.components.names import AIR, COURTS, EARTH, FIRE, FROM_MASTERY, VOID, WATER
from rogsim.games.river_of_gold.rules.journal import CLAIMED
from rogsim.games.river_of_gold.rules.supply import score

FOUR, FIVE, SIX = ONES[4:7]  # kinds of building, types of customer, regions or masteries


@inlined
def claim_masteries(tables: Any, game: Any) -> None:
    """Claim every mastery in play that the active player has reached and not yet claimed, while rewards are left."""
    player = game.players[at(game.active)]
    claimed = masteries_left(tables, game, player) & masteries_reached(tables, player)
    while claimed != 0:
        mastery = lowest(claimed) // BYTE_BITS
        score(player, FROM_MASTERY, tables.mastery_points[game.claims[mastery]])
        game.claims[mastery] += 1
        player.claimed[mastery] = game.claims[mastery]
        note(game.secret, CLAIMED, game.active, mastery)
        claimed &= claimed - 1


# The six masteries are compared at once, as bytes of one number, because nearly every turn claims none.


@inlined
def masteries_left(tables: Any, game: Any, player: Any) -> int:
    """Return the masteries that the player can still claim (in play, a reward left, not claimed), as spare bits."""
    gone = at_least(packed(game.claims), SIX, tables.mastery_rewards)  # NONE is more than all numbers
    return (gone | at_least(packed(player.claimed), SIX, 1)) ^ SIX << SPARE


@inlined
def masteries_reached(tables: Any, player: Any) -> int:
    """Return the masteries that the player has reached, as spare bits."""
    needs = tables.mastery_needs
    delivered, owned, influence = packed(player.delivered_by_type), packed(player.owned), packed(player.influence)
    return (
        (int(size(at_least(delivered, FIVE, 1)) >= needs[AIR]) << BYTE_BITS * AIR)
        | (int(size(at_least(influence, SIX, tables.imperial_flower)) >= needs[COURTS]) << BYTE_BITS * COURTS)
        | (int(at_least(owned, FOUR, needs[EARTH]) != 0) << BYTE_BITS * EARTH)
        | (int(at_least(delivered, FIVE, needs[FIRE]) != 0) << BYTE_BITS * FIRE)
        | (int(size(at_least(influence, SIX, 1)) >= needs[VOID]) << BYTE_BITS * VOID)
        | (int(size(at_least(owned, FOUR, 1)) >= needs[WATER]) << BYTE_BITS * WATER)
    ) << SPARE


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
