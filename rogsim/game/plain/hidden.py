"""What a seat sees, and worlds that look to it like its view: from what the fields of a game say of who sees them.

The functions are made of small ones, one for each field, because compiled code cannot loop over the names of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rogsim.game.functions import piece
from rogsim.game.kit.kinds import NONE, Field
from rogsim.game.plain.fields import UNSEEN, Cards, Chance, Deck, Pile, Row, Secret
from rogsim.game.rng import below, fresh_key, game_key, one_way, shuffle, stream_key

On = Callable[..., None]  # what is done with one field: (record, ...)


class Parts(NamedTuple):
    """The fields of a state and of each of its seats, and the most seats."""

    state: list[Field]
    player: list[Field]
    most_seats: int

    def purposes(self) -> dict[tuple[str, str], int]:
        """Return the first purpose of chance of each source, by where it is and its name; bots have the first ones."""
        found, following = {}, self.most_seats
        for where, fields in (("state", self.state), ("player", self.player)):
            for field in fields:
                if isinstance(field.kind, Chance | Deck | Secret):
                    found[where, field.name] = following
                    following += self.most_seats
        return found

    def cards(self) -> list[Cards]:
        """Return all sets of cards, in the order of the fields: in another order, worlds would be dealt otherwise."""
        return list(dict.fromkeys(one.kind.cards for one in [*self.state, *self.player] if isinstance(one.kind, Pile)))


def chain(pieces: Iterable[On], nothing: On) -> Any:
    """Return one compiled function that calls several, one after the other, with the same arguments."""
    return _chained(list(pieces), nothing)


def _chained(pieces: list[On], nothing: On) -> Any:
    if len(pieces) < 2:
        return pieces[0] if pieces else piece(nothing)
    first, rest = pieces[0], _chained(pieces[1:], nothing)
    if nothing is _nothing_2:

        def both(a: Any, b: Any) -> None:
            first(a, b)
            rest(a, b)

        return piece(both)

    def all_three(a: Any, b: Any, c: Any) -> None:
        first(a, b, c)
        rest(a, b, c)

    return piece(all_three)


def _nothing_2(a: Any, b: Any) -> None:
    pass


def _nothing_3(a: Any, b: Any, c: Any) -> None:
    pass


# Setting up.


def laying_out(parts: Parts) -> Any:
    """Return the function (state, seed, deal) that sets up all that has a beginning: chance, decks, empty places."""
    purposes = parts.purposes()
    of_state = chain(_layouts("state", parts.state, purposes), _nothing_3)
    of_player = chain(_layouts("player", parts.player, purposes), _nothing_3)
    most = parts.most_seats

    def lay_out(state: Any, seed: int, deal: int) -> None:
        key = game_key(seed, deal)
        state.key = key
        of_state(state, key, 0)
        for seat in range(most):
            of_player(state.players[seat], key, seat)

    return piece(lay_out)


def _layouts(where: str, fields: list[Field], purposes: dict[tuple[str, str], int]) -> Iterator[On]:
    for field in fields:
        name, purpose = field.name, purposes.get((where, field.name), 0)
        if isinstance(field.kind, Deck):
            yield _full_deck(name, purpose, field.kind.cards.all)
        elif isinstance(field.kind, Chance):
            yield _fresh_chance(name, purpose)
        elif isinstance(field.kind, Pile):
            yield _no_cards(name)
        elif isinstance(field.kind, Secret):
            yield _not_chosen(name)


def _full_deck(name: str, purpose: int, every: np.ndarray) -> On:
    size = len(every)

    def lay(record: Any, key: Any, seat: int) -> None:
        deck = record[name]
        deck.chance.key = stream_key(key, purpose + seat)
        for i in range(size):
            deck.cards[i] = every[i]
        deck.count = size
        shuffle(fresh_key(deck.chance), deck.cards, size)

    return piece(lay)


def _fresh_chance(name: str, purpose: int) -> On:
    def lay(record: Any, key: Any, seat: int) -> None:
        record[name].key = stream_key(key, purpose + seat)

    return piece(lay)


def _no_cards(name: str) -> On:
    def lay(record: Any, key: Any, seat: int) -> None:
        pile = record[name]
        for i in range(len(pile.cards)):
            pile.cards[i] = NONE

    return piece(lay)


def _not_chosen(name: str) -> On:
    def lay(record: Any, key: Any, seat: int) -> None:
        record[name] = NONE

    return piece(lay)


def bot_key(state: Any, seat: int) -> Any:
    """Return the key of the random numbers of the bot at a seat."""
    return one_way(stream_key(state.key, seat))


# What a seat sees.


def hiding(parts: Parts) -> Any:
    """Return `Rules.hide`."""
    of_state = chain(_hiders(parts.state), _nothing_2)
    of_me = chain(_hiders(field for field in parts.player if isinstance(field.kind, Chance | Deck)), _nothing_2)
    of_others = chain(_hiders(parts.player), _nothing_2)
    players = parts.most_seats if any(_hiders(parts.player)) else 0  # that have something to hide

    def hide(view: Any, seat: int) -> None:
        view.key = 0
        of_state(view, seat)
        for other in range(players):
            if other == seat:
                of_me(view.players[other], seat)
            else:
                of_others(view.players[other], seat)

    return piece(hide)


def _hiders(fields: Iterable[Field]) -> Iterator[On]:
    for field in fields:
        if isinstance(field.kind, Chance):
            yield _hide_chance(field.name)
        elif isinstance(field.kind, Deck):
            yield _hide_cards(field.name)
            yield _hide_chance_of(field.name)
        elif isinstance(field.kind, Pile) and not field.kind.in_the_open:
            yield _hide_cards(field.name)
        elif isinstance(field.kind, Secret):
            yield _hide_choice(field.name)


def _hide_chance(name: str) -> On:
    def hide(record: Any, seat: int) -> None:
        record[name].key = 0
        record[name].count = 0

    return piece(hide)


def _hide_chance_of(name: str) -> On:
    def hide(record: Any, seat: int) -> None:
        record[name].chance.key = 0
        record[name].chance.count = 0

    return piece(hide)


def _hide_cards(name: str) -> On:
    def hide(record: Any, seat: int) -> None:
        pile = record[name]
        for i in range(pile.count):
            pile.cards[i] = NONE

    return piece(hide)


def _hide_choice(name: str) -> On:
    def hide(record: Any, seat: int) -> None:
        if record[name] != NONE:
            record[name] = UNSEEN

    return piece(hide)


# Worlds.


def dealing(parts: Parts, settle: Callable[..., None] | None) -> Any:
    """Return `Rules.deal_world`: all that is hidden is dealt anew, from the cards that the seat does not see.

    Parameters
    ----------
    settle
        (numbers, world, seat, chance): what the game itself does then, so that hidden things fit what was seen.
    """
    purposes, most = parts.purposes(), parts.most_seats
    of_state = chain(_dealers("state", parts.state, purposes), _nothing_3)
    of_player = chain(_dealers("player", parts.player, purposes), _nothing_3)
    cards = chain([_card_dealer(parts, found) for found in parts.cards()], _nothing_2)

    def deal_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
        holder.game = view
        world = holder.game
        world.key = fresh_key(stream)
        of_state(world, world.key, 0)
        for other in range(most):
            of_player(world.players[other], world.key, other)
        cards(world, stream)
        if settle is not None:
            settle(tables, world, seat, stream)

    return piece(deal_world)


def _dealers(where: str, fields: list[Field], purposes: dict[tuple[str, str], int]) -> Iterator[On]:
    for field in fields:
        if isinstance(field.kind, Chance):
            yield _fresh_chance(field.name, purposes[where, field.name])
        elif isinstance(field.kind, Deck):
            yield _fresh_chance_of(field.name, purposes[where, field.name])
        elif isinstance(field.kind, Secret):
            yield _choose_again(field.name, purposes[where, field.name], field.kind.low, field.kind.high)


def _fresh_chance_of(name: str, purpose: int) -> On:
    def deal(record: Any, key: Any, seat: int) -> None:
        record[name].chance.key = stream_key(key, purpose + seat)

    return piece(deal)


def _choose_again(name: str, purpose: int, low: int, high: int) -> On:
    choices = high - low + 1

    def deal(record: Any, key: Any, seat: int) -> None:
        if record[name] == UNSEEN:
            record[name] = low + below(stream_key(key, purpose + seat), 0, choices)

    return piece(deal)


def _card_dealer(parts: Parts, kind: Cards) -> On:
    """Return the function (world, stream) that deals the unseen cards of one set to the places where they may be."""
    of_state = [field for field in parts.state if isinstance(field.kind, Pile) and field.kind.cards is kind]
    of_player = [field for field in parts.player if isinstance(field.kind, Pile) and field.kind.cards is kind]
    count_state = chain([_count_seen(field) for field in of_state], _nothing_2)
    count_player = chain([_count_seen(field) for field in of_player], _nothing_2)
    fill_state = chain([_fill(field.name) for field in of_state if not isinstance(field.kind, Row)], _nothing_3)
    fill_player = chain([_fill(field.name) for field in of_player if not isinstance(field.kind, Row)], _nothing_3)
    copies, total, most = np.array(kind.copies), len(kind.all), parts.most_seats

    def deal(world: Any, stream: Any) -> None:
        left = copies.copy()
        count_state(world, left)
        for seat in range(most):
            count_player(world.players[seat], left)
        unseen, count = np.empty(total, np.int16), 0
        for card in range(len(left)):
            for _ in range(left[card]):
                unseen[count] = card
                count += 1
        shuffle(fresh_key(stream), unseen, count)
        used = np.zeros(1, np.int64)
        fill_state(world, unseen, used)
        for seat in range(most):
            fill_player(world.players[seat], unseen, used)

    return piece(deal)


def lost_cards(parts: Parts, state: Any) -> Iterator[str]:
    """Yield what is wrong with the cards of a state: each must be somewhere, as often as there are copies of it."""
    found: dict[Cards, np.ndarray] = {}
    places = [(field, state) for field in parts.state]
    places += [(field, state.players[seat]) for seat in range(parts.most_seats) for field in parts.player]
    for field, record in places:
        if isinstance(field.kind, Pile):
            cards = np.asarray(record[field.name]["cards"])
            counts = found.setdefault(field.kind.cards, np.zeros(len(field.kind.cards.names), np.int64))
            counts += np.bincount(cards[cards >= 0], minlength=len(counts))[: len(counts)]
    for kind, counts in found.items():
        for name, count, copies in zip(kind.names, counts, kind.copies, strict=True):
            if count != copies:
                yield f"there are {count} of the {kind.noun} {name} instead of {copies}"
                return


def _count_seen(field: Field) -> On:
    name = field.name

    def count(record: Any, left: Any) -> None:
        pile = record[name]
        for i in range(len(pile.cards)):
            if pile.cards[i] >= 0:
                left[pile.cards[i]] -= 1

    return piece(count)


def _fill(name: str) -> On:
    def fill(record: Any, unseen: Any, used: Any) -> None:
        pile = record[name]
        for i in range(pile.count):
            if pile.cards[i] < 0:
                pile.cards[i] = unseen[used[0]]
                used[0] += 1

    return piece(fill)
