"""Changes that cannot matter: the game names them, and games come out the same with them."""

from __future__ import annotations

from typing import Any

import pytest

from rogsim.experiments.run import run
from rogsim.experiments.sweep_design import make_design
from rogsim.game import compiler
from rogsim.game.registry import get_game
from rogsim.scenario.changes import absent_levels, changed_places, idle_changes, idle_parameters
from rogsim.scenario.model import ScenarioError, load
from tests.dice_game import GAME

RIVER = get_game("river-of-gold")
BY_NAME = {fact.name: fact for fact in RIVER.facts()}
NAMED = ["kudaka", "yasuki-taka", "daidoji-uji", "shosuro-hyobu"]


def keys(players: list[int], change: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    made = {"game": "river-of-gold", "players": players, "games": 40, "seed": 3, "bots": ["balanced"]}
    return made | {"options": options, "change": change or {}}


def idle(players: list[int], change: dict[str, Any], **options: Any) -> dict[str, str]:
    return idle_changes(load(keys(players, change, **options)))


@pytest.mark.parametrize(
    ("players", "change", "options", "why"),
    [
        ([2, 3], {"patron.kudaka.points": 9}, {}, "no patrons are in play"),
        ([4], {"patron.yoritomo.bonus_customers": 2}, {"patrons": NAMED}, "yoritomo is not in play"),
        ([2], {"setup.koku_by_turn_order.4": 12}, {}, "there is no player 4"),
        ([2], {"setup.era_tiles.3": [9, 9]}, {}, "it only counts with 3 players"),
        ([2, 4], {"mastery_points.3": [9, 5, 3]}, {}, "it only counts with 3 players"),
        ([3], {"region_tiles.two_players.1": [9]}, {}, "it only counts with two players"),
        ([2], {"region_tiles.three_or_four_players.1": [9, 1]}, {}, "it only counts with three or four players"),
        ([3, 4], {"rulings.two_player_distance": False}, {}, "it only counts with two players"),
        ([3], {"scoring.second_place_within": 3}, {}, "it only counts with two players"),
        ([2], {"mastery.air.count": 5}, {"masteries": ["fire", "void", "water"]}, "air is not in play"),
        ([2], {"track.imperial_flower": 5}, {"masteries": ["fire", "void", "water"]}, "courts is not in play"),
        ([2, 3], {"shore.3.cost": 1}, {}, "there is a tile from the start"),
        ([4], {"shore.6.cost": 9}, {}, "there is a tile from the start"),
        ([4], {"tile.start-port.visitor.koku": 9}, {}, "starting tiles are only used with 2 and 3 players"),
    ],
)
def test_what_cannot_matter_leaves_every_game_as_it_is(
    players: list[int], change: dict[str, Any], options: dict[str, Any], why: str
) -> None:
    """The reason names what is not in play, and games played with the change are those played without it."""
    assert set(idle(players, change, **options).values()) == {why}
    if not compiler.ENABLED:
        pytest.skip("plays too many games to do so uncompiled")
    plain, changed = (run(keys(players, made, **options)) for made in ({}, change))
    for first, second in ((plain.seats(), changed.seats()), (plain.games(), changed.games())):
        assert first.collect().equals(second.collect())


def test_changes_that_go_together() -> None:
    """What only a ruling that is switched off would use cannot matter, nor a ruling that gives 0 points."""
    off = {"rulings.end_trigger_bonus": False, "scoring.end_trigger": 9}
    assert idle([2], off) == {"scoring.end_trigger": "rulings.end_trigger_bonus is switched off"}
    nothing = {"rulings.end_trigger_bonus": False, "scoring.end_trigger": 0}
    assert "rulings.end_trigger_bonus" in idle([2], nothing)


def test_a_change_that_matters_with_one_player_count_matters() -> None:
    """With 2 and 4 players the fourth player's koku matters; of a whole list one place that matters is enough."""
    assert not idle([2, 4], {"setup.koku_by_turn_order.4": 12})
    assert not idle([2], {"setup.koku_by_turn_order": [8, 8, 8, 8]})
    assert list(idle([2], {"setup.koku_by_turn_order": [7, 8, 8, 8]})) == [
        "setup.koku_by_turn_order.3",
        "setup.koku_by_turn_order.4",
    ]
    assert not idle([2], {"patron.kudaka.points": 9}, patrons="dealt")


def test_few_parameters_have_no_effect() -> None:
    """With each player count some parameters, but fewer than one in ten, have no effect."""
    names = [f"{fact.name}.{place}" for fact in BY_NAME.values() for place in fact.places] + list(BY_NAME)
    for count in RIVER.players:
        found = idle_parameters(RIVER, load(keys([count])).options, [count], {}, names)
        assert 0 < len(found) < len(names) / 10


def test_levels_that_cannot_occur() -> None:
    """Without patrons none can occur; with named ones the others cannot, nor their clans."""
    none, named, dealt = (
        load(keys([4], patrons=patrons)).options
        for patrons in ("none", ["kudaka", "kaiu-shihobu", *NAMED[2:]], "dealt")
    )
    assert len(absent_levels(RIVER, none, [4], "patron")) == 8
    assert set(absent_levels(RIVER, named, [4], "patron")) & {"kudaka", "yoritomo"} == {"yoritomo"}
    assert not absent_levels(RIVER, named, [4], "clan")
    assert not absent_levels(RIVER, dealt, [4], "patron")
    assert not absent_levels(RIVER, none, [4], "seat")


def test_places_that_differ() -> None:
    """Each place of a list that differs is named, also one that only one of the lists has."""
    assert list(changed_places(GAME, {}, {"head_start": [0, 2, 0, 1]})) == ["head_start.2", "head_start.4"]
    assert list(changed_places(RIVER, {}, {"mastery_points.3": [7, 5]})) == ["mastery_points.3.3"]
    assert not list(changed_places(GAME, {"spaces.more": 3}, {"spaces.more": 3}))


def test_every_list_has_a_label() -> None:
    """What is printed as "Starting koku 5 / 7 / 9 / 12" needs a name that a person would use."""
    assert BY_NAME["setup.koku_by_turn_order"].label == "Starting koku"
    assert BY_NAME["mastery_points.3"].label == "Mastery points with 3 players"
    assert all(bool(fact.label) == bool(fact.places) for fact in BY_NAME.values())


@pytest.mark.usefixtures("dice_race")
def test_player_counts_that_are_no_numbers_are_refused() -> None:
    """A list where a sweep wants a number is one clear line, whatever else is varied."""
    made: dict[str, Any] = {"game": "dice-race", "players": [2], "games": 100, "seed": 1, "bots": ["runner"]}
    made["sweep"] = {"over": {"players": [[2, 3]], "head_start.2": [0, 1]}}
    with pytest.raises(ScenarioError, match=r"sweep.over.players.*\[2, 3\] is not allowed: must be a whole number"):
        make_design(load(made), "x.toml")
