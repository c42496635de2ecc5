"""Small parts of the kit: names of weights, data that cannot be changed, checks of options."""

from __future__ import annotations

import copy
import pickle

import pytest

from rogsim.game.kit.frozen import FrozenDict, frozen
from rogsim.game.kit.option_checks import all_different, one_of
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
