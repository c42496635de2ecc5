"""R9 to R14: sailing, and how rewards come in."""

from __future__ import annotations

from typing import Any

import pytest

from rogsim.games.river_of_gold.components.names import GOODS
from tests.games.river_of_gold.table import Table

IMPERIAL = ("imperial-market-porcelain", "imperial-market-rice", "imperial-market-silk")
SILK_MARKET = "imperial-market-silk"  # the one with a customer to draw


def imperial_at_6(tile: str) -> dict[int, str]:
    """Where the imperial markets lie with this one at shore space 6."""
    others = [other for other in IMPERIAL if other != tile]
    return {6: tile, 17: others[0], 29: others[1]}


def table_with(tile_at_6: str, **options: Any) -> Table:
    table = Table(**options)
    for space, tile in imperial_at_6(tile_at_6).items():
        table.place(space, tile)
    return table


# -------------------------------------------------------------------------------------------------------- R9


def test_r09_the_river_is_a_ring_of_14_spaces() -> None:
    """From every space with every face: on by the face, from 14 to 1, which completes the journey."""
    for start in range(1, 15):
        for die in range(1, 7):
            table = Table(4).give(0, ships=(start, 1), die=die)
            to = start + die if start + die <= 14 else start + die - 14
            assert table.options("sail")[0] == {"do": "sail", "ship": 0, "to": to}
            table.take("sail", ship=0, to=to)
            while table.active == 0 and table.expects in ("discard", "good"):
                table.recorder.take(next(iter(table.menu())))
            assert (table.expects == "journey") == (start + die > 14), (start, die)


def test_r09_ships_share_a_space() -> None:
    """A ship may end where other ships are, of any player."""
    table = Table().give(0, ships=(5, 6)).give(1, ships=(6, 6)).take("sail", ship=0, to=6)
    assert [table.seat(seat).ships for seat in (0, 1)] == [[6, 6], [6, 6]]


# ------------------------------------------------------------------------------------------------------- R10


def test_r10_a_sail_goes_through_all_its_steps_in_order() -> None:
    """Visitor, owners, royal ship, patron, journey, merchants, the row's end: each waits for those before."""
    table = Table(patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"], masteries=["fire"])
    table.place(1, "era2-market-1", 1).place(2, "era2-port-2", 0)
    table.lay_row("era1-port-1", "era1-port-2", "era1-port-3", "era1-port-4")
    coming = table.next_tile(1)
    delivered = ["noble-3", "noble-4", "noble-6", "merchant-2", "merchant-3"]
    table.give(0, royal=0, delivered=delivered, influence={1: 17}).sail_to(1)

    def seen() -> tuple[str, int, int, int]:
        player = table.seat(0)
        return table.expects, player.koku, player.influence[0], table.seat(1).favor

    assert seen() == ("good", 0, 17, 0)  # the market's visitor; space 2 has not had its turn
    table.take("good", good="rice").go_on()
    assert seen() == ("good", 7, 17, 1)  # the port's owner, after all visitor rewards and the market's owner
    assert table.seat(0).points == 0
    table.take("good", good="rice").go_on()
    assert seen() == ("good", 7, 18, 1)  # noble 3's influence
    table.take("good", good="rice").go_on()
    assert seen()[0] == "journey"
    assert table.seat(0).points == 3 + 1 + 1 + 2  # the track, nobles 4 and 6, Daidoji Uji
    table.take("journey", take="koku").go_on()
    assert seen() == ("good", 10, 18, 1)  # merchant 3, after the reward and merchant 2
    assert table.seat(0).points == 7 + 5
    assert table.row == ["era1-port-1", "era1-port-2", "era1-port-3", "era1-port-4"]
    table.take("good", good="silk").go_on()
    assert table.row == [coming, "era1-port-1", "era1-port-2", "era1-port-3"]
    assert table.seat(0).claimed == {"fire": 1}
    assert (table.seat(0).rice, table.seat(0).silk) == (3, 1)


def test_r10_visitor_koku_come_before_the_owner_s() -> None:
    """A player who visits its own port gets 3 koku first: the owner's reward is cut off at 25."""
    table = Table().place(12, "era1-port-2", 0).give(0, koku=22, favor=3).sail_to(6)
    assert (table.seat(0).koku, table.seat(0).porcelain) == (25, 1)


@pytest.mark.parametrize("take", ["koku", *GOODS])
def test_r10_a_journey_brings_3_koku_or_a_good(take: str) -> None:
    """The journey's reward is one of four, after the visit."""
    table = Table().sail_to(1)
    assert [step["take"] for step in table.options("journey")] == ["koku", *GOODS]
    table.take("journey", take=take)
    player = table.seat(0)
    assert (player.koku, sum(player.goods)) == ((7, 0) if take == "koku" else (4, 1))


def test_r10_only_the_row_of_a_completed_journey_loses_its_end_tile() -> None:
    """Sailing within the river leaves the row alone."""
    table = Table()
    row = table.row
    table.sail_to(6)
    assert table.row == row
    table.sail_to(1).take("journey", take="koku")
    assert table.row[1:] == row[:-1]


@pytest.mark.parametrize(("owners", "points"), [((), 0), ((0,), 0), ((0, 0), 0), ((1,), 2), ((0, 2), 2)])
def test_r10_daidoji_scores_once_for_a_visit_to_opponents(owners: tuple[int, ...], points: int) -> None:
    """Daidoji Uji scores 2 points if any building visited has an opponent's marker, with any ship."""
    table = Table(patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"])
    table.place(11, "era1-port-1", *owners).place(12, "era1-port-2", *owners).sail_to(6, ship=1)
    assert table.seat(0).points == points


# ------------------------------------------------------------------------------------------------------- R11


def test_r11_shore_spaces_are_dealt_with_from_the_lowest_number() -> None:
    """At the choice on space 12 the koku of space 11 have come, those of 13 and 15 have not."""
    table = Table().place(12, "era2-market-4").sail_to(6)
    assert (table.expects, table.seat(0).koku) == ("good", 1)
    table.take("good", good="silk")
    assert table.seat(0).koku == 3


def test_r11_one_tile_gives_its_rewards_in_a_fixed_order() -> None:
    """Points, koku, koku for each, goods and favor come before a good of choice; influence and cards after."""
    table = Table().place(12, "era1-manor-1", 0).give(0, favor=1, delivered=["elder-1", "elder-2"])
    reward = table.tables.tiles[table.tile_ids.index("era1-manor-1")].visitor
    for name in ("points", "koku", "koku_per_customer", "koku_per_any", "favor", "any_good", "draw"):
        reward[name] = 1
    reward.koku_per[2], reward.goods[1] = 1, 1  # for manors, and a rice
    table.give(0, koku=3, favor=2).sail_to(6)
    player = table.seat(0)
    assert table.expects == "good"
    assert (player.points, player.koku, player.rice, player.favor) == (1, 3 + 1 + 1 + 1 + 2, 1, 3)
    assert (player.influence[2], player.hand, player.silk) == (0, [], 0)
    table.take("good", good="silk")
    assert (table.expects, table.seat(0).influence[2], len(table.seat(0).hand)) == ("discard", 2, 1)
    assert table.seat(0).silk == 2  # one of choice, one from the track
    assert table.seat(0).koku == 8  # the owner's silk, and the koku of spaces 13 and 15, are still to come


def test_r11_owners_are_paid_marker_by_marker_in_the_order_placed() -> None:
    """On one building the marker placed first is paid first; lower spaces come before higher ones."""
    for owners in ((1, 2), (2, 1), (1, 1), (0, 2)):
        table = Table().place(12, "era2-port-2", *owners).place(13, "era2-shrine-3", 1).sail_to(6)
        choosers = []
        while table.go_on().expects == "good":
            choosers.append(table.chooser)
            seat = {} if table.chooser == table.active else {"seat": table.chooser}
            table.take("good", good="silk", **seat)
        assert choosers == [*owners, 1]


def test_r11_two_own_markers_pay_twice() -> None:
    """A port that pays a koku for each port pays it once for each marker, and it is one port."""
    table = Table().place(12, "era1-port-4", 1, 1).sail_to(6)
    assert table.seat(1).koku == 2


# ------------------------------------------------------------------------------------------------------- R12


def test_r12_everything_waits_for_a_choice_on_somebody_else_s_turn() -> None:
    """An owner's good of choice stops the payments that follow until that seat has chosen."""
    table = Table().place(12, "era2-port-2", 2).place(13, "era1-market-4", 1).give(0, favor=3).sail_to(6)
    assert (table.active, table.chooser, table.expects) == (0, 2, "good")
    assert table.seat(1).points == 0
    table.take("good", good="porcelain", seat=2)
    assert (table.seat(2).goods, table.seat(1).points) == ([0, 0, 1], 1)
    assert (table.active, table.chooser, table.expects) == (1, 1, "turn")


def test_r12_before_another_seat_chooses_the_active_player_may_exchange() -> None:
    """The game pauses for the active player's exchanges, with what the turn has brought so far, then goes on."""
    table = Table().place(12, "era2-port-2", 1).give(0, silk=2, favor=3).give(1, silk=4).sail_to(6)
    assert (table.chooser, table.expects) == (0, "pause")
    assert [step["do"] for step in table.menu().values()] == ["pass", "exchange", "exchange"]
    table.take("exchange", give="silk", get="rice")
    assert (table.chooser, table.expects) == (0, "pause")
    assert list(table.menu().values()) == [{"do": "pass"}]
    table.take("pass")
    assert (table.chooser, table.expects) == (1, "good")
    table.take("good", good="silk", seat=1)
    assert [step["do"] for step in table.steps[:3]] == ["sail", "exchange", "good"]
    assert (table.seat(0).goods, table.seat(1).goods) == ([0, 1, 0], [5, 0, 0])


def test_r12_each_choice_of_another_seat_has_its_own_pause() -> None:
    """Between the choices of two other seats the active player may exchange again."""
    table = Table().place(12, "era2-port-2", 1, 2).give(0, silk=2, favor=3).sail_to(6)
    for seat in (1, 2):
        assert (table.chooser, table.expects) == (0, "pause")
        table.take("pass").take("good", good="rice", seat=seat)
    assert (table.chooser, table.expects) == (0, "pause")  # the end of the turn
    table.take("pass")
    assert table.active == 1


def test_r12_without_anything_to_exchange_there_is_no_pause() -> None:
    """The other seat is asked at once when the active player could not exchange anyway."""
    for goods in ({"silk": 1, "rice": 1}, {"silk": 6, "rice": 6, "porcelain": 6, "koku": 25}):
        table = Table().place(12, "era2-port-2", 1).give(0, favor=3, **goods).sail_to(6)
        assert (table.chooser, table.expects) == (1, "good")


def test_r12_a_full_good_may_be_chosen_and_is_lost() -> None:
    """All three goods are on offer, and the seventh of a kind is gone."""
    table = Table().place(12, "era2-market-1").give(0, silk=6, rice=6, porcelain=6, favor=3).sail_to(6)
    assert [step["good"] for step in table.options("good")] == list(GOODS)
    table.take("good", good="rice")
    assert table.seat(0).goods == [6, 6, 6]


def test_r12_a_track_s_good_is_chosen_by_the_owner_who_climbed() -> None:
    """An owner who reaches space 18 on another's turn scores there and then, and chooses the good."""
    table = Table().place(12, "era2-manor-1", 1).give(1, influence={3: 17}).sail_to(6)
    assert (table.chooser, table.expects) == (1, "good")
    assert (table.seat(1).influence[2], table.seat(1).points) == (18, 3)


# ------------------------------------------------------------------------------------------------------- R13


def test_r13_markets_of_the_emperor_and_starting_tiles_pay_no_owner() -> None:
    """They give to the visitor and to nobody else."""
    table = table_with("imperial-market-rice").place(8, "start-port").place(9, "start-shrine")
    table.place(10, "start-manor").sail_to(4)
    visitor = table.seat(0)
    assert (visitor.rice, visitor.favor, visitor.koku, visitor.points) == (2, 1, 3, 2)  # a rice from the track
    assert visitor.influence == [0, 2, 0, 0, 0, 0]
    for other in (table.seat(1), table.seat(2)):
        assert (sum(other.goods), other.koku, other.points, sum(other.influence)) == (0, 0, 0, 0)


def test_r13_a_visitor_s_ability_takes_an_imperial_market_for_a_market() -> None:
    """Noble 1 lets the royal ship choose the good there."""
    table = table_with("imperial-market-rice").give(0, royal=0, delivered=["noble-1"]).sail_to(4)
    assert (table.expects, table.seat(0).favor) == ("good", 0)
    table.take("good", good="silk")
    assert (table.seat(0).goods, table.seat(0).favor) == ([1, 0, 0], 1)


def test_r13_what_counts_owned_buildings_does_not_know_them() -> None:
    """Koku for each market, masteries, merchant 1, nobles 4 and 6 and final scoring leave them out."""
    table = table_with("imperial-market-rice", masteries=["water"], patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"])
    for space, tile in {8: "start-port", 9: "start-manor", 10: "start-shrine", 27: "era1-market-6"}.items():
        table.place(space, tile, *([0] if tile.startswith("era") else []))
    nobles = [f"noble-{region}" for region in (1, 2, 3, 4, 5, 6)]
    table.give(0, royal=1, delivered=[*nobles, "merchant-1"])
    assert table.seat(0).owned == {"port": 0, "market": 1, "manor": 0, "shrine": 0}
    assert table.final()[0].nobles == 1 + 0 + 0 + 0 + 1 + 1
    table.sail_to(4, ship=1)
    points = 2 + 0  # the shrine visited: no noble, no Daidoji Uji
    while table.active == 0:
        table.recorder.take(next(iter(table.menu())))
    assert table.seat(0).points == points
    assert table.seat(0).claimed == {}


# ------------------------------------------------------------------------------------------------------- R14


def test_r14_one_customer_is_drawn_and_one_of_the_hand_discarded_the_new_one_included() -> None:
    """The silk market's visitor draws the top card, then gives up any card of the hand, face up."""
    for given_up in ("elder-1", "elder-2", "monk-4"):
        table = table_with(SILK_MARKET).give(0, hand=["elder-1", "elder-2"]).lay_deck(["monk-4", "monk-5"])
        table.sail_to(4)
        assert {"do": "draw", "customers": ["monk-4"]} in table.steps
        assert [step["customer"] for step in table.options("discard")] == ["elder-1", "elder-2", "monk-4"]
        table.take("discard", customer=given_up)
        assert table.discards == [given_up]
        assert set(table.seat(0).hand) == {"elder-1", "elder-2", "monk-4"} - {given_up}
        assert table.deck[0] == "monk-5"


def test_r14_the_discard_comes_before_the_next_shore_space() -> None:
    """The spaces after the silk market wait until a card was discarded."""
    table = table_with(SILK_MARKET).sail_to(4)
    assert (table.expects, table.seat(0).koku, table.seat(0).silk) == ("discard", 0, 1)
    table.take("discard", customer=table.seat(0).hand[0])
    assert table.seat(0).koku == 3
