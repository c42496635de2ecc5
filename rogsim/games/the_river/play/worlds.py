"""Dealing possible worlds: whole games that agree with everything that a view shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.rng import fresh_key, shuffle
from rogsim.games.the_river.components.names import CARDS, TILES


@kernel
def deal_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Fill `holder.game` with a game that looks exactly like the view: the pile, the deck and chance are dealt anew."""
    holder.game = view
    game = holder.game
    game.secret.key = fresh_key(stream)
    game.secret.pile_size = game.pile_left
    gone = np.zeros(len(TILES), np.int8)
    note_tiles(game, gone)
    deal_unseen(gone, len(TILES), int(game.pile_left), 0, game.secret.pile, fresh_key(stream))
    gone[:] = 0
    note_cards(game, gone)
    left = int(game.deck_left)
    deal_unseen(gone, len(CARDS), left, len(CARDS) - left, game.secret.deck, fresh_key(stream))


@part
def deal_unseen(gone: Any, size: int, left: int, first: int, pile: Any, key: Any) -> None:
    """Shuffle the components that are not gone into a pile, from the given place on."""
    unseen = np.zeros(size, np.int8)
    count = 0
    for component in range(size):
        if gone[component] == 0:
            unseen[count] = component
            count += 1
    shuffle(key, unseen, count)
    for i in range(left):
        pile[first + i] = unseen[i]


@part
def note_tiles(game: Any, gone: Any) -> None:
    """Mark the tiles that are not in the pile."""
    for i in range(game.display_count):
        gone[game.display[i]] = 1
    for i in range(game.removed_count):
        gone[game.removed[i]] = 1
    if game.left_out >= 0:
        gone[game.left_out] = 1
    for seat in range(game.seats):
        player = game.players[seat]
        for spot in range(player.tile_count):
            gone[player.tiles[spot]] = 1


@part
def note_cards(game: Any, gone: Any) -> None:
    """Mark the cards that are not in the deck."""
    for spot in range(len(game.cards)):
        if game.cards[spot] >= 0:
            gone[game.cards[spot]] = 1
    for seat in range(game.seats):
        player = game.players[seat]
        for i in range(player.reserved_count):
            gone[player.reserved[i]] = 1
        for card in range(len(CARDS)):
            if player.built >> card & 1 == 1:
                gone[card] = 1
