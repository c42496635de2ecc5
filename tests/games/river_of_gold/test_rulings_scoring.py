"""R29 to R32: final scoring."""

from __future__ import annotations

import pytest

from tests.games.river_of_gold.table import Table

# ------------------------------------------------------------------------------------------------------- R29


@pytest.mark.parametrize(
    ("players", "tile", "influence", "points"),
    [
        # four players
        (4, [12, 8, 4], [4, 3, 2, 1], [12, 8, 4, 0]),
        (4, [12, 8, 4], [9, 5, 5, 0], [12, 6, 6, 0]),
        (4, [12, 8, 4], [5, 9, 9, 1], [4, 10, 10, 0]),
        (4, [12, 8, 4], [9, 9, 9, 1], [8, 8, 8, 0]),
        (4, [10, 6, 2], [9, 9, 9, 9], [4, 4, 4, 4]),  # 18 for three places, shared by four
        (4, [10, 6, 2], [9, 8, 7, 7], [10, 6, 1, 1]),
        (4, [10, 6, 2], [9, 8, 8, 8], [10, 2, 2, 2]),  # 6 + 2 by three, rounded down
        (4, [9, 5], [18, 18, 18, 18], [3, 3, 3, 3]),
        (4, [9, 5], [6, 6, 5, 5], [7, 7, 0, 0]),
        (4, [9, 5], [6, 5, 5, 5], [9, 1, 1, 1]),
        (4, [7, 3], [1, 18, 0, 0], [3, 7, 0, 0]),  # with four players any distance is near enough
        # three players
        (3, [7, 3], [0, 0, 1], [0, 0, 7]),
        (3, [7, 3], [0, 0, 0], [0, 0, 0]),
        (3, [11, 7, 3], [2, 2, 2], [7, 7, 7]),
        (3, [11, 7, 3], [2, 2, 1], [9, 9, 3]),
        (3, [11, 7, 3], [2, 0, 0], [11, 0, 0]),
        (3, [8, 4], [2, 1, 1], [8, 2, 2]),
        (3, [8, 4], [18, 1, 0], [8, 4, 0]),
        # two players
        (2, [5, 2], [10, 5], [5, 2]),
        (2, [5, 2], [10, 4], [5, 0]),
        (2, [5, 2], [1, 6], [2, 5]),
        (2, [5, 2], [4, 4], [3, 3]),
        (2, [6, 3], [18, 18], [4, 4]),
        (2, [3], [4, 4], [1, 1]),
        (2, [3], [4, 3], [3, 0]),
        (2, [8, 4], [3, 0], [8, 0]),
        (2, [8, 4], [0, 0], [0, 0]),
    ],
)
def test_r29_places_by_influence_with_ties_shared_and_rounded_down(
    players: int, tile: list[int], influence: list[int], points: list[int]
) -> None:
    """Tied players share what their places are worth; nobody scores at 0; of two, only within 5 spaces."""
    for region in (1, 4):
        table = Table(players).region_tile(region, tile)
        for seat, reached in enumerate(influence):
            table.give(seat, influence={region: reached})
        rows = table.final()
        assert [row.regions[region - 1] for row in rows] == points
        assert [row.points for row in rows] == points


def test_r29_an_elder_doubles_its_region_for_its_player() -> None:
    """Also a shared place, rounded down before it is doubled; other regions and other players stay."""
    table = Table(4).region_tile(2, [9, 5]).region_tile(3, [7, 3])
    for seat in range(4):
        table.give(seat, influence={2: 6, 3: 6 - seat})
    table.give(0, delivered=["elder-2"]).give(1, delivered=["elder-3", "elder-5"])
    rows = table.final()
    assert [row.regions[1] for row in rows] == [6, 3, 3, 3]
    assert [row.regions[2] for row in rows] == [7, 6, 0, 0]
    assert [sum(row.elders) for row in rows] == [3, 3, 0, 0]
    assert rows[0].points == 6 + 7 + 2  # one customer delivered to
    table = Table(2).region_tile(2, [8, 4]).give(0, influence={2: 12}).give(1, influence={2: 6}, delivered=["elder-2"])
    assert [row.regions[1] for row in table.final()] == [8, 0]


def test_r29_the_track_s_points_are_not_doubled() -> None:
    """Points scored during the game do not change."""
    table = Table().region_tile(2, [9, 5]).give(0, points=10, influence={2: 13}, delivered=["elder-2"])
    assert table.final()[0].points == 10 + 18 + 2


# ------------------------------------------------------------------------------------------------------- R30


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 2), (2, 5), (3, 9), (4, 14), (5, 20), (6, 27), (9, 27)])
def test_r30_customers_score_by_their_number(count: int, points: int) -> None:
    """0, 2, 5, 9, 14 or 20 points for none to five customers, 27 for six or more, of whatever type."""
    customers = ["elder-1", "monk-1", "elder-2", "monk-2", "elder-3", "monk-3", "monk-4", "monk-5", "monk-6"]
    row = Table().give(0, delivered=customers[:count]).final()[0]
    assert (row.customers, row.points) == (points, points)


# ------------------------------------------------------------------------------------------------------- R31


@pytest.mark.parametrize(("koku", "merchants", "points"), [(4, 2, 0), (5, 1, 1), (14, 1, 2), (14, 3, 6), (25, 6, 30)])
def test_r31_each_merchant_scores_for_every_full_5_koku(koku: int, merchants: int, points: int) -> None:
    """The koku left count again for each merchant, rounded down for each."""
    delivered = [f"merchant-{region}" for region in range(1, merchants + 1)]
    assert Table().give(0, koku=koku, delivered=delivered).final()[0].merchants == points


@pytest.mark.parametrize(
    ("goods", "artisans", "points"), [((1, 1, 0), 2, 0), ((1, 1, 1), 1, 1), ((3, 3, 1), 2, 4), ((6, 6, 6), 6, 36)]
)
def test_r31_each_artisan_scores_for_every_full_3_goods(
    goods: tuple[int, int, int], artisans: int, points: int
) -> None:
    """All kinds of goods are counted together, rounded down for each artisan."""
    delivered = [f"artisan-{region}" for region in range(1, artisans + 1)]
    table = Table().give(0, silk=goods[0], rice=goods[1], porcelain=goods[2], delivered=delivered)
    assert table.final()[0].artisans == points


@pytest.mark.parametrize(("noble", "points"), [(1, 3), (2, 2), (3, 1), (4, 0), (5, 3), (6, 4)])
def test_r31_each_noble_scores_for_what_it_counts(noble: int, points: int) -> None:
    """Markets, ports, manors, shrines, types and regions: each owned building once, a shared one in full."""
    table = Table().place(1, "era1-market-1", 0, 0).place(2, "era1-port-1", 1, 0).place(8, "era1-market-2", 0)
    table.place(12, "era1-manor-1", 0).place(13, "era1-market-3", 0, 2).place(21, "era1-port-2", 0)
    table.place(26, "era1-shrine-1", 1).place(22, "start-shrine")
    table.give(0, delivered=[f"noble-{noble}"])
    assert table.final()[0].nobles == points


def test_r31_all_parts_add_up() -> None:
    """Points of the game, regions, customers and what they add make the total."""
    table = Table().region_tile(1, [7, 3]).give(0, influence={1: 2}, points=11, koku=12, silk=2, rice=2)
    table.place(1, "era1-market-1", 0)
    table.give(0, delivered=["merchant-1", "merchant-2", "artisan-1", "noble-1", "noble-5", "elder-1"])
    row = table.final()[0]
    assert (row.regions[0], row.customers, row.merchants, row.artisans, row.nobles) == (14, 27, 4, 1, 2)
    assert row.points == 11 + 14 + 27 + 4 + 1 + 2


# ------------------------------------------------------------------------------------------------------- R32


@pytest.mark.parametrize(
    ("points", "favor", "ranks", "shares"),
    [
        ([5, 5, 4], [1, 2, 6], [2, 1, 3], [0, 1, 0]),
        ([5, 5, 4], [2, 2, 6], [1, 1, 3], [1 / 2, 1 / 2, 0]),
        ([1, 1, 4], [2, 2, 0], [2, 2, 1], [0, 0, 1]),
        ([7, 7, 7], [3, 3, 3], [1, 1, 1], [1 / 3, 1 / 3, 1 / 3]),
        ([7, 7, 7], [1, 3, 3], [3, 1, 1], [0, 1 / 2, 1 / 2]),
        ([3, 9], [3, 0], [2, 1], [0, 1]),
        ([9, 9], [3, 3], [1, 1], [1 / 2, 1 / 2]),
        ([8, 8, 8, 8], [2, 2, 2, 2], [1, 1, 1, 1], [1 / 4] * 4),
        ([8, 8, 8, 7], [2, 0, 1, 3], [1, 3, 2, 4], [1, 0, 0, 0]),
    ],
)
def test_r32_most_points_then_most_favor_then_a_shared_victory(
    points: list[int], favor: list[int], ranks: list[int], shares: list[float]
) -> None:
    """Equal points are decided by favor left; who is equal in both shares the win, 1/k each."""
    table = Table(len(points))
    for seat in range(len(points)):
        table.give(seat, points=points[seat], favor=favor[seat])
    rows = table.final()
    assert [row.rank for row in rows] == ranks
    assert [row.win_share for row in rows] == pytest.approx(shares)


def test_r32_the_total_with_final_scoring_decides() -> None:
    """Whoever led before final scoring may be overtaken by it."""
    table = Table(2).give(0, points=10).give(1, points=9, delivered=["elder-1"])
    assert [row.rank for row in table.final()] == [2, 1]
