"""Worlds dealt from a view: what was seen stays, everything else is dealt anew, each card and tile once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from rogsim.game.compiler import ENABLED, records
from rogsim.game.functions import callable_by_rules
from rogsim.game.kit.workspace import make_view
from rogsim.game.rng import STREAM, below
from rogsim.game.rng import number as number_of
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold.components.names import CUSTOMERS, FACES, NONE, TILES_PER_ERA
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.play.determinization import deal_roll, deal_world
from rogsim.games.river_of_gold.rules.actions import MENU
from rogsim.games.river_of_gold.rules.apply import apply
from rogsim.games.river_of_gold.rules.deliver import draw_customer
from rogsim.games.river_of_gold.rules.legal import legal
from rogsim.games.river_of_gold.rules.state import OVER, TURN
from tests.games.river_of_gold.games import PATRON_MODES, setup_for
from tests.games.river_of_gold.table import Table

deal_roll, deal_world, apply, draw_customer, legal = map(
    callable_by_rules, (deal_roll, deal_world, apply, draw_customer, legal)
)

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
    stream, world = records(STREAM, 1)[0], records(RULES.holder, 1)[0]
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
            world = copy_of(world_of(table, 5))
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


def shuffled(key: Any, items: list[int]) -> list[int]:
    """The same as `rng.shuffle`, by lists."""
    items = list(items)
    for step, left in enumerate(range(len(items), 1, -1)):
        other = int(below(key, step, left))
        items[left - 1], items[other] = items[other], items[left - 1]
    return items


def dealt_plainly(table: Table, seat: int, key: int) -> tuple[list[int], dict[int, set[int]], list[list[int]]]:
    """Deck, hands of the others and stacks of a world, dealt with lists of their own."""
    game, keys = table.game, [np.uint64(number_of(np.uint64(key), place)) for place in range(1, 5)]
    seen = int(game.players[seat].hand) | int(game.discards)
    for player in game.players:
        seen |= int(player.delivered)
    unseen = [card for card in range(len(CUSTOMERS)) if not seen >> card & 1]
    deck = shuffled(keys[0], [card for card in unseen if int(game.deck_cards) >> card & 1])
    left = int(game.deck_left)
    in_hands = shuffled(keys[1], [card for card in unseen if not int(game.deck_cards) >> card & 1] + deck[left:])
    hands = {
        other: {in_hands.pop() for _ in range(game.players[other].hand_size)}
        for other in range(game.seats)
        if other != seat
    }
    shown = {int(tile) for tile in (*game.row, *game.shore)}
    stacks, first = [], 0
    for era, tiles in enumerate(TILES_PER_ERA):
        hidden = [t for t in range(first, first + tiles) if t not in shown and not int(game.tiles_gone) >> t & 1]
        stacks.append(shuffled(keys[2 + era], hidden)[: game.era_left[era]])
        first += tiles
    return deck[:left], hands, stacks


def test_dealing_in_place_deals_what_lists_deal() -> None:
    """Deck, hands and stacks are dealt without memory of their own, also after the deck was shuffled anew."""
    kept = 0
    for deals, players in product(range(GAMES), (2, 4)):
        for table in moments("generous", players, "dealt", deals):
            seat, game = int(table.game.actor), table.game
            world = world_of(table, 7)
            deck, hands, stacks = dealt_plainly(table, seat, 7)
            assert world.secret.deck[: world.secret.deck_size].tolist() == deck
            assert {other: set(cards(world.players[other].hand)) for other in hands} == hands
            for era, stack in enumerate(stacks):
                end = int(table.tables.era_tiles[era])
                assert world.secret.stacks[era, end - len(stack) : end].tolist() == stack
            kept += any(int(game.players[other].hand) & ~int(game.deck_cards) for other in hands)
    assert kept > 0, "no hand ever held a customer that was not shuffled"


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
    first, same, other = (copy_of(world_of(table, number)) for number in (1, 1, 2))
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
        world = records(RULES.holder, 1)[0]
        deal_world(table.tables, table.workspace.bot_view, seat, stream, world)
        game, before = world.game, copy_of(world.game)
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
