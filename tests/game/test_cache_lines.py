"""Records by cache lines: the same fields in the same order, at places that a processor finds at once."""

from __future__ import annotations

import numpy as np
import pytest

from rogsim.game.records import LINE, by_cache_lines
from rogsim.games.river_of_gold.rules.state import PLAYER as GOLD_PLAYER
from rogsim.games.the_river.rules.state import PLAYER as RIVER_PLAYER

pytestmark = pytest.mark.once_compiled  # uncompiled, whole numbers have 64 bits


def test_groups_begin_on_lines_and_the_size_is_a_power_of_two() -> None:
    """With a first group of less than a line, and with one of more."""
    one = by_cache_lines([("a", "i1"), ("b", "i8")], [("c", "i2", (3,))])
    assert one.names == ("a", "b", "c")
    assert [one.fields[name][1] for name in one.names] == [0, 8, LINE]
    assert one["c"] == np.dtype(("i2", (3,)))
    assert one.itemsize == 2 * LINE
    two = by_cache_lines([("a", "i1", (LINE + 1,))], [("b", "i1")], [("c", "i4")])
    assert [two.fields[name][1] for name in two.names] == [0, 2 * LINE, 3 * LINE]
    assert two.itemsize == 4 * LINE


@pytest.mark.parametrize("player", [GOLD_PLAYER, RIVER_PLAYER], ids=["river-of-gold", "the-river"])
def test_what_the_rules_read_of_a_player_fits_on_one_line(player: np.dtype[np.void]) -> None:
    """Only the ledger, which no rule reads, begins the next one."""
    beginning_later = [name for name in player.names or () if player.fields[name][1] >= LINE]
    assert beginning_later == ["ledger"]
    assert player.fields["ledger"][1] == LINE
    assert player.itemsize == 2 * LINE
