"""What the fast rules look up or compute without branches, against the plain way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from rogsim.game import compiler
from rogsim.game.kit.bits import has
from rogsim.game.rng import below
from rogsim.games.the_river.components.names import (
    CARDS,
    CLEANUP,
    EFFECTS,
    FOOD,
    LEAST_GIVEN,
    MAX_COST,
    MAX_DISCOUNT,
    MAX_GIVEN,
    MAX_SUPPLY,
    NONE,
    PLACES,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TILES,
)
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.apply import apply
from rogsim.games.the_river.rules.construct import payable
from rogsim.games.the_river.rules.display import fill_cards
from rogsim.games.the_river.rules.legal import ISLANDS, NO_CARD, legal, list_exchanges, list_sets, symbols
from rogsim.games.the_river.rules.scoring import SCORE, score_game, terrain_at
from rogsim.games.the_river.rules.setup import set_up
from rogsim.games.the_river.rules.state import EMPTY, GAME, OVER, TURN
from rogsim.games.the_river.rules.storage import holding_of, must_give_up, only_kind
from rogsim.games.the_river.rules.tiles import swap_tiles
from tests.games.the_river.games import setup_for
from tests.games.the_river.meadows import meadow_points
from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled  # it calls plain functions


def plain_trades(held: tuple[int, ...], give: int) -> list[int]:
    """The trades of so many resources, by trying all sets."""
    found = []
    for wood, stone, clay in product(range(MAX_GIVEN + 1), repeat=3):
        food = give - wood - stone - clay
        if food >= 0 and all(part <= whole for part, whole in zip((wood, stone, clay, food), held, strict=True)):
            found.append(act.TRADE + (wood * (MAX_GIVEN + 1) + stone) * (MAX_GIVEN + 1) + clay)
    return found


@compiler.kernel
def listed(held: Any, give: int, menus: Any) -> int:
    """Call the compiled version."""
    return list_sets(holding_of(held), int(held[FOOD]), give, menus[0])


@pytest.mark.parametrize("give", range(LEAST_GIVEN, MAX_GIVEN + 1))
def test_trades_are_those_of_the_plain_loop(give: int) -> None:
    """For every holding of up to two more than can be given."""
    menus = compiler.records(act.MENU, 1)
    for held in product(range(0, MAX_GIVEN + 3, 2 if give == MAX_GIVEN else 1), repeat=len(RESOURCES)):
        count = listed(np.array(held), give, menus)
        assert menus[0].actions[:count].tolist() == plain_trades(held, give)


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_cards_that_can_be_paid_are_looked_up(figures: str) -> None:
    """For up to one more than MAX_COST of each resource and any food: the cards whose cost exceeds this by no more.

    Where no card lies, none can be paid.
    """
    tables = setup_for(3, figures).tables
    for held in product(range(MAX_COST + 2), repeat=len(PRODUCED)):
        holding = holding_of(held)
        missing = [missing_for(card.cost.tolist(), held) for card in tables.cards]
        for food in (0, 1, 2, 5, max(missing), MAX_SUPPLY + MAX_DISCOUNT):
            paid = payable(tables, holding, food)
            assert [has(paid, card) for card in range(len(CARDS))] == [lack <= food for lack in missing]
            assert not has(paid, NONE & NO_CARD)


def missing_for(cost: Sequence[int], held: Sequence[int]) -> int:
    return sum(max(price - amount, 0) for price, amount in zip(cost, held, strict=True))


def test_the_only_kind_of_resource() -> None:
    """For every set of kinds that a player may hold."""
    player = Table(2).game.players[0]
    for held in product((0, 3), repeat=len(RESOURCES)):
        player.resources[:] = held
        kinds = [resource for resource, amount in enumerate(held) if amount]
        assert only_kind(player.resources, len(RESOURCES)) == (kinds[0] if len(kinds) == 1 else NONE)


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_tiles_score_what_their_effects_say(figures: str) -> None:
    """At the end of some random games: `meadow_points` for a tile with an effect, or NONE; and what terrain it is."""
    effects = set()
    for deal in range(9):
        setup = setup_for(2 + deal % 3, figures)
        game, scores = played(setup.tables, deal), compiler.records(SCORE, 4)
        score_game(setup.tables, game, scores)
        for player, score in zip(game.players[: game.seats], scores, strict=False):
            tiles = [setup.tables.tiles[tile] for tile in player.tiles[: player.tile_count]]
            terrain = [int(tile.terrain) for tile in tiles] + [0] * (SPOTS - len(tiles))
            assert [terrain_at(setup.tables, player, spot) for spot in range(SPOTS)] == terrain
            effects.update(int(tile.effect) for tile in tiles)
            plain = [meadow_points(setup.tables, player, tile) if tile.effect else NONE for tile in tiles]
            assert score.meadows.tolist() == plain + [NONE] * (SPOTS - len(tiles))
            assert score.points_meadows == sum(points for points in plain if points != NONE)
    assert effects == {int(tile.effect) for tile in setup.tables.tiles}


def played(tables: Any, deal: int) -> Any:
    """Return the end of a random game."""
    game, menu, drawn = compiler.records(GAME, 1)[0], compiler.records(act.MENU, 1)[0], 0
    set_up(tables, game, 1, deal)
    while game.phase != OVER:
        legal(tables, game, menu)
        apply(tables, game, menu.actions[below(deal, drawn, int(menu.count))])
        drawn += 1
    return game


def test_a_single_kind_is_given_up_at_once() -> None:
    """As much as there is no warehouse for, of whatever kind; of several kinds nothing."""
    for held in product((0, 1, 4), repeat=len(RESOURCES)):
        for warehouses in range(6):
            table = Table(2).give(0, *held)
            player = table.player(0)
            player.warehouses = warehouses
            before, excess = table.islands, max(sum(held) - warehouses, 0)
            several = sum(amount > 0 for amount in held) > 1
            assert must_give_up(table.game, player) == (excess > 0 and several)
            given = 0 if several else excess
            assert sum(table.held(0)) == sum(held) - given == sum(held) + sum(before) - sum(table.islands)
            assert player.ledger.given_up == given


@pytest.mark.parametrize("may_skip", [False, True])
def test_exchanges_are_rows_by_number_of_tiles(may_skip: bool) -> None:
    """Every pair of spots with tiles, in the order of their numbers, after skipping."""
    player, menu = Table(2).game.players[0], compiler.records(act.MENU, 1)[0]
    for tiles in range(2, SPOTS + 1):
        player.tile_count = tiles
        plain = [act.SKIP] * may_skip
        plain += [act.EXCHANGE + pair for pair, spots in enumerate(act.PAIRS) if max(spots) <= tiles]
        assert menu.actions[: list_exchanges(player, menu, may_skip)].tolist() == plain


def test_islands_are_rows_by_mask() -> None:
    """Each set of islands gives the actions of its islands, in order, and their number."""
    actions = [*range(act.PRODUCE, act.PRODUCE + len(PRODUCED)), act.FOOD]
    for mask, row in enumerate(ISLANDS.tolist()):
        plain = [action for place, action in enumerate(actions) if mask >> place & 1]
        assert (row[: row[-1]], row[-1]) == (plain, len(plain))


def plain_places(tables: Any, game: Any, player: Any) -> list[int]:
    """Where a pioneer can go, asked place by place and card by card: islands, cards, pawn and swap."""
    free = {place: game.pioneers[i] < tables.spots[i] for i, place in enumerate(PLACES)}
    found = []
    for resource, name in enumerate(PRODUCED):
        if player.warehouses > 0 and free[name] and game.islands[resource] > 0:
            found += [act.PRODUCE + resource] * (symbols(tables, game, player, resource) > 0)
    found += [act.FOOD] * bool(player.warehouses > 0 and free["food"] and game.islands.sum() > 0)
    held, food = player.resources[: len(PRODUCED)].tolist(), int(player.resources[FOOD])
    missing = [missing_for(card.cost.tolist(), held) for card in tables.cards]
    for card in game.cards[game.cards != NONE].tolist():
        found += [act.RESERVE + card] * bool(free["reserve"] and player.reserved_count < tables.reserved_max)
        found += [act.CONSTRUCT + card] * bool(free["construct"] and missing[card] <= food)
    for card in player.reserved[: player.reserved_count].tolist():
        enough = missing[card] <= food + tables.reserved_discount
        found += [act.CONSTRUCT + card] * bool(free["construct"] and enough)
    return found + [act.FIRST] * bool(free["first"]) + [act.SWAP] * bool(player.tile_count >= 2 and free["swap"])


def assert_noted(tables: Any, game: Any) -> None:
    """The masks of places are what a look at each place gives."""
    for place, limit in enumerate(tables.spots):
        assert has(game.places, place) == (game.pioneers[place] < limit)
        assert has(game.places, EMPTY + place) == (game.pioneers[place] == 0)


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_places_and_cards_are_those_of_plain_questions(figures: str) -> None:
    """At every turn of some random games; the noted masks are right at every decision."""
    for deal in range(6):
        tables = setup_for(2 + deal % 3, figures).tables
        game, menu = compiler.records(GAME, 1)[0], compiler.records(act.MENU, 1)[0]
        set_up(tables, game, 1, deal)
        drawn = 0
        while game.phase != OVER:
            legal(tables, game, menu)
            actions = menu.actions[: menu.count].tolist()
            assert_noted(tables, game)
            if game.phase == TURN:
                rest = [action for action in actions if not (act.CLAIM <= action < act.START or action >= act.TRADE)]
                claims = sum(act.CLAIM <= action < act.START for action in actions)
                plain = plain_places(tables, game, game.players[int(game.actor)])
                assert rest == plain + [act.PASS] * (not plain and not claims)
            apply(tables, game, actions[below(deal, drawn, len(actions))])
            drawn += 1


def test_cards_fill_empty_spots_until_the_deck_is_empty() -> None:
    """For every set of empty spots and few cards in the deck."""
    for empty, left in product(product((False, True), repeat=4), range(6)):
        table = Table(2).lay_cards(*(None if gone else f"H{spot + 1:02}" for spot, gone in enumerate(empty)), deck=left)
        deck = [CARDS[card] for card in table.game.secret.deck[len(CARDS) - left :]]
        plain = [deck.pop(0) if gone and deck else None if gone else f"H{s + 1:02}" for s, gone in enumerate(empty)]
        fill_cards(table.tables, table.game)
        assert table.cards == plain
        assert table.game.deck_left == len(deck)


def test_the_spots_of_cleanup_meadows_move_with_their_tiles() -> None:
    """For every pair of spots."""
    table = Table(2)
    tiles = [tile for tile in TILES if table.tables.tiles[TILES.index(tile)].effect == CLEANUP]
    assert 0 < len(tiles) < SPOTS
    table.put(0, *tiles, *(tile for tile in TILES[: SPOTS - len(tiles)]))
    player = table.player(0)
    for first, second in act.PAIRS:
        swap_tiles(player, first - 1, second - 1)
        effects = [EFFECTS[table.tables.tiles[tile].effect] for tile in player.tiles]
        assert [player.cleanups >> spot & 1 for spot in range(SPOTS)] == [effect == "cleanup" for effect in effects]
