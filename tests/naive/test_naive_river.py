"""The slow rules of The River: facts and rulings by hand."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .basics import Mismatch, read_components
from .the_river import NaiveRiver
from .the_river_setup import RESOURCES, random_setup, with_change

pytestmark = pytest.mark.once_uncompiled

FACTS = read_components(Path(__file__).parent / "the_river.toml")
DATA = Path(__file__).parents[2] / "rogsim" / "games" / "the_river" / "components" / "data"
PRELIMINARY = ["M01", "M02", "D01", "D02", "B01"]  # each with one production symbol and no warehouse
BOARDS = ["black", "blue", "green", "yellow"]


def no_shuffle(removed: list[str]) -> list[str]:
    raise AssertionError(f"nobody expected a shuffle of {removed}")


def new_game(
    players: int = 2,
    *,
    first: int = 0,
    tiles: list[str] | None = None,
    cards: list[str] | None = None,
    change: dict[str, Any] | None = None,
    shuffle: Any = no_shuffle,
) -> NaiveRiver:
    """Start a game with a fixed set-up; `tiles` and `cards` come first in their piles, the rest by id."""
    facts = with_change(FACTS, change or {})
    setup = random_setup(facts, players, random.Random(0)) | {"first": first, "boards": BOARDS[:players]}
    for key, table, top in (("tiles", "tile", tiles or PRELIMINARY), ("cards", "card", cards or [])):
        rest = [row["id"] for row in facts[table] if row["id"] not in top]
        setup[key] = top + rest
    return NaiveRiver(facts, players, setup, shuffle)


def begin(players: int = 2, **options: Any) -> NaiveRiver:
    """Start a game and play its preliminary turn; everybody takes the first tile."""
    game = new_game(players, **options)
    while game.kind == "start":
        game.choose(game.legal()[0])
    return game


TWELVE = "F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 F11 F12"


def lay(game: NaiveRiver, seat: int, tiles: str, this_round: int = 0) -> dict[str, Any]:
    """Give a seat a board with these tiles, the last so many of which were laid in this round."""
    game.seats[seat]["tiles"] = tiles.split()
    game.tiles_at_round_start[seat] = len(tiles.split()) - this_round
    return game.seats[seat]


def hold(game: NaiveRiver, seat: int, **amounts: int) -> dict[str, int]:
    """Give a seat exactly these resources, from and to the islands."""
    held = game.seats[seat]["resources"]
    for resource in RESOURCES:
        game.islands[resource] += held[resource] - amounts.get(resource, 0)
        held[resource] = amounts.get(resource, 0)
    return held


def empty_islands(game: NaiveRiver, *resources: str) -> None:
    for resource in resources or RESOURCES:
        game.islands[resource] = 0


def send_off(game: NaiveRiver, *seats: int, leave: int = 0) -> None:
    """Use all pioneers of these seats but the given number, without effect."""
    for seat in seats:
        player = game.seats[seat]
        player["placed"] += player["boat"] - leave
        player["boat"] = leave


def last_turn_of_the_round(game: NaiveRiver) -> None:
    """Leave one pioneer to the seat whose turn it is, and none to the others."""
    for seat in range(game.players):
        send_off(game, seat, leave=int(seat == game.seat))


def words(game: NaiveRiver, first_word: str) -> list[str]:
    return [action for action in game.legal() if action.split()[0] == first_word]


def events(game: NaiveRiver, name: str) -> list[dict[str, Any]]:
    return [step for step in game.steps if step.get("event") == name]


def cheapest(count: int = 4) -> list[str]:
    """Name the cards H01 to H04 (cost 2, 2, 2, 3), or fewer of them."""
    return [f"H0{number}" for number in range(1, count + 1)]


# ------------------------------------------------------------------------------------------------- components


def test_the_components_are_as_many_as_in_the_box() -> None:
    """Tiles by terrain, production symbols, warehouses and cards add up to the facts' own checks."""
    tiles = FACTS["tile"]
    terrains = Counter("mixed" if len(tile["terrain"]) > 1 else tile["terrain"][0] for tile in tiles)
    assert terrains == {kind: FACTS["pieces"][kind] for kind in [*FACTS["terrains"], "mixed"]}
    assert len(tiles) == FACTS["pieces"]["terrain_tiles"] == 65
    symbols = sum((Counter(tile["production"]) for tile in tiles), Counter())
    assert symbols == {"wood": 14, "stone": 14, "clay": 14}
    assert sum(tile["store"] for tile in tiles) == 44
    cards = FACTS["card"]
    assert len(cards) == FACTS["pieces"]["cards"] == 33
    assert [sum(card[resource] for card in cards) for resource in ("wood", "stone", "clay")] == [48, 48, 48]
    assert sum(card["points"] for card in cards) == 177
    assert sum(FACTS["pieces"][resource] for resource in RESOURCES) == 44
    assert all(sum(row[resource] for resource in RESOURCES) <= 44 for row in FACTS["supply"])
    assert sum(spot["settlement"] for spot in FACTS["spot"]) == 4


def test_the_project_s_data_has_the_same_figures() -> None:
    """Two copies of the facts agree, marks included; only what is reconstructed and why is the project's alone."""
    data = read_components(DATA)
    told_elsewhere = {"pieces", "resources", "terrains", "island"}
    assert without_reasons(data) == {table: rows for table, rows in FACTS.items() if table not in told_elsewhere}


def without_reasons(value: Any) -> Any:
    if isinstance(value, list):
        return [without_reasons(item) for item in value]
    if isinstance(value, dict):
        return {key: without_reasons(item) for key, item in value.items() if key != "reconstructed"}
    return value


def test_a_change_names_table_row_and_field() -> None:
    """Rows go by id or number of players; an unknown name is refused, and the published figures stay."""
    names = {
        "spot.5.settlement": True,
        "card.H01.points": 3,
        "display_tiles.spots.3": 6,
        "supply.3.wood": 9,
        "token_set.4.zeros": 8,
        "token_set.2.values.1": 7,
        "board.blue.production.5": "wood",
        "tile.F06.production.stone": 1,
        "score.column_three": 7,
        "place.wood.first_bonus.2": 1,
    }
    changed = with_change(FACTS, names)
    assert changed["spot"][4]["settlement"] and not FACTS["spot"][4]["settlement"]
    assert changed["card"][0]["points"] == 3
    assert changed["display_tiles"]["spots"] == {"2": 5, "3": 6, "4": 9}
    assert [row["wood"] for row in changed["supply"]] == [13, 9, 7]
    assert [row["zeros"] for row in changed["token_set"]] == [8, 2]
    assert changed["token_set"][1]["values"] == [7, 5, 4, 3, 2, 1]
    assert changed["tile"][5]["production"] == {"stone": 1} and FACTS["tile"][5]["production"] == {}
    for name in (
        "card.H99.points",
        "card.H01.price",
        "supply.5.wood",
        "token_set.2.values.7",
        "score",
        "spot",
        "luck",
        "no.luck",
    ):
        with pytest.raises(Mismatch, match="expected the name of a figure"):
            with_change(FACTS, {name: 1})


WRONG_SETUPS: list[tuple[str, object]] = [
    ("first", 3),
    ("boards", ["black", "black", "blue"]),
    ("boards", ["black", "blue", "red"]),
    ("tiles", ["F01"] * 65),
    ("cards", ["H01"]),
    ("tokens", [[6, 5, 4, 3, 2, 1], [0, 0]]),
    ("supply", {"wood": 13, "stone": 13, "clay": 13, "food": 5}),
    ("weather", "fine"),
]


@pytest.mark.parametrize(("key", "value"), WRONG_SETUPS)
def test_a_wrong_set_up_is_refused(key: str, value: object) -> None:
    """Each part of a set-up is checked."""
    setup = random_setup(FACTS, 3, random.Random(3))
    with pytest.raises(Mismatch, match="set-up"):
        NaiveRiver(FACTS, 3, setup | {key: value}, no_shuffle)


# ------------------------------------------------------------------------------------------- preliminary turn


def test_19_the_first_player_takes_the_last_preliminary_tile() -> None:
    """Tiles go counterclockwise from the first player's right; what is left leaves the game."""
    game = new_game(3, first=1)
    assert game.face_up == PRELIMINARY[:4] and game.round == 0
    order = []
    while game.kind == "start":
        order.append((game.seat, len(game.legal())))
        game.choose(game.legal()[-1])
    assert order == [(0, 4), (2, 3), (1, 2)]
    assert [player["tiles"] for player in game.seats] == [["D02"], ["M02"], ["D01"]]
    display = events(game, "display")[0]
    assert display["out"] == ["M01"] and display["drawn"] == game.face_up and len(game.face_up) == 7
    assert display["state"]["round"] == 0 and display["state"]["removed"] == 0 and display["state"]["pile"] == 54
    assert [step.get("event") for step in game.steps[-2:]] == ["display", "round"]
    assert game.steps[2]["state"]["tiles"] == ["M01"]  # the last choice: the display has not begun
    assert (game.kind, game.seat, game.round) == ("turn", 1, 1)


def test_j6_the_first_tile_acts_on_placing() -> None:
    """A gift on spot 1 is taken and kept in the printed warehouses; a swap meadow has nothing to swap."""
    game = new_game(2, tiles=["G04", "G15", "F01"])
    game.choose("start G04")
    assert game.seats[1]["resources"] == {"wood": 4, "stone": 0, "clay": 0, "food": 0}
    assert game.steps[-1]["state"]["islands"] == [3, 7, 7, 3]
    game.choose("start G15")
    assert game.kind == "turn"


# ------------------------------------------------------------------------------------------------ turn, trade


def test_j26_every_set_of_three_resources_buys_the_food_on_the_island() -> None:
    """Food may be among the three (J4), but the food bought must lie on the island before they go back."""
    game = begin()
    held = hold(game, 0, wood=2, food=2)
    assert sorted(words(game, "trade")) == ["trade 1 0 0 2", "trade 2 0 0 1"]
    game.choose("trade 1 0 0 2")
    assert held == {"wood": 1, "stone": 0, "clay": 0, "food": 1}
    assert (game.islands["wood"], game.islands["food"], game.seat) == (6, 2, 0)
    assert words(game, "trade") == [] and game.seats[0]["boat"] == 4
    hold(game, 0, food=3)
    assert game.islands["food"] == 0 and words(game, "trade") == []
    game.islands["food"] = 1
    assert words(game, "trade") == ["trade 0 0 0 3"]


def test_j1_a_pioneer_is_passed_only_when_no_place_is_legal() -> None:
    """Passing is asked though it is the only answer; it stands beside trades, and on no place (J24, J32)."""
    game = begin()
    send_off(game, 1)
    lay(game, 0, "F01")
    game.cards = [None] * 4
    game.face_up = []
    game.places.update(wood=[1], stone=[1], clay=[1], food=[1], reserve=[1], first=[1])
    assert game.legal() == ["pass"]
    hold(game, 0, wood=3)
    assert sorted(game.legal()) == ["pass", "trade 3 0 0 0"]
    game.choose("trade 3 0 0 0")
    game.choose("pass")
    assert game.steps[-1]["state"]["places"]["construct"] == []
    assert (game.seats[0]["boat"], game.seats[0]["placed"]) == (3, 1)
    game.face_up = ["F02"]
    assert game.legal() == ["claim F02"]


def test_20_an_empty_boat_is_skipped() -> None:
    """The same seat may have several turns at the end of a round."""
    game = begin(3)
    send_off(game, 1)
    send_off(game, 2, leave=1)
    order = []
    for action in ("first", "produce stone", "produce wood", "food", "claim F06"):
        order.append(game.seat)
        assert game.round == 1
        game.choose(action)
    assert order == [0, 2, 0, 0, 0] and game.round == 2


# ------------------------------------------------------------------------------------------------------ claim


def test_24_a_covered_warehouse_gives_up_what_finds_no_other() -> None:
    """With full warehouses, covering one costs a resource of choice, back to its island (J21, J23)."""
    game = begin()
    lay(game, 0, "M01")
    hold(game, 0, wood=3, clay=1)
    game.face_up = ["D02", "D05"]
    game.choose("claim D02")
    assert (game.kind, game.seat) == ("discard", 0)
    assert sorted(game.legal()) == ["discard clay", "discard wood"]
    after = game.steps[-1]["state"]["seats"][0]
    assert (after["resources"], after["warehouses"], after["tiles"]) == ([3, 0, 1, 0], 3, ["M01", "D02"])
    game.choose("discard clay")
    assert game.islands["clay"] == 7 and game.seat == 1


def test_24_the_new_tile_s_warehouses_save_what_was_covered() -> None:
    """Resources may move to the tile just placed, so nothing is given up."""
    game = begin()
    lay(game, 0, "M01")
    held = hold(game, 0, wood=3, clay=1)
    game.face_up = ["D05"]
    game.choose("claim D05")
    assert game.seat == 1 and sum(held.values()) == 4
    assert game.state()["seats"][0]["warehouses"] == 5


def test_j24_one_kind_of_resource_is_given_up_unasked() -> None:
    """A discard with one answer happens by itself, and the state of the action has it already."""
    game = begin()
    lay(game, 0, "M01")
    held = hold(game, 0, stone=4)
    game.face_up = ["D02"]
    game.choose("claim D02")
    assert game.seat == 1 and held["stone"] == 3
    assert game.steps[-1]["state"]["seats"][0]["resources"] == [0, 3, 0, 0]


def test_24_no_claim_after_two_with_twelve_tiles_or_without_tiles() -> None:
    """Two claims a round of each player, twelve tiles a board, and a face-up tile is needed (J15)."""
    game = begin()
    player = game.seats[0]
    assert len(words(game, "claim")) == 5
    game.places["claim"] = [1, 0, 1]
    assert len(words(game, "claim")) == 5
    game.places["claim"] = [0, 0]
    assert words(game, "claim") == []
    game.places["claim"] = []
    lay(game, 0, TWELVE)
    assert words(game, "claim") == []
    player["tiles"].pop()
    assert len(words(game, "claim")) == 5
    game.face_up = []
    assert words(game, "claim") == []


def test_24_tiles_are_not_replaced_before_the_cleanup() -> None:
    """A claimed tile leaves a gap; the others keep their order."""
    game = begin()
    before = list(game.face_up)
    game.choose(f"claim {before[1]}")
    assert game.face_up == before[:1] + before[2:]
    assert game.state()["places"]["claim"] == [0]


def test_j22_print_then_warehouses_then_gift() -> None:
    """What the covered warehouse held is given up before the gift is taken, and again after it."""
    game = begin()
    lay(game, 0, "M01")
    held = hold(game, 0, stone=2, clay=2)
    game.face_up = ["G04"]
    game.choose("claim G04")
    assert game.kind == "discard" and held["wood"] == 0 and game.islands["wood"] == 7
    game.choose("discard clay")
    assert held == {"wood": 4, "stone": 2, "clay": 1, "food": 0}
    assert game.steps[-1]["state"]["islands"] == [3, 5, 6, 3]
    for action in ("discard stone", "discard clay", "discard wood"):
        assert game.kind == "discard"
        game.choose(action)
    # One of four is left to give up: two kinds are held, so it is still asked.
    assert sorted(game.legal()) == ["discard stone", "discard wood"]
    game.choose("discard stone")
    assert held == {"wood": 3, "stone": 0, "clay": 0, "food": 0} and game.seat == 1


def test_48_a_gift_takes_what_the_island_has() -> None:
    """Up to four of the shown resource."""
    game = begin()
    game.islands["clay"] = 2
    game.face_up = ["G06"]
    game.choose("claim G06")
    assert game.steps[-1]["state"]["seats"][0]["resources"] == [0, 0, 2, 0]


def test_j25_nothing_is_taken_without_a_warehouse() -> None:
    """With every printed warehouse covered, no gift, no food, no production (J3)."""
    game = begin()
    lay(game, 0, "M01 M02 D01 D02 B01 B02 F01 F02 F03 F04")
    game.face_up = ["G05"]
    assert game.state()["seats"][0]["warehouses"] == 1
    assert "food" in game.legal() and "produce wood" in game.legal()
    game.choose("claim G05")
    assert game.steps[-1]["state"]["seats"][0]["warehouses"] == 0
    assert game.steps[-1]["state"]["islands"] == [7, 7, 7, 3]
    game = begin()
    lay(game, 0, "M01 M02 D01 D02 B01 B02 F01 F02 F03 F04 F05")
    assert "food" not in game.legal() and words(game, "produce") == []
    lay(game, 0, "M01 M02 D01 D02 B01 B02 F01 F02 F03 F04 F06")
    assert "food" in game.legal()


def test_a_spot_without_production_prints_no_symbol() -> None:
    """Which symbol a board has is of use only where the spot prints one."""
    game = begin(change={"spot.5.production": False})
    assert game.state()["seats"][1]["production"] == [1, 1, 1]  # the clay is that of M01


# ------------------------------------------------------------------------------------------- produce and food


def test_25_symbols_in_sight_and_the_first_pioneer_s_extra() -> None:
    """Printed symbols not covered, those of tiles, and one more for the first pioneer with 3 or 4 players."""
    game = begin(3)
    lay(game, 0, "F04")
    lay(game, 1, "F04")
    game.choose("produce wood")  # black: wood on spot 3
    assert game.seats[0]["resources"]["wood"] == 4
    game.choose("produce wood")  # blue: wood on spot 9; second pioneer
    assert game.seats[1]["resources"]["wood"] == 3
    assert game.state()["places"]["wood"] == [0, 1]
    assert "produce wood" not in game.legal()
    lay(game, 2, "M02 M03 D03")  # covers the clay of spot 3
    assert game.state()["seats"][2]["production"] == [2, 5, 0]


def test_25_no_extra_with_two_players() -> None:
    """With 2 players the first pioneer takes its symbols only, and the island has room for one."""
    game = begin()
    lay(game, 0, "F01")
    game.choose("produce wood")
    assert game.seats[0]["resources"]["wood"] == 2
    assert "produce wood" not in game.legal()


def test_j36_one_player_may_take_both_spots_and_the_extra_once() -> None:
    """The extra resource belongs to the first pioneer of the round only."""
    game = begin(4)
    lay(game, 0, "F06")
    send_off(game, 1, 2, 3)
    game.choose("produce stone")
    assert game.seats[0]["resources"]["stone"] == 2
    game.choose("produce stone")
    assert game.seats[0]["resources"]["stone"] == 3
    assert "produce stone" not in game.legal()


def test_27_production_needs_a_gain() -> None:
    """Without a symbol the first pioneer's extra is enough; the second has nothing to gain."""
    game = begin(3)
    lay(game, 0, "M01 F06 F07")  # wood, on spot 3, is covered
    assert "produce wood" in game.legal()
    game.places["wood"] = [1]
    assert "produce wood" not in game.legal()
    game.islands["stone"] = 1
    game.choose("produce stone")  # symbol and extra, but one piece is left
    assert game.seats[0]["resources"]["stone"] == 1
    assert game.islands["stone"] == 0 and "produce stone" not in game.legal()


def test_j23_producing_with_full_warehouses_is_legal() -> None:
    """All that is produced may be given up again, one by one; the state shows what does not fit."""
    game = begin()
    lay(game, 0, "F01")
    held = hold(game, 0, clay=4)
    game.choose("produce wood")
    assert game.steps[-1]["state"]["seats"][0]["resources"] == [2, 0, 4, 0]
    game.choose("discard wood")
    game.choose("discard wood")
    assert held == {"wood": 0, "stone": 0, "clay": 4, "food": 0}
    assert game.islands["wood"] == 7 and game.seat == 1


def test_j18_production_is_taken_in_full_before_anything_is_given_up() -> None:
    """The one pioneer takes six though four fit, and says two to give up; nothing else is offered."""
    game = begin()
    lay(game, 0, "F04 D04 F10")
    hold(game, 0, stone=3)
    game.choose("produce wood")
    after = game.steps[-1]["state"]["seats"][0]
    assert (after["resources"], after["warehouses"]) == ([5, 3, 0, 0], 4)
    for _ in range(4):
        assert sorted(game.legal()) == ["discard stone", "discard wood"]
        game.choose("discard wood")
    assert game.seat == 1


def test_28_one_food_and_no_extra() -> None:
    """The food island gives one, also to the first pioneer of a three-player game; a second may follow."""
    game = begin(3)
    game.choose("food")
    game.choose("food")
    assert [player["resources"]["food"] for player in game.seats] == [1, 1, 0]
    assert "food" not in game.legal()


def test_28_without_food_another_resource_is_taken() -> None:
    """The choice is among the islands that hold something; with one it is not asked; with none it is not legal."""
    game = begin(3)
    empty_islands(game, "food", "stone")
    game.choose("food")
    assert (game.kind, sorted(game.legal())) == ("take", ["take clay", "take wood"])
    assert game.steps[-1]["state"]["places"]["food"] == [0]
    game.choose("take clay")
    assert game.seats[0]["resources"]["clay"] == 1
    empty_islands(game, "wood", "stone")
    game.choose("food")
    assert (game.kind, game.seat) == ("turn", 2) and game.seats[1]["resources"]["clay"] == 1
    empty_islands(game)
    game.places["food"] = []
    assert "food" not in game.legal()  # J5
    game.islands["food"] = 1
    assert "food" in game.legal()


# --------------------------------------------------------------------------------------- reserve and construct


def test_29_reserving_is_limited_by_cards_and_pioneers() -> None:
    """Two reserved cards at most; with 2 players one pioneer a round may reserve; the gap stays."""
    game = begin(cards=cheapest())
    game.choose("reserve H02")
    assert game.seats[0]["reserved"] == ["H02"]
    assert game.state()["cards"] == ["H01", None, "H03", "H04"]
    assert words(game, "reserve") == []
    game.places["reserve"] = []
    assert words(game, "reserve") == ["reserve H01", "reserve H03", "reserve H04"]
    game.seats[1]["reserved"] = ["H20", "H21"]
    assert words(game, "reserve") == []


def test_j29_every_set_of_resources_that_fits_pays() -> None:
    """Food may replace a resource that the player has, never more than the card names of each."""
    game = begin(cards=["H04", "H11", "H31", "H33"])  # H04: wood 2, stone 1
    held = hold(game, 0, wood=3, stone=1, food=1)
    assert words(game, "construct") == ["construct H04"]
    game.choose("construct H04")
    assert game.kind == "pay"
    assert sorted(game.legal()) == ["pay 1 1 0 1", "pay 2 0 0 1", "pay 2 1 0 0"]
    after = game.steps[-1]["state"]
    assert after["places"]["construct"] == [0] and after["cards"][0] == "H04"
    assert after["seats"][0]["built"] == [] and after["seats"][0]["boat"] == 3
    game.choose("pay 2 0 0 1")
    assert held == {"wood": 1, "stone": 1, "clay": 0, "food": 0}
    assert game.seats[0]["built"] == ["H04"] and game.seats[0]["tokens"] == [6]
    assert game.state()["cards"] == [None, "H11", "H31", "H33"] and game.islands["food"] == 3


def test_30_a_reserved_card_costs_one_less_of_choice() -> None:
    """The discount always takes one away; only the owner can build the card (J29)."""
    game = begin(cards=["H10", "H11", "H12", "H33"])
    game.seats[0]["reserved"] = ["H25", "H07"]  # H07: wood 1, stone 1, clay 1
    game.seats[1]["reserved"] = ["H01"]
    hold(game, 0, wood=1, stone=1, clay=1)
    assert words(game, "construct") == ["construct H07"]
    game.choose("construct H07")
    assert sorted(game.legal()) == ["pay 0 1 1 0", "pay 1 0 1 0", "pay 1 1 0 0"]
    game.choose("pay 0 1 1 0")
    assert game.seats[0]["reserved"] == ["H25"] and game.seats[0]["built"] == ["H07"]


def test_j24_a_payment_with_one_answer_is_not_asked() -> None:
    """With exactly the cost in hand the building stands at once."""
    game = begin(cards=cheapest())
    hold(game, 0, wood=1, stone=1)
    game.choose("construct H01")
    assert game.kind == "turn" and game.steps[-1]["state"]["seats"][0]["built"] == ["H01"]


def test_31_tokens_fall_in_value_until_the_spots_are_full() -> None:
    """With 2 players the spots are four; a fifth building brings no token."""
    game = begin(cards=cheapest())
    send_off(game, 1)
    player = game.seats[0]
    player["boat"] = 6
    for number, card in enumerate(["H01", "H02", "H03", "H07", "H08"], 1):
        game.cards[0] = card
        hold(game, 0, wood=1, stone=1, clay=1)
        game.choose(f"construct {card}")
        assert len(player["tokens"]) == min(number, 4)
        assert game.end == (number >= 4)
    assert player["tokens"] == [6, 5, 4, 3] and game.tokens == [2, 1, 0, 0]
    assert game.state()["places"]["construct"] == [0] * 5


def test_31_after_the_values_come_the_zeros() -> None:
    """A zero is a token too; without any token left a building brings none (J33)."""
    game = begin(cards=cheapest())
    send_off(game, 1)
    game.tokens = [1, 0]
    for card in cheapest(3):
        hold(game, 0, wood=1, stone=1, clay=1)
        game.choose(f"construct {card}")
    assert game.seats[0]["tokens"] == [1, 0] and len(game.seats[0]["built"]) == 3


def test_32_the_second_token_frees_the_fifth_pioneer_at_once() -> None:
    """The player whose boat was empty has another turn in the same round."""
    game = begin(cards=cheapest())
    last_turn_of_the_round(game)
    player = game.seats[0]
    player["tokens"] = [6]
    hold(game, 0, wood=1, stone=1)
    game.choose("construct H01")
    assert (player["fifth"], player["boat"], player["placed"]) == (False, 1, 4)
    assert (game.round, game.seat, game.kind) == (1, 0, "turn")
    game.choose("first")
    assert game.round == 2 and player["boat"] == 5


# --------------------------------------------------------------------------------------- first player and swap


def test_j39_the_pawn_moves_at_once_but_not_the_order() -> None:
    """The next round starts with the new holder; the owner may take it too; there is one spot (33)."""
    game = begin(3)
    assert "first" in game.legal()
    game.choose("food")
    game.choose("first")
    assert game.state()["first"] == 1 and game.seat == 2
    assert "first" not in game.legal()
    last_turn_of_the_round(game)
    game.choose("food")
    assert events(game, "round")[-1]["round"] == 2 and events(game, "round")[-1]["first"] == 1
    assert game.seat == 1


def test_34_swap_exchanges_any_two_tiles() -> None:
    """All pairs are asked; nothing acts anew (J28); resources and warehouses stay as they are."""
    game = begin()
    lay(game, 0, "F06 G04 G15")
    held = hold(game, 0, stone=2)
    game.choose("swap")
    assert game.kind == "exchange"
    assert sorted(game.legal()) == ["exchange 1 2", "exchange 1 3", "exchange 2 3"]
    game.choose("exchange 1 3")
    assert game.seats[0]["tiles"] == ["G15", "G04", "F06"]
    assert held["wood"] == 0 and game.seat == 1


def test_34_swap_needs_two_tiles_and_with_two_is_not_asked() -> None:
    """The only pair is exchanged by itself (J24); the place is mandatory (J27)."""
    game = begin()
    assert "swap" not in game.legal()
    lay(game, 0, "F06 F07")
    game.choose("swap")
    assert game.kind == "turn" and game.seats[0]["tiles"] == ["F07", "F06"]


def test_j27_the_swaps_of_the_meadow_may_be_declined() -> None:
    """Before each of the two the player may skip; skipping ends the effect; one pair is still a question."""
    game = begin()
    lay(game, 0, "F06")
    game.face_up = ["G15"]
    game.choose("claim G15")
    assert sorted(game.legal()) == ["exchange 1 2", "skip"]
    game.choose("exchange 1 2")
    assert sorted(game.legal()) == ["exchange 1 2", "skip"]
    game.choose("exchange 1 2")
    assert game.seat == 1 and game.seats[0]["tiles"] == ["F06", "G15"]
    game = begin()
    game.face_up = ["G15"]
    game.choose("claim G15")
    game.choose("skip")
    assert game.seat == 1


# ---------------------------------------------------------------------------------------------------- cleanup


def test_36_37_cleanup_refills_tiles_and_cards() -> None:
    """Face-up tiles go, cards stay and gaps fill from the left; the last decision's state is before that."""
    game = begin(cards=cheapest())
    game.cards[1] = game.cards[3] = None
    game.choose(f"claim {game.face_up[0]}")
    last_turn_of_the_round(game)
    left, coming, pile = list(game.face_up), game.pile[:5], len(game.pile)
    game.choose("food")
    cleanup = events(game, "cleanup")[0]
    assert (cleanup["removed"], cleanup["drawn"], cleanup["cards"]) == (left, coming, ["H05", "H06"])
    state = cleanup["state"]
    assert (state["tiles"], state["cards"]) == (coming, ["H01", "H05", "H03", "H06"])
    assert (state["pile"], state["removed"], state["deck"], state["round"]) == (pile - 5, 4, 27, 1)
    assert state["places"]["food"] == [] and [seat["boat"] for seat in state["seats"]] == [4, 4]
    before = next(step for step in game.steps if step.get("action") == "food")["state"]
    assert before["tiles"] == left and before["places"]["food"] == [1] and before["seats"][1]["placed"] == 4
    assert [step.get("event") for step in game.steps[-2:]] == ["cleanup", "round"]


def test_j31_a_reshuffle_in_the_middle_of_a_refill() -> None:
    """The old pile is drawn first, then the new one: all removed tiles, those of this cleanup too."""
    game = begin(shuffle=lambda removed: sorted(removed, reverse=True))
    last_turn_of_the_round(game)
    game.pile, game.removed, game.face_up = ["F01", "F02"], ["M01", "M02"], ["D01", "D02", "D03"]
    game.choose("food")
    reshuffle, cleanup, _ = game.steps[-3:]
    assert reshuffle == {"event": "reshuffle", "tiles": ["M02", "M01", "D03", "D02", "D01"]}
    assert cleanup["removed"] == ["D01", "D02", "D03"]
    assert cleanup["drawn"] == ["F01", "F02", "M02", "M01", "D03"]
    assert (cleanup["state"]["pile"], cleanup["state"]["removed"]) == (2, 0)
    assert game.steps[-4]["state"]["tiles"] == ["D01", "D02", "D03"] and game.steps[-4]["state"]["pile"] == 2


def test_j31_a_pile_that_just_suffices_is_not_reshuffled() -> None:
    """The shuffle waits until a tile is needed; where none is left at all, spots stay empty."""
    game = begin()
    last_turn_of_the_round(game)
    game.pile = game.pile[:5]
    game.choose("food")
    assert events(game, "reshuffle") == [] and events(game, "cleanup")[0]["state"]["pile"] == 0
    last_turn_of_the_round(game)
    game.pile, game.removed, game.face_up = ["F01"], [], []
    game.choose("food")
    assert events(game, "reshuffle") == [] and events(game, "cleanup")[1]["drawn"] == ["F01"]


def test_j13_building_spots_stay_empty_without_cards() -> None:
    """The deck's last card fills the leftmost gap."""
    game = begin(cards=cheapest())
    last_turn_of_the_round(game)
    game.deck, game.cards = ["H33"], [None, "H02", None, None]
    game.choose("food")
    assert events(game, "cleanup")[0]["cards"] == ["H33"] and game.cards == ["H33", "H02", None, None]


def test_38_one_pioneer_settles_for_each_framed_spot_covered_in_the_round() -> None:
    """Spots 6 and 8 are framed: covering 6, 7 and 8 settles two; the swap does not settle again (J9)."""
    game = begin()
    player = lay(game, 0, "F01 F02 F03 F04 F05 F06 F07 F08", this_round=3)
    lay(game, 1, "D01 D02 D03 D04 D05 D06")
    last_turn_of_the_round(game)
    game.choose("swap")
    game.choose("exchange 5 6")
    cleanup = events(game, "cleanup")[0]
    assert cleanup["settled"] == [2, 0]
    assert (player["boat"], player["placed"], player["settled"], player["fifth"]) == (2, 0, 2, True)
    last_turn_of_the_round(game)
    game.choose("food")
    assert events(game, "cleanup")[1]["settled"] == [0, 0] and player["boat"] == 2


def test_j10_without_a_pioneer_nobody_settles() -> None:
    """Two framed spots and one pioneer: one settles, and the debt is forgotten."""
    game = begin()
    player = lay(game, 0, "F01 F02 F03 F04 F05 F06 F07 F08", this_round=3)
    player.update(boat=1, placed=0, settled=3)
    last_turn_of_the_round(game)
    game.choose("food")
    assert events(game, "cleanup")[0]["settled"] == [1, 0]
    assert (player["boat"], player["settled"], player["fifth"]) == (0, 4, True)
    assert game.seat == 1  # the pawn's holder has no pioneer
    assert events(game, "round")[-1]["first"] == 0


def test_53_cleanup_meadows_act_clockwise_from_the_next_first_player() -> None:
    """With one wood left the new holder of the pawn has it (J12); the tile itself is no symbol."""
    game = begin(3)
    for seat in (0, 1, 2):
        lay(game, seat, "G07")
        send_off(game, seat, leave=int(seat == 0))
    assert game.state()["seats"][0]["production"] == [1, 1, 1]
    game.first = 1
    game.islands["wood"] = 2
    game.choose("food")
    taken = events(game, "meadow")
    assert [(event["seat"], event["tile"], event["resource"]) for event in taken] == [
        (1, "G07", "wood"),
        (2, "G07", "wood"),
    ]
    assert taken[0]["state"]["islands"][0] == 1 and taken[0]["state"]["round"] == 1
    assert events(game, "cleanup")[0]["state"]["islands"][0] == 2


def test_j30_each_meadow_is_stored_before_the_next() -> None:
    """In river order; the event shows what does not fit yet, the discard is the owner's."""
    game = begin()
    lay(game, 0, "G09 G07")
    lay(game, 1, "G08")
    held = hold(game, 0, wood=3)  # three warehouses
    hold(game, 1, stone=4)
    last_turn_of_the_round(game)
    game.choose("first")
    cleanup, meadow = game.steps[-2:]
    assert cleanup["event"] == "cleanup" and cleanup["state"]["seats"][0]["resources"] == [3, 0, 0, 0]
    assert meadow["tile"] == "G09" and meadow["state"]["seats"][0]["resources"] == [3, 0, 1, 0]
    assert (game.kind, game.seat, game.round) == ("discard", 0, 1)
    game.choose("discard wood")
    assert held == {"wood": 3, "stone": 0, "clay": 1, "food": 0}
    assert game.steps[-2]["state"]["seats"][0]["resources"] == [2, 0, 1, 0]  # the discard, before G07
    assert game.steps[-1]["tile"] == "G07"
    game.choose("discard clay")
    # Seat 1 holds one kind only and gives it up unasked: the event shows five, the next step four.
    assert game.steps[-2]["tile"] == "G08" and game.steps[-2]["state"]["seats"][1]["resources"] == [0, 5, 0, 0]
    assert game.steps[-1]["event"] == "round" and game.steps[-1]["state"]["seats"][1]["resources"] == [0, 4, 0, 0]


def test_a_cleanup_belongs_to_the_old_round() -> None:
    """The state after its last discard has the old round's number; the next round's event has the new one."""
    game = begin()
    lay(game, 0, "G08")
    hold(game, 0, wood=2, clay=2)
    last_turn_of_the_round(game)
    game.choose("first")
    game.choose("discard stone")
    assert [step["state"]["round"] for step in game.steps[-3:]] == [1, 1, 2]
    assert game.steps[-2]["action"] == "discard stone"


def test_j25_a_cleanup_meadow_without_warehouse_or_wood_gives_nothing() -> None:
    """Then there is no event either."""
    game = begin()
    lay(game, 0, "M01 M02 D01 D02 B01 B02 F01 F02 F03 F04 G08")
    lay(game, 1, "G07")
    game.islands["wood"] = 0
    last_turn_of_the_round(game)
    game.choose("first")
    assert events(game, "meadow") == []


# -------------------------------------------------------------------------------------------------------- end


def test_40_the_twelfth_tile_ends_the_game_after_the_round() -> None:
    """The flag is up as soon as the tile lies; the round goes on and one complete cleanup follows (J34)."""
    game = begin()
    player = lay(game, 0, TWELVE.removesuffix(" F12"))
    hold(game, 0, wood=1, stone=1)
    game.face_up = ["G04"]
    send_off(game, 1, leave=1)
    send_off(game, 0, leave=2)
    lay(game, 1, "G07")
    assert game.end is False
    game.choose("claim G04")
    assert game.steps[-1]["state"]["end"] is True
    while game.kind == "discard":
        game.choose("discard wood")
    game.choose("food")  # seat 1
    game.choose("first")  # seat 0
    assert game.over
    assert [step["event"] for step in game.steps[-2:]] == ["cleanup", "meadow"]
    assert events(game, "cleanup")[0]["settled"] == [1, 0] and player["boat"] == 3
    assert len(events(game, "cleanup")[0]["drawn"]) == 5
    final = game.final()
    assert final["rounds"] == 1 and final["trigger"] == {"tokens": [], "tiles": [0]}


def test_40_the_end_is_up_while_the_twelfth_tile_waits_for_discards() -> None:
    """A discard due after the last tile is asked with the end already triggered."""
    game = begin(change={"spot.12.store": 1})
    lay(game, 0, "F06 D01 D02 D03 D04 M01 M02 M03 B01 B02 B03")
    hold(game, 0, wood=1, stone=2)
    game.face_up = ["F01"]
    game.choose("claim F01")
    assert game.kind == "discard" and game.steps[-1]["state"]["end"] is True


def test_j16_both_triggers_are_listed() -> None:
    """Last tokens and twelfth tiles in one round make no difference but in the trigger."""
    game = begin(3)
    game.seats[0]["tokens"] = [6, 5, 5, 4, 4]
    game.seats[2]["tokens"] = [3, 3, 2, 2, 1]
    lay(game, 1, TWELVE)
    assert game.final()["trigger"] == {"tokens": [0, 2], "tiles": [1]}


def test_j19_the_game_ends_when_nobody_has_a_pioneer_left() -> None:
    """All pioneers settled: the game is over after that cleanup, with nothing triggered."""
    game = begin()
    for seat in (0, 1):
        player = lay(game, seat, "F01 F02 F03 F04 F05 F06", this_round=1)
        player.update(boat=0, placed=0, settled=3)
    game.seats[0]["boat"] = 1
    game.seats[1]["placed"] = 1
    game.choose("food")
    assert game.over and game.steps[-1]["event"] == "cleanup"
    assert game.steps[-1]["settled"] == [1, 1] and game.steps[-1]["state"]["end"] is False
    assert game.final()["trigger"] == {"tokens": [], "tiles": []}


# ---------------------------------------------------------------------------------------------------- scoring


def board(game: NaiveRiver, *rows: str) -> list[str]:
    """Turn three rows as they lie on the table, left to right, into river order; "-" is empty."""
    first, second, third = (row.split() for row in rows)
    river = [*first, *reversed(second), *third]
    while river and river[-1] == "-":
        river.pop()
    game.seats[0]["tiles"] = river
    return river


def columns(game: NaiveRiver) -> list[int]:
    return [game.counter.column_points(game.seats[0], column) for column in (1, 2, 3, 4)]


def test_42_columns_count_from_the_top() -> None:
    """Six for three, two for the upper two, nothing for the lower two or for first and third."""
    game = begin()
    river = board(game, "F01 D01 B01 M01", "F02 F03 B02 F04", "F05 F06 D02 M02")
    assert river[4] == "F04" and river[7] == "F02"
    assert columns(game) == [6, 0, 2, 0]
    board(game, "F01 D01 B01 M01", "- - B02 M02", "- - - -")
    assert columns(game) == [0, 0, 2, 2]


def test_44_j7_mixed_tiles_in_columns() -> None:
    """A mixed tile is both kinds, but three tiles must share one kind."""
    game = begin()  # X01 forest+desert, X02 forest+badlands, X03 badlands+mountain, X04 desert+mountain
    board(game, "F01 X02 X01 X01", "X01 F02 X02 X02", "D01 F03 F04 X03")
    assert columns(game) == [2, 6, 6, 2]
    board(game, "X04 X01 B01 G01", "X03 X03 X04 G02", "M01 D01 B02 G03")
    assert columns(game) == [6, 0, 0, 6]


def test_43_leftovers_are_whole_threes_of_any_kind() -> None:
    """Eight resources are worth two points."""
    game = begin()
    hold(game, 0, wood=3, stone=2, clay=1, food=2)
    hold(game, 1, wood=2)
    assert [part["leftovers"] for part in game.final()["breakdown"]] == [2, 0]


def test_47_a_production_meadow_counts_symbols_in_sight_up_to_three() -> None:
    """Its own symbol counts, printed ones too unless covered (J37); a symbol counts, not a tile."""
    game = begin()  # black: wood on 3, stone on 5, clay on 9
    lay(game, 0, "G01")
    assert game.final()["breakdown"][0]["meadows"] == {"G01": 2}
    lay(game, 0, "G01 F06 F07")
    assert game.final()["breakdown"][0]["meadows"] == {"G01": 1}
    lay(game, 0, "G01 F04 D04")
    assert game.final()["breakdown"][0]["meadows"] == {"G01": 3}


def test_49_a_collection_meadow_counts_tiles_of_its_kind() -> None:
    """Mixed tiles count (44); the meadow that counts meadows counts itself (J8)."""
    game = begin()
    lay(game, 0, "G14 G10 F01 X01 X02 X03")
    assert game.final()["breakdown"][0]["meadows"] == {"G14": 2, "G10": 3}


def test_51_52_53_boat_token_and_cleanup_meadows() -> None:
    """Pioneers on the boat without the waiting fifth (J11), tokens with zeros, two points; gift and swap: none."""
    game = begin()
    player = lay(game, 0, "G16 G17 G07 G04 G15")
    player.update(boat=3, settled=1, tokens=[3, 0, 0])
    part = game.final()["breakdown"][0]
    assert part["meadows"] == {"G16": 3, "G17": 3, "G07": 2} and part["tokens"] == 3


def test_41_the_score_is_the_sum_and_reserved_cards_are_worth_nothing() -> None:
    """Buildings, tokens, columns, leftovers and meadows add up (J14)."""
    game = begin()
    board(game, "F01 G17 D01 M01", "F02 G02 X01 M02", "- - - -")
    hold(game, 0, clay=3)
    game.seats[0].update(built=["H31", "H01"], reserved=["H33"], tokens=[6, 5])
    final = game.final()
    assert final["breakdown"][0] == {
        "buildings": 11,
        "tokens": 11,
        "columns": [2, 2, 2, 2],
        "leftovers": 1,
        "meadows": {"G17": 2, "G02": 2},  # stone: its own symbol and F02's; spot 5 is covered
    }
    assert final["points"][0] == 35


def test_j35_ranks_and_shared_wins() -> None:
    """Rank is one more than the number of players with more points; all with the most win (45)."""
    game = begin(4)
    for seat, tokens in enumerate([[5], [6], [6], [5]]):
        lay(game, seat, "F01")["tokens"] = tokens
    final = game.final()
    assert (final["points"], final["ranks"], final["winners"]) == ([5, 6, 6, 5], [3, 1, 1, 3], [1, 2])
