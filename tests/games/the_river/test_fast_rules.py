"""What the fast rules look up or compute without branches, against the plain way."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from rogsim.game import compiler
from rogsim.games.the_river.components.limits import LEAST_GIVEN, MAX_COST, MAX_DISCOUNT, MAX_GIVEN, MAX_SUPPLY
from rogsim.games.the_river.components.names import CARDS, NONE, PRODUCED, RESOURCES, TERRAINS
from rogsim.games.the_river.rules import actions as act
from rogsim.games.the_river.rules.construct import missing
from rogsim.games.the_river.rules.storage import only_kind
from rogsim.games.the_river.rules.tiles import BITS, SPREAD
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
    """For every card and up to MAX_COST of each resource: the sum of what its cost exceeds; too many for NONE."""
    tables = setup_for(3, figures).tables
    for held in product(range(MAX_COST + 1), repeat=len(PRODUCED)):
        for card in range(len(CARDS)):
            cost = tables.cards[card].cost.tolist()
            plain = sum(max(price - amount, 0) for price, amount in zip(cost, held, strict=True))
            assert missing(tables, card, *held) == plain
        assert missing(tables, NONE, *held) > MAX_SUPPLY + MAX_DISCOUNT


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
