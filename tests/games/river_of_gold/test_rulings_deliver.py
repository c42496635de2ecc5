"""R15 to R19: delivering, the deck, monks, markers and nobles."""

from __future__ import annotations

import pytest

from tests.games.river_of_gold.table import Step, Table


def do(table: Table) -> list[str]:
    return [step["do"] for step in table.steps]


def last(table: Table, kind: str) -> Step:
    return [step for step in table.steps if step["do"] == kind][-1]


# ------------------------------------------------------------------------------------------------------- R15


def test_r15_the_order_is_paid_before_the_track_gives_a_good() -> None:
    """With 6 silk the silk on the track of region 3 fits, for the order was paid first."""
    table = Table().give(0, silk=6, favor=3).deliver("artisan-3")
    assert (table.seat(0).silk, table.seat(0).influence[2]) == (6 - 2 + 1, 2)


def test_r15_patron_then_reward_then_two_cards_drawn_and_one_discarded() -> None:
    """At the choice of the royal ship Kudaka has scored; influence and cards are still to come."""
    table = Table(patrons=["kudaka", "daidoji-uji", "kaiu-shihobu"]).deliver("noble-2")
    player = table.seat(0)
    assert (table.expects, player.points, player.goods) == ("royal", 3, [0, 0, 0])
    assert (player.influence[1], player.hand, player.delivered) == (0, [], ["noble-2"])
    table.take("royal", ship=1)
    player = table.seat(0)
    assert (table.expects, player.influence[1], len(player.hand)) == ("discard", 2, 2)
    drawn = last(table, "draw")["customers"]
    assert sorted(drawn) == player.hand
    table.take("discard", customer=drawn[0]).go_on()
    assert (table.seat(0).hand, table.discards, table.active) == (drawn[1:], drawn[:1], 1)


def test_r15_any_card_of_the_hand_may_be_discarded() -> None:
    """The old cards are on offer beside the two new ones."""
    table = Table().give(0, hand=["monk-1", "elder-3"]).lay_deck(["elder-5", "noble-1"]).deliver("artisan-3")
    offered = [step["customer"] for step in table.options("discard")]
    assert offered == ["elder-3", "elder-5", "monk-1", "noble-1"]
    table.take("discard", customer="monk-1")
    assert table.seat(0).hand == ["elder-3", "elder-5", "noble-1"]


@pytest.mark.parametrize(
    ("customer", "influence", "favor", "limit"),
    [("artisan-2", 2, 0, 3), ("elder-2", 0, 0, 3), ("merchant-2", 3, 0, 3), ("monk-2", 0, 2, 4), ("noble-2", 2, 0, 3)],
)
def test_r15_each_type_has_its_reward(customer: str, influence: int, favor: int, limit: int) -> None:
    """Influence in the customer's region, or favor and a higher limit, as the type says."""
    table = Table().deliver(customer)
    if table.expects == "royal":
        table.take("royal", ship=0)
    player = table.seat(0)
    assert player.influence == [0, influence, 0, 0, 0, 0]
    assert (player.favor, player.favor_limit) == (favor, limit)


def test_r15_a_lasting_ability_counts_from_the_delivery_on() -> None:
    """The artisan's discount applies in the player's next turn."""
    table = Table(2).give(0, influence={1: 3}).deliver("artisan-1")
    table.take("discard", customer=table.seat(0).hand[0]).go_on()
    table.turn_of(0).give(0, die=1, koku=3)
    assert {step["space"] for step in table.options("build")} == {2}


def test_r15_kudaka_scores_the_first_customer_of_each_region() -> None:
    """3 points for a region not delivered to before, nothing for the second customer of one."""
    table = Table(patrons=["kudaka", "daidoji-uji", "kaiu-shihobu"]).give(0, delivered=["elder-2", "monk-5"])
    table.deliver("elder-5")
    assert table.seat(0).points == 0
    table = Table(patrons=["kudaka", "daidoji-uji", "kaiu-shihobu"]).give(0, delivered=["elder-2", "monk-5"])
    table.deliver("elder-4")
    assert table.seat(0).points == 3


# ------------------------------------------------------------------------------------------------------- R16


def test_r16_the_discard_pile_becomes_the_deck_when_a_card_is_needed() -> None:
    """With an empty deck all discards are shuffled into a new one, and the draw goes on from it."""
    pile = ["elder-1", "elder-2", "elder-3", "elder-4"]
    table = Table().give(0, hand=["artisan-3"]).lay_deck([], discards=pile, rest=2).deliver("artisan-3")
    order = last(table, "reshuffle")["deck"]
    assert sorted(order) == pile
    assert do(table) == ["deliver", "reshuffle", "draw"]
    assert last(table, "draw")["customers"] == order[:2]
    assert (table.deck, table.discards) == (order[2:], [])
    table.take("discard", customer=order[0])
    assert table.discards == [order[0]]


def test_r16_the_deck_may_give_out_halfway_through_a_draw() -> None:
    """The last card of the deck is drawn, the discards are shuffled, and the second card comes from them."""
    pile = ["elder-1", "elder-2", "elder-3"]
    table = Table().give(0, hand=["artisan-3"]).lay_deck(["monk-6"], discards=pile, rest=2).deliver("artisan-3")
    assert do(table) == ["deliver", "draw", "reshuffle", "draw"]
    assert table.steps[1]["customers"] == ["monk-6"]
    assert len(table.options("discard")) == 2


@pytest.mark.parametrize(("deck", "pile"), [(["monk-6"], []), ([], ["monk-6"]), ([], [])])
def test_r16_who_gets_too_few_cards_discards_nothing(deck: list[str], pile: list[str]) -> None:
    """With one card left in deck and discards, or none, the player keeps what came."""
    table = Table().give(0, hand=["artisan-3", "elder-1"]).lay_deck(deck, discards=pile, rest=2)
    table.deliver("artisan-3").go_on()
    assert table.seat(0).hand == ["elder-1", *deck, *pile]
    assert "discard" not in do(table)
    assert (table.active, table.deck, table.discards) == (1, [], [])


def test_r16_reshuffles_differ_from_each_other_and_between_games() -> None:
    """Each reshuffle of a game has an order of its own, given by the game's chance."""
    pile = [f"elder-{region}" for region in range(1, 7)]
    orders = set()
    for deals in range(4):
        table = Table(2, deals=deals)
        for _ in range(2):
            table.turn_of(0).give(0, hand=["artisan-3"], delivered=[]).lay_deck([], discards=pile, rest=1)
            table.deliver("artisan-3")
            orders.add(tuple(last(table, "reshuffle")["deck"]))
            table.take("discard", customer=table.seat(0).hand[0])
    assert len(orders) == 8


# ------------------------------------------------------------------------------------------------------- R17


def test_r17_the_favor_limit_rises_before_the_favor_comes() -> None:
    """At 3 of 3 one of the 2 favor fits under the new limit of 4; at 2 of 3 both do."""
    for favor, then in ((3, 4), (2, 4), (1, 3), (0, 2)):
        table = Table().give(0, favor=favor).deliver("monk-1")
        assert (table.seat(0).favor, table.seat(0).favor_limit) == (then, 4)


@pytest.mark.parametrize("region", range(1, 7))
def test_r17_the_second_marker_goes_onto_a_building_with_exactly_one(region: int) -> None:
    """Monks 1, 3 and 5 mark a building of the player, monks 2, 4 and 6 an opponent's, in any region."""
    table = Table().place(1, "era1-port-1", 0).place(28, "era1-port-2", 0).place(7, "era1-port-3", 1)
    table.place(9, "era1-port-4", 2).place(18, "era1-port-5", 0, 0).place(19, "era1-port-6", 1, 0)
    table.place(8, "era1-manor-1", 2, 1).place(10, "start-port").deliver(f"monk-{region}")
    assert table.expects == "marker"
    spaces = {1, 28} if region % 2 else {7, 9}
    assert [step["space"] for step in table.options("marker")] == sorted(spaces)
    assert len(table.menu()) == 2  # it must be placed


def test_r17_without_such_a_building_the_marker_is_forgone() -> None:
    """The delivery goes on to the cards when no building will do."""
    table = Table().place(7, "era1-port-3", 1).place(18, "era1-port-5", 0, 0).deliver("monk-3")
    assert table.expects == "discard"
    table = Table().place(7, "era1-port-3", 0).place(18, "era1-port-5", 1, 1).deliver("monk-4")
    assert table.expects == "discard"


def test_r17_the_second_marker_brings_no_influence_and_pays_from_the_next_visit() -> None:
    """Placing it changes nothing but the marker; the building then pays twice."""
    table = Table(2).place(12, "era1-port-5", 0).give(0, influence=[1, 1, 1, 1, 1, 1]).deliver("monk-1")
    table.take("marker", space=12)
    assert (table.seat(0).influence, table.seat(0).points) == ([1] * 6, 0)
    assert table.owners(12) == [0, 0]
    table.take("discard", customer=table.seat(0).hand[0]).sail_to(6)
    assert table.seat(0).points == 2


def test_r17_a_marker_on_an_opponent_s_building_makes_an_owner() -> None:
    """The co-owner is paid second and counts the building as owned."""
    table = Table(2).place(12, "era1-port-5", 1).deliver("monk-4").take("marker", space=12)
    assert table.owners(12) == [1, 0]
    assert (table.seat(0).owned["port"], table.seat(1).owned["port"]) == (1, 1)
    table.take("discard", customer=table.seat(0).hand[0]).sail_to(6)
    assert (table.seat(0).points, table.seat(1).points) == (1, 1)


# ------------------------------------------------------------------------------------------------------- R18


def test_r18_two_markers_of_one_player_are_one_building() -> None:
    """A player's second marker adds no building, for koku by building, for masteries or at the end."""
    table = Table(masteries=["earth"]).place(12, "era1-port-4", 0).place(11, "era1-port-5", 0)
    table.give(0, delivered=["noble-2"]).deliver("monk-1").take("marker", space=12)
    assert table.seat(0).owned["port"] == 2
    table.take("discard", customer=table.seat(0).hand[0]).go_on()
    assert table.seat(0).claimed == {}
    assert table.final()[0].nobles == 2
    table.turn_of(1).give(0, koku=0).sail_to(6)
    assert table.seat(0).koku == 2 * 2  # two markers, each paid for two ports


def test_r18_two_players_markers_count_in_full_for_each() -> None:
    """A shared port is a third port for both of its owners."""
    table = Table(masteries=["earth"]).place(11, "era1-port-1", 0).place(13, "era1-port-2", 0)
    table.place(21, "era1-port-3", 1).place(22, "era1-port-6", 1).place(12, "era1-port-4", 1)
    table.give(0, delivered=["noble-2"]).deliver("monk-4").take("marker", space=12)
    table.take("discard", customer=table.seat(0).hand[0]).go_on()
    assert (table.seat(0).owned["port"], table.seat(1).owned["port"]) == (3, 3)
    assert table.seat(0).claimed == {"earth": 1}
    assert table.final()[0].nobles == 3
    table.give(0, koku=0).give(1, koku=0).sail_to(6)
    assert table.seat(0).koku == 3 + 1  # three ports, and the owner's koku of the port on 13
    assert table.seat(1).claimed == {"earth": 2}


# ------------------------------------------------------------------------------------------------------- R19


def test_r19_the_first_noble_asks_which_ship_becomes_royal_before_the_influence() -> None:
    """Both ships are on offer; the track's good comes only after the choice."""
    table = Table().deliver("noble-3")
    assert [step["ship"] for step in table.options("royal")] == [0, 1]
    assert table.seat(0).royal == -1
    assert (table.seat(0).influence[2], table.seat(0).silk) == (0, 0)
    table.take("royal", ship=1)
    assert (table.seat(0).royal, table.seat(0).influence[2], table.seat(0).silk) == (1, 2, 1)


def test_r19_later_nobles_do_not_ask() -> None:
    """The royal ship stays what it is."""
    table = Table().give(0, delivered=["noble-3"], royal=0).deliver("noble-4")
    assert table.expects == "discard"
    assert (table.seat(0).royal, table.seat(0).influence[3]) == (0, 2)
