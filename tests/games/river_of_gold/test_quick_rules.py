"""What the rules look up, pack or skip in order to be quick, compared with the plain way."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from rogsim.game.kit.playing import PAGE, new_workspace
from rogsim.game.rules import copy_of
from rogsim.games.river_of_gold.components.names import (
    CUSTOMERS,
    EMPTY,
    FACES,
    FROM_VISIT,
    GOODS,
    MASTERIES,
    MAX_INFLUENCE,
    MAX_ROW,
    REGIONS,
    RIVER_SPACES,
    SHORE_SPACES,
)
from rogsim.games.river_of_gold.components.tables import (
    MORE_SHIFT,
    NO_SPACE,
    note_exchangeable,
)
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.rules import actions as act
from rogsim.games.river_of_gold.rules.deliver import can_fill_order, orders_filled
from rogsim.games.river_of_gold.rules.legal import BUILD_ROWS, FACE_ROWS, face_row
from rogsim.games.river_of_gold.rules.sail import regions_built_in, sum_of_visits
from rogsim.games.river_of_gold.rules.scoring import masteries_left, masteries_reached, mastery_progress
from rogsim.games.river_of_gold.rules.supply import (
    EXCHANGE_ROWS,
    can_exchange,
    exchange_row,
    favor_needed,
    gain_at_once,
    gain_sum,
    is_owner,
)
from tests.games.river_of_gold.playing import playing
from tests.games.river_of_gold.table import Table

pytestmark = pytest.mark.once_uncompiled  # it calls plain functions

AMOUNTS = range(4)


def give_goods(player: Any, goods: tuple[int, ...]) -> None:
    for good, amount in enumerate(goods):
        player.goods[good] = amount


def can_exchange_goods(tables: Any, player: Any, give: int, get: int) -> bool:
    """Whether 2 of one good can be exchanged for 1 of another within its limit."""
    return bool(give != get and player.goods[give] >= tables.goods_for_good and player.goods[get] < tables.good_limit)


def test_prepared_exchanges_are_those_that_can_be_made() -> None:
    """For all goods in store, the row holds each exchange of goods that is possible, in the order of their numbers."""
    table = Table()
    tables, player = table.tables, table.game.players[0]
    tables.good_limit, player.koku = 3, 0
    note_exchangeable(tables)
    for goods in product(AMOUNTS, repeat=len(GOODS)):
        give_goods(player, goods)
        pairs = [(give, get) for give in range(3) for get in range(3) if can_exchange_goods(tables, player, give, get)]
        row = EXCHANGE_ROWS[exchange_row(tables, player)]
        assert row[: row[-1]].tolist() == [act.EXCHANGE + give * 3 + get for give, get in pairs]
        assert can_exchange(tables, player) == bool(pairs)


def test_prepared_faces_are_those_that_favor_pays_for() -> None:
    """For each die and each amount of favor, the row holds each other face that costs no more."""
    for die, favor in product(range(1, FACES + 1), range(8)):
        row = FACE_ROWS[face_row(die, favor)]
        faces = [face for face in range(1, FACES + 1) if face != die and favor_needed(die, face) <= favor]
        assert row[: row[-1]].tolist() == [act.TURN_DIE + face - 1 for face in faces]


def test_orders_looked_up_are_those_that_can_be_filled() -> None:
    """For each customer and many goods in store, the look-up agrees with the comparison good by good."""
    table, rng, filled = Table(), Random(3), 0
    player = table.game.players[0]
    for goods in (*product(AMOUNTS, repeat=len(GOODS)), *(tuple(rng.choices(range(21), k=3)) for _ in range(20))):
        give_goods(player, goods)
        for customer in range(len(CUSTOMERS)):
            can = all(has >= order for has, order in zip(goods, table.tables.orders[customer].tolist(), strict=True))
            assert orders_filled(table.tables, player) >> customer & 1 == can
            assert can_fill_order(table.tables, player, customer) == can
            filled += can
    assert filled > 0


def test_a_move_along_a_track_finds_each_space_with_a_reward() -> None:
    """From every space, the next reward is on the first later space that has one."""
    tables = Table().tables
    for region, space in product(range(REGIONS), range(MAX_INFLUENCE + 1)):
        later = [after for after in range(space + 1, MAX_INFLUENCE + 1) if tables.track[region, after] != 0]
        assert tables.next_reward[region, space] == (later[0] if later else NO_SPACE)


def test_a_reward_has_more_if_it_has_parts_that_few_have() -> None:
    """Of all tiles, `more` says whether a reward depends on holdings, asks, draws or gives influence."""
    tables = Table().tables
    rewards = [tile[side] for tile in tables.tiles for side in ("visitor", "owner")]
    parts = ("any_good", "influence", "draw", "koku_per_customer")
    expected = [any(reward[part] for part in parts) or any(reward.koku_per) for reward in rewards]
    assert [reward.more == 1 for reward in rewards] == expected
    assert any(expected)


def test_the_tile_of_an_empty_space_gives_its_koku() -> None:
    """Visiting an empty space is visiting a tile that gives nothing but its koku."""
    tables = Table().tables
    empty = tables.tiles[EMPTY]
    numbers = np.frombuffer(empty.visitor.tobytes(), np.int8)
    assert (empty.visitor.koku, numbers.sum()) == (tables.empty_space_koku, tables.empty_space_koku)
    assert not any(empty.owner.tobytes())


def test_masteries_reached_at_once_are_those_reached_one_by_one() -> None:
    """In random games, both masks agree with each mastery's progress and claims."""
    seen = set()
    for table, _ in playing(("printed", 3, "none"), 1):
        tables, game = table.tables, table.game
        for seat in range(table.players):
            player = game.players[seat]
            reached, left = masteries_reached(tables, player), masteries_left(tables, game, player)
            for mastery in range(len(MASTERIES)):
                claims = int(game.claims[mastery])
                is_left = 0 <= claims < tables.mastery_rewards and player.claimed[mastery] == 0
                is_reached = mastery_progress(tables, player, mastery) >= tables.mastery_needs[mastery]
                spare = 8 * mastery + 7
                assert (reached >> spare & 1, left >> spare & 1) == (is_reached, is_left)
                seen.add((is_reached, is_left))
    assert len(seen) >= 3


def test_the_longest_menu_has_room_for_a_prepared_row() -> None:
    """Prepared rows, of which all is written, stay inside the menu; the builds of a space are in order."""
    most = act.TURN_DIE - act.EXCHANGE + FACES + SHORE_SPACES * MAX_ROW + 2 * FACES + len(CUSTOMERS)
    for rows in (EXCHANGE_ROWS, FACE_ROWS, BUILD_ROWS):
        assert most + rows.shape[1] <= act.MENU_SIZE
    assert BUILD_ROWS[:, :MAX_ROW].ravel().tolist() == list(range(act.BUILD, act.SAIL))


def test_a_sum_of_visits_gains_what_single_visits_gain() -> None:
    """At every river space of random games, the sum gives the same as one visit after the other, if none has more."""
    sums, with_more = 0, 0
    for table, _ in playing(("generous", 4, "none"), 2):
        tables, game, here = table.tables, table.game, len(table.recorder.steps) % RIVER_SPACES
        rewards = sum_of_visits(tables, game, here)
        shore = [int(game.shore[space]) for space in tables.river_shore[here]]
        visits = [tables.tiles[tile].visitor for tile in shore]
        assert (rewards >> MORE_SHIFT) == sum(int(visit.more) for visit in visits)
        if rewards >> MORE_SHIFT == 0:
            player = game.players[game.active]
            one, other = copy_of(player), copy_of(player)
            gain_sum(tables, one, rewards, FROM_VISIT)
            for visit in visits:
                gain_at_once(tables, other, visit, FROM_VISIT)
            assert one.tobytes() == other.tobytes()
        sums, with_more = sums + (rewards >> MORE_SHIFT == 0), with_more + (rewards >> MORE_SHIFT > 0)
    assert min(sums, with_more) > 20


def test_regions_built_in_are_those_of_the_buildings_that_a_seat_owns() -> None:
    """In a random game, the mask from the markers agrees with the shore space by space."""
    seen = set()
    for table, _ in playing(("generous", 4, "none"), 3):
        tables, game = table.tables, table.game
        for seat in range(table.players):
            owned = [
                space for space in range(SHORE_SPACES) if game.shore[space] != EMPTY and is_owner(game, seat, space)
            ]
            regions = {int(tables.shore_region[space]) for space in owned}
            assert regions_built_in(tables, game, seat) == sum(1 << region for region in regions)
            seen.add(len(regions))
    assert len(seen) > 3


def test_a_workspace_begins_at_a_page() -> None:
    """The memory of a workspace begins where a page of memory does."""
    for _ in range(3):
        assert np.frombuffer(new_workspace(RULES).data, np.uint8).ctypes.data % PAGE == 0
