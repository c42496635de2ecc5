"""What the rules of a game do with its pieces: dice, decks, rows and hands of cards, menus, turns.

They are plain functions. Compiled rules can call them, and so can rules that are not compiled.
"""

from __future__ import annotations

from typing import Any

from rogsim.game import rng
from rogsim.game.compiler import kernel, part
from rogsim.game.kit.kinds import NONE
from rogsim.game.rng import draw as draw_below
from rogsim.game.rng import fresh_key


@part
def offer(menu: Any, action: int) -> None:
    """Add a legal action to the menu."""
    count = menu.count
    menu.actions[count] = action
    menu.count = count + 1


@part
def roll(chance: Any, sides: int) -> int:
    """Roll a die: a number from 1 to `sides`."""
    return draw_below(chance, sides) + 1


@part
def pick(chance: Any, count: int) -> int:
    """Return a number from 0 to `count` - 1, each equally likely."""
    return draw_below(chance, count)


@part
def next_seat(state: Any, seat: int) -> int:
    """Return the seat to the left."""
    return (seat + 1) % state.seats


@part
def next_turn(state: Any) -> None:
    """End the turn: it passes to the seat to the left."""
    state.turn += 1
    state.actor = (state.actor + 1) % state.seats


@kernel
def put(pile: Any, card: int) -> None:
    """Put a card on top of a pile, or into a hand; IndexError if there is no room."""
    if pile.count >= len(pile.cards):
        raise IndexError("there is no room for another card")
    pile.cards[pile.count] = card
    pile.count += 1


@kernel
def draw(pile: Any) -> int:
    """Take the top card of a pile; NONE if it is empty."""
    if pile.count == 0:
        return NONE
    pile.count -= 1
    card = int(pile.cards[pile.count])
    pile.cards[pile.count] = NONE
    return card


@kernel
def take(pile: Any, place: int) -> int:
    """Take the card at a place of a pile or a hand, and close the gap; IndexError if there is none."""
    if place < 0 or place >= pile.count:
        raise IndexError("there is no card at this place")
    card = int(pile.cards[place])
    for later in range(place + 1, pile.count):
        pile.cards[later - 1] = pile.cards[later]
    pile.count -= 1
    pile.cards[pile.count] = NONE
    return card


@kernel
def shuffle(deck: Any) -> None:
    """Shuffle a deck."""
    rng.shuffle(fresh_key(deck.chance), deck.cards, deck.count)


@kernel
def gather(pile: Any, deck: Any) -> None:
    """Put all cards of a pile or a hand on a deck; `shuffle` shuffles it."""
    while pile.count > 0:
        put(deck, draw(pile))


@kernel
def draw_again(deck: Any, discard: Any) -> int:
    """Take the top card of a deck; if it is empty, shuffle the discarded cards first. NONE if there is none at all."""
    if deck.count == 0:
        gather(discard, deck)
        shuffle(deck)
    return draw(deck)


@kernel
def refill(row: Any, deck: Any) -> None:
    """Fill the empty places of a row from a deck, as far as there are cards."""
    for place in range(len(row.cards)):
        if row.cards[place] == NONE:
            row.cards[place] = draw(deck)
