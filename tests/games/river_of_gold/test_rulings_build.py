"""R6 to R8: building."""

from __future__ import annotations

import pytest

from rogsim.games.river_of_gold.components.tables import note_next_rewards
from tests.games.river_of_gold.table import Table

# -------------------------------------------------------------------------------------------------------- R6


@pytest.mark.parametrize(("space", "cost"), [(1, 6), (2, 5), (4, 12), (9, 12), (26, 13), (15, 11)])
def test_r06_building_costs_what_the_space_says(space: int, cost: int) -> None:
    """The koku printed on the shore space are paid, whatever the tile; one less is not enough."""
    region = (space - 1) // 5 + 1
    table = Table().lay_row("era1-port-2").give(0, die=region, koku=cost - 1, favor=3)
    assert {"do": "build", "space": space, "tile": "era1-port-2"} not in table.options("build")
    table.give(0, koku=cost).take("build", space=space, tile="era1-port-2")
    assert table.seat(0).koku == 0
    assert table.owners(space) == [0]


def test_r06_an_artisan_saves_2_koku_in_its_region_only() -> None:
    """Whoever delivered to artisan 1 builds for 3 where 5 are printed in region 1, not in region 3."""
    table = Table().give(0, die=1, koku=3, delivered=["artisan-1"]).lay_row("era1-port-2")
    assert {step["space"] for step in table.options("build")} == {2}
    table.give(0, die=3)
    assert table.options("build") == []
    table.give(0, die=1).take("build", space=2, tile="era1-port-2")
    assert table.seat(0).koku == 0


def test_r06_the_discount_is_its_players_and_never_pays_anything_out() -> None:
    """An opponent's artisan does not help; with the player's, a space of 1 koku costs nothing."""
    table = Table().give(0, die=1, koku=4).give(1, die=1, koku=0, delivered=["artisan-1"])
    assert table.options("build") == []
    table.tables.shore_cost[1] = 1
    table.turn_of(1).lay_row("era1-port-2").take("build", space=2, tile="era1-port-2")
    assert table.seat(1).koku == 0
    assert table.owners(2) == [1]


# -------------------------------------------------------------------------------------------------------- R7


def test_r07_koku_are_paid_before_the_track_gives_any() -> None:
    """At 25 koku the 2 from the track fit only because the space was paid for first."""
    table = Table().give(0, koku=25, die=3, favor=3, influence={3: 1}).lay_row("era1-market-1")
    table.take("build", space=14, tile="era1-market-1")
    assert table.seat(0).koku == 25 - 5 + 2
    assert table.seat(0).influence[2] == 5
    assert table.seat(0).silk == 1


def test_r07_the_row_s_end_tile_brings_a_favor_before_the_track_does() -> None:
    """The favor of the end tile takes the last room under the limit, and the track's favor is lost."""
    table = Table().give(0, favor=2, influence={3: 8}).lay_row("era1-market-1", "era1-port-1").build(14, "era1-port-1")
    assert table.seat(0).favor == 3
    table = Table().give(0, favor=1).lay_row("era1-market-1", "era1-port-1").build(14, "era1-market-1")
    assert table.seat(0).favor == 1


def test_r07_everything_up_to_the_influence_has_happened_when_the_track_asks_for_a_good() -> None:
    """At the choice of space 18 the tile lies there, favor and patron have come, and the row waits."""
    table = Table(patrons=["yasuki-taka", "kudaka", "daidoji-uji"]).give(0, koku=12, influence={1: 17})
    row = ["era1-market-1", "era1-market-2", "era1-market-3", "era1-port-1"]
    table.lay_row(*row).build(4, "era1-port-1")
    coming = table.next_tile(1)
    assert (table.expects, table.tile_at(4), table.owners(4)) == ("good", "era1-port-1", [0])
    player = table.seat(0)
    assert (player.koku, player.favor, player.owned["port"]) == (0, 1, 1)
    assert player.points == 3 + 3  # for three river spaces, and from the track
    assert table.row == row[:3]
    table.take("good", good="rice")
    assert table.row == [coming, *row[:3]]


def test_r07_an_exchange_fits_in_where_the_track_asks_for_a_good_and_the_climb_goes_on() -> None:
    """With space 16 like space 18: the good is chosen there, favor bought, and only then space 18 is reached."""
    table = Table().give(0, koku=17, influence={1: 14}).lay_row("era1-market-1", "era1-port-1")
    table.tables.track[0, 16] = table.tables.track[0, 18]
    note_next_rewards(table.tables)
    table.take("build", space=4, tile="era1-market-1")
    assert (table.expects, table.seat(0).influence[0], table.seat(0).points) == ("good", 16, 3)
    table.take("exchange", give="koku", get="favor").take("good", good="silk")
    assert (table.expects, table.seat(0).influence[0], table.seat(0).points) == ("good", 18, 6)
    table.take("good", good="silk").go_on()
    assert (table.seat(0).silk, table.seat(0).favor, table.active) == (2, 1, 1)


@pytest.mark.parametrize(("space", "touching"), [(1, 1), (3, 2), (4, 3), (28, 1), (9, 3), (15, 3)])
def test_r07_taka_scores_for_each_river_space_that_touches_the_building(space: int, touching: int) -> None:
    """Yasuki Taka scores 1 point for every river space from which the new building is visited."""
    table = Table(patrons=["yasuki-taka", "kudaka", "daidoji-uji"]).lay_row("era1-port-2").build(space)
    assert table.seat(0).points == touching


def test_r07_the_row_moves_toward_its_end_and_a_new_tile_takes_its_start() -> None:
    """Building from the middle of the row: the newer tiles slide on, the older ones stay."""
    table = Table().lay_row("era1-port-1", "era1-port-2", "era1-port-3", "era1-port-4")
    coming = table.next_tile(1)
    table.build(14, "era1-port-3")
    assert table.row == [coming, "era1-port-1", "era1-port-2", "era1-port-4"]


def test_r07_the_build_bonus_goes_to_the_space_s_region() -> None:
    """The bonus of the tile is influence in the region built in, and nowhere else."""
    table = Table().lay_row("era1-shrine-4").build(27)
    assert table.seat(0).influence == [0, 0, 0, 0, 0, 3]
    assert table.seat(0).silk == 1


# -------------------------------------------------------------------------------------------------------- R8


def test_r08_in_a_short_row_the_oldest_tile_is_the_end_tile() -> None:
    """With both stacks used up and gaps in the row, the oldest tile still brings a favor and is discarded."""
    row = ["era2-port-1", "era2-manor-3", "era2-shrine-4"]
    table = Table().leave(0, 0).lay_row(*row).build(14, "era2-shrine-4")
    assert table.seat(0).favor == 1
    assert table.row == row[:2]
    table = Table().leave(0, 0).lay_row(*row).build(14, "era2-manor-3")
    assert table.seat(0).favor == 0
    table = Table().leave(0, 0).lay_row(*row).sail_to(1).take("journey", take="koku")
    assert table.row == row[:2]


def test_r08_a_single_tile_is_the_end_tile_and_an_empty_row_has_none() -> None:
    """The last tile left brings the favor, too; without tiles a journey discards nothing and nobody builds."""
    table = Table().leave(0, 0).lay_row("era2-port-1").build(14)
    assert (table.seat(0).favor, table.row) == (1, [])
    table.give(1, koku=25, favor=3)
    assert table.options("build") == []
    table.sail_to(1).take("journey", take="rice").go_on()
    assert (table.row, table.active) == ([], 2)
