"""Resources move between islands and River Boards only here; no more are kept than there are warehouses."""

from __future__ import annotations

from typing import Any

from rogsim.games.the_river.components.names import CLAY, FOOD, MAX_COST, NONE, RESOURCES, STONE, WOOD

HELD = MAX_COST + 1  # amounts of one resource that the number of a holding tells apart


def take(game: Any, player: Any, resource: int, amount: int) -> int:
    """Take resources from their island, as many as it holds; return how many."""
    taken = min(amount, game.islands[resource])
    game.islands[resource] -= taken
    player.resources[resource] += taken
    return taken


def give_back(game: Any, player: Any, resource: int, amount: int) -> None:
    """Return resources to their island; the caller ensures that the player has them."""
    player.resources[resource] -= amount
    game.islands[resource] += amount


def give_back_all(game: Any, player: Any, wood: int, stone: int, clay: int, food: int) -> None:
    """Return resources of all kinds to their islands."""
    give_back(game, player, WOOD, wood)
    give_back(game, player, STONE, stone)
    give_back(game, player, CLAY, clay)
    give_back(game, player, FOOD, food)


def holding_of(held: Any) -> int:
    """Return the number of a holding of wood, stone and clay, of which no card costs more than MAX_COST each."""
    wood, stone, clay = min(held[WOOD], MAX_COST), min(held[STONE], MAX_COST), min(held[CLAY], MAX_COST)
    return (wood * HELD + stone) * HELD + clay


def stored(player: Any) -> int:
    """Return the number of the player's resources of all kinds."""
    held = player.resources
    return held[0] + held[1] + held[2] + held[3]


def must_give_up(game: Any, player: Any) -> bool:
    """Return whether the player must choose what to give up; what leaves no choice is given up (J24)."""
    excess = stored(player) - player.warehouses
    if excess <= 0:
        return False
    only = only_kind(player.resources, len(RESOURCES))
    if only == NONE:
        return True
    give_up(game, player, only, excess)
    return False


def only_kind(amounts: Any, kinds: int) -> int:
    """Return the one of the first kinds of resource of which there is any, or NONE if there are several or none."""
    found, only = 0, 0
    for resource in range(kinds):
        some = int(amounts[resource] > 0)
        found += some
        only += some * resource  # right if this is the only one
    return only if found == 1 else NONE


def give_up(game: Any, player: Any, resource: int, amount: int) -> None:
    """Return resources for which there is no warehouse."""
    give_back(game, player, resource, amount)
    player.ledger.given_up += amount
