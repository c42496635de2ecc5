"""Changed parameters for tests: the same change for the compiled and the slow rules, and random changes."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from rogsim.game.kit.components import locate
from rogsim.game.parameters import Parameter
from rogsim.games.river_of_gold import spec
from rogsim.games.river_of_gold.components.load import BOOK
from rogsim.games.river_of_gold.options import Options
from tests.naive.river_of_gold_setup import load_facts as load_naive_facts

Change = Mapping[str, Any]


def checked(change: Change) -> dict[str, Any]:
    """A change as `check_change` returns it; it must be allowed."""
    found, problems = BOOK.check_change(change)
    assert problems == []
    return found


def is_allowed(change: Change) -> bool:
    return not BOOK.check_change(change)[1]


def changed_setup(change: Change, players: int, patrons: Any = "none", masteries: Any = "each") -> spec.Setup:
    """What `spec.prepare` returns for an allowed change."""
    return spec.prepare(Options(patrons=patrons, masteries=masteries), players, checked(change))


def changed_naive_facts(change: Change) -> dict[str, Any]:
    """The components of the slow rules, read independently, with the same change."""
    facts = copy.deepcopy(_naive_facts())
    for name, value in checked(change).items():
        spot, key = locate(facts, name)
        spot[key] = value
    for customer in facts["customer"]:
        customer["end_points"] = facts["scoring"]["noble_points"]
    return facts


@cache
def _naive_facts() -> dict[str, Any]:
    return load_naive_facts(Path(BOOK.folder))


# --------------------------------------------------------------------------------------------- random changes


def values_of(fact: Parameter) -> st.SearchStrategy[Any]:
    """Values within a parameter's range, mostly small ones and the ends of the range."""
    if not fact.places:
        return single_values(fact)
    return st.lists(single_values(fact), min_size=1, max_size=len(fact.places))


def single_values(fact: Parameter) -> st.SearchStrategy[Any]:
    if fact.words:
        return st.sampled_from(fact.words)
    if fact.low is None or fact.high is None:
        return st.booleans()
    near = range(fact.low, min(fact.high, fact.low + 8) + 1)
    return st.sampled_from([*near, fact.high]) | st.integers(fact.low, fact.high)


@st.composite
def one_change(draw: st.DrawFn) -> tuple[str, Any]:
    """A parameter and a value; the section is drawn first, so that tiles do not dominate."""
    sections: dict[str, list[Parameter]] = {}
    for fact in BOOK.parameters().values():
        sections.setdefault(fact.name.split(".")[0], []).append(fact)
    fact = draw(st.sampled_from(draw(st.sampled_from(list(sections.values())))))
    return fact.name, draw(values_of(fact))


@st.composite
def changes(draw: st.DrawFn, most: int = 6) -> dict[str, Any]:
    """A few changes that are allowed together: those that are refused are left out one by one."""
    change: dict[str, Any] = {}
    for name, value in draw(st.lists(one_change(), min_size=1, max_size=most)):
        if is_allowed({**change, name: value}):
            change[name] = value
    return change


def as_text(change: Change) -> str:
    """A change as a text that can be hashed and typed again."""
    return json.dumps(dict(change))
