"""What meadows score, in the plain way that fast rules and bots are compared with."""

from __future__ import annotations

from typing import Any

from rogsim.games.the_river.components.names import BOAT, CLEANUP, COLLECTION, NONE, PRODUCTION, TOKEN


def meadow_points(tables: Any, player: Any, tile: Any) -> int:
    """Return what a tile scores at the end, or NONE if it never scores."""
    own = [tables.tiles[number] for number in player.tiles[: int(player.tile_count)]]
    if tile.effect == PRODUCTION:
        return min(int(player.production[tile.resource]), int(tables.production_meadow_cap))
    if tile.effect == COLLECTION:
        return sum(int(other.terrain) & int(tile.counted) != 0 for other in own)
    points = {BOAT: player.boat, TOKEN: player.token_count, CLEANUP: tile.points}
    return int(points.get(int(tile.effect), NONE))
