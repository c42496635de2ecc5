"""The rulebook on places and turns: who plays when, where pioneers can go, and what they get there."""

from __future__ import annotations

import pytest

from rogsim.games.the_river.components.names import PLACES
from tests.games.the_river.table import Table

pytestmark = pytest.mark.once_uncompiled


# ------------------------------------------------------------------------------------------- preliminary turn


@pytest.mark.parametrize(("players", "tiles_up"), [(2, 5), (3, 7), (4, 9)])
def test_tiles_are_picked_counterclockwise(players: int, tiles_up: int) -> None:
    """From the player to the right of the first player to the first player; one tile more than players lies there."""
    table = Table(players, preliminary=True)
    shown = table.display
    assert len(shown) == players + 1
    for seat in reversed(range(players)):
        assert (table.actor, table.menu()) == (seat, {f"start {tile}" for tile in table.display})
        table.take(f"start {table.display[0]}")
    assert [table.board(seat) for seat in reversed(range(players))] == [[tile] for tile in shown[:players]]
    assert (table.events, table.actor, int(table.game.round)) == (["display", "round"], 0, 1)
    assert (len(table.display), len(table.pile)) == (tiles_up, 65 - (players + 1) - tiles_up)
    assert shown[players] not in [*table.display, *table.pile, *table.removed]


def test_the_preliminary_turn_begins_right_of_the_pawn() -> None:
    """With the pawn at seat 1, seat 0 picks first, then seat 3, and seat 1 last; seat 1 begins the round."""
    table = Table(4, preliminary=True, first=1)
    seats = []
    for _ in range(4):
        seats.append(table.actor)
        table.take(f"start {table.display[0]}")
    assert (seats, table.actor) == ([0, 3, 2, 1], 1)


@pytest.mark.parametrize(
    ("players", "islands", "tokens"), [(2, [7, 7, 7, 3], 8), (3, [10, 10, 10, 4], 20), (4, [13, 13, 13, 5], 20)]
)
def test_what_everybody_begins_with(players: int, islands: list[int], tokens: int) -> None:
    """Four pioneers on the boat and a fifth that waits, four warehouses, a symbol of each kind, and no resources."""
    table = Table(players, preliminary=True)
    assert (table.islands, int(table.tables.token_count), len(table.cards)) == (islands, tokens, 4)
    for seat in range(players):
        player = table.player(seat)
        assert (int(player.boat), int(player.fifth), int(player.warehouses)) == (4, 1, 4)
        assert (player.production.tolist(), table.held(seat)) == ([1, 1, 1], [0, 0, 0, 0])


# ------------------------------------------------------------------------------------------------------ turns


def test_players_take_turns_clockwise() -> None:
    """One pioneer at a time, from the holder of the pawn; an empty boat is skipped, a full one may play alone."""
    table = Table().boats(1, 3, 1)
    order = []
    for action in ("produce wood", "produce stone", "produce clay", "produce wood", "reserve " + str(table.cards[0])):
        order.append(table.actor)
        table.take(action)
    assert order == [0, 1, 2, 1, 1]
    assert (int(table.game.round), table.actor) == (2, 0)


def test_the_pawn_stays_if_nobody_takes_it() -> None:
    """Its holder then begins the next round as well."""
    table = Table().boats(1, 1, 1).take("produce wood", "produce wood", "produce stone")
    assert (int(table.game.pawn), table.actor, int(table.game.round)) == (0, 0, 2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_places_have_room_for_so_many(players: int) -> None:
    """Islands and the reserve take one pioneer of all together with 2 players, two with more; the pawn always one."""
    limits = dict.fromkeys(("wood", "stone", "clay", "food", "reserve"), 1 if players == 2 else 2) | {"first": 1}
    actions = {name: f"produce {name}" for name in ("wood", "stone", "clay")} | {"food": "food", "first": "first"}
    for place, limit in limits.items():
        for pioneers in range(limit + 1):
            table = Table(players).occupy(place, pioneers)
            action = actions.get(place, f"reserve {table.cards[0]}")
            assert (action in table.menu()) == (pioneers < limit), (place, pioneers)
    table = Table(players).put(0, "F01", "D01").occupy("swap", 20).occupy("construct", 20)
    table.lay_cards("H01").give(0, wood=1, stone=1)
    assert {"swap", "construct H01"} <= table.menu()


@pytest.mark.parametrize("place", PLACES)
def test_each_pioneer_stands_on_its_place(place: str) -> None:
    """A pioneer leaves the boat for the place of the action, until the cleanup."""
    table = Table().put(0, "F06", "D05").lay("B01").lay_cards("H01").give(0, wood=1, stone=1).boats(2, 0, 0)
    does = {"claim": "claim B01", "reserve": "reserve H01", "construct": "construct H01"}
    table.take(does.get(place, place if place in ("food", "first", "swap") else f"produce {place}"))
    assert table.game.pioneers.tolist() == [int(name == place) for name in PLACES]
    assert (int(table.player(0).boat), int(table.player(0).placed)) == (1, 3)
    table.take("food")
    assert (table.game.pioneers.tolist(), int(table.player(0).placed)) == ([0] * len(PLACES), 0)


# ----------------------------------------------------------------------------------------------------- claims


def test_two_claims_a_round() -> None:
    """A player claims at most twice in a round; the others still can, and next round everybody can again."""
    table = Table().lay("F01", "F02", "F03", "F04").boats(3, 2, 0).take("claim F01", "reserve " + str(Table().cards[0]))
    table.take("claim F02")
    assert (table.actor, table.options("claim")) == (1, {"F03", "F04"})
    table.take("claim F03")
    assert (table.actor, table.options("claim")) == (0, set())
    assert table.end_round().options("claim") == set(table.display)


def test_claimed_tiles_follow_the_river() -> None:
    """A tile lies on the next free spot, and is not replaced before the cleanup."""
    table = Table().lay("F01", "D01", "B01").boats(4, 0, 0).take("claim D01", "claim B01")
    assert (table.board(0), table.display) == (["D01", "B01"], ["F01"])


def test_a_full_board_claims_no_more() -> None:
    """With 12 tiles there is no spot left."""
    assert not Table().put(0, *(f"F{number:02}" for number in range(1, 13))).options("claim")


def test_prints_are_lost_when_covered() -> None:
    """The black board: warehouses on spots 2, 4, 7 and 11; wood, stone and clay on spots 3, 5 and 9."""
    table = Table(players=4)
    plain = ("G10", "G11", "G12", "G13", "G14", "G15", "G16", "G17", "G04", "G05", "G06", "G07")  # without symbols
    left = []
    for tile in plain:
        table.put(0, tile)
        left.append((*table.player(0).production.tolist(), int(table.player(0).warehouses)))
    assert left[:6] == [(1, 1, 1, 4), (1, 1, 1, 3), (0, 1, 1, 3), (0, 1, 1, 2), (0, 0, 1, 2), (0, 0, 1, 2)]
    assert left[6:] == [(0, 0, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("seat", "gone"), [(0, ["wood", "stone", "clay"]), (1, ["stone", "clay", "wood"]), (2, ["clay", "wood", "stone"])]
)
def test_boards_print_symbols_in_different_orders(seat: int, gone: list[str]) -> None:
    """Covering spots 3, 5 and 9 takes away other symbols on each board; yellow is wood, clay, stone."""
    names = ("wood", "stone", "clay")
    for place, board in ((seat, gone), (3, ["wood", "clay", "stone"])):
        table = Table(players=4)
        for number, tiles in enumerate((("G10", "G11", "G12"), ("G13", "G14"), ("G15", "G16", "G17", "G04"))):
            table.put(place, *tiles)
            assert table.player(place).production[names.index(board[number])] == 0


# ------------------------------------------------------------------------------------------------- production


@pytest.mark.parametrize(("players", "first"), [(2, 3), (3, 4), (4, 4)])
def test_three_symbols_and_the_first_pioneer(players: int, first: int) -> None:
    """The rulebook's example: three symbols give 4 to the first pioneer, with 2 players no more than 3."""
    table = Table(players).put(0, "F03", "F06", "B02").take("produce clay")
    assert table.held(0) == [0, 0, first, 0]


def test_the_first_pioneer_needs_no_symbol() -> None:
    """The extra resource alone is enough to produce; the second pioneer needs a symbol."""
    bare = ("F06", "F07", "F02")  # covers the wood of spot 3
    table = Table().put(0, *bare)
    assert table.take("produce wood").held(0) == [1, 0, 0, 0]
    assert Table().put(0, *bare).occupy("wood", 1).options("produce") == {"stone", "clay"}
    assert Table(2).put(0, *bare).options("produce") == {"stone", "clay"}


def test_nobody_takes_more_than_the_island_holds() -> None:
    """The island limits production, and an empty one cannot be chosen."""
    assert Table().put(0, "F03", "F06", "B02").supply(clay=2).take("produce clay").held(0) == [0, 0, 2, 0]
    assert Table().supply(clay=0).options("produce") == {"wood", "stone"}


def test_the_food_island_gives_one() -> None:
    """One food for each pioneer, first or not; without food one resource of choice."""
    table = Table(4).take("food", "food")
    assert (table.held(0), table.held(1), table.islands) == ([0, 0, 0, 1], [0, 0, 0, 1], [13, 13, 13, 3])
    table = Table().supply(food=0).take("food")
    assert (table.expects, table.menu()) == ("take", {"take wood", "take stone", "take clay"})
    assert table.take("take clay").held(0) == [0, 0, 1, 0]


def test_the_amount_of_the_food_island() -> None:
    """If its figure is changed to 3, it holds for food and for what is taken instead, as far as the island goes."""
    assert Table(food_action=3).take("food").held(0) == [0, 0, 0, 3]
    assert Table(food_action=3).supply(food=2).take("food").held(0) == [0, 0, 0, 2]
    assert Table(food_action=3).supply(food=0).take("food", "take stone").held(0) == [0, 3, 0, 0]
    assert Table(food_action=3).supply(food=0, stone=2).take("food", "take stone").held(0) == [0, 2, 0, 0]
    assert Table(food_action=3).supply(wood=0, stone=0, food=0).take("food").held(0) == [0, 0, 3, 0]


def test_food_with_full_warehouses() -> None:
    """The food may be taken and something else given up for it."""
    table = Table().give(0, wood=4).take("food")
    assert table.menu() == {"discard wood", "discard food"}
    assert table.take("discard wood").held(0) == [3, 0, 0, 1]


# ------------------------------------------------------------------------------------------------- buildings


def test_two_reserved_cards_at_most() -> None:
    """With two reserved cards a player reserves no more, until one of them is built."""
    table = Table().lay_cards("H04", "H05").reserve(0, "H01", "H02").give(0, wood=1)
    assert not table.options("reserve")
    assert table.options("construct") == {"H01", "H02"}
    table.boats(2, 0, 0).take("construct H01")
    assert (table.reserved(0), table.options("reserve")) == (["H02"], {"H04", "H05"})


def test_reserved_and_built_cards_are_replaced_in_the_cleanup_only() -> None:
    """Their spots stay empty until then; cards that nobody took stay."""
    table = Table().lay_cards("H01", "H02", "H03", "H04", deck=20).give(0, wood=1, stone=1).boats(3, 0, 0)
    table.take("reserve H02", "construct H01")
    assert table.cards == [None, None, "H03", "H04"]
    table.end_round()
    assert (table.cards[2:], None in table.cards, int(table.game.deck_left)) == (["H03", "H04"], False, 18)


def test_a_building_must_be_paid() -> None:
    """Without the resources it is not offered; food replaces any kind, and one is enough for what is missing."""
    table = Table().lay_cards("H07", "H04", "H01")  # 1 1 1; 2 1 0; 1 1 0
    assert table.give(0, wood=1, stone=1).options("construct") == {"H01"}
    assert table.give(0, wood=1, stone=1, food=1).options("construct") == {"H07", "H04", "H01"}
    assert table.give(0, clay=4).options("construct") == set()


def test_tokens_come_in_falling_order_then_zeros() -> None:
    """The next token is the highest left, whoever builds."""
    table = Table(2).lay_cards("H01", "H02", "H03").boats(2, 2)
    table.give(0, wood=2, stone=1, clay=1).give(1, stone=1, clay=1)
    table.take("construct H01", "construct H03", "construct H02")
    assert (table.tokens(0), table.tokens(1)) == ([6, 4], [5])
    assert table.tables.token_values[:8].tolist() == [6, 5, 4, 3, 2, 1, 0, 0]
    values = Table(3).tables.token_values[:20].tolist()
    assert values == [6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, *[0] * 9]
    assert int(table.player(0).points) == 2 + 2 + 6 + 4


def test_no_token_without_a_spot() -> None:
    """A building beyond the token spots counts, but brings no token."""
    for players, spots in ((2, 4), (3, 5), (4, 5)):
        table = Table(players).lay_cards("H01").give(0, wood=1, stone=1)
        table.player(0).token_count = spots
        table.take("construct H01")
        assert (int(table.player(0).token_count), table.built(0), int(table.game.tokens_taken)) == (spots, {"H01"}, 0)


def test_the_second_token_frees_the_fifth_pioneer() -> None:
    """It goes on the boat at once and plays in the same round, even if the boat had become empty."""
    table = Table().lay_cards("H01", "H02").boats(2, 0, 0).give(0, wood=2, stone=1, clay=1)
    table.take("construct H01")
    assert (int(table.player(0).boat), int(table.player(0).fifth)) == (1, 1)
    table.take("construct H02")
    assert (int(table.player(0).boat), int(table.player(0).fifth)) == (1, 0)
    assert (table.actor, int(table.game.round)) == (0, 1)
    table.take("produce wood")
    assert (int(table.game.round), int(table.player(0).boat)) == (2, 5)


def test_the_fifth_pioneer_waits_for_its_turn() -> None:
    """If others still have pioneers, they play first."""
    table = Table().lay_cards("H01").boats(1, 1, 0).give(0, wood=1, stone=1)
    table.player(0).token_count = 1
    assert table.take("construct H01").actor == 1
    assert table.take("produce wood").actor == 0
