"""What follows from the declared fields of a made-up game with rules of its own; compiled and uncompiled."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rogsim.game.compiler import records
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.kinds import Count, Counts, DeclarationError, Flag, Listed, OneOf, Seats
from rogsim.game.kit.vector import VectorLayout
from rogsim.game.plain.derived import derived
from rogsim.game.plain.fields import Bits, Hidden, Key, Members, Own, Seat, Slot, Stack, counted, undrawn
from rogsim.game.plain.hidden import Parts
from rogsim.game.rng import STREAM

TILES = ("a", "b", "c", "d", "e", "f", "g", "h")
CARDS = ("one", "two", "three", "four")
COLOURS = ("red", "green")
PHASES = ("begin", "end")
SEATS = 2


class Ledger:
    moves: Count[0, 9]


class Player:
    points: Count[0, 99]
    hand: Own[Members[COLOURS]]
    tiles: Listed[Slot[TILES], 3] = counted("tile_count")
    tile_count: Count[0, 3]
    built: Members[CARDS]
    ledger: Ledger


class Secret:
    key: Key
    pile: Stack[TILES] = undrawn("pile_left", of="pile_size")
    pile_size: Count[0, len(TILES)]
    deck: Stack[CARDS] = undrawn("deck_left")


class State:
    players: Seats[Player]
    seats: Count[0, SEATS]
    turn: Count[0, 20]
    actor: Seat
    phase: OneOf[PHASES]
    last: Flag
    stock: Counts[COLOURS, 0, 9]
    offers: Seats[Members[COLOURS]]
    agenda: Listed[Bits[8], 2]
    row: Listed[Slot[CARDS], 2]
    gone: Slot[TILES]
    pile_left: Count[0, len(TILES)]
    deck_left: Count[0, len(CARDS)]
    secret: Hidden[Secret]


PARTS = Parts.of(State, SEATS)
FOLLOWS = {
    name: callable_by_rules(value) if callable(value) else value for name, value in derived(PARTS, bots=5).items()
}
HOLDER = [("game", PARTS.record)]


def position() -> Any:
    """Tiles a to c are seen, and d to h in the pile; the cards one and four are seen, and two is drawn before three."""
    state = records(PARTS.record, 1)[0]
    state.seats, state.turn, state.phase, state.pile_left, state.deck_left, state.secret.key = 2, 4, 1, 5, 2, 77
    state.secret.pile[3:], state.secret.pile_size = [3, 4, 5, 6, 7], 8
    state.secret.deck[2:], state.row[:], state.gone = [1, 2], [-1, 0], 2
    state.offers[:], state.stock[:] = [0b01, 0b11], [3, 4]
    first, second = state.players[0], state.players[1]
    first.tiles[:2], first.tile_count, first.built, first.hand = [1, 0], 2, 0b1000, 0b10
    second.hand, second.points = 0b01, 17
    return state


def view_of(state: Any, seat: int) -> Any:
    view = records(PARTS.record, 1)
    view[0] = state
    FOLLOWS["hide"](view[0], seat)
    return view[0]


def test_a_view_shows_what_its_seat_sees() -> None:
    """Nothing of the secret, and no other hand; all else is as it is."""
    view = view_of(position(), 1)
    assert (view.players[0].hand, view.players[1].hand) == (0, 0b01)
    assert not any(view.secret.tobytes())
    assert view.players[0].tiles[:2].tolist() == [1, 0]


def test_a_state_becomes_the_view_and_itself_again() -> None:
    """What is set aside is exactly what a view hides."""
    state, hidden = position(), records(FOLLOWS["hidden"], 1)[0]
    before = state.tobytes()
    for seat in range(SEATS):
        FOLLOWS["set_aside"](state, seat, hidden)
        assert state.tobytes() == view_of(position(), seat).tobytes()
        FOLLOWS["put_back"](state, seat, hidden)
        assert state.tobytes() == before


def test_only_what_nobody_sees_is_dealt() -> None:
    """The stacks of a world have the unseen components in any order, where undrawn ones lie; nothing is lost."""
    state, stream, holder = position(), records(STREAM, 1)[0], records(HOLDER, 1)[0]
    piles, decks, keys = set(), set(), set()
    for _ in range(40):
        FOLLOWS["deal_world"](None, view_of(state, 0), 0, stream, holder)
        secret = holder.game.secret
        assert sorted(secret.pile[: secret.pile_size].tolist()) == [3, 4, 5, 6, 7]
        piles.add(tuple(secret.pile.tolist()))
        decks.add(tuple(secret.deck[2:].tolist()))
        keys.add(int(secret.key))
    assert len(piles) > 10
    assert decks == {(1, 2), (2, 1)}
    assert len(keys) == 40
    assert list(FOLLOWS["faults"](None, holder.game)) == []


def test_the_key_of_a_bot_is_that_of_its_seat() -> None:
    """Two seats have different ones, and neither is the key of the game."""
    state = position()
    keys = {int(FOLLOWS["bot_key"](state, seat)) for seat in range(SEATS)}
    assert len(keys | {77}) == 3


def test_what_cannot_be_is_found() -> None:
    """A number out of its range, also in a nested record, and a component that is nowhere or twice."""
    for change, fault in (
        (lambda state: setattr(state, "turn", 21), "State.turn is 21, and must be from 0 to 20"),
        (lambda state: setattr(state.players[1].ledger, "moves", 10), "Player.ledger.moves is 10, and must be from"),
        (lambda state: setattr(state, "gone", -1), "there are 0 of the component c instead of 1"),
        (lambda state: setattr(state.players[1], "built", 0b1000), "there are 2 of the component four instead of 1"),
    ):
        state = position()
        assert list(FOLLOWS["faults"](None, state)) == []
        change(state)
        assert next(iter(FOLLOWS["faults"](None, state))).startswith(fault)


def test_a_view_in_words() -> None:
    """Lists as far as they are in use, sets, words; nothing that only rules read, and None for another hand."""
    setup = type("Setup", (), {"facts": {"cost": 3}})
    first = {"points": 0, "hand": ["green"], "tiles": ["b", "a"], "built": ["four"]}
    second = {"points": 17, "hand": None, "tiles": [], "built": []}
    assert FOLLOWS["describe"](setup, view_of(position(), 0), 0, None) == {
        "me": 0,
        "actor": 0,
        "turn": 5,
        "phase": "end",
        "last": False,
        "stock": {"red": 3, "green": 4},
        "offers": [["red"], ["red", "green"]],
        "row": [None, "one"],
        "gone": "c",
        "pile_left": 5,
        "deck_left": 2,
        "players": [first, second],
        "numbers": {"cost": 3},
        "random": None,
    }


def test_a_view_as_a_vector() -> None:
    """Every shown field has its elements, places of lists count from 1, and only the own hand is there."""
    layout = VectorLayout(PARTS.record, FOLLOWS["vector"](None), SEATS)
    values = dict(zip(layout.names, layout.vector(view_of(position(), 1), 1).tolist(), strict=True))
    shown = {name for name, value in values.items() if value}
    assert {"actor=me+1", "phase=end", "stock[green]", "offers[me][green]", "row[2]=one", "gone=c"} <= shown
    assert {"players[me].hand[red]", "players[me+1].tiles[1]=b", "players[me+1].built[four]"} <= shown
    assert not [name for name in layout.names if re.search("agenda|secret|ledger|seats|me.1..hand", name)]
    assert layout.high[layout.names.index("players[me].points")] == 99


def test_a_list_counted_by_no_field_is_refused() -> None:
    """The error names the list, the field that there is not, and one like it."""

    class Wrong(State):
        row: Listed[Slot[CARDS], 2] = counted("deck_lef")

    with pytest.raises(DeclarationError, match='row: there is no field "deck_lef", did you mean "deck_left"'):
        Parts.of(Wrong, SEATS)
