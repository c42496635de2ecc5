"""Which values of an axis the game takes, whatever else is chosen; combinations are checked as scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rogsim.axes import Axis, value_words
from rogsim.problems import Problem, show
from rogsim.scenario import Experiment, check_options


def refusal(experiment: Experiment, axis: Axis, value: Any) -> str:
    """Return why the game does not take a value of an option or a figure; empty if it does."""
    scenario, problems = experiment.scenario, list[Problem]()
    if axis.kind == "figure":
        problems = experiment.spec.check_change({**scenario.change, axis.name: value})[1]
    elif axis.kind == "option":
        problems = check_options(experiment.spec, {**scenario.options, axis.name: value})[1]
    return "; ".join(problem.text for problem in problems)


def within_range(experiment: Experiment, axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], list[str]]:
    """Leave out values of patterns that the game refuses, and say so in sentences."""
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
    """Return one problem for each axis with values that the game refuses: the first of them, and how many more.

    Axes from patterns are left out: `within_range` has judged them.
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
        problems.append(Problem((axis.name,), (why if shown in why else f"{shown}: {why}") + more))
    return problems
