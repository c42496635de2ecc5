"""Small parts of the kit: names of weights, data that cannot be changed, options, records of declared numbers."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from rogsim.game.kit.bits import doubled, mask_of, members, named
from rogsim.game.kit.bots import changed, in_order_of, names_of
from rogsim.game.kit.kinds import (
    OWN_NAME,
    ByPlayers,
    Components,
    Count,
    Flag,
    Keyed,
    Listed,
    OneOf,
    Rows,
    Text,
    columns_of,
    fill,
    printed,
)
from rogsim.game.kit.setup import (
    FrozenDict,
    StrictOptions,
    all_different,
    frozen,
    mode_or_names,
    one_for_each_seat,
    one_of,
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


TASTES = ("sweet", "sour")
TIMES = ("early", "late")
STALLS = ("east", "west")


class Stall:
    id: Text
    plums: Count[0, 9] = printed(into="plums")
    open: Flag = printed(into="stalls_open")


class Crowd:
    players: Count[2, 3] = printed()
    fans: Count[0, 9] = printed(into="fans")


class Rules:
    jam: Count[0, 9]
    sold: Listed[Count[0, 9], 1, 3] = printed(into="sold")
    kept: Keyed[TIMES, Count[0, 9]]


class Fair(Components):
    rules: Rules = printed(into=OWN_NAME)
    price: ByPlayers[(2, 3), Count[0, 9]] = printed(into="price")
    taste: Keyed[TIMES, OneOf[TASTES]] = printed(into="taste")
    stall: Rows[Stall, STALLS]
    crowd: Rows[Crowd, (2, 3)]


def test_declared_numbers_are_fields_of_the_record() -> None:
    """Lists, tables and rows are arrays, what goes by players is that of the players, and nothing else is there."""
    columns = columns_of(Fair)
    assert columns == [
        ("jam", "i2", ()),
        ("sold", "i2", (3,)),
        ("price", "i2", ()),
        ("taste", "i2", (2,)),
        ("plums", "i2", (2,)),
        ("stalls_open", "i2", (2,)),
        ("fans", "i2", ()),
    ]
    fair = Fair.from_dict({
        "rules": {"jam": 4, "sold": [1, 2], "kept": {"late": 1}},
        "price": {"2": 5, "3": 6},
        "taste": {"late": "sour"},
        "stall": [{"plums": 7, "open": False}, {"plums": 8, "open": True}],
        "crowd": [{"players": 3, "fans": 9}, {"players": 2, "fans": 1}],
    })  # fmt: skip
    record = np.zeros(1, columns)[0]
    fill(record, fair, 3)
    assert [np.asarray(value).tolist() for value in record.item()] == [
        4,
        [1, 2, 0],
        6,
        [0, 1],
        [7, 8],
        [0, 1],
        9,
    ]


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
