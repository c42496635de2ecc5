"""What a seat sees as numbers, for learners: the fields of a view in the vector, with their bounds."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.vector import MOST_POINTS, VectorField, bits, category, number, numbers, seat
from rogsim.games.the_river.components.limits import MAX_AMOUNT, MAX_TOKENS, UNLIMITED
from rogsim.games.the_river.components.names import BOARDS, CARDS, CLAIM, PLACES, PRODUCED, RESOURCES, SPOTS, TILES
from rogsim.games.the_river.rules.phases import DECISIONS
from rogsim.games.the_river.rules.round import MOST_ROUNDS, MOST_TURNS

SPOT_NAMES = tuple(str(spot) for spot in range(1, SPOTS + 1))
# The same decision about two tiles, asked for the place and for the swap meadow.
PHASES = (*DECISIONS[:-1], "swaps")


def vector(setup: Any) -> tuple[VectorField, ...]:
    """Return the fields of the vector. Bounds are those of the set-up, which changed parameters may move."""
    return (*_players(setup.tables), *_table(setup.tables))


def _players(tables: Any) -> tuple[VectorField, ...]:
    """Return what is in front of the players; everything there is open."""
    pioneers = int(tables.pioneers_on_boat) + 1
    symbols, stores = ({int(number) for number in tables.tiles[name].flat} for name in ("production", "store"))
    return (
        number("players[seat].points", 0, MOST_POINTS),
        number("players[seat].resources", 0, max(tables.supply), RESOURCES),
        number("players[seat].production", 0, SPOTS * max(1, *symbols), PRODUCED),
        number("players[seat].warehouses", 0, SPOTS * max(*stores, *tables.printed_store)),
        category("players[seat].tiles", TILES, places=SPOT_NAMES),
        *numbers("players[seat]", tile_count=SPOTS, boat=pioneers, placed=pioneers, settled=pioneers),
        *numbers("players[seat]", fifth=1, claims=pioneers, framed=SPOTS),
        category("players[seat].board", BOARDS),
        category("players[seat].reserved", CARDS),
        bits("players[seat].built", CARDS),
        number("players[seat].token_count", 0, max(tables.token_spots)),
    )


def _table(tables: Any) -> tuple[VectorField, ...]:
    """Return what lies on the table, and what is being decided."""
    pioneers = int(tables.seats) * (int(tables.pioneers_on_boat) + 1)
    spots = [pioneers if place == CLAIM or limit == UNLIMITED else limit for place, limit in enumerate(tables.spots)]
    return (
        category("phase", PHASES),
        seat("active"),
        seat("actor"),
        seat("pawn"),
        *numbers(round=MOST_ROUNDS, turn=MOST_TURNS, end=1),
        number("islands", 0, max(tables.supply), RESOURCES),
        number("pioneers", 0, max(spots), PLACES),
        category("display", TILES),
        *numbers(display_count=max(tables.tiles_up, tables.tiles_up_first)),
        *numbers(pile_left=len(TILES), removed_count=len(TILES)),
        category("cards", CARDS),
        *numbers(deck_left=len(CARDS), tokens_taken=MAX_TOKENS),
        category("card", CARDS),
        number("swaps_left", 0, MAX_AMOUNT),
    )
