"""What terrain tiles are worth to a player: claimed, or swapped."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import gain_worth
from rogsim.games.the_river.components.names import (
    BOAT,
    CLEANUP,
    COLLECTION,
    COLUMN_SPOTS,
    COLUMNS,
    GIFT,
    PRODUCED,
    PRODUCTION,
    SPOTS,
    SWAP_TWICE,
    TERRAINS,
    TOKEN,
)
from rogsim.games.the_river.rules.scoring import column_points, meadow_points, terrain_at
from rogsim.games.the_river.rules.storage import stored

COLUMN_OF = tuple(next(c for c in range(COLUMNS) if spot in COLUMN_SPOTS[c]) for spot in range(SPOTS))
ROUNDS = 6.0  # of a usual game


@kernel
def tile_worth(tables: Any, view: Any, player: Any, tile: int, memory: Any) -> float:
    """Return the worth of placing a tile on the next spot along the river."""
    spot, notes = int(player.tile_count), memory.notes
    terrain = int(tables.tiles[tile].terrain)
    worth = notes[w.CLAIMED] + match_worth(tables, player, terrain, spot, memory)
    worth += symbols_worth(tables, player, tables.tiles[tile], spot, memory)
    worth -= notes[w.SETTLER] * notes[w.LEFT] * float(tables.settlement[spot])
    for kind in range(len(TERRAINS)):
        if terrain >> kind & 1 == 1:
            worth += notes[w.MEADOW] * notes[w.COLLECTED + kind] + notes[w.KIN] * notes[w.SAME + kind]
    if spot + 1 == tables.end_tiles:
        worth += notes[w.FINISH] * lead_of(tables, view)
    return worth + effect_worth(tables, view, player, tables.tiles[tile], memory)


@part
def symbols_worth(tables: Any, player: Any, tile: Any, spot: int, memory: Any) -> float:
    """Return the worth of the production symbols and warehouses on a tile, less those printed under it."""
    notes = memory.notes
    worth = 0.0
    for resource in range(len(PRODUCED)):
        count = int(tile.production[resource]) - (tables.printed_production[player.board, spot] == resource)
        if count != 0:
            each = notes[w.SYMBOL] + notes[w.REPEAT] * float(player.production[resource])
            worth += float(count) * (each * notes[w.LEFT] + notes[w.MEADOW] * notes[w.WANTED + resource])
    stores = int(tile.store) - int(tables.printed_store[spot])
    if stores != 0:
        empty = int(player.warehouses) - stored(player)
        worth += float(stores) * (notes[w.WAREHOUSE] + notes[w.SPARE] * float(empty)) * notes[w.LEFT]
        worth += notes[w.RESOURCE] * float(min(empty + stores, 0))
    return worth


@part
def match_worth(tables: Any, player: Any, terrain: int, spot: int, memory: Any) -> float:
    """Return the worth of a tile's terrain in its column."""
    column, row = spot % COLUMNS, spot // COLUMNS
    if row == 1:
        column = COLUMNS - 1 - column
    above = terrain_at(tables, player, column)
    if row == 1 and above & terrain != 0:
        return memory.notes[w.PAIR] * float(tables.column_top_two)
    if row == 2 and above & terrain_at(tables, player, 2 * COLUMNS - 1 - column) & terrain != 0:
        return memory.notes[w.TRIPLE] * float(tables.column_three - tables.column_top_two)
    return 0.0


@part
def effect_worth(tables: Any, view: Any, player: Any, tile: Any, memory: Any) -> float:
    """Return the worth of what a meadow does."""
    notes = memory.notes
    points, coming = 0.0, notes[w.COMING] * notes[w.LEFT]
    if tile.effect == PRODUCTION:
        points = float(min(int(player.production[tile.resource]) + 1, int(tables.production_meadow_cap)))
    elif tile.effect == COLLECTION:
        for kind in range(len(TERRAINS)):
            if tile.counted >> kind & 1 == 1:
                points += notes[w.SAME + kind]
        points += tile.counted & tile.terrain != 0
    elif tile.effect == TOKEN:
        points = float(player.token_count)
    elif tile.effect == CLEANUP:
        points, coming = float(tile.points), notes[w.RESOURCE] * ROUNDS * notes[w.LEFT]
    elif tile.effect == BOAT:  # pioneers settle, so that it becomes less
        points, coming = float(player.boat) + float(player.placed), -coming
    elif tile.effect == GIFT:
        return gain_worth(tables, view, player, int(tile.resource), int(tile.amount), memory)
    elif tile.effect == SWAP_TWICE:
        return notes[w.SWAPPED] * best_swap(tables, player)
    else:
        return 0.0
    return notes[w.MEADOW] * points + coming


@kernel
def best_swap(tables: Any, player: Any) -> float:
    """Return the most points that swapping two tiles brings to columns."""
    best = 0
    if player.tile_count > COLUMNS:
        for first in range(player.tile_count - 1):
            for second in range(first + 1, player.tile_count):
                if terrain_at(tables, player, first) != terrain_at(tables, player, second):
                    best = max(best, swap_gain(tables, player, first, second))
    return float(best)


@kernel
def swap_gain(tables: Any, player: Any, first: int, second: int) -> int:
    """Return the points that swapping two tiles brings to columns."""
    before = points_around(tables, player, first, second)
    tile, other = player.tiles[first], player.tiles[second]
    player.tiles[first], player.tiles[second] = other, tile
    after = points_around(tables, player, first, second)
    player.tiles[first], player.tiles[second] = tile, other
    return after - before


@part
def points_around(tables: Any, player: Any, first: int, second: int) -> int:
    """Return the points of the columns of two spots."""
    column, other = COLUMN_OF[first], COLUMN_OF[second]
    points = column_points(tables, player, column)
    return points if column == other else points + column_points(tables, player, other)


@part
def open_pairs(tables: Any, player: Any) -> int:
    """Return in how many columns two tiles match and the third can still come."""
    count = 0
    for column in range(COLUMNS):
        lower = 2 * COLUMNS - 1 - column
        if player.tile_count > lower and player.tile_count <= 2 * COLUMNS + column:
            count += terrain_at(tables, player, column) & terrain_at(tables, player, lower) != 0
    return count


@kernel
def points_now(tables: Any, player: Any) -> int:
    """Return the points of a player if the game ended now."""
    points = int(player.points) + stored(player) // int(tables.leftover_set) * int(tables.leftover_points)
    for column in range(COLUMNS):
        points += column_points(tables, player, column)
    for spot in range(player.tile_count):
        points += max(meadow_points(tables, player, tables.tiles[player.tiles[spot]]), 0)
    return points


@kernel
def lead_of(tables: Any, view: Any) -> float:
    """Return how many points the actor has more than the best other player."""
    best = 0
    for seat in range(view.seats):
        if seat != view.actor:
            best = max(best, points_now(tables, view.players[seat]))
    return float(points_now(tables, view.players[view.actor]) - best)
