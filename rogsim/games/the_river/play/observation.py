"""What a seat sees: for agents in the words of a trace, and for learners as fields of a vector with their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from rogsim.game.kit.bits import members, named
from rogsim.game.kit.vector import MOST_POINTS, VectorField, bits, category, number, numbers, seat
from rogsim.game.kit.views import Seen
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    CLAIM,
    MAX_AMOUNT,
    MAX_TOKENS,
    NONE,
    PLACES,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TILES,
    UNLIMITED,
)
from rogsim.games.the_river.rules.round import MOST_ROUNDS, MOST_TURNS
from rogsim.games.the_river.rules.state import DECISIONS, PLAYER

Words = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Seen):
    """What a seat can see when it chooses; `question` is the kind of decision, as in a trace."""

    boards: tuple[str, ...]  # by seat
    points: tuple[int, ...]  # by seat: of buildings and bonus tokens
    state: Words  # as in a trace; for each place, the number of pioneers

    @property
    def own(self) -> Words:
        """Return what the player that chooses has."""
        seats: list[Words] = self.state["seats"]
        return seats[self.me]


def describe(setup: Any, view: Any, seat: int, chance: Random) -> Observation:
    """Return what a Python agent at a seat sees."""
    players = players_of(view)
    return Observation(
        me=seat,
        active=int(view.active),
        question=DECISIONS[view.phase] if view.phase < len(DECISIONS) else "",
        turn=int(view.turn) + 1,
        boards=tuple(BOARDS[player.board] for player in players),
        points=tuple(int(player.points) for player in players),
        state=state_of(setup.tables, view),
        facts=setup.facts,
        random=chance,
    )


def players_of(game: Any) -> list[Any]:
    """Return the records of the players, by seat."""
    return [game.players[seat] for seat in range(game.seats)]


def state_of(tables: Any, game: Any) -> Words:
    """Return the state of a game as in a trace, except that places have numbers and buildings no order."""
    cards = game.cards[: int(tables.cards_up)].tolist()
    return {
        "round": int(game.round),
        "first": int(game.pawn),
        "end": bool(game.end),
        "islands": game.islands.tolist(),
        "tiles": tiles_up(game),
        "pile": int(game.pile_left),
        "removed": int(game.removed_count),
        "cards": [None if card == NONE else CARDS[card] for card in cards],
        "deck": int(game.deck_left),
        "tokens": int(tables.token_count - game.tokens_taken),
        "places": dict(zip(PLACES, game.pioneers.tolist(), strict=True)),
        "seats": [_seat(player) for player in players_of(game)],
    }


def _seat(player: Any) -> Words:
    seen = dict(zip(PLAYER.names or (), player.item(), strict=True))
    return {
        "resources": seen["resources"].tolist(),
        "warehouses": seen["warehouses"],
        "production": seen["production"].tolist(),
        "tiles": named(TILES, seen["tiles"][: seen["tile_count"]]),
        "tokens": seen["tokens"][: seen["token_count"]].tolist(),
        "boat": seen["boat"],
        "placed": seen["placed"],
        "settled": seen["settled"],
        "fifth": bool(seen["fifth"]),
        "reserved": named(CARDS, seen["reserved"][: seen["reserved_count"]]),
        "built": members(seen["built"], CARDS),
    }


def tiles_up(game: Any) -> list[str]:
    """Return the face-up terrain tiles in the order drawn."""
    return named(TILES, game.display[: int(game.display_count)])


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
