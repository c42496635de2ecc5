"""R33 to R35: setting up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rogsim.game.kit.workspace import make_view
from rogsim.games.river_of_gold.components.names import CLANS, CUSTOMERS, MASTERIES, PATRONS
from tests.games.river_of_gold.games import batch_of, setup_for, traces
from tests.games.river_of_gold.table import Table

SETUPS = 400
OF_CLAN = {patron: CLANS[i // 2] for i, patron in enumerate(PATRONS)}


def dealt(players: int, patrons: str | list[str] = "none", games: int = SETUPS) -> list[Table]:
    setup = Table(players, patrons, bare=False).setup
    return [Table(setup=setup, bare=False, deals=deals) for deals in range(games)]


# ------------------------------------------------------------------------------------------------------- R33


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r33_players_start_with_the_koku_of_their_turn_order_and_the_rest_alike(players: int) -> None:
    """7, 8, 9 and 10 koku; one good of each kind, 2 favor under a limit of 3, two customers, no points."""
    table = Table(players, bare=False)
    assert (table.active, table.expects) == (0, "turn")
    seats = [table.seat(seat) for seat in range(players)]
    assert [seat.koku for seat in seats] == [7, 8, 9, 10][:players]
    for seat in seats:
        assert (seat.goods, seat.favor, seat.favor_limit, seat.points) == ([1, 1, 1], 2, 3, 0)
        assert (len(seat.hand), seat.delivered, seat.influence, seat.royal) == (2, [], [0] * 6, -1)
    assert len({card for seat in seats for card in seat.hand} | set(table.deck)) == len(CUSTOMERS)


def test_r33_each_player_rolls_for_both_ships_and_for_the_first_turn() -> None:
    """The upper ship lies 1 to 6 past space 1, the middle one past space 8; every roll comes up about as often."""
    rolls: Counter[Any] = Counter()
    for table in dealt(4):
        for seat in range(4):
            player = table.seat(seat)
            for what, roll in zip("amd", (player.ships[0] - 1, player.ships[1] - 8, player.die), strict=True):
                rolls[seat, what, roll] += 1
    assert {key[2] for key in rolls} == {1, 2, 3, 4, 5, 6}
    assert len(rolls) == 4 * 3 * 6
    # A binomial count with p = 1/6: five standard deviations are far enough for 72 counts.
    spread = 5 * (SETUPS * 5 / 36) ** 0.5
    assert all(abs(count - SETUPS / 6) < spread for count in rolls.values())


def test_r33_every_deal_differs_from_the_next() -> None:
    """No two games have the same deck; each customer, tile, mastery and scoring tile comes up in each place."""
    tables = dealt(2, games=200)
    assert len({tuple(table.recorder.opening["deck"]) for table in tables}) == len(tables)
    assert {table.row[0] for table in tables} == {tile for tile in tables[0].tile_ids if tile.startswith("era1")}
    assert {name for table in tables for name in table.claims} == set(MASTERIES)
    assert len({int(table.game.region_tiles[0]) for table in tables}) == 6


@pytest.mark.parametrize(("players", "start", "era1", "era2"), [(2, 6, 12, 9), (3, 3, 14, 11), (4, 0, 16, 13)])
def test_r33_board_and_stacks_follow_the_player_count(players: int, start: int, era1: int, era2: int) -> None:
    """Starting tiles and stacks are as many as the count says; four tiles lie in the row; markets lie apart."""
    table = Table(players, bare=False)
    laid = [table.tile_at(space) for space in range(1, 31)]
    assert sum(str(tile).startswith("start") for tile in laid) == start
    assert sorted(table.tile_at(space) for space in (6, 17, 29)) == [
        *("imperial-market-porcelain", "imperial-market-rice", "imperial-market-silk")
    ]
    assert (len(table.recorder.opening["era1"]), len(table.recorder.opening["era2"])) == (era1, era2)
    assert table.game.era_left.tolist() == [era1 - 4, era2]
    assert table.row == table.recorder.opening["era1"][:4][::-1]


# ------------------------------------------------------------------------------------------------------- R34


def offered(table: Table) -> list[str]:
    return [step["patron"] for step in table.options("patron")]


def test_r34_in_the_draft_the_last_player_takes_first_from_one_patron_of_each_clan() -> None:
    """Four patrons of four clans are laid out; the seats choose in reverse order, each from what is left."""
    table = Table(3, "draft", bare=False)
    left = offered(table)
    assert sorted(OF_CLAN[patron] for patron in left) == sorted(CLANS)
    for seat in (2, 1, 0):
        assert (table.expects, table.chooser, offered(table)) == ("draft", seat, left)
        taken = left.pop(1)
        table.take("patron", patron=taken)
        assert table.seat(seat).patron == taken
    assert (table.expects, table.active, table.chooser) == ("turn", 0, 0)
    assert table.recorder.opening["patrons"] == [table.seat(seat).patron for seat in range(3)]


def test_r34_in_a_draft_of_four_the_first_player_takes_the_last_patron() -> None:
    """With four players all patrons laid out are taken."""
    table = Table(4, "draft", bare=False)
    left = offered(table)
    for _ in range(4):
        table.take("patron", patron=offered(table)[0])
    assert sorted(table.recorder.opening["patrons"]) == sorted(left)


def test_r34_in_the_alternative_each_player_chooses_between_the_patrons_of_a_clan_dealt() -> None:
    """The two patrons of one clan each; no two players have the same clan."""
    table = Table(3, "alternative", bare=False)
    clans = set()
    for seat in (2, 1, 0):
        pair = offered(table)
        assert (table.chooser, len(pair), len({OF_CLAN[patron] for patron in pair})) == (seat, 2, 1)
        clans.add(OF_CLAN[pair[0]])
        table.take("patron", patron=pair[seat % 2])
    assert len(clans) == 3


@pytest.mark.parametrize("mode", ["draft", "alternative", "dealt"])
def test_r34_chance_favours_no_patron(mode: str) -> None:
    """Every patron is laid out, or every clan dealt to a seat, about as often as the others."""
    seen: Counter[str] = Counter()
    for table in dealt(4, mode):
        seen.update([str(table.seat(3).patron)] if mode == "dealt" else offered(table))
    each = SETUPS / {"draft": 2, "alternative": 4, "dealt": 8}[mode]
    spread = 5 * (each * (1 - each / SETUPS)) ** 0.5
    assert set(seen) == set(PATRONS)
    assert all(abs(count - each) < spread for count in seen.values()), seen


def test_r34_patrons_given_to_the_seats_are_theirs() -> None:
    """A scenario may name a patron for each seat."""
    names = ["yoritomo", "kakita-ryoku", "kaiu-shihobu"]
    table = Table(3, names, bare=False)
    assert [table.seat(seat).patron for seat in range(3)] == names


def test_r34_the_patrons_gifts_are_there_from_the_start() -> None:
    """Kaiu Shihobu has 10 koku more; Yoritomo is dealt a third customer in his turn, off the top of the deck."""
    table = Table(3, ["kaiu-shihobu", "yoritomo", "daidoji-uji"], bare=False)
    assert [table.seat(seat).koku for seat in range(3)] == [17, 8, 9]
    deck = table.recorder.opening["deck"]
    assert [set(table.seat(seat).hand) for seat in range(3)] == [set(deck[:2]), set(deck[2:5]), set(deck[5:7])]
    assert table.deck == deck[7:]


def test_r34_kakita_cannot_set_the_die_of_the_first_turn() -> None:
    """The game begins with the first player's action; her first die is the one rolled."""
    for seat in range(2):
        names = ["kudaka", "kaiu-shihobu"]
        names[seat] = "kakita-ryoku"
        table = Table(2, names, bare=False)
        assert (table.expects, table.active, table.steps) == ("turn", 0, [])
        plain = Table(2, bare=False)
        assert [table.seat(s).die for s in range(2)] == [plain.seat(s).die for s in range(2)]


# ------------------------------------------------------------------------------------------------------- R35


def test_r35_what_is_back_in_the_box_changes_nothing() -> None:
    """With other tiles and starting tiles in the box the same choices play the same game."""
    games = []
    for shuffled in (False, True):
        table = Table(3, bare=False)
        if shuffled:
            for era, stack in enumerate(table.game.secret.stacks):
                size = (24, 16)[era]
                kept = int(table.tables.era_tiles[era])
                stack[kept:size] = stack[kept:size][::-1].copy()
        turn = 0
        while not table.over:
            menu = list(table.menu())
            turn += 1
            table.recorder.take(menu[turn * 7 % len(menu)])
        games.append(table.recorder.turns)
    assert games[0] == games[1]


def test_r35_only_the_tiles_of_the_stacks_and_three_masteries_are_in_play() -> None:
    """No tile that the set-up left in the box is ever on offer or on the board; no other mastery is claimed."""
    setup = setup_for("generous", 2)
    for trace in traces(setup, batch_of(["random"] * 2, 3)):
        stacked = {*trace["setup"]["era1"], *trace["setup"]["era2"]}
        assert len(stacked) == 12 + 9
        assert len(trace["setup"]["masteries"]) == 3
        for turn in trace["turns"]:
            assert set(turn["after"]["row"]) <= stacked
            assert {step["tile"] for step in turn["steps"] if "tile" in step} <= stacked
            assert set(turn["after"]["masteries"]) <= set(trace["setup"]["masteries"])


def test_r35_nobody_can_see_what_went_back_into_the_box() -> None:
    """A player's view holds no stack at all, neither the tiles to come nor those left out."""
    table = Table(3, "dealt", bare=False)
    make_view(table.workspace, 0)
    assert not table.workspace.bot_view.secret.stacks.any()
    assert table.workspace.bot_view.row.tolist() == table.game.row.tolist()


def test_r35_a_patron_left_over_takes_no_part() -> None:
    """Who is not taken in the draft has no seat, and is not on offer any more."""
    table = Table(2, "draft", bare=False)
    laid_out = offered(table)
    table.take("patron", patron=laid_out[0]).take("patron", patron=laid_out[1])
    assert table.recorder.opening["patrons"] == [laid_out[1], laid_out[0]]
    assert {step["do"] for step in table.menu().values()} <= {"favor", "exchange", "build", "sail", "deliver"}
