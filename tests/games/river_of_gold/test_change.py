"""Changing parameters by name: all of them, equal changes, and the messages for refused ones."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from rogsim.experiments.optimize_request import request_optimum
from rogsim.game.parameters import Parameter
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.components.load import TILES as TILE_IDS
from rogsim.games.river_of_gold.components.tables import make_tables
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import load
from tests.command_line import Run
from tests.games.river_of_gold.changes import changes, checked
from tests.games.river_of_gold.playing import steady

pytestmark = pytest.mark.once_uncompiled

KOKU = "setup.koku_by_turn_order"

PLAYERS = (4, 3, 2)
TILES = {name: fact for name, fact in BOOK.parameters().items() if name.startswith("tile.")}
OTHERS = {name: fact for name, fact in BOOK.parameters().items() if name not in TILES}
TILE_KEYS = sorted({name.split(".", 2)[2] for name in TILES if not name.endswith(".copies")})


def others(fact: Parameter) -> list[Any]:
    """Other values of a parameter, nearby ones first."""
    if fact.places:
        return [
            [*fact.value[:place], value, *fact.value[place + 1 :]]
            for place in range(len(fact.value))
            for value in near(fact, fact.value[place])
        ]
    return near(fact, fact.value)


def near(fact: Parameter, value: Any) -> list[Any]:
    if fact.words:
        return [word for word in fact.words if word != value]
    if isinstance(value, bool):
        return [not value]
    assert fact.low is not None and fact.high is not None
    return [other for other in (value + 1, value - 1, fact.low, fact.high) if fact.low <= other <= fact.high]


def tables_of(change: dict[str, Any], players: int) -> bytes:
    return bytes(np.asarray(make_tables(BOOK.with_values(change), players)).tobytes())


# ------------------------------------------------------------------------------------------------- every figure


@pytest.fixture(scope="module")
def printed() -> dict[int, bytes]:
    return {players: tables_of({}, players) for players in PLAYERS}


@pytest.mark.slow
@pytest.mark.parametrize("section", sorted({name.split(".")[0] for name in OTHERS}))
def test_every_figure_can_be_changed_and_arrives(section: str, printed: dict[int, bytes]) -> None:
    """Each has another allowed value, which changes the tables of a player count, and not the printed components."""
    components = deepcopy(BOOK.printed())
    for name, fact in OTHERS.items():
        if name.split(".")[0] == section:
            value = next(value for value in others(fact) if not BOOK.check_change({name: value})[1])
            assert checked({name: value}) == {name: value}
            assert any(tables_of({name: value}, players) != printed[players] for players in PLAYERS), name
            assert BOOK.printed() == components


@pytest.mark.slow
@pytest.mark.parametrize("key", TILE_KEYS)
def test_every_figure_of_a_tile_can_be_changed_and_arrives(key: str) -> None:
    """A change on all tiles that have it changes the records of these tiles and no others."""
    change = {name: others(fact)[0] for name, fact in TILES.items() if name.split(".", 2)[2] == key}
    assert checked(change) == change
    before, after = make_tables(BOOK.with_values({}), 3), make_tables(BOOK.with_values(change), 3)
    changed = {
        tile for number, tile in enumerate(TILE_IDS) if before.tiles[number].tobytes() != after.tiles[number].tobytes()
    }
    assert changed == {name.split(".")[1] for name in change}


def test_copies_of_tiles_change_places_only() -> None:
    """There are as many starting tiles and imperial markets as the board has spaces, and it says so."""
    copies = {name: fact for name, fact in TILES.items() if name.endswith(".copies")}
    assert copies
    for name, fact in copies.items():
        (problem,) = BOOK.check_change({name: fact.value + 1})[1]
        assert "tiles of set" in problem.text
    few, many = "tile.start-port.copies", "tile.start-manor.copies"
    moved = {few: copies[few].value - 1, many: copies[many].value + 1}
    if all(moved.values()):
        assert checked(moved) == moved
        assert tables_of(moved, 2) != tables_of({}, 2)


def test_changing_back_is_no_change() -> None:
    """Giving parameters or entries of lists their current values is no change."""
    book = BOOK.parameters()
    assert checked({name: fact.value for name, fact in book.items()}) == {}
    places = {
        f"{name}.{place}": value
        for name, fact in book.items()
        if fact.places
        for place, value in zip(fact.places, fact.value, strict=False)
    }
    assert len(places) > 50
    assert checked(places) == {}


@steady
@given(changes())
def test_a_checked_change_stays_as_it_is(change: dict[str, Any]) -> None:
    """A checked change is what differs from the printed values, and is accepted again."""
    found = checked(change)
    assert found == {name: value for name, value in change.items() if value != BOOK.parameters()[name].value}
    assert checked(found) == found


def test_printed_figures_stay_as_they_are() -> None:
    """No change modifies the components that all games share."""
    before = repr(BOOK.printed())
    spec.prepare(spec.Options(), 3, checked({"setup.hand": 4, "track.rewards.3.koku": 5}))
    assert repr(BOOK.printed()) == before


# ----------------------------------------------------------------------------------------------- equal changes


EQUAL: list[list[dict[str, Any]]] = [
    [
        {"setup": {"koku_by_turn_order": [8, 8, 9, 10]}},
        {"setup.koku_by_turn_order": [8, 8, 9, 10]},
        {"setup": {"koku_by_turn_order": {"1": 8}}},
        {"setup.koku_by_turn_order.1": 8},
        {"setup.koku_by_turn_order.1": 8, "setup.hand": 2, "limits": {"koku": 25}},
    ],
    [
        {"customer": {"artisan-1": {"order": {"porcelain": 3}}}},
        {"customer.artisan-1": {"order.porcelain": 3}},
        {"customer.artisan-1.order.porcelain": 3, "customer.artisan-1.order.silk": 0},
    ],
    [{}, {"rulings": {"last_turns": True}}, {"track.rewards.3.koku": 0}, {"region_tiles.two_players.1": [3]}],
]


@pytest.mark.parametrize("ways", EQUAL, ids=["list", "order", "nothing"])
def test_equal_changes_have_the_same_key(ways: list[dict[str, Any]]) -> None:
    """A change gives the same run however it is written, and also if it repeats printed values."""
    keys = {"players": [2, 3], "games": 5, "seed": 1, "bots": ["random"]}
    found = [load(keys | {"change": change}) for change in ways]
    assert len({key_of(identity_of(experiment)) for experiment in found}) == 1
    assert all(experiment.scenario.change == found[0].scenario.change for experiment in found)


def test_different_changes_have_different_keys() -> None:
    """Three changes, and no change, are four different runs."""
    keys = {"players": [2, 3], "games": 5, "seed": 1, "bots": ["random"]}
    assert len({key_of(identity_of(load(keys | {"change": ways[0]}))) for ways in EQUAL}) == 3


# ----------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("change", "key", "text"),
    [
        ({"setup.hnad": 3}, "setup.hnad", 'unknown, did you mean "setup.hand"?'),
        ({"koku_by_turn_order": [8] * 4}, "koku_by_turn_order", "koku_by_turn_order"),
        ({"patron.kudaka.pionts": 4}, "patron.kudaka.pionts", "patron.kudaka.points"),
        ({"patron.kudak.points": 4}, "patron.kudak.points", "patron.kudaka.points"),
        ({"tile.era1-port-3.owner.kok": 4}, "tile.era1-port-3.owner.kok", "tile.era1-port-3.owner.koku"),
        ({"setup": 3}, "setup", "is a table: change a parameter in it, such as setup.koku_by_turn_order"),
        ({"setup.koku_by_turn_order.5": 3}, "setup.koku_by_turn_order.5", "choose from 1, 2, 3, 4"),
        ({"limits.koku.1": 3}, "limits.koku.1", "is part of limits.koku, which is a single parameter"),
        ({"shore.4.region": 2}, "shore.4.region", "cannot be changed: the rules depend on it"),
        ({"patron.kudaka.clan": "crab"}, "patron.kudaka.clan", "cannot be changed"),
        ({"patron.bayushi-kashiko.points": 2}, "patron.bayushi-kashiko.points", "has no parameter that can be changed"),
        ({"zzz": 1}, "zzz", "unknown: choose from limits, setup, exchange"),
    ],
)
def test_a_name_that_is_none_lists_near_ones(change: dict[str, Any], key: str, text: str) -> None:
    """Misspelt names, tables, entries that do not exist, and values that the rules depend on."""
    found, (problem,) = BOOK.check_change(change)
    assert found == {}
    assert ".".join(problem.key) == key
    assert text in problem.text


@pytest.mark.parametrize(
    ("change", "key", "text"),
    [
        ({"setup.hand": 7}, "setup.hand", "7 is not allowed: must be a whole number from 0 to 6"),
        ({"setup.hand": "3"}, "setup.hand", '"3" is not allowed: must be a whole number from 0 to 6'),
        ({"setup.hand": 2.5}, "setup.hand", "2.5 is not allowed"),
        ({"setup.hand": True}, "setup.hand", "true is not allowed"),
        ({"rulings.last_turns": 1}, "rulings.last_turns", "1 is not allowed: must be true or false"),
        ({"setup.koku_by_turn_order": [8, 8]}, "setup.koku_by_turn_order", "a list of 4"),
        ({"setup.koku_by_turn_order.2": 101}, "setup.koku_by_turn_order.2", "101 is not allowed"),
        ({"setup.koku_by_turn_order": [8, 101, 8, 8]}, "setup.koku_by_turn_order.2", "101 is not allowed"),
        ({"customer.monk-1.second_marker": "mine"}, "customer.monk-1.second_marker", '"own" or "opponent"'),
        ({"track.good_at_2.1": "gold"}, "track.good_at_2.1", '"gold" is not allowed'),
        ({"exchange.goods_for_good": 1}, "exchange.goods_for_good", "from 2 to 20"),
        # together with others
        (
            {"limits.koku": 9},
            "setup.koku_by_turn_order.4",
            "10 is not allowed: must be at most 9 (limits.koku), with these changes",
        ),
        ({"setup.favor": 4}, "setup.favor", "4 is not allowed: must be at most 3 (setup.favor_limit)"),
        ({"setup.building_row": 6, "setup.era_tiles.2": [6, 9]}, "setup.era_tiles.2.1", "more than 6"),
        ({"setup.era_tiles.4": [16, 17]}, "setup.era_tiles.4.2", "at most 16 (the tiles of era 2)"),
        ({"mastery_points.3": [3, 5, 7]}, "mastery_points.3", "the highest points first"),
        ({"mastery_points.2": [5, 3, 1]}, "mastery_points.2", "a list of 1 to 2"),
        ({"mastery.air.count": 6}, "mastery.air.count", "at most 5 (all there are)"),
        ({"setup.hand": 6}, "patron.yoritomo.bonus_customers", "at most 0 (6 less setup.hand), with these changes"),
        ({"track.imperial_flower": 19}, "track.imperial_flower", "at most 18 (limits.influence)"),
        (
            {"tile.era1-port-3.owner.rice": 4, "tile.era1-port-3.owner.silk": 4},
            "tile.era1-port-3.owner",
            "at most 6 goods in one reward",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_an_impossible_value_says_why(change: dict[str, Any], key: str, text: str) -> None:
    """For a value out of range, of another type, or in conflict with others: where, what, and what is allowed."""
    found, problems = BOOK.check_change(change)
    assert found == {}
    assert text in {".".join(problem.key): problem.text for problem in problems}[key]


def test_one_change_that_breaks_dozens_of_values_lists_three() -> None:
    """Values that were changed are all listed; of the others the first three, and how many more there are."""
    found, problems = BOOK.check_change({"setup.goods.silk": 9, "setup.goods.rice": 8, "limits.good": 1})
    assert found == {}
    names = [".".join(problem.key) for problem in problems]
    assert names[:2] == ["setup.goods.silk", "setup.goods.rice"]
    assert [name.partition(".")[0] for name in names[2:]] == ["customer"] * 3 + [""]
    assert problems[-1].text == "38 more problems are not listed"


def test_what_goes_together_is_accepted_together() -> None:
    """A limit may be lowered below a start if the start is lowered with it, in any order."""
    change = {"limits.koku": 9, "setup.koku_by_turn_order": [7, 7, 8, 9]}
    assert checked(change) == checked(dict(reversed(change.items()))) == change


def test_what_the_rules_know_as_it_is_is_in_no_list() -> None:
    """Ids, regions, types and effects are not parameters; each is refused with the reason."""
    names = BOOK.fixed_names()
    assert {"tile.era1-port-3.type", "shore.4.region", "patron.kudaka.clan"} <= names
    assert names.isdisjoint(BOOK.parameters())
    for name in sorted(names)[::10]:
        (problem,) = BOOK.check_change({name: 1})[1]
        assert problem.text == "cannot be changed: the rules depend on it"


# ------------------------------------------------------------------------------------------------------ meanings


def test_every_figure_says_what_it_is_and_may_be() -> None:
    """Each has a meaning and a description of what is allowed; its value is in its range."""
    for name, fact in BOOK.parameters().items():
        assert fact.meaning and fact.allowed, name
        values = fact.value if fact.places else [fact.value]
        if fact.low is not None and fact.high is not None:
            assert all(fact.low <= value <= fact.high for value in values), name
        elif fact.words:
            assert set(values) <= set(fact.words), name
        else:
            assert values in ([True], [False]), name


# -------------------------------------------------------------------------------------------------- rogsim parameters


Facts = Callable[..., list[str]]


@pytest.fixture
def facts(command: Run) -> Facts:
    """What `rogsim parameters` prints."""

    def run(*arguments: str) -> list[str]:
        code, out, err = command("parameters", *arguments)
        assert (code, err) == (0, "")
        return out.splitlines()

    return run


def test_facts_without_a_name_lists_small_sections_and_names_the_large(facts: Facts) -> None:
    """Limits, set-up, prices, scoring and rulings are listed in full; tiles and customers by number and some names."""
    lines = facts()
    assert lines[0].startswith("River of Gold: 1,584 parameters that can be changed.")
    starts = [line.split()[0] for line in lines if line]
    for section in ("limits", "setup", "exchange", "scoring", "mastery_points", "rulings", "region_tiles", "patron"):
        names = [name for name in BOOK.parameters() if name.startswith(f"{section}.")]
        assert [start for start in starts if start.startswith(f"{section}.")] == names
    (tiles,) = (line for line in lines if line.startswith("tile "))
    assert "1,250" in tiles
    assert not [start for start in starts if start.startswith("tile.")]
    assert len(lines) < 80


def test_figures_that_are_0_are_left_out_of_many(facts: Facts) -> None:
    """Only a tile's nonzero rewards are listed, and the number of others; with --all, every reward."""
    lines = facts("tile.era1-port-3")
    assert [line.split()[0] for line in lines[1:4]] == [
        "tile.era1-port-3.build",
        "tile.era1-port-3.visitor.koku",
        "tile.era1-port-3.owner.favor",
    ]
    assert lines[4:] == ["", "and 26 more that are 0: --all shows them"]
    assert len(facts("tile.era1-port-3", "--all")) == 1 + 29
    assert len(facts("customer.artisan-1")) == 1 + 3  # of few figures all
    assert len(facts("tile.*.visitor.silk", "--all")) == 1 + len([name for name in TILES if "visitor.silk" in name])


def test_a_place_of_a_list_is_found(facts: Facts) -> None:
    """It is listed with its value, under the name that `[change]` takes."""
    assert facts("setup.koku_by_turn_order.4")[1].split()[:2] == ["setup.koku_by_turn_order.4", "10"]
    assert facts("scoring.customers_delivered.0")[1].split()[:2] == ["scoring.customers_delivered.0", "0"]


def test_checking_a_change_changes_nothing() -> None:
    """A given list, of which an entry is changed as well, is copied and does not change."""
    koku = [7, 14, 9, 10]
    found, problems = BOOK.check_change({KOKU: koku, f"{KOKU}.2": 20})
    assert (found, problems) == ({KOKU: [7, 20, 9, 10]}, [])
    assert koku == [7, 14, 9, 10]


def test_a_search_leaves_the_scenario_as_it_is() -> None:
    """Trying values of an entry does not change the scenario's list."""
    scenario = {"players": [2], "games": 10, "seed": 1, "bots": ["random"], "change": {f"{KOKU}.2": 14}}
    over = {f"{KOKU}.2": {"from": 5, "to": 20}}
    request = request_optimum(scenario, goal=["seat_share equal ± 2 pp"], over=over)
    assert request.experiment.scenario.change == {KOKU: [7, 14, 9, 10]}
