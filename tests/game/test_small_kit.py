"""Small parts of the kit: names of weights, data that cannot be changed, checks of options, records of parameters."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from rogsim.game.kit.frozen import FrozenDict, frozen
from rogsim.game.kit.option_checks import all_different, one_of
from rogsim.game.kit.table_filling import by_players, fill_named, padded
from rogsim.game.kit.weight_names import changed, in_order_of, names_of

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


def test_lists_are_padded_and_player_counts_found() -> None:
    """Zeros follow; a player count is a key as a number or as a text."""
    assert padded([3, 1], 4) == [3, 1, 0, 0]
    assert [by_players(table, 2) for table in ({2: "a"}, {"2": "b"})] == ["a", "b"]
