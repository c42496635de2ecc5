"""Setting up, and the preliminary turn; everything that chance decides comes from a stream of its own."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import places_above, places_below
from rogsim.game.rng import below, game_key, shuffle, stream_key
from rogsim.games.the_river.components.names import BOARDS, CARDS, NONE, PLACES, PRODUCED, RESOURCES, SPOTS, TILES
from rogsim.games.the_river.rules import state
from rogsim.games.the_river.rules.display import fill_cards, fill_display


def set_up(tables: Any, game: Any, seed: int, deal: int) -> None:
    """Set up a zeroed game, to the first decision of the preliminary turn."""
    key = game_key(seed, deal)
    secret = game.secret
    secret.key = key
    game.seats = tables.seats
    game.first = tables.first
    if tables.first == NONE:
        game.first = below(stream_key(key, state.FIRST_PLAYER), 0, game.seats)
    game.pawn = game.first
    shuffle_all(stream_key(key, state.TERRAIN_TILES), secret.pile)
    secret.pile_size = len(TILES)
    game.pile_left = len(TILES)
    shuffle_all(stream_key(key, state.BUILDING_CARDS), secret.deck)
    game.deck_left = len(CARDS)
    clear(game.cards)
    clear(game.display)
    fill_cards(tables, game)
    fill_display(game, tables.tiles_up_first)
    game.left_out = NONE
    game.card = NONE
    for resource in range(len(RESOURCES)):
        game.islands[resource] = tables.supply[resource]
    empty_places(tables, game)
    deal_boards(tables, game, key)
    for seat in range(game.seats):
        seat_player(tables, game.players[seat])
    game.active = (game.pawn + game.seats - 1) % game.seats
    game.actor = game.active
    game.phase = state.START


def shuffle_all(key: Any, pile: Any) -> None:
    """Make a pile of all components of its kind, shuffled."""
    for i in range(len(pile)):
        pile[i] = i
    shuffle(key, pile, len(pile))


def clear(places: Any) -> None:
    """Leave no component on any place."""
    for i in range(len(places)):
        places[i] = NONE


def empty_places(tables: Any, game: Any) -> None:
    """Leave no pioneer on any place."""
    for spot in range(len(PLACES)):
        game.pioneers[spot] = 0
    note_places(tables, game)


def note_places(tables: Any, game: Any) -> None:
    """Note which places have room, and which are empty."""
    free = places_below(game.pioneers, tables.spots)
    empty = ((1 << len(PLACES)) - 1) & ~places_above(game.pioneers, 0)
    game.places = free | empty << state.EMPTY


def deal_boards(tables: Any, game: Any, key: int) -> None:
    """Give each seat a River Board: as the options say, or by chance, all different (J38)."""
    for seat in range(len(tables.boards)):
        game.players[seat].board = seat if tables.boards[0] == NONE else tables.boards[seat]
    if tables.boards[0] == NONE:
        stream = stream_key(key, state.BOARDS_DEALT)
        for last in range(len(BOARDS) - 1, 0, -1):
            other = below(stream, last, last + 1)
            board = game.players[last].board
            game.players[last].board = game.players[other].board
            game.players[other].board = board


def seat_player(tables: Any, player: Any) -> None:
    """Give a player pioneers, and what the River Board prints."""
    clear(player.tiles)
    clear(player.reserved)
    for spot in range(SPOTS):
        player.warehouses += tables.printed_store[spot]
        for resource in range(len(PRODUCED)):
            player.production[resource] += tables.printed_production[player.board, spot] == resource
    player.boat = tables.pioneers_on_boat
    player.fifth = 1


def next_pick(game: Any) -> None:
    """Let the next player pick a tile, counterclockwise; the first player is the last."""
    if game.active == game.pawn:
        game.phase = state.DISPLAY
    else:
        game.active = (game.active + game.seats - 1) % game.seats
        game.actor = game.active
        game.phase = state.START


def lay_out_tiles(tables: Any, game: Any) -> None:
    """Remove the tile left over for good, and turn up those of the first round."""
    if game.display_count > 0:
        game.left_out = game.display[0]
        game.display[0] = NONE
    game.display_count = 0
    fill_display(game, tables.tiles_up)
    for seat in range(game.seats):
        game.players[seat].framed = 0  # the preliminary turn is no round
    game.phase = state.ROUND
