"""R20 and R21: what nobles add to the royal ship, and what merchants give for a journey."""

from __future__ import annotations

import pytest

from rogsim.games.river_of_gold.components.names import GOODS
from tests.games.river_of_gold.table import Table


def royal(*nobles: int, players: int = 3) -> Table:
    """A table whose first seat has these nobles, ship 0 being the royal one."""
    return Table(players).give(0, royal=0, delivered=[f"noble-{region}" for region in nobles])


# ------------------------------------------------------------------------------------------------------- R20


def test_r20_noble_1_asks_for_every_single_market_good_where_the_printed_one_would_come() -> None:
    """Two markets, two choices; the printed kind is among them, and favor on the tile comes after the good."""
    table = royal(1).place(11, "era1-market-1").place(13, "era2-market-1").place(12, "era1-port-1")
    visitor = table.tables.tiles[table.tile_ids.index("era1-market-1")].visitor
    visitor.favor, visitor.goods[2] = 1, 1  # silk and porcelain, then a favor
    table.sail_to(6)
    for expected_koku, favor in ((0, 0), (0, 0), (3, 1)):
        assert (table.expects, table.seat(0).koku, table.seat(0).favor) == ("good", expected_koku, favor)
        assert [step["good"] for step in table.options("good")] == list(GOODS)
        table.take("good", good="rice")
    assert (table.seat(0).goods, table.seat(0).koku) == ([0, 3, 0], 4)
    assert table.go_on().active == 1


def test_r20_noble_1_works_for_the_royal_ship_at_markets_only() -> None:
    """The other ship gets the printed good; what an owner gets, or another building gives, stays printed."""
    table = royal(1).place(12, "era1-market-1").sail_to(6, ship=1)
    assert (table.active, table.seat(0).silk) == (1, 1)
    table = royal(1).place(12, "era1-shrine-2", 0)
    table.tables.tiles[table.tile_ids.index("era1-shrine-2")].visitor.goods[1] = 1  # a rice, though no market
    table.sail_to(6)
    assert (table.active, table.seat(0).goods) == (1, [1, 1, 0])


def test_r20_noble_1_asks_before_the_customer_of_the_silk_market() -> None:
    """The good is chosen first, then a card is drawn and one discarded."""
    table = royal(1).place(17, "imperial-market-rice").place(29, "imperial-market-porcelain")
    table.place(6, "imperial-market-silk").sail_to(4)
    assert (table.expects, table.seat(0).hand) == ("good", [])
    table.take("good", good="rice")
    assert (table.expects, len(table.seat(0).hand)) == ("discard", 1)


def test_r20_noble_2_adds_a_koku_for_each_empty_space() -> None:
    """Three empty spaces give 3 koku to any ship, and 3 more to the royal one."""
    table = royal(2).place(12, "era1-shrine-6").sail_to(6)
    assert table.seat(0).koku == 3 + 3
    table = royal(2).place(12, "era1-shrine-6").sail_to(6, ship=1)
    assert table.seat(0).koku == 3


def test_r20_noble_3_gives_influence_in_each_region_beside_the_ship_low_to_high() -> None:
    """River space 7 lies in regions 3 and 4: two moves, the good of region 3's end chosen between them."""
    table = royal(3).give(0, influence={3: 17}).sail_to(7)
    assert (table.expects, table.seat(0).influence) == ("good", [0, 0, 18, 0, 0, 0])
    table.take("good", good="silk")
    assert table.seat(0).influence == [0, 0, 18, 1, 0, 0]
    table = royal(3).sail_to(6)
    assert table.seat(0).influence == [0, 0, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("owners", "noble_4", "noble_6"),
    [((), 0, 0), ((0,), 0, 1), ((1,), 1, 0), ((0, 0), 0, 1), ((0, 2), 1, 1), ((2, 0), 1, 1), ((1, 2), 1, 0)],
)
def test_r20_nobles_4_and_6_score_for_an_opponent_s_and_an_own_building(
    owners: tuple[int, ...], noble_4: int, noble_6: int
) -> None:
    """A point each, once a visit; a building with markers of both belongs to both; starting tiles to nobody."""
    for nobles, points in (((4,), noble_4), ((6,), noble_6), ((4, 6), noble_4 + noble_6)):
        table = royal(*nobles).place(11, "era1-port-1", *owners).place(12, "era1-port-2", *owners)
        table.place(13, "start-port").give(0, favor=3).sail_to(6)
        assert table.seat(0).points == points, nobles


def test_r20_noble_5_moves_the_royal_ship_by_a_neighbouring_face() -> None:
    """The royal ship has three spaces to choose from, 6 and 1 being neighbours; the die and its build stay."""
    for die, moves in ((1, {6, 1, 2}), (6, {5, 6, 1}), (3, {2, 3, 4})):
        table = royal(5).give(0, die=die, ships=(1, 8))
        sails = [(step["ship"], step["to"]) for step in table.options("sail")]
        assert sorted(sails) == sorted([(0, 1 + move) for move in moves] + [(1, 8 + die)])
    table = royal(5).give(0, die=6, ships=(1, 8), koku=20, favor=3)
    assert {(step["space"] - 1) // 5 + 1 for step in table.options("build")} == {6}
    table.take("sail", ship=0, to=2)
    assert table.seat(0).ships == [2, 8]


def test_r20_noble_5_can_complete_a_journey_that_the_die_cannot() -> None:
    """From 13 with a 1 the royal ship may go 2 and come to 1, or 6 and come to 5."""
    table = royal(5).give(0, die=1, ships=(13, 8))
    assert {step["to"] for step in table.options("sail") if step["ship"] == 0} == {14, 1, 5}
    table.take("sail", ship=0, to=1)
    assert table.expects == "journey"


def test_r20_all_nobles_work_together() -> None:
    """One sail of the royal ship by a neighbouring face brings all six abilities at once."""
    table = royal(1, 2, 3, 4, 5, 6).place(11, "era1-market-1", 1).place(12, "era1-shrine-6", 0)
    table.give(0, die=2, ships=(3, 8)).take("sail", ship=0, to=6)
    assert table.expects == "good"
    table.take("good", good="porcelain").go_on()
    player = table.seat(0)
    assert player.goods == [0, 0, 1]
    assert player.koku == 2 + 2  # two empty spaces, twice
    assert player.influence == [0, 0, 1, 0, 0, 0]
    assert player.points == 2 + 1 + 1 + 1  # visitor, owner, nobles 4 and 6
    assert table.active == 1


# ------------------------------------------------------------------------------------------------------- R21


def trader(*merchants: int, players: int = 3, **fields: object) -> Table:
    """A table whose first seat has these merchants."""
    table = Table(players)
    return table.give(0, delivered=[f"merchant-{region}" for region in merchants], favor=3, **fields)


def journey(table: Table, ship: int = 0) -> Table:
    """Complete a journey with the koku for its reward; four empty spaces bring 4 koku before."""
    return table.sail_to(1, ship=ship).take("journey", take="koku")


def test_r21_merchant_1_gives_influence_once_in_each_region_with_an_own_building() -> None:
    """Two buildings in a region count once, a shared one counts, an opponent's does not."""
    table = trader(1).place(7, "era1-port-1", 0).place(8, "era1-port-2", 0).place(18, "era1-port-3", 1, 0)
    table.place(28, "era1-port-4", 1).place(12, "era1-port-5", 0, 0)
    journey(table)
    assert table.seat(0).influence == [0, 1, 1, 1, 0, 0]
    assert sum(table.seat(1).influence) == 0


def test_r21_merchant_1_goes_through_the_regions_low_to_high() -> None:
    """A good chosen at the end of region 2's track comes before the influence in region 4."""
    table = trader(1, influence={2: 17}).place(7, "era1-port-1", 0).place(18, "era1-port-3", 0)
    journey(table)
    assert (table.expects, table.seat(0).influence) == ("good", [0, 18, 0, 0, 0, 0])
    table.take("good", good="silk")
    assert table.seat(0).influence == [0, 18, 0, 1, 0, 0]


def test_r21_merchant_2_scores_a_point_for_each_customer_delivered_to() -> None:
    """All customers count, merchant 2 itself among them."""
    table = Table().give(0, delivered=["merchant-2", "elder-1", "artisan-4"])
    assert journey(table).seat(0).points == 3


def test_r21_merchant_3_gives_a_good_of_choice() -> None:
    """After the journey's reward another good is chosen."""
    table = journey(trader(3))
    assert (table.expects, table.seat(0).koku) == ("good", 7)
    assert table.take("good", good="porcelain").seat(0).goods == [0, 0, 1]


def test_r21_merchant_4_buys_any_number_of_goods() -> None:
    """Each good sold brings 5 koku; one may stop at any time, and is not asked with nothing to sell."""
    table = journey(trader(4, silk=2, rice=1))
    assert [step["do"] for step in table.menu().values() if step["do"] != "exchange"] == ["pass", "sell", "sell"]
    table.take("sell", good="silk").take("sell", good="rice")
    assert (table.seat(0).koku, table.seat(0).goods) == (17, [1, 0, 0])
    table.take("pass").go_on()
    assert (table.active, table.seat(0).goods) == (1, [1, 0, 0])
    assert journey(trader(4)).active == 1
    table = journey(trader(4, rice=1)).take("sell", good="rice")
    assert table.go_on().active == 1


def test_r21_merchant_4_buys_at_25_koku_too_and_the_koku_are_lost() -> None:
    """Selling stays possible when nothing of the price fits."""
    table = journey(trader(4, koku=25, rice=2)).take("sell", good="rice")
    assert (table.seat(0).koku, table.seat(0).rice, table.expects) == (25, 1, "sell")


def test_r21_who_exchanges_amid_the_selling_sells_at_least_one_good_more() -> None:
    """The sale stays open after an exchange, and cannot be ended before the next good is sold."""
    table = journey(trader(4, silk=4)).take("exchange", give="silk", get="rice")
    assert table.options("pass") == []
    table.take("sell", good="rice")
    assert table.options("pass") == [{"do": "pass"}]


def test_r21_merchant_5_gives_a_favor_and_merchant_6_three_koku() -> None:
    """Both come by themselves, within their limits."""
    table = trader(5).give(0, favor=1)
    assert journey(table).seat(0).favor == 2
    assert journey(trader(5)).seat(0).favor == 3
    assert journey(trader(6)).seat(0).koku == 4 + 3 + 3
    assert journey(trader(6, koku=19)).seat(0).koku == 25


def test_r21_merchants_work_for_either_ship_and_for_completed_journeys_only() -> None:
    """The standard ship does as well as the royal one; a sail within the river brings nothing."""
    for ship in (0, 1):
        table = trader(6).give(0, delivered=["merchant-6", "noble-6"], royal=0)
        assert journey(table, ship).seat(0).koku == 10
    assert trader(2, 5, 6).sail_to(6).seat(0).koku == 4


def test_r21_all_merchants_work_in_the_order_of_their_numbers() -> None:
    """From merchant 1 to merchant 6, each waiting for the choices of those before."""
    table = trader(1, 2, 3, 4, 5, 6, influence={3: 17}).give(0, favor=1).place(12, "era1-port-2", 0)
    row = table.row
    journey(table)
    player = table.seat(0)
    assert (table.expects, player.influence[2], player.points) == ("good", 18, 3)  # merchant 1
    table.take("good", good="silk")
    assert (table.expects, table.seat(0).points) == ("good", 3 + 6)  # merchant 2 has scored, 3 asks
    table.take("good", good="silk")
    assert (table.expects, table.seat(0).favor, table.seat(0).koku) == ("sell", 1, 7)
    table.take("sell", good="silk")
    assert (table.expects, table.seat(0).favor, table.seat(0).koku, table.row) == ("sell", 1, 12, row)
    table.take("pass").go_on()
    assert (table.seat(0).favor, table.seat(0).koku) == (2, 15)
    assert table.row[1:] == row[:-1]
