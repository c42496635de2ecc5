"""Determinization: dealing possible worlds, whole games that agree with everything a view shows.

Hidden information is dealt anew from a given random stream: others' hands, the deck, the stacks of tiles, and all
future dice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.game.compiler import kernel, part
from rogsim.game.rng import fresh_key, shuffle
from rogsim.games.river_of_gold.components.names import CUSTOMERS, ERAS, MAX_ROW, SHORE_SPACES, TILES_PER_ERA
from rogsim.games.river_of_gold.rules.state import GAME
from rogsim.games.river_of_gold.rules.supply import bit, has
from rogsim.games.river_of_gold.rules.turn import roll_number, roll_of

# A possible game; a record of its own, because a copy of a game needs a field to be assigned to.
WORLD = np.dtype([("game", GAME)], align=True)

ALL_CUSTOMERS = (1 << len(CUSTOMERS)) - 1


@kernel
def deal_world(tables: Any, view: Any, seat: int, stream: Any, world: Any) -> None:
    """Fill a WORLD with a game that looks exactly like the seat's view; draws numbers from a STREAM."""
    world.game = view
    game = world.game
    game.secret.key = fresh_key(stream)
    game.secret.journal_size = 0
    deal_customers(game, seat, stream)
    deal_tiles(tables, game, stream)


@kernel
def deal_roll(game: Any, seat: int, face: int, stream: Any) -> None:
    """Deal the future dice of a world anew so that the seat's next roll shows a face; draws numbers from a STREAM.

    The roll is that at the end of the seat's current or next turn. If it was already made, this has no effect on it.
    """
    turn = int(game.turn) + (seat - int(game.active)) % int(game.seats)
    number = roll_number(game, turn)
    while roll_of(game.secret.key, seat, number) != face:
        game.secret.key = fresh_key(stream)


@part
def deal_customers(game: Any, seat: int, stream: Any) -> None:
    """Deal the customers that the seat does not see to the other hands and the deck.

    Customers that were not in the deck when it was last shuffled can only be in a hand.
    """
    unseen = unseen_customers(game, seat)
    deck = game.secret.deck
    count, in_hands = 0, 0
    for customer in range(len(CUSTOMERS)):
        if has(unseen & int(game.deck_cards), customer):
            deck[count] = customer
            count += 1
    shuffle(fresh_key(stream), deck, count)
    for other in range(game.seats):
        in_hands += int(game.players[other].hand_size) if other != seat else 0
    kept = unseen & ~int(game.deck_cards)
    left = int(game.deck_left)
    hands = np.empty(len(CUSTOMERS), np.int64)
    dealt = 0
    for customer in range(len(CUSTOMERS)):
        if has(kept, customer):
            hands[dealt] = customer
            dealt += 1
    for place in range(left, count):
        hands[dealt] = deck[place]
        dealt += 1
    shuffle(fresh_key(stream), hands, in_hands)
    for other in range(game.seats):
        if other == seat:
            continue
        player = game.players[other]
        player.hand = 0
        for _ in range(player.hand_size):
            dealt -= 1
            player.hand |= bit(hands[dealt])
    game.secret.deck_size = left


@part
def unseen_customers(game: Any, seat: int) -> int:
    """Return the mask of the customers that are in the deck or in others' hands."""
    seen = int(game.players[seat].hand) | int(game.discards)
    for other in range(game.seats):
        seen |= int(game.players[other].delivered)
    return ALL_CUSTOMERS & ~seen


@part
def deal_tiles(tables: Any, game: Any, stream: Any) -> None:
    """Fill the stacks with unseen tiles of each era, which may include tiles that are really in the box."""
    seen = int(game.tiles_gone)
    for space in range(SHORE_SPACES):
        if game.shore[space] >= 0:
            seen |= bit(game.shore[space])
    for place in range(MAX_ROW):
        if game.row[place] >= 0:
            seen |= bit(game.row[place])
    tiles = np.empty(max(TILES_PER_ERA), np.int64)
    first = 0
    for era in range(len(ERAS)):
        count = 0
        for tile in range(first, first + TILES_PER_ERA[era]):
            if not has(seen, tile):
                tiles[count] = tile
                count += 1
        shuffle(fresh_key(stream), tiles, count)
        left = int(game.era_left[era])
        top = int(tables.era_tiles[era]) - left
        for i in range(left):
            game.secret.stacks[era, top + i] = tiles[i]
        first += TILES_PER_ERA[era]
