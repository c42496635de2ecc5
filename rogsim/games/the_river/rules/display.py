"""The face-up terrain tiles and building cards, and the piles behind them."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.rng import shuffle, stream_key
from rogsim.games.the_river.components.names import CARDS, NONE
from rogsim.games.the_river.rules.purposes import RESHUFFLE


@part
def fill_display(game: Any, size: int) -> None:
    """Turn up tiles one after another until there are so many, or none is left (J31)."""
    while game.display_count < size and int(game.pile_left) + int(game.removed_count) > 0:
        if game.pile_left == 0:
            reshuffle(game)
        secret = game.secret
        game.display[game.display_count] = secret.pile[int(secret.pile_size) - int(game.pile_left)]
        game.display_count += 1
        game.pile_left -= 1


@kernel
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


@part
def remove_display(game: Any) -> None:
    """Remove the face-up tiles that are left."""
    for i in range(game.display_count):
        game.removed[int(game.removed_count) + i] = game.display[i]
        game.display[i] = NONE
    game.removed_count += game.display_count
    game.display_count = 0


@part
def take_tile(game: Any, tile: int) -> None:
    """Take a face-up tile; the others stay in order."""
    found, last = False, len(game.display) - 1
    for i in range(last):  # always all places: a fixed number takes less time
        found |= game.display[i] == tile
        game.display[i] = game.display[i + 1] if found else game.display[i]
    game.display[last] = NONE
    game.display_count -= 1


@part
def fill_cards(tables: Any, game: Any) -> None:
    """Lay a card on each empty building spot, from left to right, as long as there are cards (J13)."""
    for spot in range(tables.cards_up):
        if game.cards[spot] == NONE and game.deck_left > 0:
            game.cards[spot] = game.secret.deck[len(CARDS) - int(game.deck_left)]
            game.deck_left -= 1


@part
def take_card(game: Any, card: int) -> bool:
    """Take a card if it lies face up; return whether it did."""
    for spot in range(len(game.cards)):
        if game.cards[spot] == card:
            game.cards[spot] = NONE
            return True
    return False
