"""Small parts of the kit: names of weights, data that cannot be changed, checks of options, records of parameters."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import Field, ValidationError

from rogsim.game.kit.bits import doubled, mask_of, members, named
from rogsim.game.kit.bots import changed, in_order_of, names_of
from rogsim.game.kit.parameters.models import ByPlayers, Part
from rogsim.game.kit.setup import (
    FrozenDict,
    StrictOptions,
    all_different,
    by_players,
    fill_named,
    frozen,
    mode_or_names,
    numbers_of,
    one_for_each_seat,
    one_of,
    padded,
    row_for,
)
from rogsim.game.parameters import by_name, unless_players

pytestmark = pytest.mark.once_uncompiled


def test_names_of_weights_are_in_the_order_of_nested_loops() -> None:
    """Every combination has its name, and the last level changes fastest."""
    assert names_of((2, 3), ("early", "late"), {"plum": 0.5}) == (
        "2-early-plum",
        "2-late-plum",
        "3-early-plum",
        "3-late-plum",
    )
    assert names_of(["value"], ("a", "b")) == ("value-a", "value-b")


def test_only_weights_that_exist_can_be_changed() -> None:
    """A change keeps the order and the original; an unknown name is an error that lists the names."""
    weights = {"plum": 1.0, "jam": 2.0}
    assert list(changed(weights, {"jam": 3.0}).items()) == [("plum", 1.0), ("jam", 3.0)]
    assert weights["jam"] == 2.0
    with pytest.raises(KeyError, match="no weight 'jar': choose from plum, jam"):
        changed(weights, {"jar": 1.0})


def test_the_first_that_is_liked_weighs_most() -> None:
    """What is liked weighs more than the rest, in falling order."""
    assert in_order_of(("fox", "owl"), ("owl", "hare", "fox")) == {"owl": 3.0, "hare": 1.0, "fox": 4.0}
    with pytest.raises(KeyError, match="no weight 'cow'"):
        in_order_of(("cow",), ("owl",))


def test_frozen_data_cannot_be_changed() -> None:
    """No way to change a dict works, at any depth; copies are the same object, and pickling keeps the content."""
    facts = frozen({"tiles": [{"id": "a", "cost": 3}], "most": 4})
    assert facts == {"tiles": ({"id": "a", "cost": 3},), "most": 4}
    for spoil in (
        lambda: facts.update(most=5),
        lambda: facts["tiles"][0].__setitem__("cost", 0),
        lambda: facts.pop("most"),
        facts.clear,
        lambda: facts.__ior__({"more": 1}),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            spoil()
    assert copy.deepcopy(facts) is facts
    again = pickle.loads(pickle.dumps(facts))
    assert again == facts
    assert isinstance(again["tiles"][0], FrozenDict)


def test_options_are_checked_in_words() -> None:
    """A value that is not allowed, and a name given twice, are errors that say so; others pass."""
    assert one_of("a", ("a", "b")) == "a"
    with pytest.raises(ValueError, match=r'"c" is not allowed: choose from "a", "b" or a list$'):
        one_of("c", ("a", "b"), "or a list")
    all_different(["a", "b"])
    with pytest.raises(ValueError, match='"b" is listed twice'):
        all_different(["a", "b", "b"])


def test_numbers_of_components_fill_the_fields_of_their_names() -> None:
    """Fields take the value of their name, 0 for None; what has no value, no field or many numbers stays as it was."""
    record = np.zeros(1, [("cost", "i2"), ("switched", "i1"), ("left", "i2"), ("prices", "i1", (2,))])[0]
    record["cost"], record["left"], record["prices"] = 9, 4, [1, 2]
    fill_named(record, {"cost": None, "switched": True, "prices": [5, 5], "unknown": 3})
    assert record.item()[:3] == (0, 1, 4)
    assert record["prices"].tolist() == [1, 2]
    with pytest.raises(TypeError, match=r'the field "cost" of the tables holds a number, and its value is .trade.$'):
        fill_named(record, {"cost": "trade"})


def test_lists_are_padded_and_player_counts_found() -> None:
    """Zeros follow; a player count is a key as a number or as a text."""
    assert padded([3, 1], 4) == [3, 1, 0, 0]
    assert [by_players(table, 2) for table in ({2: "a"}, {"2": "b"})] == ["a", "b"]


class Prices(ByPlayers[int]):
    two: int = Field(alias="2")
    five: int = Field(alias="5")


class Stall(Part):
    plums: int
    jam: int
    prices: Prices


def test_a_record_takes_its_fields_from_a_model() -> None:
    """Each whole number of the model is a field; values for numbers of players are not."""
    assert numbers_of(Stall) == [("plums", "i2"), ("jam", "i2")]
    assert row_for([{"players": 2, "jam": 1}, {"players": 3, "jam": 5}], 3)["jam"] == 5


def test_a_missing_row_is_named() -> None:
    """The error says which list has no row for how many players, and which rows it has."""
    with pytest.raises(ValueError, match=r"^supply has no row for 5 players, only for: 2, 3$"):
        row_for([{"players": 2}, {"players": 3}], 5, "supply")
    with pytest.raises(ValueError, match=r"^a list has no row for 2 players, only for: none$"):
        row_for([], 2)


def test_names_and_numbers_turn_into_each_other() -> None:
    """A mask has the members that it is made of, and numbers have the names at their places."""
    fruits = ("plum", "fig", "pear")
    assert (mask_of(["pear", "plum"], fruits), mask_of([], fruits)) == (0b101, 0)
    assert members(mask_of(["pear", "plum"], fruits), fruits) == ["plum", "pear"]
    assert named(fruits, np.array([2, 0, 2])) == ["pear", "plum", "pear"]


def test_an_option_is_a_mode_or_a_list_of_names() -> None:
    """A mode or different known names pass; anything else is an error in the words of the single checks."""
    assert mode_or_names("dealt", ("dealt",), ("fig", "plum"), "or a list") == "dealt"
    assert mode_or_names(["plum", "fig"], ("dealt",), ("fig", "plum"), "or a list") == ["plum", "fig"]
    for value, why in (
        ("fig", 'choose from "dealt" or a list'),
        (["pear"], 'choose from "fig"'),
        (["fig"] * 2, "twice"),
    ):
        with pytest.raises(ValueError, match=why):
            mode_or_names(value, ("dealt",), ("fig", "plum"), "or a list")
    one_for_each_seat("fruits", ["fig", "plum"], 2)
    with pytest.raises(ValueError, match=r'^option "fruits" names 1 for 2 players: give one for each seat$'):
        one_for_each_seat("fruits", ["fig"], 2)


class Fruits(StrictOptions):
    ripe: bool = True


@pytest.mark.parametrize("options", [{"ripe": 1}, {"raw": True}])
def test_options_are_strict(options: dict[str, Any]) -> None:
    """A value of another type and an unknown option are refused, and an option cannot be changed."""
    with pytest.raises(ValidationError):
        Fruits.model_validate(options)
    with pytest.raises(ValidationError, match="frozen"):
        Fruits().ripe = False  # type: ignore[misc]


@by_name
def without_effect(options: Any, players: int, change: Any, name: Sequence[str]) -> str:
    """Fruits that are not sold, and those for another number of players."""
    match name:
        case ["fruit", fruit, *_]:
            return "" if fruit in options else f"{fruit} is not sold"
        case ["jars", count]:
            return unless_players(count, players)
    return ""


def test_parameters_without_effect_are_those_with_a_reason() -> None:
    """Every name is judged by itself; those that can matter are left out."""
    names = ["fruit.fig.cost", "fruit.plum", "jars.2", "jars.3", "rounds"]
    why = {"fruit.plum": "plum is not sold", "jars.2": "it only counts with 2 players"}
    assert without_effect(["fig"], 3, {}, names) == why


def test_a_doubled_mask_has_two_bits_for_each() -> None:
    """Side by side, for every one of 32 bits."""
    for mask in (0, 1, 0b1011, 1 << 31, (1 << 30) - 1, 0x12345678):
        assert doubled(mask) % (1 << 64) == sum(3 << 2 * place for place in range(32) if mask >> place & 1)
