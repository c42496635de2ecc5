"""What follows by itself: storing, the effect of a tile, the next turn, and the events between rounds."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import lowest
from rogsim.games.the_river.rules import state
from rogsim.games.the_river.rules.display import fill_cards, fill_display, remove_display
from rogsim.games.the_river.rules.setup import empty_places, lay_out_tiles, next_pick
from rogsim.games.the_river.rules.storage import must_give_up, take
from rogsim.games.the_river.rules.tiles import take_gift

ALL_EVENTS = 1000  # more than can follow a decision


def follow_up(tables: Any, game: Any) -> None:
    """Go on after an action (J22): resources are stored, a gift is taken and stored, tiles are swapped."""
    player = game.players[game.active]
    game.actor = game.active
    storing = True
    while storing:
        if must_give_up(game, player):
            game.phase = state.DISCARD
            return
        storing = game.gift_due == 1
        if storing:
            take_gift(tables, game, player)
    if game.swaps_left > 0 and player.tile_count >= 2:
        game.phase = state.SWAPS
        return
    game.swaps_left = 0
    if game.cleaning == 1:
        game.phase = state.MEADOW
    elif game.round == 0:
        next_pick(game)
    else:
        game.turn += 1
        give_turn(game, game.active, 1)


def clockwise(game: Any, seat: int, steps: int) -> int:
    """Return the seat `steps` places clockwise from a seat, at most once around."""
    later = seat + steps
    return later - game.seats if later >= game.seats else later  # faster than %


def give_turn(game: Any, start: int, first: int) -> None:
    """Give the turn to the first seat with a pioneer on its boat, clockwise, `first` steps after the start or more.

    If there is none in a whole round, the cleanup follows.
    """
    game.phase = state.CLEANUP
    for step in range(first, first + game.seats):
        seat = clockwise(game, start, step)
        if game.players[seat].boat > 0:
            game.active = seat
            game.actor = seat
            game.phase = state.TURN
            return


def advance(tables: Any, game: Any, events: int) -> None:
    """Carry out at most `events` events, up to the next decision: one call for all is faster than one for each."""
    for _ in range(events):
        if game.phase == state.MEADOW:
            next_meadow(tables, game)
        elif game.phase == state.CLEANUP:
            clean_up(tables, game)
        elif game.phase == state.ROUND:
            begin_round(game)
        elif game.phase == state.DISPLAY:
            lay_out_tiles(tables, game)
        else:
            return


def begin_round(game: Any) -> None:
    """Begin a round with the first player, or with the next one who has a pioneer."""
    game.round += 1
    give_turn(game, game.pawn, 0)
    game.players[game.active].ledger.rounds_begun += 1


def clean_up(tables: Any, game: Any) -> None:
    """Remove and refill tiles, refill cards, and take the pioneers back; the meadows follow (J30)."""
    remove_display(game)
    fill_display(game, tables.tiles_up)
    fill_cards(tables, game)
    for seat in range(game.seats):
        take_back_pioneers(game.players[seat])
    empty_places(tables, game)
    game.cleaning = 1
    game.meadows = cleanup_meadows(game)
    game.phase = state.MEADOW


def take_back_pioneers(player: Any) -> None:
    """Put a player's pioneers back on the boat, except one for each framed spot covered in this round."""
    settling = min(player.framed, player.placed)
    player.settled += settling
    player.boat += player.placed - settling
    player.placed = 0
    player.framed = 0
    player.claims = 0


def cleanup_meadows(game: Any) -> int:
    """Return the mask of all cleanup meadows that act, clockwise from the first player, MEADOW_BITS for each (J12)."""
    meadows = 0
    for step in range(game.seats):
        player = game.players[clockwise(game, game.pawn, step)]
        meadows |= player.cleanups * int(player.warehouses > 0) << state.MEADOW_BITS * step
    return meadows


def next_meadow(tables: Any, game: Any) -> None:
    """Store what the last cleanup meadow gave, then let the next one give something; after the last, go on."""
    if must_give_up(game, game.players[game.active]):
        game.actor = game.active
        game.phase = state.DISCARD
        return
    while game.meadows != 0:
        meadow = lowest(game.meadows)
        game.meadows &= game.meadows - 1
        seat = clockwise(game, game.pawn, meadow // state.MEADOW_BITS)
        player = game.players[seat]
        tile = tables.tiles[player.tiles[meadow % state.MEADOW_BITS]]
        taken = take(game, player, tile.resource, tile.amount)
        if taken > 0:
            player.ledger.gifts += taken
            game.active = seat
            return
    game.cleaning = 0
    game.phase = state.OVER if is_ending(game) else state.ROUND


def is_ending(game: Any) -> bool:
    """Return whether the game ends: triggered, with no pioneer left (J19), or after the last round allowed (J41)."""
    pioneers = 0
    for seat in range(game.seats):
        pioneers += game.players[seat].boat
    return game.end == 1 or pioneers == 0 or game.round == state.MOST_ROUNDS
