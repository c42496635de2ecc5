"""Final scoring: buildings, bonus tokens, columns, leftover resources and meadows; then the winners."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.records import record
from rogsim.games.the_river.components import names
from rogsim.games.the_river.rules.storage import stored

COLUMN_OF = np.argsort(np.ravel(names.COLUMN_SPOTS)) // names.ROWS  # by spot

SCORE = record(
    [
        ("points", "i2"),
        ("rank", "i2"),  # 1 = first; tied players share a rank
        ("win_share", "f8"),
        ("points_buildings", "i2"),
        ("points_tokens", "i2"),
        ("points_columns", "i2"),
        ("points_leftovers", "i2"),
        ("points_meadows", "i2"),
        ("columns", "i2", (names.COLUMNS,)),
        ("terrain", "i2", (len(names.TERRAINS),)),  # tiles of each kind
        ("meadows", "i2", (names.SPOTS,)),  # by spot, or NONE where the tile has no effect at the end
    ]
)


def score_game(tables: Any, game: Any, scores: Any) -> None:
    """Fill the SCORE record of every seat; the most points win, and tied players share the win."""
    for seat in range(game.seats):
        score_player(tables, game.players[seat], scores[seat])
    winners = 0
    for seat in range(game.seats):
        ahead = 0
        for other in range(game.seats):
            ahead += scores[other].points > scores[seat].points
        scores[seat].rank = 1 + ahead
        winners += ahead == 0
    for seat in range(game.seats):
        scores[seat].win_share = 1.0 / winners if scores[seat].rank == 1 else 0.0


def score_player(tables: Any, player: Any, score: Any) -> None:
    """Fill the points of one player, by source."""
    score.points_tokens = player.token_points
    score.points_buildings = player.points - player.token_points
    for kind in range(len(names.TERRAINS)):
        score.terrain[kind] = count_tiles(tables, player, 1 << kind)
    score.points_columns = 0
    for column in range(names.COLUMNS):
        score.columns[column] = column_points(tables, player, column)
        score.points_columns += score.columns[column]
    score.points_leftovers = stored(player) // tables.leftover_set * tables.leftover_points
    score.points_meadows = score_meadows(tables, player, score)
    score.points = player.points + score.points_columns + score.points_leftovers + score.points_meadows


def points_now(tables: Any, player: Any) -> int:
    """Return the points of a player if the game ended now."""
    points = player.points + stored(player) // tables.leftover_set * tables.leftover_points
    for column in range(names.COLUMNS):
        points += column_points(tables, player, column)
    for spot in range(player.tile_count):
        points += max(meadow_points(tables, player, tables.tiles[player.tiles[spot]]), 0)
    return points


def open_pairs(tables: Any, player: Any) -> int:
    """Return in how many columns two tiles match and the third can still come."""
    count = 0
    for column in range(names.COLUMNS):
        middle = 2 * names.COLUMNS - 1 - column
        if player.tile_count > middle and player.tile_count <= 2 * names.COLUMNS + column:
            count += terrain_at(tables, player, column) & terrain_at(tables, player, middle) != 0
    return count


def terrain_at(tables: Any, player: Any, spot: int) -> int:
    """Return the mask of the terrain on a spot: none without a tile, two kinds on a mixed one."""
    return tables.terrain[1 + player.tiles[spot]]


def column_points(tables: Any, player: Any, column: int) -> int:
    """Return the points of a column whose upper two tiles match, or all three; 0 for any other."""
    # The spots are those of COLUMN_SPOTS; bots ask so often that looking them up would cost time.
    upper = terrain_at(tables, player, column) & terrain_at(tables, player, 2 * names.COLUMNS - 1 - column)
    all_match = upper & terrain_at(tables, player, 2 * names.COLUMNS + column) != 0
    matching = tables.column_three if all_match else tables.column_top_two
    return matching if upper != 0 else 0


def score_meadows(tables: Any, player: Any, score: Any) -> int:
    """Score every tile with an effect at the end."""
    total = 0
    for spot in range(names.SPOTS):
        score.meadows[spot] = names.NONE
    for spot in range(player.tile_count):
        points = meadow_points(tables, player, tables.tiles[player.tiles[spot]])
        score.meadows[spot] = points
        total += max(points, 0)
    return total


def meadow_points(tables: Any, player: Any, tile: Any) -> int:
    """Return the points of one of a player's tiles at the end, or NONE if it has no effect then."""
    if tile.effect == names.PRODUCTION:
        return min(player.production[tile.resource], tables.production_meadow_cap)
    if tile.effect == names.COLLECTION:
        return count_tiles(tables, player, tile.counted)
    if tile.effect == names.BOAT:
        return player.boat
    if tile.effect == names.TOKEN:
        return player.token_count
    return tile.points if tile.effect == names.CLEANUP else names.NONE


def count_tiles(tables: Any, player: Any, terrain: int) -> int:
    """Return how many of a player's tiles show a kind of terrain."""
    count = 0
    for spot in range(player.tile_count):
        count += terrain_at(tables, player, spot) & terrain != 0
    return count
