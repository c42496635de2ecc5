"""The face-up terrain tiles and building cards, and the piles behind them."""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import take_out
from rogsim.game.rng import shuffle, stream_key
from rogsim.games.the_river.components.names import CARDS, NONE
from rogsim.games.the_river.rules.state import RESHUFFLE


def fill_display(game: Any, size: int) -> None:
    """Turn up tiles one at a time until `size` lie face up, or none is left (J31)."""
    turn_up(game, size)
    if game.display_count < size and game.removed_count > 0:
        reshuffle(game)
        turn_up(game, size)


def turn_up(game: Any, size: int) -> None:
    """Turn up tiles of the pile until `size` lie face up, or it is empty."""
    up, left = game.display_count, int(game.pile_left)
    first = game.secret.pile_size - left
    count = max(min(size - up, left), 0)
    for i in range(count):
        game.display[up + i] = game.secret.pile[first + i]
    game.display_count = up + count
    game.pile_left = left - count


def reshuffle(game: Any) -> None:
    """Shuffle the removed tiles into a new pile."""
    secret = game.secret
    for i in range(game.removed_count):
        secret.pile[i] = game.removed[i]
    secret.pile_size = game.removed_count
    game.pile_left = game.removed_count
    game.removed_count = 0
    shuffle(stream_key(stream_key(secret.key, RESHUFFLE), secret.reshuffles), secret.pile, secret.pile_size)
    secret.reshuffles += 1


def remove_display(game: Any) -> None:
    """Remove the face-up tiles that are left."""
    removed, count = game.removed_count, game.display_count
    for i in range(count):
        game.removed[removed + i] = game.display[i]
    for i in range(len(game.display)):
        game.display[i] = NONE
    game.removed_count = removed + count
    game.display_count = 0


def take_tile(game: Any, tile: int) -> None:
    """Take a face-up tile; the others stay in order."""
    take_out(game.display, tile)
    game.display_count -= 1


def fill_cards(tables: Any, game: Any) -> None:
    """Lay a card on each empty building spot, from left to right, as long as there are cards (J13)."""
    drawn, last = len(CARDS) - int(game.deck_left), len(CARDS) - 1
    for spot in range(tables.cards_up):
        # without a branch: which spots are empty, no processor can guess
        here, card = game.cards[spot], int(game.secret.deck[min(drawn, last)])
        filled = (here == NONE) & (drawn <= last)
        game.cards[spot] = card if filled else here
        drawn += filled
    game.deck_left = len(CARDS) - drawn


def take_card(game: Any, card: int) -> bool:
    """Take a card if it lies face up; return whether it did."""
    taken = False
    for spot in range(len(game.cards)):  # without a branch, as above
        here = game.cards[spot] == card
        game.cards[spot] = NONE if here else game.cards[spot]
        taken |= here
    return taken
