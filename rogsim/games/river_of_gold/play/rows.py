"""The rows stored for a game: one for each seat, and one for the game."""

from __future__ import annotations

from typing import Any

from rogsim.game.columns import Column
from rogsim.game.kit import rows
from rogsim.game.kit.rows import column_names, copy_items, copy_named, count, total
from rogsim.games.river_of_gold.components.load import BOOK, TILES
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CLANS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    GOODS,
    MASTERIES,
    NONE,
    PATRONS,
    POINT_SOURCES,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    TILES_PER_ERA,
)
from rogsim.games.river_of_gold.rules.supply import bit

# Every set of masteries by its mask, although only sets of three are played.
MASTERY_SETS = tuple(
    "+".join(name for i, name in enumerate(MASTERIES) if mask >> i & 1) or "none" for mask in range(1 << len(MASTERIES))
)

# The tiles that can be built, by number.
BUILT = TILES[: sum(TILES_PER_ERA)]

SPACES = tuple(f"space-{number}" for number in range(1, SHORE_SPACES + 1))
RIVER = range(1, RIVER_SPACES + 1)

# The printed region tiles, "7-3" for 7 points to the first and 3 to the second: sides for two players, then for more.
REGION_TILES = tuple(
    "-".join(str(points) for points in tile)
    for side in ("two_players", "three_or_four_players")
    for tile in BOOK.printed()["region_tiles"][side]
)

# The points during the game, in the order of POINT_SOURCES.
SOURCES = (
    count("points_tracks", "points from influence tracks during the game", "points"),
    count("points_visits", "points from visitor rewards", "points"),
    count("points_owners", "points from owner rewards, the Emperor's Visit included", "points"),
    count("points_masteries", "points from masteries", "points"),
    count("points_patron", "points from the patron's effect", "points"),
    count("points_other", "points from the royal ship, merchants on a journey and the end trigger", "points"),
)
PROGRESS_BY_SOURCE = rows.progress_by_source(SOURCES)

SEAT_COLUMNS = (
    Column("patron", "i1", "the seat's patron, if patrons are played", labels=PATRONS),
    Column("clan", "i1", "the patron's clan", labels=CLANS),
    rows.POINTS,
    count("favor", "divine favor left at the end: the first tie-breaker", "favor"),
    rows.RANK,
    rows.WIN_SHARE,
    *SOURCES,
    count("points_regions", "points from places in regions, before elders' doubling", "points"),
    count("points_elders", "points added by elders' doubling", "points"),
    count("points_customers", "points for the number of customers delivered to", "points"),
    count("points_merchants", "points from merchants for koku left", "points"),
    count("points_artisans", "points from artisans for goods left", "points"),
    count("points_nobles", "points from nobles for buildings owned", "points"),
    count("turns", "turns taken", "turns"),
    count("builds", "build actions", "turns"),
    count("sails", "sail actions", "turns"),
    count("deliveries", "deliver actions: customers delivered to", "turns"),
    count("exchanges", "exchanges made"),
    count("favor_spent", "favor spent on the die", "favor"),
    count("journeys", "journeys completed"),
    count("koku_gained", "koku gained during the game, without koku lost above the limit", "koku"),
    count("koku_spent", "koku spent on buildings and favor", "koku"),
    count("koku_left", "koku left at the end", "koku"),
    count("silk_gained", "silk gained during the game", "goods"),
    count("rice_gained", "rice gained during the game", "goods"),
    count("porcelain_gained", "porcelain gained during the game", "goods"),
    Column("ports", "i1", "ports owned at the end; a building with two markers of the player counts once"),
    Column("markets", "i1", "markets owned at the end"),
    Column("manors", "i1", "manors owned at the end"),
    Column("shrines", "i1", "shrines owned at the end"),
    Column("artisans", "i1", "artisans delivered to"),
    Column("elders", "i1", "elders delivered to"),
    Column("merchants", "i1", "merchants delivered to"),
    Column("monks", "i1", "monks delivered to"),
    Column("nobles", "i1", "nobles delivered to"),
    *(Column(f"mastery_{name}", "i1", f"place in claiming {name}: 1 = first, 0 = not claimed") for name in MASTERIES),
    Column("ended_game", "i1", "1 for the seat that triggered the end"),
    Column("cards", "u4", "the customers delivered to, one bit each", members=CUSTOMERS),
    Column("tiles", "u8", "the tiles built, one bit each", members=BUILT),
    Column("spaces", "u4", "the shore spaces with a building of the player at the end, one bit each", members=SPACES),
    *(Column(f"stops_{space}", "i1", f"sails that ended on river space {space}") for space in RIVER),
    *rows.PROGRESS,
    *PROGRESS_BY_SOURCE,
)

GAME_COLUMNS = (
    *rows.LENGTH,
    Column("ended_by", "i1", "the seat that triggered the end, from 1"),
    *rows.RESULT,
    Column("masteries", "i1", "the masteries in play", labels=MASTERY_SETS),
    *rows.COURSE,
    *(
        Column(f"region_{region}", "i1", f"points for the first places in region {region}", labels=REGION_TILES)
        for region in range(1, REGIONS + 1)
    ),
)

# The columns of what the records hold in arrays.
POINT_COLUMNS = column_names("points_{}", POINT_SOURCES)
GAINED_COLUMNS = column_names("{}_gained", GOODS)
OWNED_COLUMNS = column_names("{}s", BUILDINGS)
DELIVERED_COLUMNS = column_names("{}s", CUSTOMER_TYPES)
MASTERY_COLUMNS = column_names("mastery_{}", MASTERIES)
PROGRESS_COLUMNS = column_names("{}", (column.name for column in PROGRESS_BY_SOURCE))
STOP_COLUMNS = column_names("stops_{}", RIVER)


def write_rows(tables: Any, game: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    """Write a finished game into its row and into the rows of its seats."""
    seats, turns = game.seats, game.turn + 1
    for seat in range(seats):
        out = seat_rows[row * seats + seat]
        _write_seat(game.players[seat], scores[seat], out)
        rows.write_progress_by_source(history, turns, seat, out, PROGRESS_COLUMNS)
        out.turns = (game.turn + seats - seat) // seats
        out.ended_game = game.ended_by == seat
    rows.write_game(scores, history, turns, seats, game_rows[row])
    _write_components(game, game_rows[row])


def _write_seat(player: Any, score: Any, out: Any) -> None:
    """Write what a player did and collected, and the final scoring."""
    copy_named(player, out)
    copy_named(player.ledger, out)
    copy_named(score, out)  # last, because the points are those after final scoring
    copy_items(player.ledger.points, out, POINT_COLUMNS)
    copy_items(player.ledger.goods_gained, out, GAINED_COLUMNS)
    copy_items(player.owned, out, OWNED_COLUMNS)
    copy_items(player.delivered_by_type, out, DELIVERED_COLUMNS)
    copy_items(player.claimed, out, MASTERY_COLUMNS)
    copy_items(player.ledger.stops, out, STOP_COLUMNS)
    out.clan = player.patron // 2 if player.patron != NONE else NONE
    out.koku_left = player.koku
    out.cards = player.delivered
    out.points_regions = total(score.regions)
    out.points_elders = total(score.elders)


def _write_components(game: Any, out: Any) -> None:
    """Write who ended the game, the masteries in play and the scoring tile of each region."""
    masteries = 0
    for mastery in range(len(MASTERIES)):
        if game.claims[mastery] != NONE:
            masteries |= bit(mastery)
    out.ended_by = game.ended_by + 1
    out.masteries = masteries
    side = 0 if game.seats == 2 else REGIONS
    out.region_1 = side + game.region_tiles[0]
    out.region_2 = side + game.region_tiles[1]
    out.region_3 = side + game.region_tiles[2]
    out.region_4 = side + game.region_tiles[3]
    out.region_5 = side + game.region_tiles[4]
    out.region_6 = side + game.region_tiles[5]
