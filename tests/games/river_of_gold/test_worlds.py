"""Worlds dealt from a view: what was seen stays, everything else is dealt anew, each card and tile once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import ENABLED, records
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import STREAM
from rogsim.games.river_of_gold.components.names import CUSTOMERS, FACES, NONE, TILES_PER_ERA
from rogsim.games.river_of_gold.play.determinization import WORLD, deal_roll, deal_world
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.customers import draw_customer
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.phases import OVER, TURN
from tests.games.river_of_gold.games import PATRON_MODES, setup_for
from tests.games.river_of_gold.table import Table

pytestmark = pytest.mark.once_compiled  # many worlds

GAMES = 10 if ENABLED else 1


def moments(figures: str, players: int, patrons: str, deals: int) -> Iterator[Table]:
    """A table at every choice of a game whose players choose at random."""
    table = Table(players, patrons, bare=False, setup=setup_for(figures, players, patrons), deals=deals)
    menu, chance = records(MENU, 1)[0], np.random.default_rng(deals)
    while table.game.phase != OVER:
        yield table
        legal(table.tables, table.game, menu)
        apply(table.tables, table.game, int(menu.actions[chance.integers(menu.count)]))


def world_of(table: Table, number: int) -> Any:
    """A world dealt to the seat that must choose, from chance of that number."""
    stream, world = records(STREAM, 1)[0], records(WORLD, 1)[0]
    stream.key = number
    make_view(table.workspace, int(table.game.actor))
    deal_world(table.tables, table.workspace.bot_view, int(table.game.actor), stream, world)
    return world.game


def cards(mask: int) -> list[int]:
    return [card for card in range(len(CUSTOMERS)) if int(mask) >> card & 1]


@pytest.mark.parametrize("figures", ["printed", "generous"])
@pytest.mark.parametrize("players", [2, 4])
def test_a_world_looks_to_its_seat_as_the_game_does(figures: str, players: int) -> None:
    """Whatever was dealt, the view of the world is the view that it was dealt from, byte for byte."""
    for mode in PATRON_MODES:
        for table in moments(figures, players, mode, deals=len(mode)):
            world = world_of(table, 5).copy()
            view = table.workspace.bot_view.tobytes()
            table.workspace.game = world
            make_view(table.workspace, int(table.game.actor))
            assert table.workspace.bot_view.tobytes() == view


@pytest.mark.parametrize("figures", ["printed", "generous"])
def test_every_customer_of_a_world_is_in_one_place(figures: str) -> None:
    """Hands, deck, discards and customers delivered to hold each card once, and hands are as large as seen."""
    for deals in range(GAMES):
        for table in moments(figures, 3, "dealt", deals):
            world = world_of(table, deals)
            places = cards(world.discards) + [int(card) for card in world.secret.deck[: world.secret.deck_size]]
            for player in world.players[:3]:
                assert len(cards(player.hand)) == player.hand_size
                places += cards(player.hand) + cards(player.delivered)
            assert world.secret.deck_size == world.deck_left
            assert sorted(places) == list(range(len(CUSTOMERS)))


def test_no_tile_of_a_world_was_seen_before() -> None:
    """The stacks hold each tile once, of their own era, and none of the row, the shore, or discarded from the row."""
    eras = (range(TILES_PER_ERA[0]), range(TILES_PER_ERA[0], sum(TILES_PER_ERA)))
    gone: set[int] = set()
    for deals in range(GAMES):
        seen: set[int] = set()
        for table in moments("printed", 4, "none", deals):
            seen |= {int(tile) for tile in (*table.game.row, *table.game.shore)}
            world = world_of(table, deals)
            for era in range(2):
                top = int(table.tables.era_tiles[era]) - int(world.era_left[era])
                stack = [int(tile) for tile in world.secret.stacks[era, top : table.tables.era_tiles[era]]]
                assert len(set(stack)) == len(stack) == world.era_left[era]
                assert set(stack) <= set(eras[era]) - seen
            gone |= seen - {int(tile) for tile in (*table.game.row, *table.game.shore)}
    assert gone, "no tile was ever discarded from the row"


def test_a_reshuffle_tells_which_cards_the_others_hold() -> None:
    """Who has seen all discards go into the new deck knows that every other unseen card is in a hand."""
    table = Table(3, bare=False)
    game = table.game
    hidden = int(game.players[1].hand) | int(game.players[2].hand)
    game.discards = int(game.deck_cards) & ~hidden & ~int(game.players[0].hand)
    game.deck_left = 0
    draw_customer(game, 0)
    for number in range(20):
        world = world_of(table, number)
        assert int(world.players[1].hand) | int(world.players[2].hand) == hidden
        assert world.deck_left == len(cards(game.discards | game.deck_cards)) - 1
    draw_customer(game, 1)
    drawn = {int(world_of(table, number).players[1].hand) & ~hidden for number in range(20)}
    assert len(drawn) > 5, "the card that was drawn later is not known"


def test_worlds_of_other_chance_differ() -> None:
    """Hands, deck, stacks and dice to come are dealt anew each time, and the same for the same chance."""
    table = next(moments("printed", 3, "dealt", 1))
    first, same, other = (world_of(table, number).copy() for number in (1, 1, 2))
    assert first.tobytes() == same.tobytes()
    for field in ("key", "deck", "stacks"):
        assert np.any(first.secret[field] != other.secret[field])
    assert any(first.players[seat].hand != other.players[seat].hand for seat in (1, 2))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_next_roll_of_a_seat_can_be_dealt(players: int) -> None:
    """In whoever's turn the world begins, the seat's die shows the face after its next own turn; nothing else moved."""
    stream, menu, rolled, faces = records(STREAM, 1)[0], records(MENU, 1)[0], 0, set()
    for number, table in enumerate(moments("printed", players, "none", deals=9)):
        if table.game.phase != TURN:
            continue
        seat, face = number % players, 1 + number % FACES
        make_view(table.workspace, seat)
        world = records(WORLD, 1)[0]
        deal_world(table.tables, table.workspace.bot_view, seat, stream, world)
        game, before = world.game, world.game.copy()
        deal_roll(game, seat, face, stream)
        before.secret.key = game.secret.key
        assert game.tobytes() == before.tobytes()
        own_turn = int(game.turn) + (seat - int(game.active)) % players
        while game.turn <= own_turn and game.last_turns == NONE and game.phase != OVER:
            legal(table.tables, game, menu)
            apply(table.tables, game, int(menu.actions[0]))
        if game.last_turns == NONE and game.phase != OVER:
            assert game.players[seat].die == face
            faces.add(face)
            rolled += 1
    assert rolled > 20
    assert faces == {1, 2, 3, 4, 5, 6}
