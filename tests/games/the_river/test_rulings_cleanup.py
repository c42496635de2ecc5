"""J12, J19, J30, J31, J34 and J41: the cleanup, and rounds that are the last."""

from __future__ import annotations

import pytest

from rogsim.games.the_river.components.names import TILES, WOOD
from rogsim.games.the_river.rules.state import MOST_ROUNDS
from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled


@pytest.mark.parametrize(("pawn", "served"), [(0, 0), (1, 1), (2, 0)])
def test_j12_cleanup_meadows_act_clockwise_from_the_next_first_player(pawn: int, served: int) -> None:
    """When a resource is short, the holder of the pawn comes first, also one who took it in this round."""
    table = Table()
    table.tables.tiles[TILES.index("G08")].resource = WOOD
    table.put(0, "G07").put(1, "G08").supply(wood=1).end_round(pawn)
    assert [table.held(seat)[0] for seat in range(3)] == [int(seat == served) for seat in range(3)]


def test_j19_without_pioneers_the_game_ends() -> None:
    """When the last pioneer of all has settled, the cleanup is the last one, and points are counted."""
    table = Table()
    for seat in range(3):
        player = table.player(seat)
        player.settled, player.boat = (3, 1) if seat == 0 else (4, 0)
    table.player(0).framed = 1
    table.take("first")
    assert (table.expects, int(table.game.end), int(table.game.round)) == ("over", 0, 1)


def test_j19_one_pioneer_is_enough_to_go_on() -> None:
    """The others have none left, so one player has all the turns."""
    table = Table()
    for seat in range(3):
        player = table.player(seat)
        player.settled, player.boat = (3, 1) if seat == 2 else (4, 0)
    table.game.active = table.game.actor = 2
    assert table.take("first").actor == 2
    assert (table.expects, int(table.game.round)) == ("turn", 2)


def test_j30_the_order_of_the_cleanup() -> None:
    """When the first meadow asks what to give up, tiles, cards and pioneers are already in place for the next round."""
    table = Table().put(0, "G08", "G07").give(0, clay=3).lay("F01", "F02").lay_cards("H01", deck=20)
    table.end_round()
    assert (table.menu(), table.held(0)) == ({"discard stone", "discard clay"}, [0, 1, 3, 0])
    assert (table.removed, len(table.display), None in table.cards) == (["F01", "F02"], 7, False)
    assert [int(table.player(seat).boat) for seat in range(3)] == [4, 4, 4]
    assert (table.game.pioneers.any(), int(table.game.round)) == (False, 1)


def test_j30_meadows_of_a_player_act_in_river_order() -> None:
    """What the first one brings is stored before the second one acts."""
    table = Table().put(0, "G08", "G07").give(0, clay=3).end_round().take("discard clay")
    assert (table.menu(), table.held(0)) == ({"discard wood", "discard stone", "discard clay"}, [1, 1, 2, 0])
    assert table.take("discard stone").held(0) == [1, 0, 2, 0]
    assert (table.expects, int(table.game.round)) == ("turn", 2)


def test_j31_removed_tiles_come_back_when_the_pile_is_empty() -> None:
    """The pile is used up first; then all removed tiles are shuffled, those of this cleanup too."""
    table = Table().lay("B01").remove("D01", "D02").leave("F01").end_round()
    assert (table.display[0], set(table.display[1:])) == ("F01", {"D01", "D02", "B01"})
    assert (len(table.display), table.pile, table.removed) == (4, [], [])


def test_j31_no_shuffle_before_a_tile_is_needed() -> None:
    """If the pile is just enough, the removed tiles wait until the next cleanup."""
    table = Table().lay("B01").leave(*TILES[:7]).end_round()
    assert (table.display, table.pile, table.removed) == ([*TILES[:7]], [], ["B01"])
    table.end_round()
    assert set(table.display) < {*TILES[:7], "B01"}
    assert (len(table.display), len(table.pile), table.removed) == (7, 1, [])


def test_j31_the_shuffle_is_a_shuffle() -> None:
    """In different games the same removed tiles come back in different orders."""
    orders = {tuple(Table(deal=deal).lay(*TILES[:12]).leave().end_round().display) for deal in range(8)}
    assert len(orders) == 8


def test_j31_the_tile_left_over_never_comes_back() -> None:
    """The tile that nobody took in the preliminary turn is not among those shuffled."""
    table = Table(preliminary=True).lay("F01", "F02", "F03", "F04").take("start F01", "start F02", "start F03")
    table.leave().end_round()
    assert "F04" not in table.display
    assert len(table.display) == 7


def test_j34_the_last_cleanup_is_complete() -> None:
    """Tiles and cards are filled up, pioneers settle, meadows give; then the game is over without a new round."""
    table = Table().put(0, "G07").lay("F01").lay_cards("H01", None, deck=20)
    table.game.end, table.player(0).framed = 1, 1
    table.end_round()
    assert table.events == ["cleanup", "meadow", "meadow"]
    assert (table.expects, int(table.game.round), table.held(0)) == ("over", 1, [1, 0, 0, 0])
    assert (len(table.display), None in table.cards, int(table.player(0).settled)) == (7, False, 1)


def test_j41_no_game_is_longer_than_100_rounds() -> None:
    """Round 100 is the last, even if nothing triggered the end."""
    assert MOST_ROUNDS == 100
    table = Table()
    table.game.round = 99
    assert (table.end_round().expects, int(table.game.round)) == ("turn", 100)
    assert (table.end_round().expects, int(table.game.round), int(table.game.end)) == ("over", 100, 0)
