"""R22 to R24: the influence tracks, and the two patrons who depend on them."""

from __future__ import annotations

import pytest

from rogsim.games.river_of_gold.components.names import GOODS
from tests.games.river_of_gold.table import Table

REGION_OF_GOOD = {1: "porcelain", 2: "rice", 3: "silk", 4: "porcelain", 5: "rice", 6: "silk"}
SPACE_IN = {1: 1, 2: 8, 3: 12, 4: 18, 5: 21, 6: 26}  # an open shore space of each region
HYOBU = ["kudaka", "shosuro-hyobu", "daidoji-uji"]
KASHIKO = ["bayushi-kashiko", "kudaka", "daidoji-uji"]


def climb(table: Table, steps: int, region: int = 3) -> Table:
    """Let the active player gain influence by a building whose only effect it is (owner: a good for nobody)."""
    tile = "era1-shrine-1"
    table.tables.tiles[table.tile_ids.index(tile)].build = steps
    return table.lay_row("era1-port-1", tile).build(SPACE_IN[region], "era1-port-1" if steps == 0 else tile)


# ------------------------------------------------------------------------------------------------------- R22


@pytest.mark.parametrize("region", range(1, 7))
def test_r22_every_space_passed_or_reached_gives_its_reward(region: int) -> None:
    """One climb of the whole track gives a good, 2 koku, a favor, 3 points, and 3 points with a good of choice."""
    table = climb(Table(), 18, region)
    player = table.seat(0)
    assert (table.expects, player.influence[region - 1]) == ("good", 18)
    wanted = [int(good == REGION_OF_GOOD[region]) for good in GOODS]
    # The tile was the row's end tile: one more favor.
    assert (player.koku, player.favor, player.points, player.goods) == (2, 2, 6, wanted)


@pytest.mark.parametrize(
    ("start", "steps", "what", "amount"),
    [
        *((1, 1, "silk", 1), (2, 2, "koku", 0), (4, 1, "koku", 2), (5, 3, "koku", 0), (8, 1, "favor", 2)),
        *((10, 1, "points", 0), (10, 2, "points", 0), (12, 1, "points", 3), (13, 4, "points", 0)),
    ],
)
def test_r22_a_space_s_reward_comes_when_the_marker_moves_onto_it(
    start: int, steps: int, what: str, amount: int
) -> None:
    """Starting from a space gives nothing; spaces without a reward and the imperial flower (11) give nothing."""
    table = climb(Table().give(0, influence={3: start}), steps)
    player = table.seat(0)
    given = {name: getattr(player, name) for name in ("silk", "koku", "favor", "points")}
    nothing = {"silk": 0, "koku": 0, "favor": 1, "points": 0}  # the favor of the row's end tile
    assert given == nothing | ({what: amount} if amount else {})
    assert player.influence[2] == start + steps


def test_r22_other_markers_do_not_take_a_reward_away() -> None:
    """A space where others stand gives its reward, and all players may stand on it, also at the end."""
    table = Table().give(0, influence={3: 4}).give(1, influence={3: 5}).give(2, influence={3: 5})
    climb(table, 1)
    assert (table.seat(0).koku, table.seat(0).influence[2]) == (2, 5)
    table = Table().give(0, influence={3: 17}).give(1, influence={3: 18})
    assert climb(table, 1).seat(0).points == 3


# ------------------------------------------------------------------------------------------------------- R23


@pytest.mark.parametrize(
    ("start", "steps", "others", "end"),
    [
        (0, 1, (1, 2), 3),
        (1, 2, (2, 4), 5),
        (1, 2, (3, 3), 4),
        (0, 2, (2, 3), 4),
        (4, 1, (0, 4), 5),
        (5, 3, (0, 0), 8),
        (16, 1, (17, 18), 18),
        (16, 1, (17, 0), 18),
        (15, 2, (17, 18), 18),
        (17, 3, (18, 18), 18),
        (18, 2, (3, 4), 18),
    ],
)
def test_r23_a_step_leads_to_the_nearest_space_without_another_marker(
    start: int, steps: int, others: tuple[int, int], end: int
) -> None:
    """Each step of Kashiko skips occupied spaces ahead; the track's end stops her though somebody stands there."""
    table = Table(patrons=KASHIKO).give(0, influence={3: start})
    for seat, space in enumerate(others, 1):
        table.give(seat, influence={3: space})
    climb(table, steps)
    if start < end == 18:
        table.take("good", good="silk").go_on()
    assert (table.seat(0).influence[2], table.active) == (end, 1)


def test_r23_spaces_jumped_over_give_their_rewards() -> None:
    """One step over 2 and past 5 brings the good and the koku of both."""
    table = Table(4, patrons=[*KASHIKO, "kaiu-shihobu"]).give(0, influence={3: 1})
    for seat, space in ((1, 2), (2, 3), (3, 4)):
        table.give(seat, influence={3: space})
    climb(table, 1)
    assert (table.seat(0).influence[2], table.seat(0).silk, table.seat(0).koku) == (5, 1, 2)
    table = Table(patrons=KASHIKO).give(0, influence={3: 12}).give(1, influence={3: 13})
    assert climb(table, 1).seat(0).points == 3


def test_r23_only_the_markers_of_her_region_are_jumped_and_only_by_her() -> None:
    """Markers of other regions do not matter, and nobody else jumps, not even over her."""
    table = Table(patrons=KASHIKO).give(0, influence={3: 1}).give(1, influence={2: 2, 4: 2})
    assert climb(table, 1).seat(0).influence[2] == 2
    table = Table(patrons=KASHIKO).give(0, influence={3: 1}).turn_of(1)
    assert climb(table, 1).seat(1).influence[2] == 1


# ------------------------------------------------------------------------------------------------------- R24


@pytest.mark.parametrize(
    ("hers", "start", "steps", "points"),
    [
        *((3, 2, 2, 3), (3, 0, 4, 3), (1, 0, 2, 3), (17, 16, 4, 3)),
        *((3, 3, 2, 0), (3, 2, 1, 0), (3, 4, 2, 0), (0, 0, 3, 0), (18, 17, 4, 0)),
    ],
)
def test_r24_being_overtaken_scores_3_points(hers: int, start: int, steps: int, points: int) -> None:
    """From below her to above her counts; from or to her own space, and past her at the start, does not."""
    table = Table(patrons=HYOBU).give(0, influence={3: start}).give(1, influence={3: hers})
    assert climb(table, steps).seat(1).points == points


def test_r24_a_move_that_overtakes_her_far_scores_once_and_in_its_region_only() -> None:
    """However many spaces the move has, and whatever her markers in other regions."""
    table = Table(patrons=HYOBU).give(1, influence=[2, 2, 2, 2, 2, 2])
    assert climb(table, 10).seat(1).points == 3


def test_r24_two_rewards_in_one_region_are_two_moves() -> None:
    """From 1 past her on 3: one move of 4 scores, two moves of 2 with a stop beside her do not."""
    table = Table(patrons=HYOBU).give(0, influence={3: 1}).give(1, influence={3: 3})
    assert climb(table, 4).seat(1).points == 3
    table = Table(patrons=HYOBU).give(0, influence={3: 1}).give(1, influence={3: 3})
    table.place(11, "era1-manor-4").place(12, "era1-manor-5").sail_to(6)
    assert (table.seat(0).influence[2], table.seat(1).points) == (5, 0)


def test_r24_each_of_two_moves_may_overtake_her() -> None:
    """Overtaken by the visit, ahead again as an owner, overtaken by noble 3: 6 points in one turn."""
    table = Table(patrons=HYOBU).give(0, royal=0, delivered=["noble-3"]).give(1, influence={3: 2})
    table.tables.noble_amount[2] = 2
    table.place(12, "era2-manor-1", 1, 1).sail_to(6)
    assert (table.seat(0).influence[2], table.seat(1).influence[2]) == (5, 4)
    assert table.seat(1).points == 6


def test_r24_her_own_moves_do_not_score_but_others_in_her_turn_do() -> None:
    """Overtaking others is nothing to her; an owner who overtakes her on her own turn counts."""
    table = Table(patrons=HYOBU).give(0, influence={3: 2}).give(2, influence={3: 2}).turn_of(1)
    assert climb(table, 4).seat(1).points == 0
    table = Table(patrons=HYOBU).give(0, influence={3: 2}).give(1, influence={3: 3}).turn_of(1)
    table.place(12, "era2-shrine-1", 0).tables.tiles[table.tile_ids.index("era2-shrine-1")].owner.influence = 2
    table.sail_to(6)
    assert (table.seat(0).influence[2], table.seat(1).points) == (4, 3 + 3)  # the shrine gives its visitor 3


def test_r24_a_jump_of_kashiko_overtakes_her() -> None:
    """Kashiko's step over Hyobu's marker ends above it, two players being of one clan only in a test."""
    table = Table(2, patrons=["bayushi-kashiko", "kudaka"]).give(0, influence={3: 0}).give(1, influence={3: 1})
    table.game.players[1].patron = 6
    climb(table, 1)
    assert (table.seat(0).influence[2], table.seat(1).patron, table.seat(1).points) == (2, "shosuro-hyobu", 3)
