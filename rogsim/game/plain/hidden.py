"""What a seat sees, and worlds that look to it like its view: from what the fields of a game say of who sees them.

The functions are made of small ones, one for each field, because compiled code cannot loop over the names of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rogsim.game.compiler import part, records
from rogsim.game.functions import piece
from rogsim.game.kit.bits import has
from rogsim.game.kit.kinds import EVERYBODY, NOBODY, NONE, DeclarationError, Field, Part, fields_of
from rogsim.game.plain.fields import (
    UNSEEN,
    Cards,
    Chance,
    Counted,
    Deck,
    Hidden,
    Key,
    Members,
    Own,
    Pile,
    Row,
    Secret,
    Slot,
    Stack,
    formats_of,
    lying_in,
    record_of,
    set_in,
)
from rogsim.game.records import by_cache_lines, no_field, record
from rogsim.game.rng import below, fresh_key, game_key, one_way, shuffle, stream_key

On = Callable[..., None]  # what is done with one field: (record, ...)


@dataclass(frozen=True, eq=False)
class Parts:
    """The fields of a state and of each of its seats, the most seats, and further fields of a state as numpy has them.

    One of the fields is `key`, a Key, in the state or in a hidden record.
    """

    state: list[Field]
    player: list[Field]
    most_seats: int
    own: tuple[Any, ...] = ()

    @classmethod
    def of(cls, state: type, most_seats: int, own: tuple[Any, ...] = ()) -> Parts:
        """Return those of a class whose field `players` has one of another class for each seat."""
        fields = fields_of(state)
        each = next(field.kind.each for field in fields if field.name == "players")
        made = cls([field for field in fields if field.name != "players"], fields_of(each), most_seats, own)
        for known, using in (
            (fields, [*made.state, *(inner for _, inner in made.inside())]),
            (made.player, made.player),
        ):
            names = [field.name for field in known]
            for field in using:
                if isinstance(field.more, Counted) and field.more.by not in names:
                    raise DeclarationError(f"{field.name}: {no_field(field.more.by, names)}")
        return made

    @cached_property
    def player_record(self) -> np.dtype[Any]:
        """Return the dtype of a player; what is noted in nested records begins on a cache line of its own."""
        nested = [field for field in self.player if isinstance(field.kind, Part)]
        used = [field for field in self.player if field not in nested]
        return by_cache_lines(formats_of(used), formats_of(nested)) if nested else record_of(used)

    @cached_property
    def record(self) -> np.dtype[Any]:
        """Return the dtype of a state."""
        players = ("players", self.player_record, (self.most_seats,))
        return record([*self.own, players, *formats_of(self.state, self.most_seats)])

    @property
    def hidden(self) -> np.dtype[Any]:
        """Return the dtype of what `setting_aside` keeps of a state."""
        kept: list[Any] = [(field.name, self.record[field.name]) for field in self.unseen(self.state)]
        inside = [(field.name, self.player_record[field.name]) for field in self.unseen(self.player)]
        return np.dtype([*kept, *([("players", inside, (self.most_seats,))] if inside else [])], align=True)

    @property
    def key_in(self) -> str:
        """Return the hidden record that has the key; empty if the state itself has it."""
        return next((field.name for field, inner in self.inside() if isinstance(inner.kind, Key)), "")

    def unseen(self, fields: list[Field]) -> list[Field]:
        """Return those that not everybody sees."""
        return [field for field in fields if field.kind.seen_by != EVERYBODY]

    def inside(self) -> list[tuple[Field, Field]]:
        """Return all fields of hidden records of the state, with these records."""
        return [(field, inner) for field in self.state if isinstance(field.kind, Hidden) for inner in field.kind.fields]

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
        """Return all sets of cards, in the order of the fields: in another order, worlds would be dealt otherwise.

        Names are a set of components only if a pile or a stack of them is declared.
        """
        fields = [*self.state, *(inner for _, inner in self.inside()), *self.player]
        found = {cards: True for field in fields if (cards := set_in(field.kind))}
        piled = {field.kind.cards for field in fields if isinstance(field.kind, Pile | Stack)}
        return [cards for cards in found if cards in piled]


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
        if isinstance(field.kind, Chance | Deck):
            yield _fresh_chance(field, purpose)
        if isinstance(field.kind, Deck):
            yield _full_deck(name, field.kind.cards.all)
        elif isinstance(field.kind, Pile):
            yield _no_cards(name)
        elif isinstance(field.kind, Secret):
            yield _not_chosen(name)


def _full_deck(name: str, every: np.ndarray) -> On:
    size = len(every)

    def lay(record: Any, key: Any, seat: int) -> None:
        deck = record[name]
        for i in range(size):
            deck.cards[i] = every[i]
        deck.count = size
        shuffle(fresh_key(deck.chance), deck.cards, size)

    return piece(lay)


def _fresh_chance(field: Field, purpose: int) -> On:
    chance_of = _chance_of(field)

    def lay(record: Any, key: Any, seat: int) -> None:
        chance_of(record).key = stream_key(key, purpose + seat)

    return piece(lay)


def _chance_of(field: Field) -> Any:
    """Return the function that returns the random numbers of a field: itself, or those that shuffle a deck."""
    name = field.name
    return piece((lambda record: record[name].chance) if isinstance(field.kind, Deck) else lambda record: record[name])


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


def keying(parts: Parts, first: int = 0) -> Any:
    """Return `Rules.bot_key`; the purposes of chance of bots, one for each seat, begin with `first`."""
    key_of, _ = _key(parts.key_in)

    def bot_key(state: Any, seat: int) -> Any:
        return one_way(stream_key(key_of(state), first + seat))

    return piece(bot_key)


def _key(inside: str) -> tuple[Any, Any]:
    """Return the functions that read and write the key of a state."""
    if not inside:

        def key_of(state: Any) -> Any:
            return state.key

        def set_key(state: Any, key: Any) -> None:
            state.key = key

    else:

        def key_of(state: Any) -> Any:
            return state[inside].key

        def set_key(state: Any, key: Any) -> None:
            state[inside].key = key

    return piece(key_of), piece(set_key)


# What a seat sees.


def hiding(parts: Parts) -> Any:
    """Return `Rules.hide`."""
    of_state = chain(map(_hider, parts.unseen(parts.state)), _nothing_2)
    unseen = parts.unseen(parts.player)
    of_me = chain([_hider(field) for field in unseen if field.kind.seen_by == NOBODY], _nothing_2)
    of_others = chain(map(_hider, unseen), _nothing_2)
    most = parts.most_seats if unseen else 0

    def hide(view: Any, seat: int) -> None:
        of_state(view, seat)
        for other in range(most):
            if other == seat:
                of_me(view.players[other], seat)
            else:
                of_others(view.players[other], seat)

    return piece(hide)


def setting_aside(parts: Parts) -> tuple[Any, Any]:
    """Return `Rules.set_aside` and `Rules.put_back`."""
    hide = hiding(parts)
    of_state = chain((_copy(field.name) for field in parts.unseen(parts.state)), _nothing_2)
    unseen = parts.unseen(parts.player)
    of_player = chain((_copy(field.name) for field in unseen), _nothing_2)
    most = parts.most_seats

    def copy_players(record: Any, copied: Any) -> None:
        for seat in range(most):
            of_player(record.players[seat], copied.players[seat])

    of_players = piece(copy_players if unseen else _nothing_2)

    def set_aside(state: Any, seat: int, hidden: Any) -> None:
        of_state(state, hidden)
        of_players(state, hidden)
        hide(state, seat)

    def put_back(state: Any, seat: int, hidden: Any) -> None:
        of_state(hidden, state)
        of_players(hidden, state)

    return piece(set_aside), piece(put_back)


def _copy(name: str) -> On:
    def copy(record: Any, copied: Any) -> None:
        copied[name] = record[name]

    return piece(copy)


def _hider(field: Field) -> On:
    """Return the function (record, seat) that hides a field."""
    kind, name = field.kind, field.name
    if isinstance(kind, Chance):
        return _hide_chance(field)
    if isinstance(kind, Deck):
        return chain([_hide_cards(name), _hide_chance(field)], _nothing_2)
    if isinstance(kind, Pile):
        return _hide_cards(name)
    if isinstance(kind, Secret):
        return _hide_choice(name)
    return _hide_record(name, record_of(kind.fields)) if isinstance(kind, Hidden) else _hide_number(name)


def _hide_record(name: str, kind: np.dtype[Any]) -> On:
    blank = records(kind, 1)

    def hide(record: Any, seat: int) -> None:
        record[name] = blank[0]

    return piece(hide)


def _hide_number(name: str) -> On:
    def hide(record: Any, seat: int) -> None:
        record[name] = 0

    return piece(hide)


def _hide_chance(field: Field) -> On:
    chance_of = _chance_of(field)

    def hide(record: Any, seat: int) -> None:
        chance = chance_of(record)
        chance.key = chance.count = 0

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
    _, set_key = _key(parts.key_in)

    def deal_world(tables: Any, view: Any, seat: int, stream: Any, holder: Any) -> None:
        holder.game = view
        world, key = holder.game, fresh_key(stream)
        set_key(world, key)
        of_state(world, key, 0)
        for other in range(most):
            of_player(world.players[other], key, other)
        cards(world, stream)
        if settle is not None:
            settle(tables, world, seat, stream)

    return piece(deal_world)


def _dealers(where: str, fields: list[Field], purposes: dict[tuple[str, str], int]) -> Iterator[On]:
    for field in fields:
        if isinstance(field.kind, Chance | Deck):
            yield _fresh_chance(field, purposes[where, field.name])
        elif isinstance(field.kind, Secret):
            yield _choose_again(field.name, purposes[where, field.name], field.kind.low, field.kind.high)


def _choose_again(name: str, purpose: int, low: int, high: int) -> On:
    choices = high - low + 1

    def deal(record: Any, key: Any, seat: int) -> None:
        if record[name] == UNSEEN:
            record[name] = low + below(stream_key(key, purpose + seat), 0, choices)

    return piece(deal)


def _card_dealer(parts: Parts, kind: Cards) -> On:
    """Return the function (world, stream) that deals the unseen cards of one set to the places where they may be."""
    of_state = [field for field in parts.state if set_in(field.kind) is kind]
    of_player = [field for field in parts.player if set_in(field.kind) is kind]
    count_state = chain(map(_count_seen, of_state), _nothing_2)
    count_player = chain(map(_count_seen, of_player), _nothing_2)
    stacks = [_fill_stack(holder, field) for holder, field in parts.inside() if _is_stack(field, kind)]
    fill_state = chain([*(_fill(field.name) for field in of_state if _is_pile(field)), *stacks], _nothing_3)
    fill_player = chain([_fill(field.name) for field in of_player if _is_pile(field)], _nothing_3)
    copies, total = np.array(kind.copies), len(kind.all)

    def deal(world: Any, stream: Any) -> None:
        left = copies.copy()
        count_state(world, left)
        for seat in range(world.seats):
            count_player(world.players[seat], left)
        unseen, count = np.empty(total, np.int16), 0
        for card in range(len(left)):
            for _ in range(left[card]):
                unseen[count] = card
                count += 1
        shuffle(fresh_key(stream), unseen, count)
        used = np.zeros(1, np.int64)
        fill_state(world, unseen, used)
        for seat in range(world.seats):
            fill_player(world.players[seat], unseen, used)

    return piece(deal)


def _is_pile(field: Field) -> bool:
    return isinstance(field.kind, Pile) and not isinstance(field.kind, Row)


def _is_stack(field: Field, kind: Cards) -> bool:
    return isinstance(field.kind, Stack) and field.kind.cards is kind


def lost_cards(parts: Parts, state: Any) -> Iterator[str]:
    """Yield what is wrong with the cards of a state: each must be somewhere, as often as there are copies of it."""
    places = [(field, state) for field in parts.state]
    places += [(field, state[holder.name]) for holder, field in parts.inside()]
    places += [(field, state.players[seat]) for seat in range(state.seats) for field in parts.player]
    for kind in parts.cards():
        counts = np.zeros(len(kind.names), np.int64)
        for field, place in places:
            if set_in(field.kind) is kind:
                cards = lying_in(field, place, state)
                counts += np.bincount(cards[cards >= 0], minlength=len(counts))[: len(counts)]
        for name, count, copies in zip(kind.names, counts, kind.copies, strict=True):
            if count != copies:
                yield f"there are {count} of the {kind.noun} {name} instead of {copies}"
                return


def _count_seen(field: Field) -> On:
    """Return the function (record, left) that takes the cards seen in a field from those of which so many are left."""
    kind, name = field.kind, field.name
    by = field.more.by if isinstance(field.more, Counted) else ""
    if isinstance(kind, Pile):
        return piece(lambda record, left: take_out(record[name].cards, len(record[name].cards), left))
    if isinstance(kind, Slot):
        return piece(lambda record, left: take_one(record[name], left))
    if isinstance(kind, Members | Own):
        return piece(lambda record, left: take_members(record[name], left))
    if by:
        return piece(lambda record, left: take_out(record[name], record[by], left))
    return piece(lambda record, left: take_out(record[name], len(record[name]), left))


@part
def take_one(card: int, left: Any) -> None:
    """Take a card from those of which so many are left, if it is one."""
    if card >= 0:
        left[card] -= 1


@part
def take_out(cards: Any, count: int, left: Any) -> None:
    """Take the first cards of a list from those of which so many are left."""
    for i in range(count):
        take_one(cards[i], left)


@part
def take_members(mask: int, left: Any) -> None:
    """Take the members of a set from those of which so many are left."""
    for card in range(len(left)):
        left[card] -= has(mask, card)


def _fill_stack(holder: Field, field: Field) -> On:
    """Return the function (world, unseen, used) that fills a stack as far as it is undrawn."""
    where, name, by, of = holder.name, field.name, field.more.by, field.more.of
    total = field.kind.most

    def fill(world: Any, unseen: Any, used: Any) -> None:
        stack, left = world[where][name], int(world[by])
        for i in range(left):
            stack[total - left + i] = unseen[used[0]]
            used[0] += 1

    def fill_all(world: Any, unseen: Any, used: Any) -> None:
        secret, left = world[where], int(world[by])
        secret[of] = left
        for i in range(left):
            secret[name][i] = unseen[used[0]]
            used[0] += 1

    return piece(fill_all if of else fill)


def _fill(name: str) -> On:
    def fill(record: Any, unseen: Any, used: Any) -> None:
        pile = record[name]
        for i in range(pile.count):
            if pile.cards[i] < 0:
                pile.cards[i] = unseen[used[0]]
                used[0] += 1

    return piece(fill)
