"""The rows stored for a game: one for each seat, and one for the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.columns import Column
from rogsim.game.compiler import part
from rogsim.game.kit.history import lead_of, points_at
from rogsim.game.topics import Lead
from rogsim.games.river_of_gold.components.load import printed_facts
from rogsim.games.river_of_gold.components.names import (
    AIR,
    ARTISAN,
    CLANS,
    COURTS,
    CUSTOMERS,
    EARTH,
    ELDER,
    FIRE,
    FROM_MASTERY,
    FROM_OTHER,
    FROM_OWNER,
    FROM_PATRON,
    FROM_TRACK,
    FROM_VISIT,
    MANOR,
    MARKET,
    MASTERIES,
    MERCHANT,
    MONK,
    NOBLE,
    NONE,
    PATRONS,
    PORCELAIN,
    PORT,
    REGIONS,
    RICE,
    SHORE_SPACES,
    SHRINE,
    SILK,
    TILES_PER_ERA,
    VOID,
    WATER,
)
from rogsim.games.river_of_gold.components.tables import tile_ids
from rogsim.games.river_of_gold.rules.supply import bit

# Every set of masteries by its mask, although only sets of three are played.
MASTERY_SETS = tuple(
    "+".join(name for i, name in enumerate(MASTERIES) if mask >> i & 1) or "none" for mask in range(1 << len(MASTERIES))
)

# The tiles that can be built, by number.
TILES = tile_ids(printed_facts())[: sum(TILES_PER_ERA)]

# The printed region tiles, "7-3" for 7 points to the first and 3 to the second: sides for two players, then for more.
REGION_TILES = tuple(
    "-".join(str(points) for points in tile)
    for side in ("two_players", "three_or_four_players")
    for tile in printed_facts()["region_tiles"][side]
)

TENTHS = tuple(range(10, 100, 10))  # of a game, in percent


def _count(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, "i2", meaning, unit)


SEAT_COLUMNS = (
    Column("patron", "i1", "the seat's patron, if patrons are played", labels=PATRONS),
    Column("clan", "i1", "the patron's clan", labels=CLANS),
    _count("points", "all points, final scoring included", "points"),
    _count("favor", "divine favor left at the end: the first tie-breaker", "favor"),
    Column("rank", "i1", "place in the finishing order, 1 = first; tied seats share a place"),
    Column("win_share", "f4", "1 for the winner, 1/k for each of k winners who share, else 0"),
    _count("points_tracks", "points from influence tracks during the game", "points"),
    _count("points_visits", "points from visitor rewards", "points"),
    _count("points_owners", "points from owner rewards, the Emperor's Visit included", "points"),
    _count("points_masteries", "points from masteries", "points"),
    _count("points_patron", "points from the patron's effect", "points"),
    _count("points_other", "points from the royal ship, merchants on a journey and the end trigger", "points"),
    _count("points_regions", "points from places in regions, before elders' doubling", "points"),
    _count("points_elders", "points added by elders' doubling", "points"),
    _count("points_customers", "points for the number of customers delivered to", "points"),
    _count("points_merchants", "points from merchants for koku left", "points"),
    _count("points_artisans", "points from artisans for goods left", "points"),
    _count("points_nobles", "points from nobles for buildings owned", "points"),
    _count("turns", "turns taken", "turns"),
    _count("builds", "build actions", "turns"),
    _count("sails", "sail actions", "turns"),
    _count("deliveries", "deliver actions: customers delivered to", "turns"),
    _count("exchanges", "exchanges made"),
    _count("favor_spent", "favor spent on the die", "favor"),
    _count("journeys", "journeys completed"),
    _count("koku_gained", "koku gained during the game, without koku lost above the limit", "koku"),
    _count("koku_spent", "koku spent on buildings and favor", "koku"),
    _count("koku_left", "koku left at the end", "koku"),
    _count("silk_gained", "silk gained during the game", "goods"),
    _count("rice_gained", "rice gained during the game", "goods"),
    _count("porcelain_gained", "porcelain gained during the game", "goods"),
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
    Column("tiles", "u8", "the tiles built, one bit each", members=TILES),
    *(
        _count(f"points_at_{percent}", f"points when {percent}% of the game's turns were over", "points")
        for percent in TENTHS
    ),
)

GAME_COLUMNS = (
    Column("turns", "i2", "turns of all seats together", "turns"),
    Column("decisions", "i2", "choices made, including those with a single option"),
    Column("ended_by", "i1", "the seat that triggered the end, from 1"),
    Column("winners", "i1", "number of seats that share the victory"),
    Column("winning_points", "i2", "the winner's points", "points"),
    Column("margin", "i2", "points between the first and the second in the finishing order", "points"),
    Column("masteries", "i1", "the masteries in play", labels=MASTERY_SETS),
    _count("lead_changes", "how often the sole lead passed to another seat during play"),
    _count(
        "lead_from",
        "turns after which the winner was never behind again; 0 = from the start, -1 = behind when play ended",
        "turns",
    ),
    _count("comeback", "the largest number of points that the winner was behind after a turn", "points"),
    *(
        Column(f"region_{region}", "i1", f"points for the first places in region {region}", labels=REGION_TILES)
        for region in range(1, REGIONS + 1)
    ),
)

LEAD = Lead(
    progress=tuple(f"points_at_{percent}" for percent in TENTHS),
    changes="lead_changes",
    since="lead_from",
    behind="comeback",
)


@part
def write_rows(tables: Any, game: Any, scores: Any, history: Any, seat_rows: Any, game_rows: Any, row: int) -> None:
    """Write a finished game into its row and into the rows of its seats."""
    seats, turns = int(game.seats), int(game.turn) + 1
    for seat in range(seats):
        out = seat_rows[row * seats + seat]
        _write_result(game.players[seat], scores[seat], out)
        _write_points(game.players[seat].ledger, scores[seat], out)
        _write_doings(game.players[seat], out)
        out.turns = (int(game.turn) + seats - seat) // seats
        out.ended_game = game.ended_by == seat
        _write_course(history.points, turns, seat, out)
    _write_tiles(game, seat_rows, row * seats)
    _write_game(game, scores, int(history.decisions), game_rows[row])
    _write_lead(scores, history.points, turns, seats, game_rows[row])
    _write_regions(game, game_rows[row])


@part
def _write_result(player: Any, score: Any, out: Any) -> None:
    """Write who played and how it ended."""
    patron = int(player.patron)
    out.patron = patron
    out.clan = patron // 2 if patron != NONE else NONE
    out.points = score.points
    out.favor = player.favor
    out.rank = score.rank
    out.win_share = score.win_share
    out.mastery_air = player.claimed[AIR]
    out.mastery_courts = player.claimed[COURTS]
    out.mastery_earth = player.claimed[EARTH]
    out.mastery_fire = player.claimed[FIRE]
    out.mastery_void = player.claimed[VOID]
    out.mastery_water = player.claimed[WATER]


@part
def _write_points(ledger: Any, score: Any, out: Any) -> None:
    """Write the points by source."""
    out.points_tracks = ledger.points[FROM_TRACK]
    out.points_visits = ledger.points[FROM_VISIT]
    out.points_owners = ledger.points[FROM_OWNER]
    out.points_masteries = ledger.points[FROM_MASTERY]
    out.points_patron = ledger.points[FROM_PATRON]
    out.points_other = ledger.points[FROM_OTHER]
    regions, elders = 0, 0
    for region in range(REGIONS):
        regions += int(score.regions[region])
        elders += int(score.elders[region])
    out.points_regions = regions
    out.points_elders = elders
    out.points_customers = score.points_customers
    out.points_merchants = score.points_merchants
    out.points_artisans = score.points_artisans
    out.points_nobles = score.points_nobles


@part
def _write_doings(player: Any, out: Any) -> None:
    """Write what the player did and collected."""
    ledger = player.ledger
    out.builds = ledger.builds
    out.sails = ledger.sails
    out.deliveries = ledger.deliveries
    out.exchanges = ledger.exchanges
    out.favor_spent = ledger.favor_spent
    out.journeys = ledger.journeys
    out.koku_gained = ledger.koku_gained
    out.koku_spent = ledger.koku_spent
    out.koku_left = player.koku
    out.silk_gained = ledger.goods_gained[SILK]
    out.rice_gained = ledger.goods_gained[RICE]
    out.porcelain_gained = ledger.goods_gained[PORCELAIN]
    out.ports = player.owned[PORT]
    out.markets = player.owned[MARKET]
    out.manors = player.owned[MANOR]
    out.shrines = player.owned[SHRINE]
    out.artisans = player.delivered_by_type[ARTISAN]
    out.elders = player.delivered_by_type[ELDER]
    out.merchants = player.delivered_by_type[MERCHANT]
    out.monks = player.delivered_by_type[MONK]
    out.nobles = player.delivered_by_type[NOBLE]
    out.cards = player.delivered


@part
def _write_tiles(game: Any, seat_rows: Any, first: int) -> None:
    """Write the tiles built; the first marker on a building is its builder's."""
    for seat in range(game.seats):
        seat_rows[first + seat].tiles = 0
    for space in range(SHORE_SPACES):
        builder = int(game.markers[space, 0])
        if builder != NONE:
            seat_rows[first + builder].tiles |= np.uint64(bit(game.shore[space]))


@part
def _write_course(course: Any, turns: int, seat: int, out: Any) -> None:
    """Write a seat's points during the game."""
    out.points_at_10 = points_at(course, turns, seat, 10)
    out.points_at_20 = points_at(course, turns, seat, 20)
    out.points_at_30 = points_at(course, turns, seat, 30)
    out.points_at_40 = points_at(course, turns, seat, 40)
    out.points_at_50 = points_at(course, turns, seat, 50)
    out.points_at_60 = points_at(course, turns, seat, 60)
    out.points_at_70 = points_at(course, turns, seat, 70)
    out.points_at_80 = points_at(course, turns, seat, 80)
    out.points_at_90 = points_at(course, turns, seat, 90)


@part
def _write_game(game: Any, scores: Any, decisions: int, out: Any) -> None:
    """Write the columns of the game as a whole."""
    winners, best, second = 0, 0, 0
    for seat in range(game.seats):
        total = int(scores[seat].points)
        winners += scores[seat].rank == 1
        if total >= best:
            second = best
            best = total
        elif total > second:
            second = total
    masteries = 0
    for mastery in range(len(MASTERIES)):
        if game.claims[mastery] != NONE:
            masteries |= bit(mastery)
    out.turns = game.turn + 1
    out.decisions = decisions
    out.ended_by = game.ended_by + 1
    out.winners = winners
    out.winning_points = best
    out.margin = best - second
    out.masteries = masteries


@part
def _write_lead(scores: Any, course: Any, turns: int, seats: int, out: Any) -> None:
    """Write how the lead changed and how far the winner was behind; of tied winners, the first in turn order counts."""
    winner = 0
    while scores[winner].rank != 1:
        winner += 1
    out.lead_changes, out.lead_from, out.comeback = lead_of(course, turns, seats, winner)


@part
def _write_regions(game: Any, out: Any) -> None:
    """Write the scoring tile of each region."""
    side = 0 if game.seats == 2 else REGIONS
    out.region_1 = side + game.region_tiles[0]
    out.region_2 = side + game.region_tiles[1]
    out.region_3 = side + game.region_tiles[2]
    out.region_4 = side + game.region_tiles[3]
    out.region_5 = side + game.region_tiles[4]
    out.region_6 = side + game.region_tiles[5]
