"""Dealing possible worlds: whole games that agree with everything that a view shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.kit.views import deal_unseen, note, note_members
from rogsim.game.rng import fresh_key
from rogsim.games.the_river.components.names import CARDS, TILES


def deal_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
    """Fill `holder.game` with a game that looks exactly like the view: the pile, the deck and chance are dealt anew."""
    holder.game = view
    game = holder.game
    secret, left = game.secret, int(game.deck_left)
    secret.key = fresh_key(stream)
    secret.pile_size = game.pile_left
    deal_unseen(tiles_seen(game), fresh_key(stream), secret.pile, 0, int(game.pile_left))
    deal_unseen(cards_seen(game), fresh_key(stream), secret.deck, len(CARDS) - left, left)


def tiles_seen(game: Any) -> Any:
    """Return 1 for each tile that is not in the pile, else 0."""
    seen = np.zeros(len(TILES), np.int8)
    note(game.display, game.display_count, seen)
    note(game.removed, game.removed_count, seen)
    if game.left_out >= 0:
        seen[game.left_out] = 1
    for seat in range(game.seats):
        note(game.players[seat].tiles, game.players[seat].tile_count, seen)
    return seen


def cards_seen(game: Any) -> Any:
    """Return 1 for each card that is not in the deck, else 0."""
    seen = np.zeros(len(CARDS), np.int8)
    note(game.cards, len(game.cards), seen)
    for seat in range(game.seats):
        player = game.players[seat]
        note(player.reserved, player.reserved_count, seen)
        note_members(player.built, seen)
    return seen
