"""The state of a game in the words of a trace, and what an agent sees."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from rogsim.game.kit.bits import members, named
from rogsim.game.kit.views import Seen
from rogsim.games.the_river.components.names import BOARDS, CARDS, NONE, PLACES, TILES
from rogsim.games.the_river.rules.phases import DECISIONS
from rogsim.games.the_river.rules.state import PLAYER

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
