"""R25 to R28: masteries, the Emperor's Visit, the end of the game, and Kakita Ryoku's die."""

from __future__ import annotations

from typing import Any

import pytest

from rogsim.games.river_of_gold.components.names import MASTERIES
from tests.games.river_of_gold.table import Table

KAKITA = ["kakita-ryoku", "kudaka", "kaiu-shihobu"]


def do(table: Table) -> list[str]:
    return [step["do"] for step in table.steps]


def sail(table: Table) -> Table:
    """Sail where nothing is, and let the turn pass without an exchange."""
    return table.sail_to(6).go_on()


# ------------------------------------------------------------------------------------------------------- R25


MET: dict[str, list[dict[str, Any]]] = {
    "air": [{"delivered": ["monk-1", "elder-1", "artisan-1"]}, {"delivered": ["monk-1", "elder-1", "elder-2"]}],
    "courts": [{"influence": {4: 11}}, {"influence": {4: 10}}],
    "fire": [{"delivered": ["noble-1", "noble-6"]}, {"delivered": ["noble-1", "elder-1", "monk-1", "artisan-1"]}],
    "void": [{"influence": [1, 1, 1, 1, 1, 2]}, {"influence": [9, 9, 9, 9, 9, 0]}],
}
BUILT: dict[str, list[list[str]]] = {
    "earth": [["port-1", "port-2", "port-3"], ["port-1", "port-2", "manor-1", "manor-2", "shrine-1"]],
    "water": [["port-1", "market-1", "manor-1", "shrine-1"], ["port-1", "market-1", "manor-1", "port-2"]],
}


@pytest.mark.parametrize("mastery", [*MET, *BUILT])
@pytest.mark.parametrize("met", [True, False])
def test_r25_a_mastery_is_claimed_when_met_and_not_before(mastery: str, met: bool) -> None:
    """Each of the six: just met, or just missed."""
    table = Table(masteries=[mastery])
    if mastery in MET:
        table.give(0, **MET[mastery][not met])
    else:
        for space, tile in enumerate(BUILT[mastery][not met], 1):
            table.place(space, f"era1-{tile}", 0)
    sail(table)
    assert table.seat(0).claimed == ({mastery: 1} if met else {})
    assert table.seat(0).points == (7 if met else 0)
    assert table.claims == {mastery: int(met)}


def test_r25_all_that_are_met_are_claimed_at_once_after_the_action() -> None:
    """Three masteries in one turn, between action and roll."""
    table = Table(masteries=["air", "courts", "fire"])
    table.give(0, influence={1: 12}, delivered=["monk-1", "monk-2", "elder-1", "artisan-1"])
    sail(table)
    assert do(table) == ["sail", "claim", "claim", "claim", "roll"]
    assert (table.seat(0).points, len(table.seat(0).claimed)) == (21, 3)


def test_r25_what_the_action_brings_counts_in_the_same_turn() -> None:
    """The delivery that makes three types claims the mastery of air, after its cards were drawn."""
    table = Table(masteries=["air"]).give(0, delivered=["monk-1", "elder-1"]).deliver("artisan-3")
    table.take("discard", customer=table.seat(0).hand[0])
    assert do(table) == ["deliver", "draw", "discard", "claim", "roll"]


def test_r25_nobody_claims_in_another_s_turn() -> None:
    """An owner who reaches the flower on another seat's turn claims in its next turn."""
    table = Table(2, masteries=["courts"]).place(12, "era2-manor-1", 1).give(1, influence={3: 10})
    sail(table)
    assert (table.seat(1).influence[2], table.seat(1).points) == (11, 0)
    table.sail_to(1).take("journey", take="rice").go_on()
    assert table.seat(1).points == 5


@pytest.mark.parametrize(("players", "rewards"), [(2, [5, 0]), (3, [7, 5, 3]), (4, [7, 5, 3, 0])])
def test_r25_each_claims_once_and_while_a_reward_is_left(players: int, rewards: list[int]) -> None:
    """The highest reward left goes first; a player never claims again, and the last may find none."""
    table = Table(players, masteries=["courts"])
    for seat in range(players):
        table.give(seat, influence={1: 11})
    for _ in range(2 * players):
        sail(table)
    assert [table.seat(seat).points for seat in range(players)] == rewards
    claims = [step for step in table.steps if step["do"] == "claim"]
    assert [step["points"] for step in claims] == [points for points in rewards if points]


def test_r25_nobody_claims_the_same_mastery_twice() -> None:
    """With rewards left, a player who still meets the mastery in later turns scores no more."""
    table = Table(3, masteries=["courts"]).give(0, influence={1: 11})
    for _ in range(6):
        sail(table)
    assert (table.seat(0).points, table.claims) == (7, {"courts": 1})


# ------------------------------------------------------------------------------------------------------- R26


def visited(players: int = 3, **options: Any) -> Table:
    """A table where the next refill takes the last era 1 tile."""
    return Table(players, **options).leave(1, 9)


def test_r26_the_last_era_1_tile_brings_the_visit_at_the_end_of_the_turn() -> None:
    """Building takes it: after the roll all owners are paid, then the next player is on."""
    table = visited().place(12, "era1-port-5", 1).place(13, "era1-shrine-6", 0, 2).give(1, koku=0)
    table.lay_row("era1-manor-2").build(27)
    assert do(table) == ["build", "roll", "visit"]
    assert [table.seat(seat).points for seat in range(3)] == [1, 1, 1]
    assert (table.seat(0).koku, table.seat(0).rice) == (1, 1)  # the new building pays, too
    assert table.active == 1
    assert table.game.era_left.tolist() == [0, 9]


def test_r26_a_journey_that_takes_the_last_era_1_tile_brings_the_visit() -> None:
    """The refill after a completed journey counts like that after a build; an earlier one does not."""
    table = visited().place(12, "era1-port-5", 1).sail_to(1).take("journey", take="rice").go_on()
    assert do(table) == ["sail", "journey", "roll", "visit"]
    assert table.seat(1).points == 1
    table = Table().leave(2, 9).place(12, "era1-port-5", 1).sail_to(1).take("journey", take="rice").go_on()
    assert "visit" not in do(table)


def test_r26_the_visit_comes_once_and_later_tiles_are_of_era_2() -> None:
    """The turns after it refill from the second stack and bring no second visit."""
    table = visited()
    coming = table.next_tile(2)
    for _ in range(2):
        table.sail_to(1).take("journey", take="rice").go_on()
    assert do(table).count("visit") == 1
    assert table.row[0] == coming


def test_r26_every_marker_is_paid_from_the_lowest_space_in_the_order_placed() -> None:
    """Choices show the order: space 2 before 12, on 12 the marker placed first; two markers of one seat pay twice."""
    table = visited().place(2, "era2-shrine-3", 2).place(12, "era2-port-2", 1, 0).place(28, "era1-port-5", 2, 2)
    table.lay_row("era1-manor-2").build(27)
    for seat in (2, 1, 0):
        assert (table.go_on().expects, table.chooser, table.seat(2).points) == ("good", seat, 0)
        table.take("good", good="silk", **({} if seat == table.active else {"seat": seat}))
    assert (table.seat(2).points, table.seat(0).rice) == (2, 1)
    assert table.go_on().active == 1


def test_r26_the_active_player_may_exchange_before_the_visit_and_its_choices() -> None:
    """A pause comes before the visit, one before each choice of another seat, and one at the end."""
    table = visited().place(12, "era2-port-2", 1).give(0, silk=2, koku=0, favor=3)
    table.sail_to(1).take("journey", take="rice")
    assert (table.expects, do(table)[-1]) == ("pause", "roll")
    table.take("pass")
    assert (table.expects, do(table)[-1]) == ("pause", "visit")
    table.take("exchange", give="silk", get="rice").take("good", good="silk", seat=1)
    assert (table.expects, table.active) == ("pause", 0)  # two rice: something to exchange at the turn's end
    table.take("exchange", give="rice", get="silk")
    assert do(table)[-4:] == ["visit", "exchange", "good", "exchange"]
    assert table.go_on().active == 1


def test_r26_the_emperor_s_markets_and_starting_tiles_pay_nobody() -> None:
    """Without any marker on the board the visit brings nothing."""
    table = visited().place(12, "start-shrine").sail_to(1).take("journey", take="rice").go_on()
    assert do(table)[-1] == "visit"
    assert [table.seat(seat).points for seat in range(3)] == [0, 0, 0]
    assert [sum(table.seat(seat).goods) for seat in range(3)] == [1, 0, 0]


def test_r26_a_mastery_met_through_the_visit_waits_for_the_next_own_turn() -> None:
    """Neither the active player nor another claims during the visit."""
    table = visited(masteries=["courts"]).place(12, "era2-manor-1", 0).place(13, "era2-market-2", 1)
    table.give(0, influence={3: 10}).give(1, influence={3: 10}).sail_to(1).take("journey", take="rice").go_on()
    assert [table.seat(seat).influence[2] for seat in (0, 1)] == [11, 11]
    assert table.claims == {"courts": 0}
    sail(table.clear(12).clear(13))
    assert table.seat(1).claimed == {"courts": 1}
    sail(sail(table))
    assert table.seat(0).claimed == {"courts": 2}


# ------------------------------------------------------------------------------------------------------- R27


def ending(players: int = 3, **options: Any) -> Table:
    """A table where the next refill takes the last era 2 tile."""
    table = Table(players, **options).leave(0, 1)
    return table.lay_row("era2-shrine-1", "era2-shrine-2", "era2-shrine-3", "era2-shrine-4")


def test_r27_the_last_era_2_tile_scores_5_points_at_the_end_of_the_turn() -> None:
    """Building or a journey takes it; the 5 points come last, and nobody rolls in this turn."""
    table = ending(masteries=["courts"]).give(0, influence={2: 11}).build(14)
    assert do(table) == ["build", "claim", "end_trigger"]
    assert table.seat(0).points == 7 + 5
    table = ending().sail_to(1).take("journey", take="rice").go_on()
    assert do(table) == ["sail", "journey", "end_trigger"]
    assert table.seat(0).points == 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_r27_every_other_player_has_exactly_one_more_turn(players: int, seat: int) -> None:
    """Whoever triggers the end, the seats after it play one turn each, without a roll, and the game is over."""
    table = ending(players).turn_of(seat).build(14)
    turns = []
    while not table.over:
        turns.append(table.active)
        sail(table)
    assert turns == [(seat + later) % players for later in range(1, players)]
    assert "roll" not in do(table)
    assert do(table).count("end_trigger") == 1
    assert [table.seat(other).points for other in range(players)] == [5 * (other == seat) for other in range(players)]


def test_r27_the_row_gets_no_new_tiles_but_a_journey_still_removes_its_end_tile() -> None:
    """Builds and journeys of the last turns leave gaps in the row."""
    table = ending(4).build(14)
    row = table.row
    assert len(row) == 4
    table.build(27, row[1])
    assert table.row == [row[0], row[2], row[3]]
    table.sail_to(1).take("journey", take="rice").go_on()
    assert table.row == [row[0], row[2]]
    table.build(28, row[2])
    assert (table.row, table.seat(3).favor, table.over) == ([row[0]], 1, True)


def test_r27_masteries_are_claimed_in_the_last_turns() -> None:
    """A player who meets one in the last turn still scores it."""
    table = ending(2, masteries=["courts"]).give(1, influence={2: 11}).build(14)
    sail(table)
    assert (table.over, table.seat(1).points) == (True, 5)


def test_r27_every_die_keeps_its_face_in_the_last_turns() -> None:
    """Kakita Ryoku is not asked either."""
    table = ending(3, patrons=KAKITA).give(0, favor=3).build(14)
    assert table.active == 1
    table = ending(3, patrons=KAKITA).turn_of(2).build(14)
    table.give(0, favor=3, die=2, ships=(4, 8)).take("sail", ship=0, to=6)
    assert (table.active, table.seat(0).die) == (1, 2)


def test_r27_exchanges_stay_open_until_the_last_turn_is_over() -> None:
    """The active player may exchange after the end is triggered, and so may the last one."""
    table = ending(2).give(0, silk=2).build(14)
    assert (table.active, table.expects, do(table)[-1]) == (0, "pause", "end_trigger")
    table.take("exchange", give="silk", get="rice").take("pass").give(1, koku=5).sail_to(6)
    assert (table.active, table.expects) == (1, "pause")
    table.take("exchange", give="koku", get="favor").go_on()
    assert (table.over, table.seat(1).favor, table.seat(1).koku) == (True, 1, 4)


# ------------------------------------------------------------------------------------------------------- R28


def test_r28_kakita_decides_before_the_roll_whether_to_pay_a_favor_and_set_the_die() -> None:
    """All six faces are on offer for 1 favor, or the roll; after setting the die nobody rolls."""
    table = Table(patrons=KAKITA, masteries=["courts"]).give(0, favor=1, influence={1: 11}).sail_to(6)
    assert (table.expects, do(table)) == ("set_die", ["sail", "claim"])
    assert list(table.menu().values()) == [{"do": "pass"}, *({"do": "set_die", "die": n} for n in range(1, 7))]
    table.take("set_die", die=4)
    assert (table.seat(0).die, table.seat(0).favor, table.active) == (4, 0, 1)
    assert "roll" not in do(table)


def test_r28_kakita_may_roll_instead() -> None:
    """Declining costs nothing and leads to the same roll as that of a player without this choice."""
    table = Table(patrons=KAKITA).give(0, favor=1).sail_to(6).take("pass")
    other = Table(patrons=["daidoji-uji", *KAKITA[1:]]).give(0, favor=1).sail_to(6)
    assert table.steps[-1] == other.steps[-1]
    assert table.steps[-1]["do"] == "roll"
    assert table.seat(0).favor == 1


def test_r28_kakita_may_buy_the_favor_at_that_very_moment() -> None:
    """Without favor and koku she rolls unasked; with 5 koku she may buy a favor and set the die with it."""
    table = Table(patrons=KAKITA).sail_to(6)
    assert (table.active, do(table)[-1]) == (1, "roll")
    table = Table(patrons=KAKITA).give(0, koku=1).sail_to(6)
    assert (table.expects, table.options("set_die")) == ("set_die", [])
    table.take("exchange", give="koku", get="favor").take("set_die", die=6)
    assert (table.seat(0).die, table.seat(0).favor, table.active) == (6, 0, 1)


def test_r28_the_die_is_set_in_the_own_turn_only_and_by_kakita_only() -> None:
    """Other players with favor are not asked."""
    table = Table(patrons=KAKITA).turn_of(1).give(0, favor=3).give(1, favor=3)
    sail(table)
    assert (table.active, do(table)[-1]) == (2, "roll")


def test_masteries_are_all_known_here() -> None:
    """The tests above go through all six masteries."""
    assert {*MET, *BUILT} == set(MASTERIES)
