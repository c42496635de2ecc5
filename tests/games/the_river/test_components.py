"""The components of The River: the figures, the checks of a changed set, their names, and the record of the rules."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import (
    BOARDS,
    CARDS,
    CLAIM,
    CLAY,
    EFFECTS,
    FOOD,
    GIFT,
    NONE,
    PLACES,
    SPOTS,
    STONE,
    SWAP_TWICE,
    TERRAINS,
    TILES,
    UNLIMITED,
    WOOD,
)
from rogsim.games.the_river.components.tables import make_tables
from rogsim.games.the_river.no_effect import without_effect
from rogsim.games.the_river.options import Options

pytestmark = pytest.mark.once_uncompiled

Facts = dict[str, Any]


def tables_of(players: int) -> Any:
    """The record of the rules."""
    return make_tables(BOOK.with_values({}), players)


def test_the_set_has_the_pieces_of_the_box() -> None:
    """65 tiles and 33 cards with the counts, symbols, warehouses, costs and points that are known of the whole set."""
    facts = BOOK.printed()
    tiles, cards = facts["tile"], facts["card"]
    single = [tile["terrain"][0] for tile in tiles if len(tile["terrain"]) == 1]
    assert [single.count(terrain) for terrain in TERRAINS] == [14, 12, 10, 8, 17]
    assert (len(tiles), len(tiles) - len(single), len(cards)) == (65, 4, 33)
    assert [sum(tile["production"].get(name, 0) for tile in tiles) for name in ("wood", "stone", "clay")] == [14] * 3
    assert sum(tile["store"] for tile in tiles) == 44
    assert [sum(card[name] for card in cards) for name in ("wood", "stone", "clay")] == [48] * 3
    points = [card["points"] for card in cards]
    assert (min(points), max(points), round(sum(points) / 33, 2)) == (2, 9, 5.36)
    costs = [card["wood"] + card["stone"] + card["clay"] for card in cards]
    by_cost = {cost: [p for c, p in zip(costs, points, strict=True) if c == cost] for cost in sorted(set(costs))}
    means = {cost: round(sum(found) / len(found), 2) for cost, found in by_cost.items()}
    assert means == {2: 2, 3: 3.5, 4: 4.67, 5: 6.33, 6: 8, 7: 9}
    assert [sum(tile.get("effect") == effect for tile in tiles) for effect in EFFECTS[1:]] == [3, 3, 5, 1, 1, 1, 3]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_record_has_the_figures_of_the_player_count(players: int) -> None:
    """Every figure of a whole game reaches the record of the rules, for each number of players."""
    tables = tables_of(players)
    at = players - 2
    assert (tables.seats, tables.first, tables.boards[0]) == (players, 0, NONE)
    assert tables.supply.tolist() == [[7, 7, 7, 3], [10, 10, 10, 4], [13, 13, 13, 5]][at]
    assert (tables.tiles_up, tables.tiles_up_first, tables.cards_up) == ([5, 7, 9][at], players + 1, 4)
    values = [6, 5, 4, 3, 2, 1] if players == 2 else [6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1]
    assert tables.token_values.tolist() == values + [0] * (30 - len(values))
    assert tables.token_count == (8 if players == 2 else 20)
    assert tables.spots.tolist() == [2, *([1 if players == 2 else 2] * 5), UNLIMITED, 1, UNLIMITED]
    assert tables.first_bonus.tolist() == [int(players > 2)] * 3
    assert (tables.end_tokens, tables.end_tiles) == ([4, 5, 5][at], 12)
    assert tables.token_spots.tolist() == [[4, 5, 5][at]] * 4
    assert np.flatnonzero(tables.settlement).tolist() == [5, 7, 9, 11]
    assert np.flatnonzero(tables.printed_store).tolist() == [1, 3, 6, 10]
    assert tables.printed_production[:, [2, 4, 8]].tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]]
    assert (tables.printed_production != NONE).sum() == 12
    assert tables.production_meadow_cap == 3
    assert (tables.column_top_two, tables.column_three, tables.leftover_set, tables.leftover_points) == (2, 6, 3, 1)
    assert (tables.trade_give, tables.trade_get, tables.food_action, tables.pioneers_on_boat) == (3, 1, 1, 4)
    assert (tables.reserved_max, tables.reserved_discount, tables.extra_pioneer_on_token) == (2, 1, 2)


def test_tiles_and_cards_reach_the_record() -> None:
    """Tiles and cards are in the order of their names, terrains are masks, effects and their parameters are numbers."""
    tables = tables_of(2)
    tile = dict(zip(TILES, tables.tiles, strict=True))
    assert (tile["F04"].terrain, tile["F04"].production.tolist(), tile["F04"].store) == (1, [2, 0, 0], 0)
    assert (tile["X03"].terrain, tile["M04"].store) == (0b1100, 2)
    assert [str(tile[name]) for name in ("G05", "G08", "G11", "G15")] == [
        str(np.array(row, tile["G05"].dtype)[()])
        for row in (
            (16, (0, 0, 0), 0, GIFT, STONE, 0, 4, 0),
            (16, (0, 0, 0), 0, EFFECTS.index("cleanup"), STONE, 0, 1, 2),
            (16, (0, 0, 0), 0, EFFECTS.index("collection"), NONE, 2, 0, 0),
            (16, (0, 0, 0), 0, SWAP_TWICE, NONE, 0, 2, 0),
        )
    ]
    assert (tables.cards[0].cost.tolist(), tables.cards[0].points) == ([1, 1, 0], 2)
    assert (tables.cards[32].cost.tolist(), tables.cards[32].points) == ([2, 2, 3], 9)


def test_the_owner_of_a_box_can_replace_every_reconstructed_figure() -> None:
    """Mixed terrains, effects of meadows and printed symbols, too: each reconstructed figure is a parameter."""
    change = {
        "tile.X01.terrain": ["badlands", "mountain"],
        "tile.G07.effect": "token",
        "tile.G16.effect": "gift",
        "tile.G16.resource": "clay",
        "tile.G16.amount": 3,
        "spot.6.production": True,
        "board.blue.production.6": "clay",
    }
    found, problems = BOOK.check_change(change)
    assert (found, problems) == (change, [])
    assert BOOK.check_change(found) == (change, [])
    tables = make_tables(BOOK.with_values(change), 2)
    tile = dict(zip(TILES, tables.tiles, strict=True))
    assert tile["X01"].terrain == 0b1100
    assert (tile["G16"].effect, tile["G16"].resource, tile["G16"].amount) == (GIFT, CLAY, 3)
    assert (tile["G07"].effect, tile["G07"].resource, tile["G07"].points) == (EFFECTS.index("token"), NONE, 0)
    assert tables.printed_production[:, 5].tolist() == [NONE, CLAY, NONE, NONE]
    why = without_effect(Options(), 2, change, ["tile.G07.resource", "tile.G16.amount"])
    assert why == {"tile.G07.resource": "the effect of G07 (token) does not use it"}


@pytest.mark.parametrize(
    ("name", "value", "players", "read"),
    [
        ("spot.5.settlement", True, 2, lambda tables: tables.settlement[4]),
        ("spot.5.store", 3, 2, lambda tables: tables.printed_store[4]),
        ("spot.5.production", False, 2, lambda tables: tables.printed_production[:, 4].max() != NONE),
        ("board.blue.production.9", "stone", 2, lambda tables: ["wood", "stone"][tables.printed_production[1, 8]]),
        ("board.blue.token_spots.3", 6, 3, lambda tables: tables.token_spots[1]),
        ("card.H01.points", 3, 2, lambda tables: tables.cards[0].points),
        ("card.H33.clay", 5, 2, lambda tables: tables.cards[-1].cost[2]),
        ("display_tiles.spots.3", 6, 3, lambda tables: tables.tiles_up),
        ("setup.preliminary_tiles.3", 3, 3, lambda tables: tables.tiles_up_first),
        ("setup.display_cards", 6, 3, lambda tables: tables.cards_up),
        ("supply.3.wood", 9, 3, lambda tables: tables.supply[WOOD]),
        ("supply.2.food", 9, 2, lambda tables: tables.supply[FOOD]),
        ("token_set.4.zeros", 12, 4, lambda tables: tables.token_count - 11),
        ("token_set.4.values.2", 9, 4, lambda tables: tables.token_values[1]),
        ("place.swap.spots.2", 1, 2, lambda tables: tables.spots[8]),
        ("place.claim.spots.2", 1, 2, lambda tables: tables.spots[CLAIM]),
        ("turn.claims_per_round", 1, 2, lambda tables: tables.spots[CLAIM]),
        ("place.clay.first_bonus.2", 2, 2, lambda tables: tables.first_bonus[2]),
        ("end.tokens.4", 3, 4, lambda tables: tables.end_tokens),
        ("end.tiles", 9, 4, lambda tables: tables.end_tiles),
        ("tile.F01.production.stone", 4, 2, lambda tables: tables.tiles[0].production[1]),
        ("tile.F01.store", 1, 2, lambda tables: tables.tiles[0].store),
        ("tile.G04.amount", 5, 2, lambda tables: tables.tiles[TILES.index("G04")].amount),
        ("tile.G07.points", 5, 2, lambda tables: tables.tiles[TILES.index("G07")].points),
        ("score.leftover_points", 2, 2, lambda tables: tables.leftover_points),
    ],
)
def test_a_changed_figure_reaches_the_record(name: str, value: Any, players: int, read: Callable[[Any], Any]) -> None:
    """A figure is changed by table, row and field, as a trace names it; nothing else of the record changes with it."""
    changed, problems = BOOK.check_change({name: value})
    assert problems == []
    assert list(changed) == [name if name.count(".2") == 0 or name in BOOK.parameters() else name.rpartition(".")[0]]
    tables = make_tables(BOOK.with_values(changed), players)
    assert read(tables) == value
    assert read(tables_of(players)) != value
    others = [count for count in (2, 3, 4) if count != players]
    if name.rpartition(".")[2] in "234" or name.startswith(("supply", "token_set")):
        assert all(make_tables(BOOK.with_values(changed), n) == tables_of(n) for n in others)


def test_every_parameter_has_a_meaning_and_a_range_it_is_in() -> None:
    """Every parameter says what it does, and its printed value is one that can be chosen again."""
    parameters = BOOK.parameters()
    assert [name for name, parameter in parameters.items() if not parameter.meaning] == []
    assert BOOK.check_change({name: parameter.value for name, parameter in parameters.items()}) == ({}, [])
    for name in ("setup.pioneers_on_boat", "supply.2.wood", "card.H01.points"):
        high = parameters[name].high
        assert high is not None
        assert BOOK.check_change({name: high})[1] == []
        assert BOOK.check_change({name: high + 1})[1] != []


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"spot.13.store": 1}, "spot.13.store", "unknown"),
        ({"supply.5.wood": 1}, "supply.5.wood", "unknown"),
        ({"tile.F01.terrain": ["desert"]}, "tile.F01.terrain", "cannot be changed"),
        ({"tile.X01.terrain": ["forest", "meadow"]}, "tile.X01.terrain", "two different terrains"),
        ({"tile.G16.effect": "gift", "tile.G16.amount": 2}, "tile.G16.resource", 'the effect "gift"'),
        ({"tile.G16.effect": "none"}, "tile.G16.effect", "an effect for meadows"),
        ({"tile.F01.amount": 2}, "tile.F01.amount", "unknown"),
        ({"supply.3.players": 2}, "supply.3.players", "cannot be changed"),
        ({"card.H01.sourced": True}, "card.H01.sourced", "is not a parameter"),
        ({"place.claim.class": "any"}, "place.claim.class", "cannot be changed"),
        ({"card.H01.points": 51}, "card.H01.points", "a whole number from 0 to 50"),
        ({"card.H01.points": True}, "card.H01.points", "a whole number"),
        ({"card.H01.wood": 0, "card.H01.stone": 0}, "card.H01", "a cost of at least 1"),
        ({"card.H01.wood": 0, "turn.reserved_discount": 2}, "turn.reserved_discount", "at most 1"),
        ({"turn.trade_give": 2, "turn.trade_get": 2}, "turn.trade_get", "at most 1"),
        ({"setup.preliminary_tiles.3": 5}, "setup.preliminary_tiles.3", "3 or 4 with 3 players"),
        ({"end.tokens.2": 5}, "end.tokens.2", "at most 4"),
        ({"board.green.token_spots.3": 4}, "end.tokens.3", "at most 4"),
        ({"token_set.2.values": [6], "token_set.2.zeros": 0}, "end.tokens.2", "at most 1"),
        ({"token_set.3.zeros": 20}, "token_set.3.zeros", "at most 30"),
        ({"spot.6.production": True}, "spot.6.production", "no board has a symbol"),
        ({"board.black.production.13": "wood"}, "board.black.production.13", "unknown"),
        ({"board.black.production.3": "food"}, "board.black.production.3", '"wood"'),
    ],
)
def test_a_figure_that_is_not_allowed_is_one_line(change: Facts, where: str, words: str) -> None:
    """A wrong name or value, or values that do not agree, are one problem with its name and what is allowed."""
    changed, problems = BOOK.check_change(change)
    assert changed == {}
    assert [".".join(problem.key) for problem in problems] == [where]
    assert words in problems[0].text


def test_all_names_of_the_rules_are_in_the_set() -> None:
    """The rows are those that the rules count, so that a number in the rules is always the same row."""
    facts = BOOK.printed()
    found = {table: [row["id"] for row in facts[table]] for table in ("place", "spot", "board", "tile", "card")}
    expected = {"place": PLACES, "spot": range(1, SPOTS + 1), "board": BOARDS, "tile": TILES, "card": CARDS}
    assert found == {table: list(ids) for table, ids in expected.items()}


def _swap_rows(facts: Facts) -> None:
    facts["tile"][0], facts["tile"][1] = facts["tile"][1], facts["tile"][0]


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda facts: facts["card"].pop(), "card: has no row H33: must have 33 rows, H01 to H33"),
        (_swap_rows, "tile.F02: is out of place: the rows must be in order"),
        (lambda facts: facts["supply"].pop(), "supply: has no row 2: must have 3 rows, 2 to 4"),
        (lambda facts: facts["tile"][0].update(terrain=["desert"]), 'tile.F01.terrain: ["desert"] is not allowed'),
        (lambda facts: facts["tile"][44].update(terrain=["forest", "meadow"]), "tile.X01.terrain: "),
        (lambda facts: facts["tile"][63].pop("effect"), 'tile.G16.effect: "none" is not allowed'),
        (lambda facts: facts["tile"][63].update(effect="gift"), 'tile.G16.resource: "none" is not allowed'),
        (lambda facts: facts["tile"][0].update(amount=2), "tile.F01.amount: unknown"),
        (lambda facts: facts["tile"][0].update(effect="boat"), "tile.F01.effect: unknown"),
        (lambda facts: facts["spot"][4].update(column=1), "spot.5.column: 1 is not allowed: must be 4, as the river"),
        (lambda facts: facts["place"][4].update(first_bonus={"2": 0, "3": 1, "4": 1}), "place.food.first_bonus: unk"),
        (lambda facts: facts["place"][1].pop("first_bonus"), "place.wood.first_bonus: is missing"),
    ],
)
def test_a_file_with_wrong_rows_is_one_clear_line(spoil: Callable[[Facts], None], line: str) -> None:
    """Missing, misplaced or contradictory rows of a replaced file are one line that says where and what is allowed."""
    facts = copy.deepcopy(BOOK.printed())
    spoil(facts)
    (problem,) = BOOK.problems_of(facts)
    assert line in f"{problem.name}: {problem.text}"


def test_every_table_and_row_says_whether_it_has_a_source() -> None:
    """A mark on each, and where it is false the reason."""
    tables = tomllib.loads((BOOK.folder / "the-river.toml").read_text(encoding="utf-8"))
    rows = [row for table in tables.values() for row in (table if isinstance(table, list) else [table])]
    assert len(rows) == 133
    assert all(type(row["sourced"]) is bool and row["sourced"] != bool(row.get("reconstructed")) for row in rows)


@pytest.mark.parametrize(
    ("name", "reconstructed"),
    [
        ("supply.4.wood", False),
        ("supply.3.wood", True),
        ("token_set.2.values", True),
        ("token_set.3.values", False),
        ("token_set.4.zeros", False),
        ("display_tiles.spots.2", False),
        ("display_tiles.spots.3", True),
        ("place.wood.spots.2", True),
        ("place.wood.spots.3", False),
        ("place.wood.first_bonus.2", False),
        ("place.swap.spots.4", True),
        ("spot.6.settlement", True),
        ("board.blue.production.9", True),
        ("board.blue.token_spots.2", False),
        ("tile.F01.production.stone", True),
        ("tile.G17.store", True),
        ("card.H33.points", True),
        ("score.leftover_points", True),
        ("score.column_three", False),
        ("end.tokens.2", False),
        ("turn.trade_give", False),
    ],
)
def test_a_parameter_knows_whether_its_value_is_reconstructed(name: str, reconstructed: bool) -> None:
    """Where a row is partly reconstructed, only the figures in question say so; the marks cannot be changed by name."""
    assert bool(BOOK.parameters()[name].reconstructed) == reconstructed
    assert not any(part in ("sourced", "reconstructed") for other in BOOK.parameters() for part in other.split("."))
