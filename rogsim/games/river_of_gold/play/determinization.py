"""Determinization: dealing possible worlds, whole games that agree with everything a view shows.

Hidden information is dealt anew from a given random stream: others' hands, the deck, the stacks of tiles, and all
future dice.
"""

from __future__ import annotations

from typing import Any

from rogsim.game.kit.bits import lowest, size
from rogsim.game.plain.derived import derived
from rogsim.game.rng import fresh_key, shuffle
from rogsim.games.river_of_gold.components.names import CUSTOMERS, ERAS, MAX_ROW, SHORE_SPACES, TILES_PER_ERA
from rogsim.games.river_of_gold.rules.state import BOT, PARTS
from rogsim.games.river_of_gold.rules.supply import bit
from rogsim.games.river_of_gold.rules.turn import roll_number, roll_of

ALL_CUSTOMERS = (1 << len(CUSTOMERS)) - 1


def deal(tables: Any, world: Any, seat: int, stream: Any) -> None:
    """Deal what the seat does not see, in a copy of its view; draws numbers from a STREAM."""
    deal_customers(world, seat, stream)
    deal_tiles(tables, world, stream)


def deal_roll(game: Any, seat: int, face: int, stream: Any) -> None:
    """Deal the future dice of a world anew so that the seat's next roll shows a face; draws numbers from a STREAM.

    The roll is that at the end of the seat's current or next turn. If it was already made, this has no effect on it.
    """
    turn = game.turn + (seat - game.active) % game.seats
    number = roll_number(game, turn)
    while roll_of(game.secret.key, seat, number) != face:
        game.secret.key = fresh_key(stream)


def deal_customers(game: Any, seat: int, stream: Any) -> None:
    """Deal the customers that the seat does not see to the other hands and the deck.

    Customers that were not in the deck when it was last shuffled can only be in a hand.
    """
    unseen = unseen_customers(game, seat)
    deck, left = game.secret.deck, int(game.deck_left)
    shuffled = list_bits(unseen & game.deck_cards, deck, 0)
    shuffle(fresh_key(stream), deck, shuffled)
    kept = unseen & ~game.deck_cards
    spare = size(kept)
    if spare > 0:  # they come before those that are left over
        for place in range(shuffled - 1, left - 1, -1):
            deck[place + spare] = deck[place]
        list_bits(kept, deck, left)
    hands, dealt = deck[left:], shuffled + spare - left
    shuffle(fresh_key(stream), hands, dealt)
    for other in range(game.seats):
        if other == seat:
            continue
        player = game.players[other]
        player.hand = 0
        for _ in range(player.hand_size):
            dealt -= 1
            player.hand |= bit(hands[dealt])
    game.secret.deck_size = left


def list_bits(mask: int, numbers: Any, place: int) -> int:
    """List the bits of a mask from a place on, the lowest first; return the place after the last one."""
    while mask != 0:
        numbers[place] = lowest(mask)
        mask &= mask - 1
        place += 1
    return place


def unseen_customers(game: Any, seat: int) -> int:
    """Return the mask of the customers that are in the deck or in others' hands."""
    seen = game.players[seat].hand | game.discards
    for other in range(game.seats):
        seen |= game.players[other].delivered
    return ALL_CUSTOMERS & ~seen


def deal_tiles(tables: Any, game: Any, stream: Any) -> None:
    """Fill the stacks with unseen tiles of each era, which may include tiles that are really in the box."""
    seen = game.tiles_gone
    for space in range(SHORE_SPACES):
        if game.shore[space] >= 0:
            seen |= bit(game.shore[space])
    for place in range(MAX_ROW):
        if game.row[place] >= 0:
            seen |= bit(game.row[place])
    first = 0
    for era in range(len(ERAS)):
        tiles, left = game.secret.stacks[era], int(game.era_left[era])
        unseen = ~seen & ((1 << TILES_PER_ERA[era]) - 1) << first
        shuffle(fresh_key(stream), tiles, list_bits(unseen, tiles, 0))
        top = tables.era_tiles[era] - left
        for i in range(left - 1, -1, -1):  # from the last on, because they move up
            tiles[top + i] = tiles[i]
        first += TILES_PER_ERA[era]


DERIVED = derived(PARTS, bots=BOT, deal=deal)  # for `Rules`
deal_world = DERIVED["deal_world"]
