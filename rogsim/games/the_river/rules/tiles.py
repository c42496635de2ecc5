"""Placing terrain tiles along the river, and swapping them."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import bit, lowest
from rogsim.games.the_river.components.names import CLEANUP, GIFT, LAND, PRODUCED, SWAP_TWICE, TERRAINS
from rogsim.games.the_river.rules.storage import take

NO_KIND = len(TERRAINS)


def kinds_of(terrain: int) -> tuple[int, int]:
    """Return the kinds in a mask of terrain: two as on a mixed tile, or NO_KIND for what is missing."""
    return lowest(terrain | 1 << NO_KIND), lowest(terrain & terrain - 1 | 1 << NO_KIND)


def put_tile(tables: Any, game: Any, player: Any, tile: int) -> None:
    """Put a tile on the next free spot along the river; what is printed there is lost."""
    spot, placed = player.tile_count, tables.tiles[tile]
    player.tiles[spot] = tile
    player.tile_count += 1
    if tile < LAND:
        player.ledger.lands |= bit(tile)
    else:
        player.ledger.meadows |= bit(tile - LAND)
    player.warehouses += placed.store - tables.printed_store[spot]
    printed = tables.printed_production[player.board, spot]
    for resource in range(len(PRODUCED)):
        player.production[resource] += placed.production[resource] - int(printed == resource)
    player.cleanups |= int(placed.effect == CLEANUP) << spot
    player.framed += tables.settlement[spot]
    if player.tile_count == tables.end_tiles:
        trigger_end(game, player)
    game.gift_due = placed.effect == GIFT
    game.swaps_left = placed.amount if placed.effect == SWAP_TWICE else 0


def trigger_end(game: Any, player: Any) -> None:
    """Trigger the end of the game: this round is the last."""
    player.ledger.ended_game += game.end == 0
    game.end = 1


def take_gift(tables: Any, game: Any, player: Any) -> None:
    """Take what the gift meadow just placed gives; without a warehouse, nothing (J25)."""
    game.gift_due = 0
    if player.warehouses > 0:
        tile = tables.tiles[player.tiles[player.tile_count - 1]]
        player.ledger.gifts += take(game, player, tile.resource, tile.amount)


def swap_tiles(player: Any, first: int, second: int) -> None:
    """Exchange the tiles of two spots. What they show stays in sight, and resources move along."""
    tile = player.tiles[first]
    player.tiles[first] = player.tiles[second]
    player.tiles[second] = tile
    # a bit of the mask that only one of the spots has changes on both
    differ = (player.cleanups >> first ^ player.cleanups >> second) & 1
    player.cleanups ^= differ << first | differ << second
    player.ledger.swaps += 1
