"""What the fast rules look up or compute without branches, against the plain way."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from rogsim.game import compiler
from rogsim.games.the_river.components.limits import LEAST_GIVEN, MAX_COST, MAX_DISCOUNT, MAX_GIVEN, MAX_SUPPLY
from rogsim.games.the_river.components.names import (
    CARDS,
    CLEANUP,
    EFFECTS,
    NONE,
    PRODUCED,
    RESOURCES,
    SPOTS,
    TERRAINS,
    TILES,
)
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.construct import holding_of, missing
from rogsim.games.the_river.rules.display import fill_cards
from rogsim.games.the_river.rules.legal import list_exchanges
from rogsim.games.the_river.rules.storage import must_give_up, only_kind
from rogsim.games.the_river.rules.tiles import BITS, SPREAD, swap_tiles
from rogsim.games.the_river.rules.trades import list_sets
from tests.games.the_river.games import setup_for
from tests.games.the_river.table import Table


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
    return list_sets(held, give, menus[0])


@pytest.mark.parametrize("give", range(LEAST_GIVEN, MAX_GIVEN + 1))
def test_trades_are_those_of_the_plain_loop(give: int) -> None:
    """For every holding of up to two more than can be given."""
    menus = compiler.records(act.MENU, 1)
    for held in product(range(0, MAX_GIVEN + 3, 2 if give == MAX_GIVEN else 1), repeat=len(RESOURCES)):
        count = listed(np.array(held, np.int8), give, menus)
        assert menus[0].actions[:count].tolist() == plain_trades(held, give)


@pytest.mark.parametrize("figures", ["printed", "wide"])
def test_what_is_missing_for_a_card_is_looked_up(figures: str) -> None:
    """For every card and up to one more than MAX_COST of each resource: the sum of what its cost exceeds.

    For NONE there are too many.
    """
    tables = setup_for(3, figures).tables
    for held in product(range(MAX_COST + 2), repeat=len(PRODUCED)):
        holding = holding_of(held)
        for card in range(len(CARDS)):
            cost = tables.cards[card].cost.tolist()
            plain = sum(max(price - amount, 0) for price, amount in zip(cost, held, strict=True))
            assert missing(tables, card, holding) == plain
        assert missing(tables, NONE, holding) > MAX_SUPPLY + MAX_DISCOUNT


def test_the_only_kind_of_resource() -> None:
    """For every set of kinds that a player may hold."""
    player = Table(2).game.players[0]
    for held in product((0, 3), repeat=len(RESOURCES)):
        player.resources[:] = held
        kinds = [resource for resource, amount in enumerate(held) if amount]
        assert only_kind(player) == (kinds[0] if len(kinds) == 1 else NONE)


def test_terrain_is_counted_by_kind() -> None:
    """Each mask adds one to the number of each of its kinds."""
    for mask, spread in enumerate(SPREAD.tolist()):
        kinds = [spread >> BITS * kind & ((1 << BITS) - 1) for kind in range(len(TERRAINS))]
        assert kinds == [mask >> kind & 1 for kind in range(len(TERRAINS))]


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
