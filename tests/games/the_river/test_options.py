"""The options of The River, and the parameters and boards that cannot matter with them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from rogsim.game.registry import get_game
from rogsim.games.the_river.components.load import BOOK
from rogsim.games.the_river.components.names import BOARDS, NONE
from rogsim.games.the_river.components.tables import make_tables
from rogsim.games.the_river.no_effect import absent_levels, without_effect
from rogsim.games.the_river.options import Options, fill_options
from rogsim.scenario.arguments import ArgumentError, read_options

pytestmark = pytest.mark.once_uncompiled


def filled(players: int, **options: Any) -> Any:
    tables = make_tables(BOOK.with_values({}), players)
    fill_options(tables, Options(**options))
    return tables


def test_by_default_seat_1_begins_and_the_boards_are_dealt() -> None:
    """The record of the rules is the same with no options and with the default ones."""
    assert filled(3) == make_tables(BOOK.with_values({}), 3)
    assert (filled(3).first, filled(3).boards[0]) == (0, NONE)


def test_options_reach_the_record() -> None:
    """Chance decides about the first player, and each seat has the board that is named."""
    assert filled(2, first_player="random").first == NONE
    assert filled(3, boards=["yellow", "black", "green"]).boards[:3].tolist() == [3, 0, 2]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("first_playr", '--first-playr: unknown, did you mean "--first-player"?'),
        ("zzz", "--zzz: unknown: choose from --first-player, --boards"),
    ],
)
def test_an_unknown_option_lists_the_others_as_they_are_typed(name: str, line: str) -> None:
    """With hyphens, not as they are called in a scenario."""
    with pytest.raises(ArgumentError, match=f"^{re.escape(line)}$"):
        read_options(get_game("the-river"), {name: "x"})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first_player": "seat 2"}, ['"seat 2" is not allowed', '"seat 1", "random"']),
        ({"boards": "random"}, ['"random" is not allowed', '"dealt"', *BOARDS]),
        ({"boards": ["black", "red"]}, ['"red" is not allowed', *BOARDS]),
        ({"boards": ["black", "black"]}, ['"black" is listed twice']),
        ({"boards": ["black", "blue", "green"]}, ['option "boards" names 3 for 2 players']),
    ],
)
def test_an_impossible_option_says_what_is_allowed(options: dict[str, Any], words: list[str]) -> None:
    """What is wrong with the value, and the choices."""
    with pytest.raises((ValidationError, ValueError)) as caught:
        filled(2, **options)
    assert [word for word in words if word not in str(caught.value)] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_parameter_without_effect_is_one_that_no_game_reads(players: int) -> None:
    """A parameter is named exactly if no value of it changes the record of the rules for this player count."""
    names = {
        "supply.3.wood": 1,
        "token_set.2.zeros": 3,
        "token_set.4.values.1": 7,
        "display_tiles.spots.3": 1,
        "setup.preliminary_tiles.4": 4,
        "end.tokens.2": 1,
        "place.food.spots.3": 5,
        "place.clay.first_bonus.4": 5,
        "board.blue.token_spots.2": 6,
        "board.blue.production.3": "clay",
        "spot.2.store": 4,
        "card.H02.wood": 5,
    }
    without = without_effect(Options(), players, {}, list(names))
    assert all(f"with {name.split('.')[1]} players" in why or name[-1] in why for name, why in without.items())
    for name, value in names.items():
        changed, problems = BOOK.check_change({name: value})
        assert problems == []
        is_read = make_tables(BOOK.with_values(changed), players) != make_tables(BOOK.with_values({}), players)
        assert (name not in without) == is_read, name


def test_what_is_switched_off_or_on_no_board_has_no_effect() -> None:
    """A symbol on a spot without one, sets without points, and boards that no seat has."""
    named = Options(boards=["black", "green"])
    change = {"spot.3.production": False, "score.leftover_points": 0}
    names = ["board.black.production.3", "board.black.production.5", "board.blue.production.5", "score.leftover_set"]
    assert without_effect(named, 2, change, names) == {
        "board.black.production.3": "spot.3.production is switched off",
        "board.blue.production.5": "no seat has the blue board",
        "score.leftover_set": "score.leftover_points is 0",
    }
    assert list(absent_levels(named, 2, "board")) == ["blue", "yellow"]
    assert absent_levels(Options(), 2, "board") == absent_levels(named, 2, "winner") == {}
