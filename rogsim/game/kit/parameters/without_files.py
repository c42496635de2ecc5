"""Checking changes in a game that has no component files, and lists its few parameters itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rogsim.base.validation import Problem, not_allowed, unknown_key
from rogsim.game.kit.parameters.change import find
from rogsim.game.parameters import Change, Parameter, allowed_words, leaves

Checked = tuple[dict[str, Any], list[Problem]]


def checker_of(parameters: Sequence[Parameter]) -> Callable[[Change], Checked]:
    """Return a function that checks changes of these parameters, for `GameSpec.check_change`."""
    return partial(_check, {parameter.name: parameter for parameter in parameters})


def _check(known: dict[str, Parameter], change: Change) -> Checked:
    """Return the parameters that differ from their defaults, and what is wrong; if anything is, nothing differs."""
    values = {name: parameter.value for name, parameter in known.items()}
    problems = []
    for path, value in leaves(change):
        parameter, index = find(path, known)
        if parameter is None:
            problems.append(Problem(path, unknown_key(".".join(path), list(known))))
        elif not (_fits(parameter, value) if index is None else _entry_fits(parameter, value)):
            problems.append(Problem(path, not_allowed(value, f"must be {_rule(parameter, index)}")))
        elif index is None:
            values[parameter.name] = list(value) if parameter.places else value
        else:
            before = values[parameter.name]
            values[parameter.name] = [*before[:index], value, *before[index + 1 :]]
    changed = {name: value for name, value in values.items() if value != known[name].value}
    return ({}, problems) if problems else (changed, [])


def _rule(parameter: Parameter, index: int | None) -> str:
    """Return in words what a parameter must be, or the entry of it with an index."""
    is_list = index is None and parameter.places
    if not is_list and parameter.low is not None and parameter.high is not None:
        return f"a whole number from {parameter.low} to {parameter.high}"
    return parameter.allowed if index is None else allowed_words(replace(parameter, places=()))


def _fits(parameter: Parameter, value: Any) -> bool:
    if not parameter.places:
        return _entry_fits(parameter, value)
    is_list = isinstance(value, list | tuple) and len(value) == len(parameter.places)
    return is_list and all(_entry_fits(parameter, entry) for entry in value)


def _entry_fits(parameter: Parameter, value: Any) -> bool:
    if parameter.words:
        return type(value) is str and value in parameter.words
    if parameter.low is not None and parameter.high is not None:
        return type(value) is int and parameter.low <= value <= parameter.high
    return type(value) is bool
