"""An error in a game's own code is told from options that the game refuses."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError, field_validator

from rogsim.game import rules as contract
from rogsim.game.kit.faults import GameFault
from rogsim.game.kit.setup import one_of
from rogsim.game.registry import register
from rogsim.scenario.model import ScenarioError, load
from tests.dice_game.spec import GAME, RULES, Options, prepare

pytestmark = [pytest.mark.once_uncompiled, pytest.mark.usefixtures("dice_race")]  # which is registered anew here

KEYS: dict[str, Any] = {
    "game": "dice-race",
    "players": [2],
    "games": 6,
    "seed": 1,
    "bots": ["runner"],
    "options": {"end": "fair"},
}


def load_with(**change: Any) -> None:
    """Load a scenario of the dice race with another `prepare` or other options."""
    register(replace(GAME, **change))
    load(KEYS)


def read_number(options: Any, players: int) -> Any:
    return int("x")


def fill_too_much(options: Any, players: int) -> Any:
    setup = prepare(options, players)
    setup.goals[:] = 1, 2, 3
    return setup


def draw_too_many(options: Any, players: int) -> Any:
    """Lets a module of Python raise the ValueError."""
    return random.sample(range(players), players + 1)


def seek(options: Any, players: int) -> Any:
    return [10][players]


@pytest.mark.parametrize(
    ("faulty", "what"),
    [
        (read_number, "ValueError: invalid literal for int"),
        (fill_too_much, "ValueError: could not broadcast"),
        (draw_too_many, "ValueError: Sample larger than population"),
        (seek, "IndexError: list index out of range"),
    ],
)
def test_an_error_in_prepare_is_an_error_of_the_game(faulty: Callable[..., Any], what: str) -> None:
    """The line names the game, the number of players, and the line of its code; it does not name the scenario."""
    with pytest.raises(GameFault) as caught:
        load_with(prepare=faulty)
    line = rf'game "dice-race": with 2 players, prepare raised {what}.* at test_game_faults\.py, line \d+'
    assert re.fullmatch(line, str(caught.value))


def refuse(options: Any, players: int) -> Any:
    raise ValueError("two cannot race")


def refuse_by_the_kit(options: Any, players: int) -> Any:
    one_of("two", ("three", "four"))


@pytest.mark.parametrize(
    ("refusing", "why"), [(refuse, "two cannot race"), (refuse_by_the_kit, '"two" is not allowed: choose from "three"')]
)
def test_options_that_prepare_refuses_are_an_error_of_the_scenario(refusing: Callable[..., Any], why: str) -> None:
    """A ValueError that the game or the kit raises itself is told in its own words."""
    with pytest.raises(ScenarioError, match=f"^scenario: 2 players: {why}"):
        load_with(prepare=refusing)


@pytest.mark.parametrize("returned", [None, 5, np.zeros(1, "i4"), SimpleNamespace()])
def test_prepare_must_return_the_tables(returned: Any) -> None:
    """What else it returns is shown, for it would fail far away."""
    with pytest.raises(GameFault) as caught:
        load_with(prepare=lambda options, players: returned)
    what = f"with 2 players, prepare returned {returned!r}; tables_of must find a record of Rules.tables in"
    assert str(caught.value).startswith(f'game "dice-race": {what}')


def test_an_error_in_tables_of_is_told_as_what_prepare_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual `tables_of` reads an attribute, which what a game returns may lack."""
    monkeypatch.setitem(contract._RULES, RULES.state, RULES)  # back in place after the test
    with pytest.raises(GameFault, match=r"; tables_of must find a record of Rules\.tables in what it returns$"):
        load_with(rules=replace(RULES, tables_of=attrgetter("tables")))


class MistakenNumber(Options):
    @field_validator("end")
    @classmethod
    def check(cls, end: str) -> int:
        return int("x")


class MistakenKey(Options):
    @field_validator("end")
    @classmethod
    def check(cls, end: str) -> int:
        return {"sudden": 1}[end]


class Refusing(Options):
    @field_validator("end")
    @classmethod
    def check(cls, end: str) -> str:
        raise ValueError("a fair end is too long")


@pytest.mark.parametrize(
    ("options", "what"), [(MistakenNumber, "ValueError: invalid literal for int"), (MistakenKey, "KeyError: 'fair'")]
)
def test_an_error_in_a_check_of_options_is_an_error_of_the_game(options: type[Options], what: str) -> None:
    """Also a ValueError, which pydantic takes for a refusal."""
    with pytest.raises(GameFault) as caught:
        load_with(options=options)
    line = rf'game "dice-race": a check of its options raised {what}.* at test_game_faults\.py, line \d+'
    assert re.fullmatch(line, str(caught.value))


def test_options_that_a_check_refuses_are_an_error_of_the_scenario() -> None:
    """The line names the key, and says why in the words of the game."""
    with pytest.raises(ScenarioError, match=r'^scenario: key "options.end": a fair end is too long$'):
        load_with(options=Refusing)
    with pytest.raises(ValidationError):
        replace(GAME, options=Refusing).read_options({"end": "fair"})
