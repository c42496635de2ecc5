"""The customer deck: drawing, discarding, and the reshuffle."""

from __future__ import annotations

from typing import Any

from rogsim.game.compiler import kernel, part
from rogsim.game.kit.menus import at
from rogsim.game.kit.state_fields import note, push_choice
from rogsim.game.rng import number, shuffle, stream_key
from rogsim.games.river_of_gold.components.names import CUSTOMERS
from rogsim.games.river_of_gold.rules.journal import DRAWN, RESHUFFLED
from rogsim.games.river_of_gold.rules.phases import DISCARD
from rogsim.games.river_of_gold.rules.purposes import RESHUFFLE
from rogsim.games.river_of_gold.rules.supply import bit, has


@part
def draw_then_discard(game: Any, seat: int, count: int) -> None:
    """Draw some customers, then ask which one of the hand to discard; nothing is discarded if too few were left."""
    drawn = 0
    while drawn < count and draw_customer(game, seat):
        drawn += 1
    if drawn == count:
        push_choice(game, DISCARD, seat)


@kernel
def draw_customer(game: Any, seat: int) -> bool:
    """Draw one customer into a hand; False if deck and discards are both used up."""
    if game.deck_left == 0:
        _reshuffle(game)
    if game.deck_left == 0:
        return False
    secret = game.secret
    customer = int(secret.deck[int(secret.deck_size) - int(game.deck_left)])
    game.deck_left -= 1
    player = game.players[at(seat)]
    player.hand |= bit(customer)
    player.hand_size += 1
    note(secret, DRAWN, seat, customer)
    return True


@part
def discard_customer(game: Any, seat: int, customer: int) -> None:
    """Put a customer of the hand on the discard pile, face up."""
    player = game.players[at(seat)]
    player.hand &= ~bit(customer)
    player.hand_size -= 1
    game.discards |= bit(customer)


@part
def _reshuffle(game: Any) -> None:
    """Make the discard pile into a new deck."""
    secret = game.secret
    size = 0
    for customer in range(len(CUSTOMERS)):
        if has(game.discards, customer):
            secret.deck[size] = customer
            size += 1
    if size == 0:
        return
    stream = number(stream_key(secret.key, RESHUFFLE), int(secret.reshuffles))
    shuffle(stream, secret.deck, size)
    secret.deck_size = size
    secret.reshuffles += 1
    game.deck_left = size
    game.deck_cards = game.discards
    game.discards = 0
    note(secret, RESHUFFLED, 0, 0)
