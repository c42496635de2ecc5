"""The rows stored for a game: one for each seat, and one for the game."""

from __future__ import annotations

from typing import Any

from rogsim.game.columns import Column
from rogsim.game.kit import rows
from rogsim.game.kit.rows import column_names, copy_items, copy_named, count, total
from rogsim.games.the_river.components import names

TOKEN_VALUES = (*map(str, range(names.MAX_TOKEN_VALUE)), f"{names.MAX_TOKEN_VALUE} or more")
ENDS = ("neither", "bonus tokens", "terrain tiles", "both")

POINTS = tuple(count(f"points_{name}", f"points from {words}", "points") for name, words in names.POINT_SOURCES.items())
SOURCES = POINTS[:2]  # before the final scoring
PROGRESS_BY_SOURCE = rows.progress_by_source(SOURCES)

SEAT_COLUMNS = (
    Column("order", "i1", "place in the turn order of the first round: 1 = first player", labels=("", *"1234")),
    Column("board", "i1", "the seat's River Board", labels=names.BOARDS),
    *rows.STANDING,
    *POINTS,
    count("turns", "pioneers placed, those spent without effect included", "turns"),
    *(count(f"placed_{place}", f"pioneers placed: {place}", "pioneers") for place in names.PLACES),
    count("passes", "pioneers spent without effect", "pioneers"),
    count("tiles", "terrain tiles at the end", "tiles"),
    *(
        count(f"{terrain}_tiles", f"{terrain} tiles at the end; a mixed tile is of two kinds")
        for terrain in names.TERRAINS
    ),
    Column("lands", "u8", "the tiles at the end that are no meadows, one bit each", members=names.TILES[: names.LAND]),
    Column("meadows", "u4", "the meadow tiles at the end, one bit each", members=names.TILES[names.LAND :]),
    count("buildings", "buildings constructed"),
    Column("cards", "u8", "the building cards constructed, one bit each", members=names.CARDS),
    count("reserved", "building cards reserved"),
    count("from_reserve", "reserved buildings constructed"),
    count("tokens", "bonus tokens taken"),
    Column("token_values", "u1", "the values of bonus tokens taken, one bit each", members=TOKEN_VALUES),
    Column("fifth_pioneer", "i1", "1 if the fifth pioneer was freed"),
    count("settled", "pioneers that settled", "pioneers"),
    *(count(f"{resource}_produced", f"{resource} produced", "resources") for resource in names.PRODUCED),
    count("food", "resources from the food island, or from others if it is empty, and food from trades", "resources"),
    count("gifts", "resources from gift and cleanup meadows", "resources"),
    count("given_up", "resources given up because no warehouse has room", "resources"),
    count("paid", "resources paid for buildings", "resources"),
    count("left", "resources left at the end", "resources"),
    count("trades", "trades of resources for food"),
    count("swaps", "swaps of two terrain tiles"),
    count("pawn_gained", "how often the First Player Pawn came from another player"),
    count("rounds_begun", "rounds in which the seat had the first turn", "rounds"),
    Column("ended_game", "i1", "1 for the seat that triggered the end first"),
    *rows.PROGRESS,
    *PROGRESS_BY_SOURCE,
)

GAME_COLUMNS = (
    *rows.LENGTH,
    count("rounds", "rounds played", "rounds"),
    Column("ended_by", "i1", "which conditions for the end were met: a last bonus token, a last tile", labels=ENDS),
    count("pawn_moves", "how often the First Player Pawn changed hands"),
    count("reshuffles", "how often the removed terrain tiles were shuffled into a new pile"),
    *rows.RESULT,
    *rows.COURSE,
)

# The columns of what the records hold in arrays.
PLACED_COLUMNS = column_names("placed_{}", names.PLACES)
PROGRESS_COLUMNS = column_names("{}", (column.name for column in PROGRESS_BY_SOURCE))
TERRAIN_COLUMNS = column_names("{}_tiles", names.TERRAINS)
PRODUCED_COLUMNS = column_names("{}_produced", names.PRODUCED)


def write_rows(tables: Any, game: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    """Write a finished game into its row and into the rows of its seats."""
    seats, turns = game.seats, game.turn
    out = game_rows[row]
    rows.write_game(scores, history, turns, seats, out)
    out.rounds = game.round
    out.reshuffles = game.secret.reshuffles
    out.pawn_moves = 0
    last_token, last_tile = False, False
    for seat in range(seats):
        player, seat_out = game.players[seat], seat_rows[row * seats + seat]
        _write_seat(player, scores[seat], seat_out)
        rows.write_progress_by_source(history, turns, seat, seat_out, PROGRESS_COLUMNS)
        seat_out.order = (seat - game.first) % seats + 1
        out.pawn_moves += player.ledger.pawn_gained
        last_token |= player.token_count >= tables.end_tokens
        last_tile |= player.tile_count >= tables.end_tiles
    out.ended_by = last_token + 2 * last_tile


def _write_seat(player: Any, score: Any, out: Any) -> None:
    """Write what a player did and collected, and the final scoring."""
    copy_named(player, out)
    copy_named(player.ledger, out)
    copy_named(score, out)  # last, because the points are those after final scoring
    copy_items(player.ledger.placed, out, PLACED_COLUMNS)
    copy_items(player.ledger.produced, out, PRODUCED_COLUMNS)
    out.turns = player.ledger.passes + total(player.ledger.placed)
    out.left = total(player.resources)
    out.cards = player.built
    out.buildings = player.built_count
    out.tokens = player.token_count
    out.tiles = player.tile_count
    out.fifth_pioneer = 1 - player.fifth
    copy_items(score.terrain, out, TERRAIN_COLUMNS)
