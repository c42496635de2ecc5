"""Checks scenario files, including their axes and goals, without playing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import Problem
from rogsim.bots.bot_names import read_bot_name
from rogsim.experiments.design_points import make_design_point
from rogsim.experiments.optimize.search_request import read_search
from rogsim.experiments.sweep.design import count_design_points, design_axes, make_design
from rogsim.scenario.axes import Axis
from rogsim.scenario.model import Experiment, load
from rogsim.scenario.no_effect import change_notes

MOST_TRIED = 200  # settings; in a larger grid, axes are tried one at a time


def check_file(path: Path) -> list[str]:
    """Return the problems of a scenario file, one line each; empty if it can be played. Runs no bot files."""
    try:
        experiment = load(path, run_programs=False)
        return problems_of(path, experiment)
    except RogsimError as fault:
        return str(fault).splitlines()


def verdict_of(path: Path) -> str:
    """Return the line for a scenario file without problems. It names the bots whose files were not loaded."""
    names = unloaded_bots(load(path, run_programs=False))
    return f"{path}: ok" + (f" ({', '.join(names)}: not loaded, so not checked)" if names else "")


def notes_of(path: Path) -> list[str]:
    """Return notes on the changes in a playable scenario file, one line each."""
    return [f"{path}: {note}" for note in change_notes(load(path, run_programs=False))]


def unloaded_bots(experiment: Experiment) -> list[str]:
    """Return the bots whose Python files were not loaded."""
    return [name for name in experiment.sources if not experiment.runs_programs and read_bot_name(name).is_program]


def axes_of(experiment: Experiment, part: str) -> tuple[tuple[Axis, ...], list[Problem]]:
    """Return the axes of a scenario's "sweep" or "balance", and their problems; empty if it has none."""
    sweep, balance = experiment.scenario.sweep, experiment.scenario.balance
    axes: tuple[Axis, ...] = ()
    problems: list[Problem] = []
    if part == "sweep" and sweep is not None:
        axes, _, problems = design_axes(experiment, sweep)
    elif part == "balance" and balance is not None:
        _, axes, problems = read_search(experiment, balance.goal, balance.over)
    return axes, [problem.under(part) for problem in problems]


def problems_of(path: Path, experiment: Experiment) -> list[str]:
    """Return the problems with the axes, goals and settings of a scenario that can be played itself, one line each."""
    return problem_lines(path, experiment) or list(_refused_settings(path, experiment))


def problem_lines(path: Path, experiment: Experiment) -> list[str]:
    """Return the problems with the axes and goals of a scenario, one line each."""
    problems = [problem for part in ("sweep", "balance") for problem in axes_of(experiment, part)[1]]
    return [f'{path}: key "{problem.name}": {problem.text}' for problem in problems]


def _refused_settings(path: Path, experiment: Experiment) -> Iterator[str]:
    """Yield which settings of a sweep the game refuses; in a large sweep only the ends of every axis are tried."""
    sweep = experiment.scenario.sweep
    if sweep is None:
        return
    axes, _ = axes_of(experiment, "sweep")
    if count_design_points(experiment, sweep, axes) <= MOST_TRIED:
        make_design(experiment, str(path))
        return
    settings = list(_one_by_one(axes))
    refused = [lines for setting in settings if (lines := _refused(experiment, axes, setting))]
    if refused:
        yield from (f"{path}: [sweep]: {line}" for line in refused[0])
    if len(refused) > 1:
        yield f"{path}: [sweep]: {len(refused)} of {len(settings)} settings tried are refused; this is the first"


def _refused(experiment: Experiment, axes: Sequence[Axis], setting: Mapping[str, Any]) -> list[str]:
    """Return why a setting cannot be played; empty if it can."""
    try:
        make_design_point(experiment, axes, setting)
    except RogsimError as fault:
        return [line.removeprefix(f"{experiment.name}: ") for line in str(fault).splitlines()]
    return []


def _one_by_one(axes: Sequence[Axis]) -> Iterator[Mapping[str, Any]]:
    """Yield settings in which one axis has the first or the last of its values."""
    for axis in axes:
        yield {axis.name: axis.values[0]}
        if len(axis.values) > 1:
            yield {axis.name: axis.values[-1]}
