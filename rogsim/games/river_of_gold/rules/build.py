"""Building: pay, place the tile, favor for the row's end tile, the patron's effect, influence, refill the row."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.state_fields import push
from rogsim.games.river_of_gold.components.names import ARTISAN, FROM_PATRON, MAX_ROW, NONE, REGIONS, TAKA
from rogsim.games.river_of_gold.rules.agenda import REFILL
from rogsim.games.river_of_gold.rules.rewards import gain_influence
from rogsim.games.river_of_gold.rules.supply import bit, gain_favor, has, pay_koku, score


def build_cost(tables: Any, player: Any, space: int) -> int:
    """Return the koku that a shore space costs this player."""
    discount = build_discount(tables, player, tables.shore_region[space])
    return max(0, tables.shore_cost[space] - discount)


def build_discount(tables: Any, player: Any, region: int) -> int:
    """Return the koku that the player saves in a region, where it has delivered to the artisan."""
    return tables.artisan_discount if has(player.delivered, ARTISAN * REGIONS + region) else 0


def build(tables: Any, game: Any, space: int, place: int) -> None:
    """Build the tile at a place of the row (0 = its end) on a shore space."""
    seat = game.active
    player = game.players[seat]
    region = tables.shore_region[space]
    pay_koku(player, build_cost(tables, player, space))
    tile = take_from_row(game, place)
    game.shore[space] = tile
    game.markers[space, 0] = seat
    player.owned[tables.tiles[tile].kind] += 1
    player.ledger.builds += 1
    player.ledger.tiles |= bit(tile)
    player.ledger.spaces |= bit(space)
    if place == 0:
        gain_favor(player, tables.row_end_favor)
    if player.patron == TAKA:
        score(player, FROM_PATRON, tables.taka_points * tables.shore_touches[space])
    push(game, REFILL, seat, 0, 0)
    gain_influence(tables, game, seat, region, tables.tiles[tile].build)


def take_from_row(game: Any, place: int) -> int:
    """Take a tile out of the row; newer tiles slide toward its end."""
    tile = game.row[place]
    for later in range(1, MAX_ROW):  # beyond its length the row is empty
        game.row[later - 1] = game.row[later] if later > place else game.row[later - 1]
    game.row[MAX_ROW - 1] = NONE
    game.row_length -= 1
    return tile


def refill_row(tables: Any, game: Any) -> None:
    """Move a tile from the stack to the row's start; the last tile of a stack triggers the visit or the end."""
    era = 0 if game.era_left[0] > 0 else 1
    if game.era_left[era] == 0:
        return
    game.row[game.row_length] = next_tile(tables, game, era)
    game.row_length += 1
    game.era_left[era] -= 1
    if game.era_left[era] == 0:
        if era == 0:
            game.visit_due = tables.emperors_visit
        else:
            game.trigger_due = 1


def next_tile(tables: Any, game: Any, era: int) -> int:
    """Return the tile on top of an era's stack."""
    return game.secret.stacks[era, tables.era_tiles[era] - int(game.era_left[era])]


def discard_row_end(tables: Any, game: Any) -> None:
    """Discard the tile at the row's end for a completed journey, and refill."""
    if game.row_length > 0:
        game.tiles_gone |= bit(take_from_row(game, 0))
    refill_row(tables, game)
