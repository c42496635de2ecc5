"""J1, J3 to J5, J15, J18, J26, J32, J36 and J39: which places are open, trades, production and the pawn."""

from __future__ import annotations

import pytest

from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled

NO_STORE = ("F01", "F02", "F03", "F04", "F05", "D01", "D02", "D03", "D04", "B01", "B02")  # on 11 spots: all prints gone


def nowhere_to_go() -> Table:
    """A table at which no place is legal for seat 0: no tile, nothing on the islands, everything full."""
    table = Table().lay().supply(wood=0, stone=0, clay=0, food=0)
    return table.occupy("reserve", 2).occupy("first", 1)


def test_j01_a_pioneer_without_a_place_is_spent() -> None:
    """Only passing is legal; it uses up one pioneer and changes nothing else."""
    table = nowhere_to_go()
    before = table.held(0), table.board(0), table.islands, table.cards, table.game.pioneers.tolist()
    assert table.menu() == {"pass"}
    table.take("pass")
    assert (table.held(0), table.board(0), table.islands, table.cards, table.game.pioneers.tolist()) == before
    assert (table.player(0).boat, table.player(0).placed, table.actor) == (3, 1, 1)


def test_j01_with_two_tiles_there_is_always_a_place() -> None:
    """The swap place takes any number of pioneers, so nobody with two tiles is ever without a place."""
    table = nowhere_to_go().put(0, "F01", "F02").occupy("swap", 12)
    assert table.menu() == {"swap"}


def test_j03_no_production_without_a_warehouse() -> None:
    """A player whose board shows no warehouse cannot produce, whatever the symbols; one warehouse is enough."""
    table = Table().put(0, *NO_STORE)
    assert (int(table.player(0).warehouses), int(table.player(0).production[0])) == (0, 6)
    assert not table.options("produce")
    assert Table().put(0, *NO_STORE[:10]).options("produce") == {"wood", "stone", "clay"}


def test_j04_food_can_be_traded_for_food() -> None:
    """Three food buy one, and so does food together with other resources."""
    table = Table().supply(food=4).give(0, food=3)
    assert table.options("trade") == {"0 0 0 3"}
    table.take("trade 0 0 0 3")
    assert (table.held(0), table.islands[3]) == ([0, 0, 0, 1], 3)
    assert Table().give(0, wood=1, food=2).take("trade 1 0 0 2").held(0) == [0, 0, 0, 1]


def test_j05_the_food_island_needs_something_to_give() -> None:
    """With all four islands empty nobody goes there; a single resource on any of them is enough."""
    empty = {"wood": 0, "stone": 0, "clay": 0, "food": 0}
    assert "food" not in Table().supply(**empty).menu()
    for resource in empty:
        assert "food" in Table().supply(**{**empty, resource: 1}).menu(), resource


def test_j15_nothing_to_claim_without_a_tile() -> None:
    """Once the last face-up tile is taken, nobody can claim in this round."""
    table = Table().lay("F01").take("claim F01")
    assert (table.actor, table.options("claim")) == (1, set())


def test_j18_production_is_taken_in_full() -> None:
    """No smaller amount is offered; only the island limits what is taken."""
    table = Table().put(0, "F04")
    assert table.options("produce") == {"wood", "stone", "clay"}
    assert table.take("produce wood").held(0) == [4, 0, 0, 0]
    assert Table().put(0, "F04").supply(wood=2).take("produce wood").held(0) == [2, 0, 0, 0]


def test_j18_storage_limits_production() -> None:
    """More than the warehouses hold is taken and given up at once."""
    table = Table().put(0, "F04", "D04").take("produce wood")
    assert (table.held(0), table.islands[0]) == ([3, 0, 0, 0], 7)


def test_j26_the_food_lies_there_before_the_trade() -> None:
    """No food on the island: no trade, even for somebody who would return some."""
    assert not Table().supply(food=0).give(0, food=3).supply(food=0).options("trade")
    table = Table().give(0, wood=3, stone=3).supply(food=1).take("trade 3 0 0 0")
    assert not table.options("trade")


def test_j26_every_set_of_three_can_be_traded() -> None:
    """All combinations of resources in hand are offered, and nothing else."""
    table = Table().give(0, wood=2, stone=1, clay=0, food=1)
    assert table.options("trade") == {"2 1 0 0", "2 0 0 1", "1 1 0 1"}
    assert not Table().give(0, wood=1, stone=1).options("trade")


def test_j26_trades_come_before_the_pioneer() -> None:
    """A trade leaves the turn to the same player; after placing, and in the preliminary turn, there is none."""
    table = Table().put(0, "F06", "F07", "F08").give(0, wood=6).take("trade 3 0 0 0")
    assert (table.actor, int(table.player(0).boat)) == (0, 4)
    table.take("trade 3 0 0 0").take("swap")
    assert (table.expects, table.options("trade")) == ("exchange", set())
    first = Table(preliminary=True).give(2, wood=3)
    assert {text.split()[0] for text in first.menu()} == {"start"}


def test_j32_passing_is_a_last_resort() -> None:
    """Passing is legal only when no place is; a trade may come first, and may even open a place."""
    table = nowhere_to_go().give(0, wood=3).supply(wood=0, food=1).occupy("food", 2)
    assert table.menu() == {"trade 3 0 0 0", "pass"}
    assert table.take("trade 3 0 0 0").menu() == {"produce wood"}
    assert "pass" not in Table().menu()


def test_j36_the_first_pioneer_on_an_island_gets_one_more() -> None:
    """One player may take both spots, but only the first pioneer there in the round has the extra resource."""
    table = Table().boats(4, 0, 0).take("produce wood")
    assert table.held(0) == [2, 0, 0, 0]
    table.take("produce wood")
    assert table.held(0) == [3, 0, 0, 0]
    assert table.options("produce") == {"stone", "clay"}
    again = table.end_round()
    assert again.give(0).take("produce wood").held(0) == [2, 0, 0, 0]


def test_j36_the_extra_is_not_for_the_second_player() -> None:
    """Whoever comes second gets what the symbols show."""
    table = Table().take("produce wood", "produce wood")
    assert (table.held(0), table.held(1)) == ([2, 0, 0, 0], [1, 0, 0, 0])


def test_j39_the_pawn_moves_at_once_and_the_round_goes_on() -> None:
    """The new holder begins the next round; in this one everybody still plays in the same order."""
    table = Table().boats(2, 2, 1).take("produce wood", "first")
    assert (int(table.game.pawn), table.actor, int(table.game.round)) == (1, 2, 1)
    table.take("produce stone")
    assert table.actor == 0
    table.take("produce clay")
    assert table.actor == 1
    table.take("produce stone")
    assert (table.actor, int(table.game.round)) == (1, 2)


def test_j39_the_pawn_can_be_taken_again() -> None:
    """Its holder may place a pioneer there; once in a round, by anybody."""
    table = Table().take("first")
    assert (int(table.game.pawn), table.actor, "first" in table.menu()) == (0, 1, False)
