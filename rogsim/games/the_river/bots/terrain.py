"""What terrain tiles are worth to a player: claimed, or swapped."""

from __future__ import annotations

from typing import Any

from rogsim.games.the_river.bots import weights as w
from rogsim.games.the_river.bots.holdings import gain_worth
from rogsim.games.the_river.components import names as n
from rogsim.games.the_river.components.names import COLUMNS, PRODUCED, SPOTS, TERRAINS
from rogsim.games.the_river.rules.scoring import COLUMN_OF, points_now, terrain_at
from rogsim.games.the_river.rules.storage import stored
from rogsim.games.the_river.rules.tiles import kinds_of

ROUNDS = 6.0  # of a usual game


def note_board(tables: Any, player: Any, moment: Any) -> None:
    """Note what the tiles on the board show, and what further tiles would add to them."""
    moment.board = 0
    for spot in range(SPOTS):
        terrain = terrain_at(tables, player, spot)
        moment.terrain[spot] = terrain
        moment.board |= terrain << spot * len(TERRAINS)
    for kind in range(len(TERRAINS)):
        moment.same[kind] = moment.kinds[kind] = 0.0
    for resource in range(len(PRODUCED)):
        moment.symbols[resource] = 0.0
    for spot in range(player.tile_count):
        tile = tables.tiles[player.tiles[spot]]
        one, other = kinds_of(tile.terrain)
        moment.same[one] += 1.0
        moment.same[other] += 1.0
        if tile.effect == n.COLLECTION:
            for kind in range(len(TERRAINS)):
                moment.kinds[kind] += tile.counted >> kind & 1
        elif tile.effect == n.PRODUCTION and player.production[tile.resource] < tables.production_meadow_cap:
            moment.symbols[tile.resource] += 1.0
    note_worths(tables, player, moment)


def note_worths(tables: Any, player: Any, moment: Any) -> None:
    """Note the worth of a kind of terrain, a symbol, a warehouse and a match, and what is printed on the next spot."""
    weights = moment.weights
    for kind in range(len(TERRAINS)):
        moment.kinds[kind] = weights[w.MEADOW] * moment.kinds[kind] + weights[w.KIN] * moment.same[kind]
    for resource in range(len(PRODUCED)):
        each = weights[w.SYMBOL] + weights[w.REPEAT] * player.production[resource]
        moment.symbols[resource] = each * moment.left + weights[w.MEADOW] * moment.symbols[resource]
    moment.empty = player.warehouses - stored(player)  # 0 or more: what exceeded them was given up
    moment.store = weights[w.WAREHOUSE] + weights[w.SPARE] * moment.empty
    spot = min(player.tile_count, SPOTS - 1)  # a complete board has no next one
    moment.settler = weights[w.SETTLER] * moment.left * tables.settlement[spot]
    moment.printed = tables.printed_production[player.board, spot]
    moment.printed_store = tables.printed_store[spot]
    column, row = player.tile_count % COLUMNS, player.tile_count // COLUMNS
    moment.matching = 0
    if row == 1:
        moment.matching = moment.terrain[COLUMNS - 1 - column]
        moment.match = weights[w.PAIR] * tables.column_top_two
    elif row == 2:
        moment.matching = moment.terrain[column] & moment.terrain[2 * COLUMNS - 1 - column]
        moment.match = weights[w.TRIPLE] * (tables.column_three - tables.column_top_two)


def tile_worth(tables: Any, view: Any, player: Any, tile: int, moment: Any) -> float:
    """Return the worth of placing a tile on the next spot along the river."""
    spot, weights, placed = player.tile_count, moment.weights, tables.tiles[tile]
    worth = weights[w.CLAIMED] + (moment.match if placed.terrain & moment.matching != 0 else 0.0)
    worth = worth + symbols_worth(placed, moment) - moment.settler
    one, other = kinds_of(placed.terrain)
    worth = worth + moment.kinds[one] + moment.kinds[other]
    if spot + 1 == tables.end_tiles:
        worth += weights[w.FINISH] * lead_of(tables, view, moment)
    return worth if placed.effect == n.NO_EFFECT else worth + effect_worth(tables, view, player, placed, moment)


def symbols_worth(tile: Any, moment: Any) -> float:
    """Return the worth of the production symbols and warehouses on a tile, less those printed under it."""
    worth = 0.0
    for resource in range(len(PRODUCED)):
        worth += (tile.production[resource] - int(moment.printed == resource)) * moment.symbols[resource]
    stores = tile.store - moment.printed_store
    worth += stores * moment.store * moment.left
    return worth + moment.weights[w.RESOURCE] * min(moment.empty + stores, 0)


def effect_worth(tables: Any, view: Any, player: Any, tile: Any, moment: Any) -> float:
    """Return the worth of what a meadow does."""
    weights = moment.weights
    points, coming = 0.0, weights[w.COMING] * moment.left
    if tile.effect == n.PRODUCTION:
        points = float(min(player.production[tile.resource] + 1, tables.production_meadow_cap))
    elif tile.effect == n.COLLECTION:
        for kind in range(len(TERRAINS)):
            points += moment.same[kind] if tile.counted >> kind & 1 == 1 else 0.0
        points += tile.counted & tile.terrain != 0
    elif tile.effect == n.TOKEN:
        points = float(player.token_count)
    elif tile.effect == n.CLEANUP:
        points, coming = float(tile.points), weights[w.RESOURCE] * ROUNDS * moment.left
    elif tile.effect == n.BOAT:  # pioneers settle, so that it becomes less
        points, coming = player.boat + player.placed, -coming
    elif tile.effect == n.GIFT:
        return gain_worth(view, player, tile.resource, tile.amount, moment)
    else:  # SWAP_TWICE
        return swap_worth(tables, view, player, moment)
    return weights[w.MEADOW] * points + coming


def swap_worth(tables: Any, view: Any, player: Any, moment: Any) -> float:
    """Return the worth of being able to swap two tiles: of the most points that a swap brings to columns."""
    if player.tile_count <= COLUMNS:  # no column has two tiles
        return 0.0
    known = moment.swaps[view.actor]
    if known.board != moment.board:
        note_needs(tables, moment)
        best = 0
        for second in range(1, player.tile_count):
            for first in range(second):
                best = max(best, swap_gain(tables, first, second, moment))
        known.board, known.points = moment.board, best
    return float(moment.weights[w.SWAPPED] * known.points)


def note_needs(tables: Any, moment: Any) -> None:
    """Note for each spot with which terrain there two tiles of its column match, and all three; and its points."""
    terrain, two, three = moment.terrain, moment.two, moment.three
    for top in range(COLUMNS):
        middle, bottom = 2 * COLUMNS - 1 - top, 2 * COLUMNS + top
        upper = terrain[top] & terrain[middle]
        two[top], three[top] = terrain[middle], terrain[middle] & terrain[bottom]
        two[middle], three[middle] = terrain[top], terrain[top] & terrain[bottom]
        two[bottom], three[bottom] = -1 if upper != 0 else 0, upper
        moment.now[top] = moment.now[middle] = moment.now[bottom] = points_with(tables, top, top, moment)


def swap_gain(tables: Any, first: int, second: int, moment: Any) -> int:
    """Return the points that swapping two tiles, the second further along the river, brings to columns."""
    before = moment.now[first]
    if COLUMN_OF[first] != COLUMN_OF[second]:
        after = points_with(tables, first, second, moment) + points_with(tables, second, first, moment)
        return after - before - moment.now[second]
    if second < 2 * COLUMNS or moment.terrain[second] & moment.three[second] != 0:
        return 0  # a match of two or three whose order does not matter
    return tables.column_top_two * (moment.terrain[second] & moment.two[first] != 0) - before


def points_with(tables: Any, spot: int, other: int, moment: Any) -> int:
    """Return the points of the column of a spot with the terrain of another spot there."""
    kind, two = moment.terrain[other], tables.column_top_two
    more = (tables.column_three - two) * (kind & moment.three[spot] != 0)
    return more + two * (kind & moment.two[spot] != 0)


def lead_of(tables: Any, view: Any, moment: Any) -> float:
    """Return how many points the actor has more than the best other player."""
    if moment.lead == w.UNKNOWN:
        best = 0
        for seat in range(view.seats):
            if seat != view.actor:
                best = max(best, points_now(tables, view.players[seat]))
        moment.lead = float(points_now(tables, view.players[view.actor]) - best)
    return float(moment.lead)
