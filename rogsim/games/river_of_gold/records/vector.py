"""What a seat sees as numbers, for learners: the fields of a view in the vector, with their bounds."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.vector import MOST_POINTS, VectorField, bits, category, number, numbers, seat
from rogsim.games.river_of_gold.components.names import (
    BUILDINGS,
    CUSTOMER_TYPES,
    CUSTOMERS,
    ERAS,
    FACES,
    GOODS,
    MASTERIES,
    MAX_ROW,
    PATRONS,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
    TILES_PER_ERA,
)
from rogsim.games.river_of_gold.rules.phases import PHASES
from rogsim.games.river_of_gold.rules.turn import MOST_TURNS

REGION_NAMES = tuple(str(region) for region in range(1, REGIONS + 1))
RIVER_NAMES = tuple(str(space) for space in range(1, RIVER_SPACES + 1))
FACE_NAMES = tuple(str(face) for face in range(1, FACES + 1))
SHIPS = ("0", "1")


def vector(setup: Any) -> tuple[VectorField, ...]:
    """Return the fields of the vector. Bounds are those of the set-up, which changed parameters may move."""
    return (*_players(setup.tables), *_table(setup))


def _players(tables: Any) -> tuple[VectorField, ...]:
    """Return what is in front of the players; `[me]` is the hand that only its owner sees."""
    koku = max(tables.koku_limit, *tables.start_koku)
    goods = max(tables.good_limit, *tables.start_goods)
    favor = tables.favor_limit_end
    seats = int(tables.seats)
    return (
        bits("players[me].hand", CUSTOMERS),
        *numbers("players[seat]", koku=koku, points=MOST_POINTS),
        number("players[seat].goods", 0, goods, GOODS),
        *numbers("players[seat]", favor=favor, favor_limit=favor),
        number("players[seat].influence", 0, tables.influence_end, REGION_NAMES),
        category("players[seat].ships", RIVER_NAMES, places=SHIPS),
        category("players[seat].royal", SHIPS),
        category("players[seat].die", FACE_NAMES, first=1),
        number("players[seat].hand_size", 0, len(CUSTOMERS)),
        category("players[seat].patron", PATRONS),
        bits("offers[seat]", PATRONS),
        bits("players[seat].delivered", CUSTOMERS),
        number("players[seat].delivered_by_type", 0, REGIONS, CUSTOMER_TYPES),
        number("players[seat].owned", 0, SHORE_SPACES, BUILDINGS),
        number("players[seat].claimed", 0, seats, MASTERIES),
    )


def _table(setup: Any) -> tuple[VectorField, ...]:
    """Return what lies on the table, and what is being played."""
    seats, spaces = int(setup.tables.seats), tuple(str(space) for space in range(1, SHORE_SPACES + 1))
    tiles = setup.tile_ids
    return (
        category("phase", PHASES),
        seat("active"),
        seat("actor"),
        number("turn", 0, MOST_TURNS),
        number("last_turns", -1, seats - 1),
        seat("ended_by"),
        category("row", tiles),
        number("row_length", 0, MAX_ROW),
        number("era_left", 0, max(TILES_PER_ERA), ERAS),
        bits("tiles_gone", tiles),
        category("shore", tiles, places=spaces),
        seat("markers"),
        number("deck_left", 0, len(CUSTOMERS)),
        bits("deck_cards", CUSTOMERS),
        bits("discards", CUSTOMERS),
        number("claims", -1, seats, MASTERIES),
        category("region_tiles", REGION_NAMES, places=REGION_NAMES),
        category("ship", SHIPS),
        *numbers(journey=1, must_sell=1),
        category("monk_region", REGION_NAMES),
        *numbers(visit_due=1, trigger_due=1),
    )
