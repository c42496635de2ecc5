"""Checking scenario files without playing them: all that a run would refuse, and what is to be varied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from rogsim.axes import Axis, read_axes
from rogsim.cells import make_cell
from rogsim.errors import RogsimError
from rogsim.problems import Problem
from rogsim.scenario import Experiment, load

MOST_TRIED = 200  # cells: of a larger grid one axis after the other is tried


def check_file(path: Path) -> list[str]:
    """Return what is wrong with a scenario file, a line each; none if it can be played."""
    try:
        experiment = load(path)
        return list(_lines(path, axis_problems(experiment))) or list(_cell_lines(path, experiment))
    except RogsimError as fault:
        return str(fault).splitlines()


def axes_of(experiment: Experiment, part: str) -> tuple[tuple[Axis, ...], list[Problem]]:
    """Return the axes of a scenario's "sweep" or "balance", and what is wrong with them; none if it has no such."""
    asked = getattr(experiment.scenario, part)
    if asked is None:
        return (), []
    axes, problems = read_axes(asked.over, experiment.spec, experiment.scenario.model_dump(mode="json"))
    return axes, [Problem((part, "over", *problem.key), problem.text) for problem in problems]


def axis_problems(experiment: Experiment) -> list[Problem]:
    """Return what is wrong with the axes of a scenario."""
    return [problem for part in ("sweep", "balance") for problem in axes_of(experiment, part)[1]]


def _lines(path: Path, problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems:
        yield f'{path}: key "{".".join(problem.key)}": {problem.text}'


def _cell_lines(path: Path, experiment: Experiment) -> Iterator[str]:
    """Say which settings of the axes the game refuses: the first one in full, and how many more."""
    for part in ("sweep", "balance"):
        axes, _ = axes_of(experiment, part)
        whole = part == "sweep" and prod(len(axis.values) for axis in axes) <= MOST_TRIED
        settings = list(_grid(axes) if whole else _one_by_one(axes))
        refused = [lines for setting in settings if (lines := _refused(experiment, axes, setting))]
        if refused:
            yield from (f"{path}: [{part}]: {line}" for line in refused[0])
        if len(refused) > 1:
            yield f"{path}: [{part}]: {len(refused)} of {len(settings)} settings tried are refused, this is the first"


def _refused(experiment: Experiment, axes: Sequence[Axis], setting: Mapping[str, Any]) -> list[str]:
    """Say why a setting cannot be played; nothing if it can."""
    try:
        make_cell(experiment, axes, setting)
    except RogsimError as fault:
        return [line.removeprefix(f"{experiment.name}: ") for line in str(fault).splitlines()]
    return []


def _grid(axes: Sequence[Axis]) -> Iterator[Mapping[str, Any]]:
    for values in product(*(axis.values for axis in axes)):
        yield dict(zip((axis.name for axis in axes), values, strict=True))


def _one_by_one(axes: Sequence[Axis]) -> Iterator[Mapping[str, Any]]:
    """Yield settings in which one axis has the first or the last of its values."""
    for axis in axes:
        for value in dict.fromkeys(map(_hashable, (axis.values[0], axis.values[-1]))):
            yield {axis.name: list(value) if isinstance(value, tuple) else value}


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
