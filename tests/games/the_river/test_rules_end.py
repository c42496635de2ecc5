"""The rulebook on the cleanup, meadows, the end of the game and scoring."""

from __future__ import annotations

import pytest

from rogsim.games.the_river.components.names import CARDS, TILES
from tests.games.the_river.table import Table, in_river_order

pytestmark = pytest.mark.once_uncompiled

ELEVEN = ("F01", "F02", "F03", "F04", "F05", "D01", "D02", "D03", "D04", "B01", "B02")


def meadows(table: Table, seat: int = 0) -> dict[str, int]:
    """The points of each tile of a seat with an effect at the end."""
    points = table.scores()[seat].meadows.tolist()
    return {tile: points[spot] for spot, tile in enumerate(table.board(seat)) if points[spot] >= 0}


# ---------------------------------------------------------------------------------------------------- cleanup


@pytest.mark.parametrize(("players", "tiles_up"), [(2, 5), (3, 7), (4, 9)])
def test_tiles_left_are_removed(players: int, tiles_up: int) -> None:
    """All terrain spots get new tiles, in the order of the pile; those left before lie aside."""
    table = Table(players).lay("F01", "F02", "F03").boats(2, *[0] * (players - 1)).take("claim F02")
    top = table.pile[:tiles_up]
    table.take("first")
    assert (table.display, table.removed) == (top, ["F01", "F03"])


@pytest.mark.parametrize("spot", range(1, 13))
def test_framed_spots_settle_a_pioneer(spot: int) -> None:
    """Covering spot 6, 8, 10 or 12 leaves one pioneer less for the next round; the others settle nobody."""
    table = Table().put(0, *ELEVEN[: spot - 1]).lay("M01").boats(2, 0, 0).take("claim M01", "first")
    settled = int(spot in (6, 8, 10, 12))
    assert (int(table.player(0).settled), int(table.player(0).boat)) == (settled, 4 - settled)
    if spot < 12:
        assert int(table.end_round().player(0).settled) == settled


def test_two_framed_spots_in_one_round() -> None:
    """Each of them settles one; a fifth pioneer counts like the others."""
    table = Table(settlement=0)
    table.tables.settlement[4:6] = 1
    player = table.put(0, *ELEVEN[:4]).player(0)
    player.fifth, player.boat = 0, 5
    table.lay("M01", "M02").boats(3, 0, 0).take("claim M01", "claim M02", "first")
    assert (int(player.settled), int(player.boat), int(table.player(1).settled)) == (2, 3, 0)


def test_cleanup_meadows_give_one_each_round() -> None:
    """One resource from the island, if it has any; the picture is no production symbol."""
    table = Table().put(0, "G08").put(1, "G09").put(2, "G07").supply(clay=0)
    assert table.player(0).production.tolist() == [1, 1, 1]
    table.end_round()
    assert [table.held(seat) for seat in range(3)] == [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert table.events == ["cleanup", "meadow", "meadow", "meadow", "round"]
    assert [table.end_round().held(seat)[1] for seat in (0,)] == [2]


def test_a_cleanup_meadow_without_an_amount_gives_nothing() -> None:
    """If its figure is changed to 0, it never acts, and the one after it still does."""
    table = Table().put(0, "G08", "G09")
    table.tables.tiles[TILES.index("G08")].amount = 0
    table.end_round()
    assert (table.held(0), table.events) == ([0, 0, 1, 0], ["cleanup", "meadow", "meadow", "round"])


# ---------------------------------------------------------------------------------------------------- meadows


@pytest.mark.parametrize(("tile", "resource"), [("G04", 0), ("G05", 1), ("G06", 2)])
def test_gift_meadows_give_once(tile: str, resource: int) -> None:
    """Four of the resource shown, or what the island has; never again."""
    table = Table().lay(tile).take(f"claim {tile}")
    assert (table.held(0)[resource], sum(table.held(0)), table.islands[resource]) == (4, 4, 6)
    table.end_round()
    assert sum(table.held(0)) == 4
    table = Table().supply(wood=3, stone=3, clay=3).lay(tile).take(f"claim {tile}")
    assert (table.held(0)[resource], table.islands[resource]) == (3, 0)
    table = Table().supply(wood=0, stone=0, clay=0).lay(tile).take(f"claim {tile}")
    assert (sum(table.held(0)), table.actor) == (0, 1)


@pytest.mark.parametrize(
    ("tile", "others"), [("G01", ("F01", "F04")), ("G02", ("F02", "D03")), ("G03", ("F03", "B03"))]
)
def test_production_meadows_score_their_symbols(tile: str, others: tuple[str, str]) -> None:
    """A point for each symbol of the resource in sight, itself included, three at most; it also produces."""
    kind = int(tile[-1]) - 1
    table = Table().put(0, tile)
    assert table.player(0).production.tolist() == [1 + (kind == resource) for resource in range(3)]
    assert meadows(table) == {tile: 2}
    assert meadows(table.put(0, others[0])) == {tile: 3}
    assert meadows(table.put(0, others[1])) == {tile: 3}


@pytest.mark.parametrize(
    ("tile", "counted", "other"),
    [
        ("G10", ("F01", "F06", "X01", "X02"), "X03"),
        ("G11", ("D01", "D05", "X01", "X04"), "X02"),
        ("G12", ("B01", "B04", "X02", "X03"), "X01"),
        ("G13", ("M01", "M04", "X03", "X04"), "X01"),
        ("G14", ("G01", "G04", "G07", "G15"), "X01"),
    ],
)
def test_collection_meadows_count_terrain(tile: str, counted: tuple[str, ...], other: str) -> None:
    """A point for each own tile of the terrain; mixed tiles count for both of their kinds."""
    own = int(tile == "G14")
    for number in range(len(counted) + 1):
        assert meadows(Table().put(0, tile, other, *counted[:number]))[tile] == number + own
    assert meadows(Table().put(0, tile).put(1, *counted))[tile] == own


def test_the_swap_meadow_is_worth_nothing_at_the_end() -> None:
    """Gift and swap meadows act once and never score; a cleanup meadow scores 2."""
    assert meadows(Table().put(0, "G15", "G04", "F01")) == {}
    assert meadows(Table().put(0, "G07", "G08", "G09")) == {"G07": 2, "G08": 2, "G09": 2}


def test_boat_and_token_meadows() -> None:
    """A point for each pioneer on the own boat, and for each own token, zeros too."""
    table = Table().put(0, "G16", "G17")
    player = table.player(0)
    assert meadows(table) == {"G16": 4, "G17": 0}
    player.boat, player.token_count = 2, 3
    player.tokens[:3] = 1, 0, 0
    player.points = player.token_points = 1
    assert meadows(table) == {"G16": 2, "G17": 3}
    assert int(table.scores()[0].points) == 1 + 2 + 3


# -------------------------------------------------------------------------------------------------------- end


@pytest.mark.parametrize(("players", "last"), [(2, 4), (3, 5), (4, 5)])
def test_the_last_token_ends_the_game(players: int, last: int) -> None:
    """The fourth token of a player with 2 players, else the fifth; the round is completed first."""
    for held in range(last):
        table = Table(players).lay_cards("H01").give(0, wood=1, stone=1).boats(1, *[1] * (players - 1))
        table.player(0).token_count, table.player(0).fifth = held, 0
        table.take("construct H01")
        assert int(table.game.end) == (held == last - 1)
        assert table.expects == "turn"
        table.end_round(1)
        assert (table.expects, int(table.game.round)) == (("over", 1) if held == last - 1 else ("turn", 2))


def test_the_twelfth_tile_ends_the_game() -> None:
    """The end is triggered as soon as it lies; with the eleventh the game goes on."""
    table = Table().put(0, *ELEVEN[:10]).lay("M01", "M02").boats(3, 1, 1).take("claim M01")
    assert int(table.game.end) == 0
    table.take("first", "produce wood", "claim M02")
    assert (int(table.game.end), table.expects, int(table.player(0).ledger.ended_game)) == (1, "turn", 1)
    assert table.take(f"reserve {table.cards[0]}").expects == "over"


# ---------------------------------------------------------------------------------------------------- scoring


@pytest.mark.parametrize(
    ("column", "points"),
    [
        ("F06 F07 F08", 6),
        ("F06 F07 D05", 2),
        ("F06 D05 D06", 0),
        ("F06 D05 F07", 0),
        ("F06 D05 B04", 0),
        ("F06 X01 D05", 2),
        ("G04 G05 G06", 6),
        ("G04 G05", 2),
        ("X01 X04", 2),
    ],
)
def test_columns(column: str, points: int) -> None:
    """6 for three tiles that match, 2 for the upper two, nothing for the lower two; read in each of the columns."""
    tiles = column.split()
    filler = [["D11", "B08", "M07"], ["B09", "M08", "D12"], ["M05", "D08", "B10"]]  # no two of a column match
    for place in range(4):
        rows = [" ".join([*row[:place], tile, *row[place:]]) for row, tile in zip(filler, tiles, strict=False)]
        expected = [0] * 4
        expected[place] = points
        assert Table().put(0, *in_river_order(*rows)).scores()[0].columns.tolist() == expected


def test_a_board_like_the_rulebooks_example() -> None:
    """45 points: 23 for buildings, 7 for tokens, columns of 6, 0, 2 and 2, 2 for leftovers and 3 for a meadow."""
    board = in_river_order("F06 G17 B04 M04", "F07 B05 B06 X04", "F08 B07 D06 D07")
    table = Table().put(0, *board).give(0, wood=2, stone=2, clay=1, food=1)
    player = table.player(0)
    player.points, player.token_points, player.token_count = 23 + 7, 7, 3
    player.tokens[:3] = 6, 1, 0
    score = table.scores()[0]
    assert score.columns.tolist() == [6, 0, 2, 2]
    assert (int(score.points_buildings), int(score.points_tokens)) == (23, 7)
    assert (int(score.points_leftovers), meadows(table), int(score.points)) == (2, {"G17": 3}, 45)


def test_an_unfinished_column() -> None:
    """Two tiles of a column score as soon as both are there; a column with one tile scores nothing."""
    assert Table().put(0, "F06", "F07", "F08", "F09").scores()[0].columns.tolist() == [0, 0, 0, 0]
    assert Table().put(0, "F06", "F07", "F08", "F09", "F10").scores()[0].columns.tolist() == [0, 0, 0, 2]


@pytest.mark.parametrize(
    ("held", "points"), [((0, 0, 0, 0), 0), ((1, 1, 0, 0), 0), ((1, 0, 1, 1), 1), ((3, 2, 2, 1), 2)]
)
def test_leftovers(held: tuple[int, int, int, int], points: int) -> None:
    """A point for every three resources of any kind, food included; one or two too many give nothing."""
    table = Table().give(0, *held)
    assert int(table.scores()[0].points_leftovers) == points
    assert int(table.scores()[0].points) == points


def test_points_are_the_sum_of_their_sources() -> None:
    """Buildings, tokens, columns, leftovers and meadows; the most points win, and tied players share."""
    table = Table(2).lay_cards("H01", "H33").give(0, wood=3, stone=3, clay=3).give(1)
    table.put(0, "F06", "G17", "F07").boats(2, 2).take("construct H33", "produce wood")
    table.put(0, "D05", "M04", "F08", "G10", "F09").give(0, wood=2, food=2)
    score, other = table.scores()
    parts = [int(score[f"points_{name}"]) for name in ("buildings", "tokens", "columns", "leftovers", "meadows")]
    assert parts == [9, 6, 6, 1, 1 + 4]
    assert (int(score.points), int(score["rank"]), float(score.win_share)) == (27, 1, 1)
    assert (int(other.points), int(other["rank"]), float(other.win_share)) == (0, 2, 0)


def test_every_card_is_worth_its_points() -> None:
    """Each of the 33 cards adds its printed points, and takes its printed cost."""
    for number, name in enumerate(CARDS):
        table = Table(4, token_count=0).put(0, "F06", "F07", "F08").lay_cards(name)
        cost = [int(amount) for amount in table.tables.cards[number].cost]
        table.give(0, *cost).take(f"construct {name}")
        assert (sum(table.held(0)), int(table.player(0).points)) == (0, int(table.tables.cards[number].points))
