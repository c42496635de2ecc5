"""The slow rules: their tricky parts by hand, and random games."""

import copy
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .river_of_gold import (
    GOODS,
    PASS,
    Facts,
    Mismatch,
    NaiveGame,
    Step,
    follow,
    load_facts,
    random_setup,
    replay,
)
from .river_of_gold_random import any_step, eager_step, play_random

pytestmark = pytest.mark.once_uncompiled

DATA = Path(__file__).parents[2] / "rogsim" / "games" / "river_of_gold" / "components" / "data"
FACTS = load_facts(DATA)
REGION_2 = 4  # the river space that touches shore spaces 6, 8, 9 and 10: region 2 only


def new_game(players: int = 3, patrons: list[str] | None = None, **changes: Any) -> NaiveGame:
    """Start a game with a fixed set-up, empty hands and no starting tiles.

    `changes` overwrite parts of the set-up; there are no masteries unless they name some.
    """
    setup = random_setup(FACTS, players, patrons, None, random.Random(7))
    game = NaiveGame(FACTS, setup | changes, players)
    if "masteries" not in changes:
        game.masteries = {}
    for space in [space for space, tile in game.shore.items() if tile.startswith("start-")]:
        del game.shore[space]
    for player in game.seats:
        player["hand"] = []
    return game


def place(game: NaiveGame, space: int, tile: str, *owners: int) -> None:
    game.shore[space] = tile
    game.markers[space] = list(owners)


def give(game: NaiveGame, seat: int, **fields: Any) -> dict[str, Any]:
    game.seats[seat].update(fields)
    return game.seats[seat]


def options(game: NaiveGame, do: str) -> list[Step]:
    return [step for step in game.legal() if step["do"] == do]


def sail_to(game: NaiveGame, to: int, ship: int = 0, die: int = 1) -> None:
    """Put a ship just before a river space and sail it there."""
    player = game.seats[game.active]
    player["ships"][ship] = (to - 1 - die) % len(game.river) + 1
    player["die"] = die
    game.take({"do": "sail", "ship": ship, "to": to})


def run_until(game: NaiveGame, *kinds: str) -> None:
    """Take the first option of everybody until one of these steps is due."""
    while game.expects not in kinds:
        game.take(game.legal()[0] if game.chooser is not None else game.chance_step(random.Random(0)))


# ------------------------------------------------------------------------------------------------------- turn


def test_r2_the_die_turns_the_shorter_way_and_wraps() -> None:
    """Favor turns the die either way past 6, as far as it suffices, to another face."""
    game = new_game()
    player = give(game, 0, die=6, favor=2)
    assert [step["die"] for step in options(game, "favor")] == [1, 2, 4, 5]
    game.take({"do": "favor", "die": 2})
    assert (player["die"], player["favor"]) == (2, 0)
    assert options(game, "favor") == []


def test_r3_exchanges_need_room_for_what_they_give() -> None:
    """A good at 6 or favor at its limit cannot be exchanged for."""
    game = new_game()
    player = give(game, 0, silk=6, rice=2, porcelain=1, koku=5, favor=2, favor_limit=3)
    assert game.exchanges() == [
        {"do": "exchange", "give": "silk", "get": "rice"},
        {"do": "exchange", "give": "silk", "get": "porcelain"},
        {"do": "exchange", "give": "rice", "get": "porcelain"},
        {"do": "exchange", "give": "koku", "get": "favor"},
    ]
    game.take({"do": "exchange", "give": "koku", "get": "favor"})
    assert (player["koku"], player["favor"]) == (0, 3)
    player["koku"] = 25
    assert {"do": "exchange", "give": "koku", "get": "favor"} not in game.exchanges()


def test_r3_only_the_active_seat_exchanges() -> None:
    """While another seat chooses, its options hold no exchange, and the active seat may still exchange."""
    game = new_game()
    place(game, 8, "era2-port-2", 1)
    give(game, 1, silk=4)
    player = give(game, 0, silk=4, rice=0)
    sail_to(game, REGION_2)
    run_until(game, "good")
    assert game.legal() == [{"do": "good", "good": good, "seat": 1} for good in GOODS]
    silk = player["silk"]
    game.take({"do": "exchange", "give": "silk", "get": "rice"})
    assert player["silk"] == silk - 2
    assert game.chooser == 1


# ------------------------------------------------------------------------------------------------------ build


def test_r6_an_artisan_makes_building_cheaper() -> None:
    """The artisan takes 2 off in its region only."""
    game = new_game()
    give(game, 0, die=1, koku=3, delivered=["artisan-1"])
    assert {step["space"] for step in options(game, "build")} == {2}
    give(game, 0, die=3)
    assert options(game, "build") == []


def test_r7_a_build_pays_gains_and_refills_in_order() -> None:
    """The end tile gives 1 favor, the influence its track rewards, and a new tile enters at the start."""
    game = new_game()
    end, coming = game.row[-1], game.era1[0]
    built = FACTS["tile"][[row["id"] for row in FACTS["tile"]].index(end)]["build"]
    player = give(game, 0, die=1, koku=9, favor=3, favor_limit=4, porcelain=0)
    game.take({"do": "build", "space": 2, "tile": end})
    assert player["favor"] == 4
    assert player["influence"][0] == built
    assert player["porcelain"] == (1 if built >= 2 else 0)
    assert player["koku"] == 4 + (2 if built >= 5 else 0)
    assert game.row[0] == coming
    assert len(game.row) == 4
    assert end not in game.row


def test_yasuki_scores_the_river_spaces_that_touch_the_building() -> None:
    """Shore space 4 touches river spaces 1, 2 and 3."""
    game = new_game(patrons=["yasuki-taka", "kudaka", "daidoji-uji"])
    tile = next(tile for tile in game.row if game.tiles[tile]["build"] < 13)
    player = give(game, 0, die=1, koku=20)
    game.take({"do": "build", "space": 4, "tile": tile})
    assert player["points"] == 3


def test_kaiu_builds_anywhere() -> None:
    """Kaiu Shihobu starts 10 koku richer and is not bound to the die."""
    game = new_game(patrons=["kaiu-shihobu", "kudaka", "daidoji-uji"])
    assert game.seats[0]["koku"] == FACTS["setup"]["koku_by_turn_order"][0] + 10
    assert {game.spaces[step["space"]]["region"] for step in options(game, "build")} == {1, 2, 3, 4, 5, 6}


# ------------------------------------------------------------------------------------------------------- sail


def test_r9_r10_a_journey_goes_round_and_costs_the_row_its_end_tile() -> None:
    """From space 14 a 1 leads to space 1; the reward comes before the row changes."""
    game = new_game()
    end, coming = game.row[-1], game.era1[0]
    player = give(game, 0, koku=0)
    sail_to(game, 1)
    assert player["koku"] == 4  # four empty spaces
    assert game.row[-1] == end
    assert [step["take"] for step in options(game, "journey")] == ["koku", *GOODS]
    game.take({"do": "journey", "take": "koku"})
    assert player["koku"] == 7
    assert game.row[0] == coming
    assert end not in game.row
    assert game.expects == "roll"


def test_r11_r18_two_markers_pay_twice_and_count_once() -> None:
    """A port with two markers of its owner pays twice, each time for one port."""
    game = new_game()
    place(game, 8, "era1-port-4", 1, 1)
    player = give(game, 1, koku=0)
    sail_to(game, REGION_2)
    run_until(game, "roll")
    assert player["koku"] == 2


def test_r12_a_good_of_choice_may_be_full_and_is_lost() -> None:
    """Another seat is asked too, and may name a good that it has six of."""
    game = new_game()
    place(game, 9, "era2-port-2", 2)
    player = give(game, 2, rice=6)
    sail_to(game, 5)
    before = copy.deepcopy(player)
    game.take({"do": "good", "good": "rice", "seat": 2})
    assert player == before


def test_r13_markets_without_owner_pay_no_owner() -> None:
    """An imperial market pays its visitor only, and is the market that nobody owns."""
    shore = {"6": "imperial-market-rice", "17": "imperial-market-silk", "29": "imperial-market-porcelain"}
    game = new_game(players=4, shore=shore, masteries=["water", "earth", "void"])
    others = copy.deepcopy(game.seats[1:])
    player = give(game, 0, rice=0, favor=0)
    for space, kind in ((11, "port"), (12, "manor"), (13, "shrine")):
        place(game, space, f"era1-{kind}-1", 0)
    sail_to(game, REGION_2)
    assert (player["rice"], player["favor"]) == (1, 1)
    assert game.seats[1:] == others
    assert game.expects == "roll"  # no fourth type, so no claim
    place(game, 14, "era1-market-1", 0)
    assert game._meets(0, "water")


def test_r22_space_18_asks_for_a_good_in_the_middle_of_a_move() -> None:
    """The last space gives 3 points and a good of choice once; what goes past it is lost."""
    game = new_game()
    place(game, 8, "era1-manor-6", 1)
    player = give(game, 0, influence=[0, 17, 0, 0, 0, 0], silk=0)
    sail_to(game, REGION_2)
    run_until(game, "good")
    assert player["influence"][1] == 18
    assert player["points"] == 3
    assert game.seats[1]["points"] == 0  # the owner is paid after the visitor
    game.take({"do": "good", "good": "silk"})
    assert game.seats[1]["points"] == 1
    assert player["silk"] >= 1


def test_r23_kashiko_jumps_and_stops_at_the_end() -> None:
    """A step skips occupied spaces with their rewards collected; space 18 stops her though it is occupied."""
    game = new_game(patrons=["bayushi-kashiko", "kudaka", "daidoji-uji"])
    player = give(game, 0, influence=[1, 16, 0, 0, 0, 0], koku=0, porcelain=0)
    give(game, 1, influence=[2, 17, 0, 0, 0, 0])
    give(game, 2, influence=[4, 18, 0, 0, 0, 0])
    list(game._influence(0, 1, 2))
    assert player["influence"][0] == 5  # 3, then over 4
    assert (player["porcelain"], player["koku"]) == (1, 2)
    flow = game._influence(0, 2, 3)
    assert next(flow).kind == "good"
    assert player["influence"][1] == 18


def test_r24_hyobu_scores_a_move_that_passes_her() -> None:
    """Below to above counts; from beside her, to beside her, or past a marker at the start does not."""
    game = new_game(patrons=["kudaka", "shosuro-hyobu", "daidoji-uji"])
    hyobu = give(game, 1, influence=[3, 3, 4, 0, 0, 0])
    give(game, 0, influence=[2, 3, 2, 0, 0, 0])
    for region, points in ((1, 3), (2, 0), (3, 0), (4, 0)):
        hyobu["points"] = 0
        list(game._influence(0, region, 2))
        assert hyobu["points"] == points, region


def test_r24_a_kashiko_jump_passes_hyobu() -> None:
    """Jumping over her marker is passing it."""
    game = new_game(players=2, patrons=["shosuro-hyobu", "kudaka"])
    game.patrons[1] = "bayushi-kashiko"
    hyobu = give(game, 0, influence=[1, 0, 0, 0, 0, 0])
    list(game._influence(1, 1, 1))
    assert game.seats[1]["influence"][0] == 2
    assert hyobu["points"] == 3


def test_daidoji_scores_a_visit_to_an_opponent_once() -> None:
    """Two opponents' buildings visited give 2 points, a building of the player alone none."""
    for owners, points in (((1, 2), 2), ((0, 0), 0)):
        game = new_game(patrons=["daidoji-uji", "kudaka", "kaiu-shihobu"])
        place(game, 8, "era1-port-1", owners[0])
        place(game, 9, "era1-port-2", owners[1])
        player = give(game, 0, points=0)
        sail_to(game, REGION_2)
        run_until(game, "roll")
        assert player["points"] == points


# ----------------------------------------------------------------------------------------------------- nobles


def test_r20_noble_1_asks_for_each_market_good_before_the_favor() -> None:
    """The royal ship's visit to an imperial market asks for the good where the printed one stands."""
    shore = {"6": "imperial-market-rice", "17": "imperial-market-silk", "29": "imperial-market-porcelain"}
    game = new_game(players=4, shore=shore)
    player = give(game, 0, delivered=["noble-1"], royal=0, favor=0, rice=0)
    sail_to(game, REGION_2)
    assert game.expects == "good"
    assert player["favor"] == 0
    game.take({"do": "good", "good": "rice"})  # the printed kind is a choice like the others
    assert (player["favor"], player["rice"]) == (1, 1)
    assert game.expects == "roll"


def test_r20_the_other_ship_has_no_royal_ability() -> None:
    """With noble 1, 2 and 6 the standard ship gets the printed good and no more."""
    shore = {"6": "imperial-market-rice", "17": "imperial-market-silk", "29": "imperial-market-porcelain"}
    game = new_game(players=4, shore=shore)
    place(game, 8, "era1-port-1", 0)
    player = give(game, 0, delivered=["noble-1", "noble-2", "noble-6"], royal=1, rice=0, koku=0)
    sail_to(game, REGION_2)
    assert game.expects == "roll"
    assert (player["koku"], player["rice"], player["points"]) == (5, 2, 0)


def test_r20_nobles_2_4_and_6_count_what_was_visited() -> None:
    """Noble 2: a koku per empty space; noble 4: a point for an opponent's building; 6: for one of the player."""
    shore = {"6": "imperial-market-rice", "17": "imperial-market-silk", "29": "imperial-market-porcelain"}
    for owners, points in (([], 0), ([0], 1), ([1], 1), ([1, 0], 2)):
        game = new_game(players=4, shore=shore)
        player = give(game, 0, delivered=["noble-2", "noble-4", "noble-6"], royal=0, koku=0)
        if owners:
            place(game, 8, "era2-market-1", *owners)
        sail_to(game, REGION_2)
        run_until(game, "roll")
        empty = 2 if owners else 3
        assert (player["koku"], player["points"]) == (2 * empty, points), owners


def test_r20_noble_3_moves_once_in_each_region_with_a_choice_between() -> None:
    """River space 5 touches regions 2 and 3: the choice at space 18 of region 2 comes before region 3."""
    game = new_game(patrons=["daidoji-uji", "shosuro-hyobu", "kudaka"])
    player = give(game, 0, delivered=["noble-3", "noble-6"], royal=0, influence=[0, 17, 4, 0, 0, 0], koku=0)
    place(game, 9, "era1-port-3", 0)
    sail_to(game, 5)
    assert game.expects == "good"
    assert player["influence"] == [0, 18, 4, 0, 0, 0]
    assert player["points"] == 3
    game.take({"do": "good", "good": "silk"})
    assert player["influence"] == [0, 18, 5, 0, 0, 0]
    assert player["koku"] == 3 + 3 + 2  # the port, three empty spaces, the track
    assert player["points"] == 4  # noble 6 comes after noble 3


def test_r20_noble_5_wraps_for_the_royal_ship_only() -> None:
    """A 6 moves the royal ship 5, 6 or 1 spaces and leaves the die alone."""
    game = new_game()
    player = give(game, 0, delivered=["noble-5"], royal=1, ships=[3, 10], die=6)
    assert options(game, "sail") == [
        {"do": "sail", "ship": 0, "to": 9},
        {"do": "sail", "ship": 1, "to": 1},
        {"do": "sail", "ship": 1, "to": 2},
        {"do": "sail", "ship": 1, "to": 11},
    ]
    game.take({"do": "sail", "ship": 1, "to": 11})
    assert player["die"] == 6


# -------------------------------------------------------------------------------------------------- merchants


def journey(merchants: list[str], **fields: Any) -> tuple[NaiveGame, dict[str, Any]]:
    """Complete a journey of seat 0 and take the koku."""
    game = new_game()
    player = give(game, 0, delivered=merchants, koku=0, silk=0, rice=0, porcelain=0, **fields)
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    return game, player


def test_r21_merchants_act_in_order() -> None:
    """Merchant 3's good can be sold to merchant 4, and only then merchants 5 and 6 pay."""
    game, player = journey(["merchant-6", "merchant-5", "merchant-4", "merchant-3", "merchant-2"], favor=0)
    assert (game.expects, player["points"]) == ("good", 5)
    game.take({"do": "good", "good": "silk"})
    assert game.legal() == [
        {"do": "sell", "good": "silk"},
        PASS,
        {"do": "exchange", "give": "koku", "get": "favor"},
    ]
    assert (player["koku"], player["favor"]) == (7, 0)
    game.take({"do": "sell", "good": "silk"})  # nothing is left to sell, so merchants 5 and 6 follow at once
    assert (player["koku"], player["favor"]) == (15, 1)


def test_r21_merchant_4_is_not_offered_to_a_player_without_goods() -> None:
    """With nothing to sell there is no question."""
    game, _ = journey(["merchant-4"])
    assert game.expects == "roll"


def test_r21_merchant_1_moves_in_every_region_with_an_own_building() -> None:
    """A building shared with another counts; two in one region give one move."""
    game = new_game()
    place(game, 12, "era1-port-1", 1, 0)
    place(game, 26, "era1-port-2", 0)
    place(game, 27, "era1-port-3", 0)
    player = give(game, 0, delivered=["merchant-1"], influence=[0] * 6)
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    assert player["influence"] == [0, 0, 1, 0, 0, 1]


def test_an_exchange_while_selling_must_be_followed_by_a_sale() -> None:
    """Since a trace shows no end of selling, an exchange belongs to it only if a sale follows."""
    game, player = journey(["merchant-3", "merchant-4"])
    player["rice"] = 2
    game.take({"do": "good", "good": "rice"})
    game.take({"do": "exchange", "give": "rice", "get": "silk"})
    assert PASS not in game.legal()
    game.take({"do": "sell", "good": "silk"})
    assert PASS in game.legal()


def test_replay_infers_where_selling_ended() -> None:
    """Exchanges before a sale come before merchant 5's favor; without a sale they come after it."""
    for sale in (True, False):
        game = new_game()
        player = give(game, 0, delivered=["merchant-4", "merchant-5"], favor=2, favor_limit=4)
        give(game, 0, koku=5, silk=1, rice=0, porcelain=0, ships=[14, 5], die=1)
        bought = {"do": "exchange", "give": "koku", "get": "favor"}
        steps: list[Step] = [{"do": "sail", "ship": 0, "to": 1}, {"do": "journey", "take": "koku"}]
        steps += [bought, bought]
        if sale:
            follow(game, [*steps, {"do": "sell", "good": "silk"}])
            assert (player["favor"], player["silk"]) == (4, 0)  # merchant 5 found no room
        else:
            with pytest.raises(Mismatch, match="step 3: expected"):
                follow(game, steps)
            assert (player["favor"], player["silk"]) == (4, 1)  # the second exchange found none


# -------------------------------------------------------------------------------------------------- customers


def ready_to_deliver(customer: str, **fields: Any) -> tuple[NaiveGame, dict[str, Any]]:
    game = new_game(patrons=fields.pop("patrons", None))
    player = give(game, 0, hand=[customer], die=int(customer[-1]), silk=6, rice=6, porcelain=6, **fields)
    return game, player


def test_r15_delivering_needs_die_and_goods() -> None:
    """The customer must be of the die's region, the whole order there; Yoritomo ignores the die."""
    game, player = ready_to_deliver("artisan-3")
    assert options(game, "deliver") == [{"do": "deliver", "customer": "artisan-3"}]
    player["silk"] = 1
    assert options(game, "deliver") == []
    give(game, 0, silk=6, die=4)
    assert options(game, "deliver") == []
    game.patrons[0] = "yoritomo"
    assert options(game, "deliver") == [{"do": "deliver", "customer": "artisan-3"}]


def test_r14_r15_the_card_just_drawn_may_be_discarded() -> None:
    """After a delivery two cards are drawn, and any card of the hand is discarded."""
    game, player = ready_to_deliver("artisan-3")
    top = game.deck[:2]
    game.take({"do": "deliver", "customer": "artisan-3"})
    assert player["influence"][2] == 2
    game.take({"do": "draw", "customers": top})
    assert options(game, "discard") == [{"do": "discard", "customer": card} for card in sorted(top)]
    game.take({"do": "discard", "customer": top[1]})
    assert (player["hand"], game.discards) == ([top[0]], [top[1]])


def test_r16_a_reshuffle_splits_a_draw() -> None:
    """The last card is drawn, the discards become the deck, and the second card comes from there."""
    game, player = ready_to_deliver("artisan-3")
    game.deck, game.discards = ["elder-1"], ["elder-2", "elder-3"]
    game.take({"do": "deliver", "customer": "artisan-3"})
    game.take({"do": "draw", "customers": ["elder-1"]})
    with pytest.raises(Mismatch, match="reshuffle"):
        game.take({"do": "reshuffle", "deck": ["elder-2", "elder-1"]})
    game.take({"do": "reshuffle", "deck": ["elder-3", "elder-2"]})
    game.take({"do": "draw", "customers": ["elder-3"]})
    game.take({"do": "discard", "customer": "elder-1"})
    assert (player["hand"], game.deck, game.discards) == (["elder-3"], ["elder-2"], ["elder-1"])


@pytest.mark.parametrize("deck", [[], ["elder-1"]])
def test_r16_too_few_cards_are_kept(deck: list[str]) -> None:
    """With deck and discards exhausted what there is is drawn, and nothing is discarded."""
    game, player = ready_to_deliver("artisan-3")
    game.deck, game.discards = list(deck), []
    game.take({"do": "deliver", "customer": "artisan-3"})
    if deck:
        game.take({"do": "draw", "customers": deck})
    assert game.expects in ("claim", "roll")
    assert player["hand"] == deck


def test_r17_a_monk_raises_the_limit_before_the_favor() -> None:
    """Limit 3 becomes 4, so favor 3 becomes 4; without a building to mark nobody is asked."""
    game, player = ready_to_deliver("monk-1", favor=3, favor_limit=3)
    game.take({"do": "deliver", "customer": "monk-1"})
    assert (player["favor_limit"], player["favor"]) == (4, 4)
    assert game.expects == "draw"


@pytest.mark.parametrize(("monk", "spaces"), [("monk-1", [1]), ("monk-2", [2])])
def test_r17_a_monk_marks_a_building_of_one_marker(monk: str, spaces: list[int]) -> None:
    """Monks 1, 3, 5 mark a building of the player, the others an opponent's; two markers are full; no influence."""
    game, player = ready_to_deliver(monk, influence=[0] * 6)
    for space, owners in ((1, [0]), (2, [1]), (3, [0, 0]), (4, [1, 2])):
        place(game, space, f"era1-port-{space}", *owners)
    game.take({"do": "deliver", "customer": monk})
    assert options(game, "marker") == [{"do": "marker", "space": space} for space in spaces]
    game.take({"do": "marker", "space": spaces[0]})
    assert game.markers[spaces[0]][-1] == 0
    assert player["influence"] == [0] * 6


def test_r19_the_first_noble_makes_a_royal_ship_before_the_influence() -> None:
    """The ship is chosen first, then the track pays; a second noble changes no ship."""
    game, player = ready_to_deliver("noble-4", influence=[0] * 6)
    player["porcelain"] = 0
    game.take({"do": "deliver", "customer": "noble-4"})
    assert options(game, "royal") == [{"do": "royal", "ship": 0}, {"do": "royal", "ship": 1}]
    assert (player["influence"][3], player["porcelain"]) == (0, 0)
    game.take({"do": "royal", "ship": 1})
    assert (player["royal"], player["influence"][3], player["porcelain"]) == (1, 2, 1)

    game, player = ready_to_deliver("noble-4", delivered=["noble-2"], royal=0)
    game.take({"do": "deliver", "customer": "noble-4"})
    assert (game.expects, player["royal"]) == ("draw", 0)


def test_kudaka_scores_the_first_customer_of_a_region() -> None:
    """A second customer of the same region gives nothing more."""
    patrons = ["kudaka", "daidoji-uji", "kaiu-shihobu"]
    for delivered, points in (([], 3), (["elder-3"], 0), (["elder-4"], 3)):
        game, player = ready_to_deliver("artisan-3", delivered=delivered, patrons=patrons)
        game.take({"do": "deliver", "customer": "artisan-3"})
        assert player["points"] == points


# ----------------------------------------------------------------------------------------- masteries and eras


def test_r25_every_mastery_met_is_claimed_while_rewards_last() -> None:
    """Two players share one reward a mastery; the order of claims is free; none may be skipped."""
    game = new_game(players=2, masteries=["void", "courts", "fire"])
    game.masteries["fire"] = [1]
    give(game, 0, influence=[11, 1, 1, 1, 1, 1], delivered=["elder-1", "elder-2"])
    sail_to(game, 5)
    run_until(game, "claim", "roll")
    assert game.expects == "claim"
    with pytest.raises(Mismatch, match="expected claim"):
        game.take({"do": "roll", "die": 1})
    game.take({"do": "claim", "mastery": "courts", "points": 5})
    game.take({"do": "claim", "mastery": "void", "points": 5})
    assert game.expects == "roll"


@pytest.mark.parametrize(
    ("mastery", "almost", "met"),
    [
        ("air", {"delivered": ["monk-1", "elder-1"]}, {"delivered": ["monk-1", "elder-1", "noble-1"]}),
        ("fire", {"delivered": ["monk-1", "elder-1"]}, {"delivered": ["monk-1", "elder-1", "monk-2"]}),
        ("courts", {"influence": [10, 10, 0, 0, 0, 0]}, {"influence": [10, 11, 0, 0, 0, 0]}),
        ("void", {"influence": [9, 9, 9, 9, 9, 0]}, {"influence": [1, 1, 1, 1, 1, 1]}),
    ],
)
def test_masteries_are_met_just_at_their_figure(mastery: str, almost: dict[str, Any], met: dict[str, Any]) -> None:
    """One less is not enough."""
    game = new_game()
    give(game, 1, **almost)
    assert not game._meets(1, mastery)
    give(game, 1, **met)
    assert game._meets(1, mastery)


def test_earth_and_water_count_a_building_of_two_own_markers_once() -> None:
    """Three buildings of one type make earth, one of each type water; a shared one counts for both (R18)."""
    game = new_game()
    place(game, 1, "era1-port-1", 0, 0)
    place(game, 2, "era1-port-2", 1, 0)
    assert not game._meets(0, "earth")
    place(game, 3, "era1-port-3", 0, 1)
    assert game._meets(0, "earth")
    assert not game._meets(1, "earth")
    for space, kind in ((4, "market"), (5, "manor"), (8, "shrine")):
        assert not game._meets(0, "water")
        place(game, space, f"era1-{kind}-1", 0)
    assert game._meets(0, "water")


def test_r26_the_visit_follows_the_roll_and_pays_every_marker_in_order() -> None:
    """A journey that takes the last era 1 tile: roll, visit, owners by space, choices of several seats."""
    game = new_game()
    game.era1 = game.era1[:1]
    place(game, 26, "era2-port-2", 2, 1)
    place(game, 5, "era2-shrine-3", 1)
    place(game, 16, "era2-shrine-1", 2)
    give(game, 2, influence=[0, 0, 0, 17, 0, 0])
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    assert game.era1 == []
    game.take({"do": "roll", "die": 4})
    assert game.expects == "visit"
    game.take({"do": "visit"})
    asked = []
    while game.expects == "good":
        asked.append((game.chooser, game.seats[2]["influence"][3]))
        game.take(game.legal()[0])
    assert asked == [(1, 17), (2, 18), (2, 18), (1, 18)]
    assert game.expects == "turn_end"


def test_r26_masteries_met_through_the_visit_wait_for_the_own_turn() -> None:
    """Masteries met by influence in the visit are claimed in step 3 of the player's next turn, not before."""
    game = new_game(masteries=["void", "earth", "fire"])
    game.era1 = game.era1[:1]
    place(game, 16, "era2-shrine-1", 1)
    give(game, 1, influence=[1, 1, 1, 0, 1, 1], ships=[1, 2])
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    run_until(game, "turn_end")
    game.take(PASS)
    assert game.seats[1]["influence"][3] == 1
    assert game.masteries["void"] == []
    game.take(options(game, "sail")[0])
    run_until(game, "claim")
    assert options(game, "claim") == []  # bookkeeping, not a choice
    game.take({"do": "claim", "mastery": "void", "points": 7})


def test_r8_r27_after_the_trigger_each_other_player_has_one_turn_without_refill() -> None:
    """The trigger scores 5 without a roll; the row shrinks, its end tile is the oldest; then it is over."""
    game = new_game()
    game.era1, game.era2 = [], game.era2[:1]
    row = game.row
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    assert game.expects == "end_trigger"
    die = game.seats[0]["die"]
    game.take({"do": "end_trigger"})
    assert (game.seats[0]["points"], game.seats[0]["die"]) == (5, die)
    game.take(PASS)

    assert game.active == 1
    before = list(row)
    sail_to(game, 1)
    game.take({"do": "journey", "take": "koku"})
    assert game.row == before[:-1]
    assert game.expects == "turn_end"
    game.take(PASS)

    player = give(game, 2, koku=25, die=1, favor=0, favor_limit=6)
    game.take({"do": "build", "space": 2, "tile": before[-2]})  # the end tile of a short row (R8)
    assert player["favor"] >= 1
    assert game.row == before[:-2]
    run_until(game, "turn_end")
    game.take(PASS)
    assert game.over
    assert game.turn_number == 2


def test_r28_kakita_may_buy_the_favor_and_set_the_die() -> None:
    """Without favor she can only exchange or roll; with it she names any face, the present one too."""
    game = new_game(patrons=["kakita-ryoku", "kudaka", "kaiu-shihobu"])
    player = give(game, 0)
    sail_to(game, 5)
    run_until(game, "set_die")
    give(game, 0, favor=0, koku=5, silk=0, rice=0, porcelain=0)
    assert game.legal() == [PASS, {"do": "exchange", "give": "koku", "get": "favor"}]
    game.take({"do": "exchange", "give": "koku", "get": "favor"})
    assert [step["die"] for step in options(game, "set_die")] == [1, 2, 3, 4, 5, 6]
    game.take({"do": "set_die", "die": 6})
    assert (player["die"], player["favor"], game.expects) == (6, 0, "turn_end")


# ---------------------------------------------------------------------------------------------- final scoring


@pytest.mark.parametrize(
    ("players", "tile", "influence", "points"),
    [
        (4, [12, 8, 4], [9, 5, 5, 0], [12, 6, 6, 0]),
        (4, [12, 8, 4], [9, 9, 9, 1], [8, 8, 8, 0]),
        (4, [9, 5], [18, 18, 18, 18], [3, 3, 3, 3]),
        (4, [9, 5], [6, 6, 5, 5], [7, 7, 0, 0]),
        (4, [9, 5], [6, 5, 5, 5], [9, 1, 1, 1]),
        (3, [7, 3], [0, 0, 1], [0, 0, 7]),
        (3, [7, 3], [0, 0, 0], [0, 0, 0]),
        (2, [5, 2], [10, 5], [5, 2]),
        (2, [5, 2], [10, 4], [5, 0]),
        (2, [5, 2], [4, 4], [3, 3]),
        (2, [3], [4, 4], [1, 1]),
    ],
)
def test_r29_regions(players: int, tile: list[int], influence: list[int], points: list[int]) -> None:
    """Ties share the sum of their places, rounded down; nobody scores at 0; two players: within 5 spaces."""
    game = new_game(players=players)
    game.region_tiles[2] = tile
    for seat, reached in enumerate(influence):
        game.seats[seat]["influence"][2] = reached
    assert game.region_points(3) == points
    give(game, players - 1, delivered=["elder-3", "elder-4"])
    assert game.region_points(3) == [*points[:-1], 2 * points[-1]]


def test_r30_r31_customers_merchants_artisans_and_nobles() -> None:
    """Each part of the final score by hand."""
    game = new_game()
    place(game, 1, "era1-market-1", 0, 0)
    place(game, 2, "era1-port-1", 1, 0)
    place(game, 8, "era1-port-2", 0)
    give(game, 0, koku=14, silk=3, rice=3, porcelain=1, points=10, influence=[0] * 6)
    delivered = [
        "merchant-1",
        "merchant-2",
        "artisan-1",
        "artisan-2",
        "noble-1",
        "noble-2",
        "noble-5",
        "noble-6",
    ]
    give(game, 0, delivered=delivered)
    row = game.final()["breakdown"][0]
    assert row == {
        "in_game": 10,
        "regions": [0] * 6,
        "customers": 27,
        "merchants": 4,
        "artisans": 4,
        "nobles": 1 + 2 + 2 + 2,
    }
    assert game.final()["points"][0] == 10 + 27 + 4 + 4 + 7


@pytest.mark.parametrize(
    ("points", "favor", "winners"),
    [([5, 5, 4], [1, 2, 6], [1]), ([5, 5, 4], [2, 2, 6], [0, 1]), ([1, 1, 4], [2, 2, 0], [2])],
)
def test_r32_winners(points: list[int], favor: list[int], winners: list[int]) -> None:
    """Points first, then favor; what is still tied is shared."""
    game = new_game()
    for seat in range(3):
        give(game, seat, points=points[seat], favor=favor[seat])
    assert game.final()["winners"] == winners


# ------------------------------------------------------------------------------------------- set-up and facts


def test_yoritomo_is_dealt_three_cards_in_his_turn() -> None:
    """His hand is three cards in a row, and the next hand starts after them."""
    patrons = ["yoritomo", "shosuro-hyobu", "daidoji-uji"]
    setup = random_setup(FACTS, 3, patrons, None, random.Random(3))
    assert setup["hands"] == [setup["deck"][:3], setup["deck"][3:5], setup["deck"][5:7]]
    assert NaiveGame(FACTS, setup, 3).deck == setup["deck"][7:]


WRONG_SETUPS: list[tuple[str, Any]] = [
    ("region_tiles", [[7, 3]] * 6),
    ("masteries", ["air", "air", "void"]),
    ("masteries", ["air", "void", "sea"]),
    ("shore", {"6": "imperial-market-rice", "17": "imperial-market-silk", "29": "imperial-market-silk"}),
    ("era1", ["era1-port-1"] * 14),
    ("era2", []),
    ("deck", ["artisan-1"] * 30),
    ("hands", [[], [], []]),
    ("patrons", ["kudaka", "yoritomo", "daidoji-uji"]),
    ("ships", [[1, 9], [2, 9], [2, 9]]),
    ("ships", [[2, 9], [2, 15], [2, 9]]),
    ("dice", [1, 2, 7]),
    ("weather", "fine"),
]


@pytest.mark.parametrize(("key", "value"), WRONG_SETUPS)
def test_a_wrong_set_up_is_refused(key: str, value: object) -> None:
    """Each part of a set-up is checked."""
    setup = random_setup(FACTS, 3, None, None, random.Random(3))
    with pytest.raises(Mismatch, match="set-up"):
        NaiveGame(FACTS, setup | {key: value}, 3)


def test_facts_may_be_split_over_files(tmp_path: Path) -> None:
    """A folder's files are put together, and a figure given twice is an error."""
    (tmp_path / "a.toml").write_text('note = "one"\n[limits]\nkoku = 25\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('note = "two"\n[limits]\ngood = 6\n[[patron]]\nid = "kudaka"\n', encoding="utf-8")
    (tmp_path / "c.toml").write_text(
        '[[patron]]\nid = "yoritomo"\n[[mastery]]\nid = "air"\n[[customer]]\nid = "x"\njourney = "koku_4"\n',
        encoding="utf-8",
    )
    facts = load_facts(tmp_path)
    assert facts["limits"] == {"koku": 25, "good": 6}
    assert [row["id"] for row in facts["patron"]] == ["kudaka", "yoritomo"]
    assert facts["customer"][0]["amount"] == 4
    (tmp_path / "d.toml").write_text("[limits]\nkoku = 20\n", encoding="utf-8")
    with pytest.raises(ValueError, match="koku is given twice"):
        load_facts(tmp_path)


# ----------------------------------------------------------------------------------------------- random games


def generous(facts: Facts) -> Facts:
    """Change the numbers so that deliveries, and everything that depends on them, are frequent."""
    facts = copy.deepcopy(facts)
    facts["setup"]["goods"] = dict.fromkeys(GOODS, 5)
    for customer in facts["customer"]:
        customer["order"] = dict.fromkeys(customer["order"], 1)
    return facts


GENEROUS = generous(FACTS)


@pytest.mark.parametrize("patrons", [None, "random"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_replay_agrees_with_random_games(players: int, patrons: str | None) -> None:
    """Twenty random games of each kind replay without a mismatch: uniform, eager, and with other numbers."""
    for game in range(20):
        facts, choose = [(FACTS, any_step), (FACTS, eager_step), (GENEROUS, eager_step)][game % 3]
        replay(play_random(facts, players, patrons, random.Random(game), choose=choose), facts)


def test_random_games_meet_every_kind_of_step_and_customer() -> None:
    """The random games cover each step, customer, patron and mastery."""
    kinds: Counter[str] = Counter()
    ids: set[str] = set()
    for game in range(12):
        facts = FACTS if game % 2 else GENEROUS
        trace = play_random(facts, 2 + game % 3, "random", random.Random(game), choose=eager_step)
        ids.update(trace["setup"]["patrons"])
        for turn in trace["turns"]:
            for step in turn["steps"]:
                kinds[step["do"] + (" elsewhere" if "seat" in step else "")] += 1
                ids.update({step.get("customer"), step.get("mastery")} - {None})
    rows = FACTS["customer"] + FACTS["patron"] + FACTS["mastery"]
    assert {row["id"] for row in rows} <= ids
    known = "exchange favor build sail deliver good journey sell draw reshuffle discard royal marker claim"
    assert set(kinds) == {*known.split(), "set_die", "roll", "visit", "end_trigger", "good elsewhere"}


def test_cards_and_tiles_are_conserved_and_limits_held() -> None:
    """At every step of a random game no card or tile is lost or doubled, and no limit is broken."""
    for number in range(6):
        rng = random.Random(number)
        players = 2 + number % 3
        setup = random_setup(GENEROUS, players, "random", None, rng)
        game = NaiveGame(GENEROUS, setup, players)
        while not game.over:
            if game.chooser is None:
                game.settle(rng)
            else:
                steps = game.legal()
                assert len(steps) == len({str(step) for step in steps}) > 0
                game.take(eager_step(game, steps, rng))
            check_conservation(game)


def check_conservation(game: NaiveGame) -> None:
    cards = game.deck + game.discards
    for player in game.seats:
        cards = cards + player["hand"] + player["delivered"]
        assert 0 <= player["koku"] <= 25
        assert all(0 <= player[good] <= 6 for good in GOODS)
        assert 0 <= player["favor"] <= player["favor_limit"] <= 6
        assert all(0 <= reached <= 18 for reached in player["influence"])
        assert player["die"] in range(1, 7)
    assert sorted(cards) == sorted(row["id"] for row in game.facts["customer"])
    tiles = game.row + game.era1 + game.era2 + [game.shore[space] for space in game.markers]
    assert len(tiles) == len(set(tiles))
    assert all(1 <= len(owners) <= 2 for owners in game.markers.values())


# -------------------------------------------------------------------------------------------------- tampering


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index, item in enumerate(value) for leaf in leaves(item, (*path, index))]
    return [path]


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    value = copy.deepcopy(value)
    place_in = value
    for key in path[:-1]:
        place_in = place_in[key]
    old = place_in[path[-1]]
    place_in[path[-1]] = old + 1 if isinstance(old, int) else 0 if old is None else "no-such-thing"
    return value


@pytest.fixture(scope="module")
def traces() -> list[dict[str, Any]]:
    return [play_random(GENEROUS, n, "random", random.Random(n), choose=eager_step) for n in (2, 3, 4)]


def test_a_changed_figure_is_found(traces: list[dict[str, Any]]) -> None:
    """One number or name changed in any turn's `after` or in `final` is a mismatch."""
    rng = random.Random(1)
    for trace in traces:
        for _ in range(8):
            turn = rng.randrange(len(trace["turns"]))
            path = rng.choice(leaves(trace["turns"][turn]["after"]))
            with pytest.raises(Mismatch, match=rf"turn {turn}, seat \d, after"):
                replay(changed(trace, ("turns", turn, "after", *path)), GENEROUS)
        for path in rng.sample(leaves(trace["final"]), 8):
            with pytest.raises(Mismatch, match="final"):
                replay(changed(trace, ("final", *path)), GENEROUS)


def test_a_missing_or_invented_step_is_found(traces: list[dict[str, Any]]) -> None:
    """A step that is missing, or listed twice, is a mismatch in its turn."""
    rng = random.Random(2)
    for trace in traces:
        for _ in range(8):
            number = rng.randrange(len(trace["turns"]))
            # A favor or an exchange may be left out without breaking a rule; the others may not.
            steps = trace["turns"][number]["steps"]
            index = rng.choice([i for i, step in enumerate(steps) if step["do"] not in ("exchange", "favor")])
            for steps_now in (steps[:index] + steps[index + 1 :], [*steps[: index + 1], *steps[index:]]):
                tampered = copy.deepcopy(trace)
                tampered["turns"][number]["steps"] = steps_now
                with pytest.raises(Mismatch, match=rf"turn {number}, "):
                    replay(tampered, GENEROUS)


def test_a_changed_step_is_found(traces: list[dict[str, Any]]) -> None:
    """A step that names something else is a mismatch at once or in the state after the turn."""
    rng = random.Random(3)
    for trace in traces:
        for _ in range(20):
            number = rng.randrange(len(trace["turns"]))
            steps = trace["turns"][number]["steps"]
            # Another face for favor may be just as good a move, with the same end.
            path = rng.choice([leaf for leaf in leaves(steps) if steps[leaf[0]]["do"] != "favor"])
            with pytest.raises(Mismatch):
                replay(changed(trace, ("turns", number, "steps", *path)), GENEROUS)


def test_missing_and_extra_turns_are_found(traces: list[dict[str, Any]]) -> None:
    """A game that stops early, goes on too long or gives a turn to another seat is a mismatch."""
    trace = traces[0]
    with pytest.raises(Mismatch, match="end of the trace"):
        replay({**trace, "turns": trace["turns"][:-1]}, GENEROUS)
    with pytest.raises(Mismatch, match="no more turns"):
        replay({**trace, "turns": [*trace["turns"], trace["turns"][0]]}, GENEROUS)
    with pytest.raises(Mismatch, match=r"turn 0, seat 0, seat: expected 0"):
        replay(changed(trace, ("turns", 0, "seat")), GENEROUS)
