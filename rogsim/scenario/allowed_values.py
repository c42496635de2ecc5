"""Which values of an axis the game accepts, and which axes can matter. Combinations are checked as scenarios."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from rogsim.base.validation import Problem, show
from rogsim.scenario.axes import Axis, value_words
from rogsim.scenario.model import Experiment, check_options
from rogsim.scenario.no_effect import changed_places, idle_parameters

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
