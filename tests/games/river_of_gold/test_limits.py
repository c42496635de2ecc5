"""Extreme parameters, and the fields of records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rogsim.game.kit.workspace import workspace_of
from rogsim.games.river_of_gold.components.names import MAX_DIE_STEPS, MAX_FAVOR, MAX_GOODS_IN_REWARD
from rogsim.games.river_of_gold.components.tables import TABLES
from rogsim.games.river_of_gold.play.contract import RULES
from rogsim.games.river_of_gold.rules.state import GAME
from tests.games.river_of_gold.table import Table

# ----------------------------------------------------------------------------------------- figures at their ends


@pytest.mark.parametrize("steps", range(MAX_DIE_STEPS + 1))
def test_the_royal_ship_s_die_offers_each_space_once(steps: int) -> None:
    """However far noble 5 may turn the die, no space is on the menu twice: 3 up and 3 down are one face."""
    table = Table().give(0, royal=0, delivered=["noble-5"])
    table.tables.noble_amount[4] = steps
    spaces = [step["to"] for step in table.options("sail") if step["ship"] == 0]
    assert len(spaces) == len(set(spaces)) == min(1 + 2 * steps, 6)


def test_the_longest_reward_fits_the_agenda() -> None:
    """A market with the most goods and favor allowed, visited with noble 1's ship, does not overflow the agenda."""
    table = Table(patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"]).place(2, "era1-market-1", 1)
    visitor = table.tables.tiles[table.tile_ids.index("era1-market-1")].visitor
    visitor.goods[:] = 2
    visitor.favor, visitor.influence, visitor.draw = MAX_FAVOR, 1, 1
    table.give(0, royal=0, delivered=["noble-1"]).lay_deck(["monk-1"], discards=["elder-1"])
    table.sail_to(1)
    assert (table.discards, int(table.game.turn), table.active) == (["elder-1"], 0, 0)
    for _ in range(MAX_GOODS_IN_REWARD):
        table.take("good", good="rice")
    assert (table.expects, table.seat(0).rice, table.seat(0).favor) == ("discard", 6, 3)


# -------------------------------------------------------------------------------------------------- the records


def field_names(dtype: np.dtype[Any]) -> Iterator[str]:
    while dtype.subdtype is not None:
        dtype = dtype.subdtype[0]
    for name, (inner, *_) in (dtype.fields or {}).items():
        yield str(name)
        yield from field_names(inner)


@pytest.mark.parametrize("dtype", [workspace_of(RULES), TABLES], ids=["workspace", "tables"])
def test_no_field_of_a_record_is_hidden_by_a_method_of_numpy(dtype: np.dtype[Any]) -> None:
    """Uncompiled, `record.any` would be numpy's method instead of a field, so no field has the name of one."""
    assert [name for name in field_names(dtype) if hasattr(np.record, name)] == []


def test_the_hidden_part_of_a_game_has_no_gaps() -> None:
    """Compiled code copies a blank one from a constant, and the gaps of a constant hold anything."""
    secret = GAME["secret"]
    assert secret.itemsize == sum(secret[name].itemsize for name in secret.names or ())
