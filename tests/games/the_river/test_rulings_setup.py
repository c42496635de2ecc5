"""J20, J38 and J40: what a player knows, River Boards, and the first player."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.game.compiler import records
from rogsim.game.rng import STREAM
from rogsim.game.rules import copy_of
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import NONE
from rogsim.games.the_river.components.tables import make_tables
from rogsim.games.the_river.options import Options, fill_options
from rogsim.games.the_river.play.contract import RULES
from rogsim.games.the_river.rules.setup import set_up
from rogsim.games.the_river.rules.state import GAME
from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled

HOLDER = np.dtype([("game", GAME)], align=True)


def after_a_round() -> Table:
    """A table at which cards were reserved and built, and tiles claimed, left over and removed."""
    table = Table(preliminary=True)
    table.take(*(f"start {tile}" for tile in table.display[:3]))
    card = table.tables.cards[table.game.cards[1]]
    table.give(1, *(int(amount) for amount in card.cost))
    table.take(f"reserve {table.cards[0]}", f"construct {table.cards[1]}", f"claim {table.display[0]}").end_round()
    assert (len(table.reserved(0)), len(table.built(1)), len(table.removed)) == (1, 1, 6)
    return table


def possible_world(table: Table, seat: int, number: int) -> Table:
    """A table with a game that the seat takes to be possible."""
    world = Table()
    view = copy_of(table.game)
    RULES.hide(view, seat)
    holder = records(HOLDER, 1)[0]
    stream = records(STREAM, 1)[0]
    stream.key = number
    RULES.deal_world(table.tables, view, seat, stream, holder)
    world.game = holder.game
    return world


def test_j20_what_lay_in_the_open_is_known() -> None:
    """In every possible world boards, reserved and built cards, removed tiles and tokens are what they are."""
    table = after_a_round()
    for seat in range(3):
        world = possible_world(table, seat, seat)
        for field in set(GAME.names) - {"secret"}:
            assert np.array_equal(world.game[field], table.game[field]), field
        assert (world.reserved(0), world.built(1)) == (table.reserved(0), table.built(1))


def test_j20_the_piles_are_hidden() -> None:
    """The tiles and cards to come are the same, but nobody knows their order."""
    table = after_a_round()
    worlds = [possible_world(table, 1, number) for number in range(4)]
    assert {tuple(sorted(world.pile)) for world in worlds} == {tuple(sorted(table.pile))}
    assert len({tuple(world.pile) for world in [table, *worlds]}) == 5
    decks = [world.game.secret.deck[-int(table.game.deck_left) :].tolist() for world in [table, *worlds]]
    assert len({tuple(sorted(deck)) for deck in decks}) == 1
    assert len({tuple(deck) for deck in decks}) == 5


def started(options: Options, deal: int, players: int = 3) -> np.record:
    """A game set up with options."""
    tables = make_tables(BOOK.with_values({}), players)
    fill_options(tables, options)
    game = records(GAME, 1)[0]
    set_up(tables, game, 1, deal)
    return game


def test_j38_river_boards_are_dealt() -> None:
    """Every seat can get every board, and no two players have the same."""
    dealt = [[int(player.board) for player in started(Options(), deal).players[:3]] for deal in range(40)]
    assert all(len(set(boards)) == 3 for boards in dealt)
    assert [{boards[seat] for boards in dealt} for seat in range(3)] == [{0, 1, 2, 3}] * 3


def test_j38_river_boards_can_be_named() -> None:
    """The option `boards` names the board of each seat."""
    game = started(Options(boards=["green", "black", "yellow"]), 0)
    assert [int(player.board) for player in game.players[:3]] == [2, 0, 3]


def test_j40_seats_are_numbered_from_the_first_player() -> None:
    """By default seat 0 begins the first round in every game, and the last seat the preliminary turn."""
    games = [started(Options(), deal) for deal in range(10)]
    assert {(int(game.pawn), int(game.actor)) for game in games} == {(0, 2)}


def test_j40_the_pawn_can_be_dealt() -> None:
    """With the option each seat is the first player in some games, and turn order follows from there."""
    games = [started(Options(first_player="random"), deal, 4) for deal in range(40)]
    assert {int(game.pawn) for game in games} == {0, 1, 2, 3}
    assert all((int(game.pawn) - 1) % 4 == int(game.actor) for game in games)
    assert NONE not in {int(game.pawn) for game in games}
