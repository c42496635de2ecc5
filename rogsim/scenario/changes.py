"""What a scenario changes in its game: in words, which values are allowed, and which changes cannot matter.

Combinations of values are checked as scenarios.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from rogsim.base.validation import Problem, show
from rogsim.game.parameters import Change, Parameter, leaves
from rogsim.game.spec import GameSpec
from rogsim.scenario.axes import AS_IT_IS, Axis, value_words
from rogsim.scenario.model import Experiment, Scenario, check_options
from rogsim.scenario.own_components import OwnComponents, sourced_in


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


def changed_label(
    base: Experiment, other: Experiment, was: bool = False, short: Mapping[str, str] | None = None
) -> str:
    """Return how a run differs from the base; "as it is" if it does not.

    All values of a changed list are shown together under its label, without those that cannot matter.

    Parameters
    ----------
    was
        Whether to show the values of the base, too.
    short
        Shorter names of parameters and options.
    """
    return ", ".join(changed_parts(base, other, was, short or {})) or AS_IT_IS


def changed_parts(base: Experiment, other: Experiment, was: bool, short: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of `changed_label`."""
    first, second = base.scenario, other.scenario
    if first.bots != second.bots:
        yield _value_change("bots = ", list(first.bots), list(second.bots), was)
    for name, value in second.options.items():
        if first.options.get(name) != value:
            yield _value_change(f"{short.get(name, name)} = ", first.options.get(name), value, was)
    given = _given_in_files(first, second)
    yield from given
    without = {*sourced_in(first.components), *sourced_in(second.components)} if given else set()
    for parameter in other.spec.facts():
        if parameter.name in without:
            continue
        before, value = (change.get(parameter.name, parameter.value) for change in (first.change, second.change))
        if before != value and parameter.places:
            kept = _kept(parameter, base, other)
            name = parameter.label or short.get(parameter.name, parameter.name)
            yield _value_change(f"{name} ", _picked(before, kept), _picked(value, kept), was, " / ")
        elif before != value:
            yield _value_change(f"{short.get(parameter.name, parameter.name)} = ", before, value, was)


def _given_in_files(first: Scenario, second: Scenario) -> list[str]:
    """Return how the files of components differ, in words; empty if both scenarios have the same or none."""
    was, now = (own.file if isinstance(own, OwnComponents) else "" for own in (first.components, second.components))
    if was == now:
        return []
    return [f"components of {now}" if now else f"without the components of {was}"]


def _kept(parameter: Parameter, base: Experiment, other: Experiment) -> list[int]:
    """Return the entries of a list to show: those that can matter, or all entries if none that differs can."""
    names = [f"{parameter.name}.{place}" for place in parameter.places]
    scenario = other.scenario
    idle = idle_parameters(other.spec, other.options, scenario.players, scenario.change, names)
    differ = set(changed_places(other.spec, base.scenario.change, scenario.change)) & set(names)
    if differ <= set(idle):
        return list(range(len(names)))
    return [place for place, name in enumerate(names) if name not in idle]


def _picked(values: Any, kept: list[int]) -> list[Any]:
    return [values[place] for place in kept if place < len(values)]


def _value_change(name: str, before: Any, value: Any, was: bool, between: str = ", ") -> str:
    after, before = (
        between.join(map(value_words, values)) if isinstance(values, list) else value_words(values)
        for values in (value, before)
    )
    return f"{name}{after}" + (f" (was {before})" if was else "")


MOST_VARIANTS = 300  # combinations of options that are checked


def refusal(experiment: Experiment, axis: Axis, value: Any) -> str:
    """Return why the game refuses a value of an option or a parameter; empty if it accepts the value."""
    scenario, problems = experiment.scenario, list[Problem]()
    if axis.kind == "parameter":
        problems = experiment.spec.check_change({**scenario.change, axis.name: value})[1]
    elif axis.kind == "option":
        problems = check_options(experiment.spec, {**scenario.options, axis.name: value})[1]
    # One value can break others, which are named.
    alone = [not problem.key or problem.name == axis.name for problem in problems]
    return "; ".join(
        one.text if is_own else f"{one.name}: {one.text}" for one, is_own in zip(problems, alone, strict=True)
    )


def within_range(experiment: Experiment, axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], list[str]]:
    """Leave out values of patterns that the game refuses, and return sentences that say so."""
    kept: list[Axis] = []
    reasons: dict[str, list[str]] = {}
    for axis in axes:
        if not axis.pattern:
            kept.append(axis)
            continue
        judged = [(value, refusal(experiment, axis, value)) for value in axis.values]
        for value, why in judged:
            if why:
                reasons.setdefault(why, []).append(f"{axis.name} = {value_words(value)}")
        values = tuple(value for value, why in judged if not why)
        if values:
            kept.append(replace(axis, values=values))
    return tuple(kept), [f"Left out: {', '.join(names)}. {why}." for why, names in reasons.items()]


def value_problems(experiment: Experiment, axes: Sequence[Axis]) -> list[Problem]:
    """Return one problem for each axis with refused values: the first of them, and how many more there are.

    Axes from patterns are skipped: `within_range` has checked them.
    """
    problems = []
    for axis in axes:
        if axis.pattern:
            continue
        refused = {place: why for place, value in enumerate(axis.values) if (why := refusal(experiment, axis, value))}
        if not refused:
            continue
        place, why = next(iter(refused.items()))
        shown = show(axis.values[place])
        more = f"; {len(refused) - 1:,} more values are refused" if len(refused) > 1 else ""
        problems.append(Problem((axis.name,), (why if shown in why else f"{shown}: {why}") + axis.origin + more))
    return problems


def in_play(experiment: Experiment, axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], list[str], list[Problem]]:
    """Leave out axes of patterns that cannot matter, and say so; other such axes are problems.

    Returns
    -------
    tuple of Axis
        The axes that can matter.
    list of str
        Sentences on what was left out.
    list of Problem
        One for each axis that cannot matter and was given by name.
    """
    kept, notes, problems = list[Axis](), dict[str, list[str]](), list[Problem]()
    for axis in axes:
        why = why_idle(experiment, axis, axes)
        if not why:
            kept.append(axis)
        elif axis.pattern:
            notes.setdefault(why, []).append(axis.name)
        else:
            problems.append(Problem((axis.name,), f"changes nothing in this scenario: {why}"))
    sentences = [
        f"Left out because they change nothing here: {', '.join(names)} ({why})." for why, names in notes.items()
    ]
    return tuple(kept), sentences, problems


def why_idle(experiment: Experiment, axis: Axis, axes: Sequence[Axis]) -> str:
    """Return why no value of an axis can make a difference, whatever the values of the other axes; empty if one can."""
    if axis.kind in ("option", "parameter") and all(value == axis.current for value in axis.values):
        return f"it is already {value_words(axis.current)}"
    if axis.kind != "parameter":
        return ""
    spec, scenario = experiment.spec, experiment.scenario
    varied = next((other.values for other in axes if other.kind == "players"), scenario.players)
    players = [count for count in varied if count in spec.players]  # other counts are refused elsewhere
    if not players:
        return ""
    unchanged = spec.check_change(scenario.change)[0]
    made = [spec.check_change({**scenario.change, axis.name: value})[0] for value in axis.values]
    places = list(dict.fromkeys(place for change in made for place in changed_places(spec, unchanged, change)))
    reasons: dict[str, None] = {}
    for options, change in _variants(experiment, [other for other in axes if other is not axis]):
        idle = idle_parameters(spec, options, players, change, places)
        if not places or len(idle) < len(places):
            return ""
        reasons |= dict.fromkeys(idle.values())
    return " and ".join(reasons)


def _variants(experiment: Experiment, axes: Sequence[Axis]) -> Iterator[tuple[BaseModel, dict[str, Any]]]:
    """Yield the options and changes of the other axes: every combination of options, each changed parameter alone."""
    spec, scenario = experiment.spec, experiment.scenario
    unchanged = dict(scenario.change)
    yield experiment.options, unchanged
    chosen = [axis for axis in axes if axis.kind == "option"]
    for values in itertools.islice(itertools.product(*(axis.values for axis in chosen)), MOST_VARIANTS):
        names = {axis.name: value for axis, value in zip(chosen, values, strict=True)}
        options = check_options(spec, {**scenario.options, **names})[0]
        if options is not None:
            yield options, unchanged
    for axis in axes:
        for value in axis.values if axis.kind == "parameter" and not axis.is_number else ():
            yield experiment.options, spec.check_change({**unchanged, axis.name: value})[0]
