"""J7, J8, J11, J16, J35 and J37: columns, meadows at the end, the trigger of the end, and ranks."""

from __future__ import annotations

import pytest

from tests.games.the_river.table import Table, in_river_order

pytestmark = pytest.mark.once_uncompiled


@pytest.mark.parametrize(
    ("column", "points"),
    [
        ("X01 F01 F02", 6),  # forest in all three
        ("F01 X01 F02", 6),
        ("F01 X01 D01", 2),  # forest, then desert: no kind in all three
        ("X01 X02 X03", 2),  # forest, then badlands
        ("X01 X02 F01", 6),
        ("X01 X04 D01", 6),
        ("X02 X04 F01", 0),  # two mixed tiles without a common kind
    ],
)
def test_j07_three_tiles_match_in_one_kind(column: str, points: int) -> None:
    """A mixed tile may match either way, but one kind must be on all three tiles."""
    top, middle, bottom = column.split()
    table = Table().put(0, *in_river_order(f"{top} D11 M01 G01", f"{middle} B01 F03 D12", bottom))
    assert table.scores()[0].columns.tolist() == [points, 0, 0, 0]


def test_j08_the_meadow_collection_counts_itself() -> None:
    """The collection meadow for meadows gives a point for each meadow, itself included."""
    assert Table().put(0, "G14").scores()[0].meadows.tolist()[:2] == [1, -1]
    assert Table().put(0, "G04", "G14", "F01", "X01").scores()[0].meadows.tolist()[1] == 2


def test_j11_the_boat_is_counted_after_the_last_cleanup() -> None:
    """All pioneers are back by then; those that settled, and a fifth that was never freed, are not on the boat."""
    for settled, fifth, points in ((0, 1, 4), (0, 0, 5), (2, 1, 2), (4, 0, 1)):
        table = Table().put(0, "G16")
        player = table.player(0)
        player.settled, player.fifth, player.boat = settled, fifth, 5 - settled - fifth
        table.game.end = 1
        table.end_round()
        assert (table.expects, int(table.scores()[0].meadows[0])) == ("over", points)


def about_to_end() -> Table:
    """A table of two, at which seat 0 can take the last token and seat 1 can place the 12th tile."""
    table = Table(2).lay("M01", "M02").lay_cards("H01").give(0, wood=1, stone=1)
    eleven = ("F01", "F02", "F03", "F04", "F05", "D01", "D02", "D03", "D04", "B01", "B02")
    table.put(1, *eleven).player(0).token_count = 3
    return table


def test_j16_several_triggers_are_like_one() -> None:
    """The round in which the end is triggered is completed and is the last one, whoever triggers it again."""
    table = about_to_end().boats(2, 2).take("construct H01")
    assert (int(table.game.end), table.actor, table.expects) == (1, 1, "turn")
    table.take("claim M01")
    assert (len(table.board(1)), table.actor, int(table.game.round)) == (12, 0, 1)
    table.take("produce wood", "first")
    assert (table.expects, int(table.game.round)) == ("over", 1)
    assert [int(table.player(seat).ledger.ended_game) for seat in range(2)] == [1, 0]


def test_j16_one_trigger_is_enough() -> None:
    """Either of the two ends the game after its round."""
    table = about_to_end().boats(1, 1).take("construct H01", "first")
    assert table.expects == "over"
    table = about_to_end().boats(1, 1).take("first", "claim M01")
    assert table.expects == "over"


@pytest.mark.parametrize(
    ("points", "ranks", "shares"),
    [
        ([10, 10, 4], [1, 1, 3], [0.5, 0.5, 0]),
        ([10, 7, 7], [1, 2, 2], [1, 0, 0]),
        ([7, 7, 7], [1, 1, 1], [1 / 3] * 3),
        ([1, 2, 3], [3, 2, 1], [0, 0, 1]),
    ],
)
def test_j35_ranks_count_those_with_more_points(points: list[int], ranks: list[int], shares: list[float]) -> None:
    """Equal points, equal rank; the ranks after them are left out, and winners share the win."""
    table = Table()
    for seat, amount in enumerate(points):
        table.player(seat).points = amount
    scores = table.scores()
    assert [int(score["rank"]) for score in scores] == ranks
    assert [float(score.win_share) for score in scores] == shares


def test_j37_a_production_meadow_counts_printed_symbols_in_sight() -> None:
    """A printed symbol gives a point until a tile covers it."""
    assert int(Table().put(0, "G01").scores()[0].meadows[0]) == 2  # black: wood is printed on spot 3
    assert int(Table().put(0, "G01", "F06", "F07").scores()[0].meadows[0]) == 1
    assert int(Table().put(0, "G01", "F01").scores()[0].meadows[0]) == 3
