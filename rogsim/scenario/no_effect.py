"""Changes that cannot matter, as the game reports them: cards that are not in play, seats that nobody takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rogsim.base.validation import show
from rogsim.game.parameters import Change, leaves
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import Experiment
from rogsim.scenario.own_components import sourced_in


def change_notes(experiment: Experiment) -> list[str]:
    """Return notes on a scenario's changes: which replace others, and which have no effect, and why."""
    spec, change = experiment.spec, experiment.scenario.change
    if not change and not experiment.asked_change:
        return list(experiment.notes)
    places = [name for name in changed_places(spec, {}, change) if name in experiment.asked_change]
    named = idle_parameters(spec, experiment.options, experiment.scenario.players, change, places)
    given = set(sourced_in(experiment.scenario.components))  # nobody asked for these one by one
    others = idle_changes(experiment).items()
    idle = {name: why for name, why in others if not {name, name.rpartition(".")[0]} & given} | named
    return [*experiment.notes, *_printed(spec, experiment.asked_change, change), *_idle_lines(spec, change, idle)]


def _idle_lines(spec: GameSpec, change: Change, idle: Mapping[str, str]) -> Iterator[str]:
    for name, why in idle.items():
        yield f"{name} = {show(_value_of(spec, change, name))} changes nothing: {why}."


def _printed(spec: GameSpec, asked: Change, change: Change) -> Iterator[str]:
    """Yield a line for each requested change that leaves its parameter as it is."""
    names = {parameter.name for parameter in spec.facts()} if asked else set()
    for path, value in leaves(asked):
        name, table = ".".join(path), ".".join(path[:-1])
        is_printed = name not in change if name in names else table in names and value == _value_of(spec, {}, name)
        if is_printed:
            yield f"{name} = {show(value)} changes nothing: that is its value without the change."


def _value_of(spec: GameSpec, change: Change, name: str) -> Any:
    """Return a parameter, or an entry of a list, after some checked changes; None beyond the end of the list."""
    table, _, last = name.rpartition(".")
    for parameter in spec.facts():
        if parameter.name == name:
            return change.get(name, parameter.value)
        if parameter.name == table and last in parameter.places:
            values = change.get(table, parameter.value)
            place = parameter.places.index(last)
            return values[place] if place < len(values) else None
    return None


def idle_changes(experiment: Experiment) -> dict[str, str]:
    """Return the changes of a scenario that cannot matter with any of its player counts, with the reasons.

    A list that is changed as a whole is reported by its entries that differ, and only if none of them can matter.
    """
    scenario, found = experiment.scenario, dict[str, str]()
    for name, value in scenario.change.items():
        places = list(changed_places(experiment.spec, {}, {name: value}))
        idle = idle_parameters(experiment.spec, experiment.options, scenario.players, scenario.change, places)
        if set(idle) == set(places):
            found |= idle
    return found


def idle_parameters(
    spec: GameSpec, options: Any, players: Iterable[int], change: Change, names: Sequence[str]
) -> dict[str, str]:
    """Return which parameters or entries of lists cannot matter with any player count, with the reasons.

    Parameters
    ----------
    options
        The game's options.
    change
        Checked changes that also apply.
    names
        The parameters and entries to check.
    """
    answers = [spec.without_effect(options, count, change, names) for count in players]
    idle = [name for name in names if all(name in answer for answer in answers)]
    return {name: " and ".join(dict.fromkeys(answer[name] for answer in answers)) for name in idle}


def changed_places(spec: GameSpec, before: Change, after: Change) -> Iterator[str]:
    """Yield what differs between two sets of checked changes: parameters, and for lists each entry that differs."""
    for parameter in spec.facts():
        first, second = (change.get(parameter.name, parameter.value) for change in (before, after))
        if first == second:
            continue
        if not parameter.places:
            yield parameter.name
            continue
        for number, place in enumerate(parameter.places):
            if first[number : number + 1] != second[number : number + 1]:
                yield f"{parameter.name}.{place}"


def absent_levels(spec: GameSpec, options: Any, players: Iterable[int], column: str) -> Mapping[str, str]:
    """Return the levels of a seat column that cannot occur with some player count, with the reasons."""
    found: dict[str, str] = {}
    for count in players:
        found |= spec.absent_levels(options, count, column)
    return found
