"""J2 and J21 to J25: warehouses, what is given up, and which choices are asked."""

from __future__ import annotations

import pytest

from tests.games.the_river.table import Table
from tests.games.the_river.test_rulings_turn import NO_STORE

pytestmark = pytest.mark.once_uncompiled


def test_j02_only_the_number_of_warehouses_matters() -> None:
    """What lay on a covered warehouse stays as long as any other warehouse is free, and nobody asks where."""
    table = Table().put(0, "F01").give(0, wood=1, stone=2).take("claim D01")
    assert (int(table.player(0).warehouses), table.held(0), table.actor) == (3, [1, 2, 0, 0], 1)


def test_j02_the_player_chooses_what_to_keep() -> None:
    """Each kind in hand can be given up until the rest fits."""
    for given_up, kept in (("wood", [1, 3, 0, 0]), ("stone", [2, 2, 0, 0])):
        table = Table().give(0, stone=3).take("produce wood")
        assert (table.expects, table.menu()) == ("discard", {"discard wood", "discard stone"})
        assert table.take(f"discard {given_up}").held(0) == kept
        assert table.actor == 1


def test_j02_a_tile_brings_warehouses() -> None:
    """The warehouses of tiles count like printed ones, from the moment the tile is placed."""
    table = Table().lay("F06").put(0, "F01").give(0, wood=2, stone=2).take("claim F06")
    assert (int(table.player(0).warehouses), table.held(0)) == (5, [2, 2, 0, 0])


def test_j21_what_is_given_up_returns_to_its_island() -> None:
    """After production, and after a warehouse was covered, islands and players hold as much as before."""
    table = Table().give(0, stone=3).take("produce wood", "discard stone")
    assert (table.held(0), table.islands) == ([2, 2, 0, 0], [8, 8, 10, 4])
    table = Table().lay("D01").put(0, "F01").give(0, wood=2, clay=2).take("claim D01", "discard clay")
    assert (table.held(0), table.islands) == ([2, 0, 1, 0], [8, 10, 9, 4])


def test_j22_a_gift_comes_after_the_storing() -> None:
    """First the print is lost and what has no warehouse is given up, then the gift is taken and stored."""
    table = Table().lay("G06").put(0, "F01").give(0, wood=2, stone=2).take("claim G06")
    assert (table.menu(), table.held(0), table.islands[2]) == ({"discard wood", "discard stone"}, [2, 2, 0, 0], 10)
    table.take("discard wood")
    assert (table.held(0), table.islands[2]) == ([1, 2, 4, 0], 6)
    assert table.menu() == {"discard wood", "discard stone", "discard clay"}
    table.take("discard clay", "discard clay", "discard stone", "discard clay")
    assert (table.held(0), table.actor) == ([1, 1, 1, 0], 1)


def test_j22_swaps_come_after_the_storing() -> None:
    """The swap meadow acts when everything fits again, and its own spot already holds it."""
    table = Table().lay("G15").put(0, "F01").give(0, wood=2, stone=2).take("claim G15")
    assert table.expects == "discard"
    assert table.take("discard wood").menu() == {"exchange 1 2", "skip"}


def test_j22_the_lost_print_no_longer_produces() -> None:
    """Covering a symbol takes it away before anything else happens."""
    table = Table().lay("F06").put(0, "F01", "F02").take("claim F06")
    assert table.player(0).production.tolist() == [1, 2, 1]  # black: the wood of spot 3 is gone


def test_j23_full_warehouses_do_not_forbid_production() -> None:
    """All that was just taken may be given up, one resource at a time, and never more than has no room."""
    table = Table().give(0, wood=4).take("produce stone")
    assert table.held(0) == [4, 2, 0, 0]
    table.take("discard stone", "discard stone")
    assert (table.held(0), table.actor) == ([4, 0, 0, 0], 1)


def test_j23_whatever_is_held_then_can_be_given_up() -> None:
    """Food too, and what an earlier answer used up no longer."""
    table = Table().give(0, wood=1, food=3).take("produce stone")
    assert table.menu() == {"discard wood", "discard stone", "discard food"}
    assert table.take("discard wood").menu() == {"discard stone", "discard food"}
    assert table.take("discard food").held(0) == [0, 2, 0, 2]


def test_j24_one_answer_is_not_asked() -> None:
    """One kind to give up, one to take, one payment, one pair to swap: all happen by themselves."""
    assert Table().give(0, wood=4).take("produce wood").actor == 1
    assert Table().supply(stone=0, clay=0, food=0).take("food").held(0) == [1, 0, 0, 0]
    table = Table().lay_cards("H01").give(0, wood=1, stone=1).take("construct H01")
    assert (table.actor, table.built(0)) == (1, {"H01"})
    table = Table().put(0, "F01", "D01").take("swap")
    assert (table.actor, table.board(0)) == (1, ["D01", "F01"])


def test_j24_two_answers_are_asked() -> None:
    """The same choices with a second answer wait for the player."""
    assert Table().supply(clay=0, food=0).take("food").menu() == {"take wood", "take stone"}
    table = Table().lay_cards("H01").give(0, wood=1, stone=1, food=1).take("construct H01")
    assert table.menu() == {"pay 1 1 0 0", "pay 1 0 0 1", "pay 0 1 0 1"}
    assert Table().put(0, "F01", "D01", "B01").take("swap").menu() == {"exchange 1 2", "exchange 1 3", "exchange 2 3"}


def test_j24_tile_and_turn_are_always_asked() -> None:
    """The tile of the preliminary turn and the turn itself are decisions even with one answer."""
    table = Table(preliminary=True).lay("F01")
    assert (table.expects, table.menu()) == ("start", {"start F01"})
    table = Table().lay().supply(wood=0, stone=0, clay=0, food=0).occupy("reserve", 2)
    assert (table.expects, table.menu()) == ("turn", {"first"})


def test_j25_nothing_is_gained_without_a_warehouse() -> None:
    """The food island is closed, and gift and cleanup meadows take nothing."""
    table = Table().put(0, *NO_STORE[:10], "G07").lay("G04")
    assert "food" not in table.menu()
    table.take("claim G04")
    assert (table.held(0), table.islands, table.actor) == ([0, 0, 0, 0], [10, 10, 10, 4], 1)
    assert (int(table.player(0).ledger.gifts), int(table.player(0).ledger.given_up)) == (0, 0)
    assert table.end_round(1).events == ["cleanup", "meadow"]
    assert (table.held(0), table.expects) == ([0, 0, 0, 0], "over")
