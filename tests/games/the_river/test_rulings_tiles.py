"""J6, J9, J10, J17, J27 and J28: the tile of the preliminary turn, settling, and swapping tiles."""

from __future__ import annotations

import pytest

from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled

FIVE = ("F01", "F02", "F03", "D01", "D02")  # the next tile covers spot 6, which is framed


def test_j06_the_first_tile_acts_when_placed() -> None:
    """A gift meadow of the preliminary turn gives its gift, and spot 1 settles nobody."""
    table = Table(preliminary=True).lay("G04", "F01", "F02", "F03").take("start G04")
    assert (table.held(2), table.islands, table.actor) == ([4, 0, 0, 0], [6, 10, 10, 4], 1)
    table.take("start F01", "start F02").end_round()
    assert [int(table.player(seat).settled) for seat in range(3)] == [0, 0, 0]


def test_j06_a_framed_first_spot_settles_nobody() -> None:
    """Even if spot 1 were framed, no pioneer would settle for the tile of the preliminary turn."""
    table = Table(preliminary=True)
    table.tables.settlement[0] = 1
    table.lay("F01", "F02", "F03", "F04").take("start F01", "start F02", "start F03").end_round()
    assert [int(table.player(seat).settled) for seat in range(3)] == [0, 0, 0]


def test_j06_the_first_tile_is_no_claim() -> None:
    """In the first round a player still has two claims."""
    table = Table(2, preliminary=True).take("start " + Table(2, preliminary=True).display[0])
    table.take("start " + table.display[0]).lay("F01", "F02", "F03").boats(4, 0)
    assert table.take("claim F01", "claim F02").options("claim") == set()


def claimed_on_a_frame() -> Table:
    """A table in round 2, after seat 0 covered spot 6 in round 1."""
    return Table().put(0, *FIVE).lay("B01").boats(2, 0, 0).take("claim B01").end_round()


def test_j09_only_covering_settles() -> None:
    """A framed spot takes a pioneer once: another tile that a swap brings there takes none."""
    table = claimed_on_a_frame()
    assert (int(table.player(0).settled), int(table.player(0).boat)) == (1, 3)
    table.take("swap", "exchange 1 6").end_round()
    assert (int(table.player(0).settled), int(table.player(0).boat)) == (1, 3)


def test_j10_nobody_settles_without_a_pioneer() -> None:
    """With more framed spots covered than pioneers to settle, the rest is forgotten."""
    table = Table()
    player = table.player(0)
    player.settled, player.boat, player.placed = 2, 1, 1
    player.framed = 3
    table.end_round()
    assert (int(player.settled), int(player.boat), int(player.placed), int(player.fifth)) == (4, 0, 0, 1)
    player.fifth, player.boat = 0, 1
    table.end_round()
    assert (int(player.settled), int(player.boat)) == (4, 1)


def test_j17_a_swap_meadow_needs_a_second_tile() -> None:
    """As the first tile it does nothing; as the second it already offers its swap."""
    table = Table().lay("G15").take("claim G15")
    assert (table.expects, table.actor) == ("turn", 1)
    table = Table(preliminary=True).lay("G15", "F01", "F02", "F03").take("start G15")
    assert (table.expects, table.actor) == ("start", 1)
    assert Table().put(0, "F01").lay("G15").take("claim G15").expects == "exchange"


def test_j27_each_swap_of_the_meadow_may_be_declined() -> None:
    """Before each of the two the player swaps or declines, and declining ends the effect."""
    table = Table().put(0, "F01", "D01").lay("G15", "G16").take("claim G15")
    assert table.menu() == {"skip", "exchange 1 2", "exchange 1 3", "exchange 2 3"}
    table.take("exchange 1 3")
    assert (table.board(0), "skip" in table.menu()) == (["G15", "D01", "F01"], True)
    table.take("exchange 1 3")
    assert (table.board(0), table.actor) == (["F01", "D01", "G15"], 1)
    table = Table().put(0, "F01", "D01").lay("G15").take("claim G15", "skip")
    assert (table.board(0), table.actor) == (["F01", "D01", "G15"], 1)
    table = Table().put(0, "F01", "D01").lay("G15").take("claim G15", "exchange 1 2", "skip")
    assert (table.board(0), table.actor) == (["D01", "F01", "G15"], 1)


def test_j27_the_swap_of_the_place_is_mandatory() -> None:
    """Whoever sends a pioneer to the swap place must swap two tiles, once; with one tile nobody can."""
    table = Table().put(0, "F01", "D01", "B01").take("swap")
    assert table.menu() == {"exchange 1 2", "exchange 1 3", "exchange 2 3"}
    assert table.take("exchange 2 3").actor == 1
    assert "swap" not in Table().put(0, "F01").menu()


def test_j28_any_two_tiles_can_be_swapped() -> None:
    """All pairs of spots with tiles, equal tiles too."""
    table = Table().put(0, "F06", "F07", "F08", "F09").take("swap")
    assert table.options("exchange") == {f"{a} {b}" for a in range(1, 5) for b in range(a + 1, 5)}


def test_j28_a_swap_triggers_nothing() -> None:
    """No gift, no claim, no settler, no symbol gained or lost, no end; resources stay with their owner."""
    table = Table().put(0, *FIVE, "G04", "G15").give(0, stone=1).take("swap", "exchange 6 7")
    player = table.player(0)
    assert (table.held(0), table.actor, int(player.claims), int(player.framed)) == ([0, 1, 0, 0], 1, 0, 0)
    assert (player.production.tolist(), int(player.warehouses)) == ([2, 2, 2], 1)
    assert int(table.game.end) == 0
