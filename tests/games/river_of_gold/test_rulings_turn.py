"""R1 to R5: the steps of a turn, favor, exchanges, limits, and what is always possible."""

from __future__ import annotations

import pytest

from rogsim.games.river_of_gold.components.names import GOODS
from tests.games.river_of_gold.table import Table

KOKU_TO_FAVOR = {"do": "exchange", "give": "koku", "get": "favor"}


def kinds(table: Table) -> set[str]:
    return {step["do"] for step in table.menu().values()}


# -------------------------------------------------------------------------------------------------------- R1


def test_r01_a_turn_is_favor_then_one_action_then_claims_then_the_roll() -> None:
    """The steps of a turn come in the rulebook's order, and the next player is on after one action."""
    table = Table(masteries=["courts"]).give(0, favor=1, influence={1: 11})
    table.take("favor", die=2).take("sail", ship=1, to=10)
    assert [step["do"] for step in table.steps] == ["favor", "sail", "claim", "roll"]
    assert (table.active, table.chooser, table.expects) == (1, 1, "turn")


def test_r01_a_turn_is_played_with_the_face_rolled_at_the_end_of_the_turn_before() -> None:
    """The roll is the face of the same player's next turn; nobody else's die turns."""
    table = Table(2).give(0, die=3).give(1, die=5)
    table.take("sail", ship=1, to=11)
    rolled = table.steps[-1]["die"]
    assert (table.seat(0).die, table.seat(1).die) == (rolled, 5)
    table.take("sail", ship=0, to=6)
    assert (table.active, table.seat(0).die) == (0, rolled)
    assert {"do": "sail", "ship": 0, "to": 1 + rolled} in table.options("sail")


def test_r01_the_first_turn_is_played_with_the_face_of_the_set_up() -> None:
    """Nobody rolls before the first turn: the dice show what the set-up says."""
    for deals in range(5):
        table = Table(4, bare=False, deals=deals)
        assert [table.seat(seat).die for seat in range(4)] == table.recorder.opening["dice"]
        assert table.steps == []


# -------------------------------------------------------------------------------------------------------- R2


@pytest.mark.parametrize(
    ("die", "favor", "faces"),
    [
        (6, 1, {1, 5}),
        (1, 1, {2, 6}),
        (1, 2, {2, 3, 5, 6}),
        (5, 2, {3, 4, 6, 1}),
        (2, 3, {1, 3, 4, 5, 6}),
        (4, 0, set()),
    ],
)
def test_r02_favor_turns_the_die_up_or_down_past_six_and_one(die: int, favor: int, faces: set[int]) -> None:
    """Each favor reaches one face further, either way round."""
    table = Table().give(0, die=die, favor=favor)
    assert {step["die"] for step in table.options("favor")} == faces


def test_r02_the_shorter_way_is_paid_again_and_again() -> None:
    """From 6 to 1 costs 1, from 1 to 4 costs 3; the die is turned as long as there is favor."""
    table = Table().give(0, die=6, favor=4, favor_limit=4)
    table.take("favor", die=1)
    assert (table.seat(0).die, table.seat(0).favor) == (1, 3)
    table.take("favor", die=4)
    assert (table.seat(0).die, table.seat(0).favor) == (4, 0)
    assert table.options("favor") == []
    assert {step["to"] for step in table.options("sail")} == {5, 12}


def test_r02_no_favor_is_spent_once_the_action_is_taken() -> None:
    """Neither a choice within the action nor the pause at the turn's end offers to turn the die."""
    table = Table().place(12, "era2-market-1").give(0, favor=2, silk=4).sail_to(6)
    assert table.expects == "good"
    assert kinds(table) == {"good", "exchange"}
    table.take("good", good="rice")
    assert table.expects == "pause"
    assert kinds(table) == {"pass", "exchange"}


# -------------------------------------------------------------------------------------------------------- R3


def test_r03_two_goods_buy_one_and_five_koku_buy_a_favor() -> None:
    """An exchange takes 2 of one good for 1 of another, or 5 koku for 1 favor, any number of times."""
    table = Table().give(0, silk=4, koku=11)
    table.take("exchange", give="silk", get="rice").take("exchange", give="silk", get="porcelain")
    table.take("exchange", give="koku", get="favor").take("exchange", give="koku", get="favor")
    player = table.seat(0)
    assert (player.goods, player.koku, player.favor) == ([0, 1, 1], 1, 2)
    assert (table.active, table.expects) == (0, "turn")
    assert table.options("exchange") == []


def test_r03_any_moment_of_the_own_turn_allows_an_exchange() -> None:
    """One can exchange before the action, between two choices that it brings, and after the roll."""
    table = Table().place(11, "era2-market-1").place(12, "era2-market-2").give(0, silk=6)
    trade = {"give": "silk", "get": "rice"}
    table.take("exchange", **trade).sail_to(6)
    table.take("good", good="porcelain")
    assert table.expects == "good"
    table.take("exchange", **trade).take("good", good="porcelain").take("exchange", **trade)
    assert [step["do"] for step in table.steps] == [
        *["exchange", "sail", "good", "exchange", "good", "roll", "exchange"]
    ]
    assert table.seat(0).goods == [0, 3, 2]


def test_r03_nobody_exchanges_during_another_turn_even_when_asked_for_a_choice() -> None:
    """The seat that must choose a good has enough to exchange, and is offered goods only."""
    table = Table().place(12, "era2-port-2", 1).give(1, silk=6, koku=20).sail_to(6).go_on()
    assert (table.chooser, table.expects) == (1, "good")
    assert list(table.menu().values()) == [{"do": "good", "good": good, "seat": 1} for good in GOODS]


def test_r03_what_would_be_lost_is_not_offered() -> None:
    """No good that is at 6 and no favor at the favor limit can be bought."""
    table = Table().give(0, silk=6, rice=2, porcelain=1, koku=25, favor=3)
    offered = {(step["give"], step["get"]) for step in table.options("exchange")}
    assert offered == {("silk", "rice"), ("silk", "porcelain"), ("rice", "porcelain")}
    table.give(0, favor=2)
    assert KOKU_TO_FAVOR in table.options("exchange")
    table.give(0, koku=4)
    assert KOKU_TO_FAVOR not in table.options("exchange")


# -------------------------------------------------------------------------------------------------------- R4


def test_r04_no_more_than_25_koku_and_6_of_a_good_are_kept() -> None:
    """A gain that does not fit is cut off: 3 koku at 24, and silk at 6, leave 25 and 6."""
    table = Table().place(11, "era1-port-1").place(12, "era1-market-1").place(13, "era1-market-2")
    table.give(0, koku=22, silk=6, rice=5, favor=3).sail_to(6)
    player = table.seat(0)
    assert (player.koku, player.goods) == (25, [6, 6, 0])


def test_r04_favor_stops_at_its_limit_and_the_limit_at_six() -> None:
    """The moon marker holds the sun marker back, and goes no further than 6 itself."""
    table = Table().place(12, "era1-port-3", 0).give(0, favor=3).sail_to(6)
    assert (table.seat(0).favor, table.seat(0).favor_limit) == (3, 3)
    table = Table().give(0, favor=5, favor_limit=6).deliver("monk-1")
    assert (table.seat(0).favor, table.seat(0).favor_limit) == (6, 6)


def test_r04_influence_ends_at_space_18() -> None:
    """A bonus of 4 from space 16 ends on 18, and the last space's reward comes once."""
    table = Table().give(0, influence={3: 16}).lay_row("era1-port-3").build(12)
    table.take("good", good="silk")
    assert (table.seat(0).influence[2], table.seat(0).points) == (18, 3)
    table = Table().give(0, influence={3: 18}).lay_row("era1-port-3").build(12)
    assert (table.seat(0).points, table.active) == (0, 1)


def test_r04_the_supply_never_runs_out() -> None:
    """All four players can hold 25 koku, 100 where 95 are printed; 22 markers are no limit either."""
    table = Table(4).place(12, "era1-port-1")
    for seat in range(4):
        table.give(seat, koku=25, favor=3)
    table.give(0, koku=20).sail_to(6)
    assert [table.seat(seat).koku for seat in range(4)] == [25] * 4
    table = Table(4).give(0, influence=[1] * 6)
    tiles = [tile for tile in table.tile_ids if tile.startswith("era")]
    for space, tile in zip((s for s in range(1, 26) if s not in (6, 11, 17)), tiles, strict=False):
        table.place(space, tile, 0)
    table.lay_row("era2-shrine-4").build(11)
    assert sum(table.seat(0).owned.values()) == 23
    assert table.owners(11) == [0]


# -------------------------------------------------------------------------------------------------------- R5


def test_r05_a_ship_can_always_sail_and_nobody_passes() -> None:
    """With nothing at all, or with all koku and no space to build on, both ships can sail; there is no pass."""
    table = Table()
    assert list(table.menu().values()) == [
        {"do": "sail", "ship": 0, "to": 2},
        {"do": "sail", "ship": 1, "to": 9},
    ]
    table.give(0, koku=25, favor=3)
    for space in range(1, 6):
        table.place(space, f"era1-manor-{space}", 1)
    assert kinds(table) == {"favor", "sail"}


def test_r05_building_needs_an_empty_space_of_the_die_and_the_koku() -> None:
    """With a 3 and 11 koku: spaces of region 3 that cost no more, if empty; and each tile of the row."""
    table = Table().place(13, "era1-port-1").give(0, die=3, koku=11, favor=3)
    built = [(step["space"], step["tile"]) for step in table.options("build")]
    assert set(built) == {(space, tile) for space in (11, 14, 15) for tile in table.row}
    assert len(built) == 12
    table.give(0, koku=4)
    assert table.options("build") == []


def test_r05_delivering_needs_a_customer_of_the_die_and_the_goods() -> None:
    """With a 3: only customers of region 3 whose whole order is in store."""
    table = Table().give(0, die=3, silk=2, rice=1, hand=["artisan-3", "artisan-4", "merchant-3", "monk-3"])
    assert table.options("deliver") == [{"do": "deliver", "customer": "artisan-3"}]
    table.give(0, porcelain=1)
    assert [step["customer"] for step in table.options("deliver")] == ["artisan-3", "monk-3"]
    table.give(0, silk=1)
    assert table.options("deliver") == []


def test_r05_kaiu_builds_and_yoritomo_delivers_in_any_region() -> None:
    """These two patrons are not bound to the die for one action each."""
    table = Table(patrons=["kaiu-shihobu", "yoritomo", "daidoji-uji"])
    hand = ["artisan-1", "artisan-6"]
    table.give(0, koku=25, favor=3, porcelain=2, rice=2, hand=hand)
    assert {(step["space"] - 1) // 5 + 1 for step in table.options("build")} == {1, 2, 3, 4, 5, 6}
    assert [step["customer"] for step in table.options("deliver")] == ["artisan-1"]
    table.turn_of(1).give(1, koku=25, favor=3, porcelain=2, rice=2, hand=hand)
    assert {(step["space"] - 1) // 5 + 1 for step in table.options("build")} == {1}
    assert [step["customer"] for step in table.options("deliver")] == hand
