"""Old names of modules: bots and notebooks that use them still work."""

from __future__ import annotations

from importlib import import_module

import pytest

import rogsim.games.river_of_gold
from rogsim.experiments.optimize import search, search_request
from rogsim.game.compiler import kernel
from rogsim.game.kit.parameters import problems
from rogsim.game.parameters import Parameter
from rogsim.game.spec import GameSpec
from rogsim.games.river_of_gold.components import load
from rogsim.games.river_of_gold.rules import actions

assert rogsim.games.river_of_gold  # which has its own old names


def test_a_bots_file_may_use_old_names() -> None:
    """A module imported by its old name has the names of the new one, and a warning says what that is."""
    with pytest.warns(DeprecationWarning, match=r"^rogsim\.jit is now rogsim\.game\.compiler$"):
        assert import_module("rogsim.jit").kernel is kernel
    with pytest.warns(DeprecationWarning, match=r"actions is now rogsim\.games\.river_of_gold\.rules\.actions$"):
        assert import_module("rogsim.games.river_of_gold.actions").BUILD == actions.BUILD


def test_a_module_that_was_split_is_found_by_its_old_name() -> None:
    """The contract offers what its parts offer, also what was renamed."""
    with pytest.warns(DeprecationWarning, match=r"^rogsim\.game\.contract is now rogsim\.game\.agents, "):
        contract = import_module("rogsim.game.contract")
    assert contract.GameSpec is GameSpec
    assert contract.Fact is Parameter
    with pytest.warns(DeprecationWarning, match=r"errors is now .*game\.kit\.parameters\.problems$"):
        errors = import_module("rogsim.games.river_of_gold.components.errors")
    assert (errors.FactsError, errors.explain) == (load.FactsError, problems.explain)


def test_a_search_in_python_may_use_old_names() -> None:
    """The functions that documentation named before still exist."""
    assert search.find_fairest is search.find_optimum
    assert search_request.request_fairest is search_request.request_optimum


def test_other_names_stay_unknown() -> None:
    """A name that no module ever had is not found, nor is an old name below another one."""
    for name in ("rogsim.jot", "rogsim.games.jit", "jit"):
        with pytest.raises(ModuleNotFoundError):
            import_module(name)
