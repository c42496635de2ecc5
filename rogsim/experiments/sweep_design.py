"""The design of a sweep: which settings are played. All are checked before the first game.

A setting contains only what differs from the scenario, so that the same games always have the same setting.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rogsim.base.validation import Problem
from rogsim.experiments.design_points import DesignPoint, make_design_point
from rogsim.experiments.requests import check_rivals
from rogsim.scenario.axes import MOST_DESIGN_POINTS, Axis, Sweep, read_axes, setting_words, value_words
from rogsim.scenario.changes import idle_parameters, in_play, refusal, within_range
from rogsim.scenario.model import Experiment, ScenarioError

MOST_LISTED = 10  # problems listed; the rest are counted
SAMPLED = ("latin-hypercube", "sobol")

Setting = Mapping[str, Any]


@dataclass(frozen=True)
class Design:
    """A sweep that can be played.

    Attributes
    ----------
    axes
        What varies, without player counts.
    counts
        The player counts if they are an axis, else empty.
    settings
        Without player counts; the first one, {}, is the scenario as it is.
    design_points
        Each setting; with `counts`, all settings with the first player count, then with the next.
    notes
        What was left out or changed, in sentences.
    """

    experiment: Experiment
    sweep: Sweep
    axes: tuple[Axis, ...]
    counts: tuple[int, ...]
    settings: tuple[Setting, ...]
    design_points: tuple[DesignPoint, ...]
    notes: tuple[str, ...]

    def value(self, setting: Setting, axis: Axis) -> Any:
        """Return the value of an axis in a setting."""
        return setting.get(axis.name, axis.current)

    @property
    def curve(self) -> dict[int, int]:
        """Return the place of the setting with each value of the only axis, ascending; empty if it has no numbers."""
        if len(self.axes) != 1 or not self.axes[0].is_number:
            return {}
        return dict(sorted((self.value(setting, self.axes[0]), place) for place, setting in enumerate(self.settings)))

    def edges(self, setting: Setting) -> list[Axis]:
        """Return the numeric axes at an end of their range in a setting, if the game allows values beyond that end.

        Axes with at most two values, the scenario's included, are ignored.
        """
        return [axis for axis in self.axes if axis.name in setting and self._is_at_end(axis, setting[axis.name])]

    def _is_at_end(self, axis: Axis, value: Any) -> bool:
        if not axis.is_number or len({*axis.values, axis.current}) <= 2:
            return False
        ends = {min(axis.values): -1, max(axis.values): 1}
        return value in ends and not refusal(self.experiment, axis, value + ends[value])


def idle_axes(design: Design) -> Iterator[str]:
    """Yield a line for each parameter that cannot matter in any setting that varies it.

    Such a parameter could matter in other settings, or it would not be in the design: for example with an option that
    no setting combines it with.
    """
    left = {axis.name: "" for axis in design.axes if axis.kind == "parameter"}
    for design_point in design.design_points:
        varied = [name for name in left if name in design_point.setting]
        experiment, scenario = design_point.experiment, design_point.experiment.scenario
        given = (experiment.spec, experiment.options, scenario.players, scenario.change)
        idle = idle_parameters(*given, varied) if varied else {}
        left = {name: idle.get(name, why) for name, why in left.items() if name in idle or name not in varied}
        if not left:
            return
    for name, why in left.items():
        yield f"{name}: has no effect in the settings that vary it: {why}."


def make_design(experiment: Experiment, file: str) -> Design:
    """Return the design of a scenario's sweep.

    Parameters
    ----------
    experiment
        The scenario.
    file
        Its name in messages.

    Raises
    ------
    ScenarioError
        If the sweep cannot be played; it has one line for each problem.
    """
    sweep = experiment.scenario.sweep
    if sweep is None:
        raise ScenarioError(f'{file}: has no [sweep]; "rogsim run" plays it')
    check_rivals(experiment.spec, experiment.scenario.players, "sweep")
    notes: list[str] = []
    if experiment.targets:
        notes.append("A sweep ignores `until`: every setting has the same number of games, on the same deals.")
        scenario = experiment.scenario.model_copy(update={"until": ()})
        experiment = replace(experiment, scenario=scenario, targets=())
    axes, left_out, wrong = design_axes(experiment, sweep)
    if wrong:
        raise ScenarioError("\n".join(_line(file, problem) for problem in wrong))
    counts = next((axis.values for axis in axes if axis.kind == "players"), ())
    varied = tuple(axis for axis in axes if axis.kind != "players")
    settings, duplicates = _settings(sweep, varied, experiment.scenario.seed)
    if duplicates:
        notes.append(f"{duplicates:,} of {sweep.points:,} points repeat another one and are not played again.")
    design_points = _design_points(experiment, axes, counts, settings, file)
    return Design(experiment, sweep, varied, counts, settings, design_points, (*left_out, *notes))


def design_axes(experiment: Experiment, sweep: Sweep) -> tuple[tuple[Axis, ...], list[str], list[Problem]]:
    """Return the axes of a sweep, notes on what was left out, and problems with keys relative to `sweep`."""
    found, problems = read_axes(sweep.over, experiment.spec, experiment.scenario.model_dump(mode="json"))
    wrong = [problem.under("over") for problem in problems]
    axes, left_out = within_range(experiment, [_plain(axis) for axis in found])
    wrong += [] if wrong else _axis_problems(sweep, axes)
    if wrong:
        return axes, left_out, wrong
    kept, more, idle = in_play(experiment, axes)
    if not kept and not idle:
        idle = [Problem((), "has no value that changes anything in this scenario")]
    return kept, [*left_out, *more], [problem.under("over") for problem in idle]


def count_design_points(experiment: Experiment, sweep: Sweep, axes: Sequence[Axis]) -> int:
    """Return how many settings a sweep has, including the scenario as it is, with all its player counts."""
    counts = [len(axis.values) for axis in axes if axis.kind == "players"]
    varied = [axis for axis in axes if axis.kind != "players"]
    return len(_settings(sweep, varied, experiment.scenario.seed)[0]) * math.prod(counts)


def _plain(axis: Axis) -> Axis:
    """Replace lists of a single bot by that bot."""
    if axis.kind != "bots":
        return axis
    plain = [value[0] if isinstance(value, list) and len(value) == 1 else value for value in axis.values]
    return replace(axis, values=tuple(plain))


def _axis_problems(sweep: Sweep, axes: Sequence[Axis]) -> Iterator[Problem]:
    """Yield what is wrong with the axes together."""
    if sweep.sample in SAMPLED:
        if sweep.points is None:
            yield Problem(("points",), f'is missing: how many settings sample = "{sweep.sample}" has')
    elif sweep.points is not None:
        yield Problem(("points",), f'{sweep.points} cannot be combined with sample = "{sweep.sample}": remove it')
    design_points = _count(sweep, axes)
    if design_points > MOST_DESIGN_POINTS:
        rule = f"at most {MOST_DESIGN_POINTS:,} are allowed: name fewer values, or take a sample with `points`"
        yield Problem(("over",), f"makes {design_points:,} settings, {rule}")
    if not axes:
        yield Problem(("over",), "has no value left that the game allows")


def _count(sweep: Sweep, axes: Sequence[Axis]) -> int:
    sizes = [len(axis.values) for axis in axes if axis.kind != "players"]
    settings = {"grid": math.prod(sizes), "alone": sum(sizes) + 1}.get(sweep.sample, (sweep.points or 0) + 1)
    return settings * math.prod(len(axis.values) for axis in axes if axis.kind == "players")


def _settings(sweep: Sweep, axes: Sequence[Axis], seed: int) -> tuple[tuple[Setting, ...], int]:
    """Return the distinct settings, {} first, and how many sampled points were duplicates."""
    if sweep.sample == "grid":
        names = [axis.name for axis in axes]
        values = itertools.product(*(axis.values for axis in axes))
        sampled: Iterable[Setting] = (dict(zip(names, row, strict=True)) for row in values)
    elif sweep.sample == "alone":
        sampled = ({axis.name: value} for axis in axes for value in axis.values)
    else:
        sampled = _sample(sweep, axes, seed)
    current = {axis.name: axis.current for axis in axes}
    made = [{name: value for name, value in setting.items() if not _same(value, current[name])} for setting in sampled]
    kept = {setting_words(setting): setting for setting in ({}, *made)}
    duplicates = len(made) - len({setting_words(setting) for setting in made}) if sweep.sample in SAMPLED else 0
    return tuple(kept.values()), duplicates


def _same(value: Any, current: Any) -> bool:
    return type(value) is type(current) and bool(value == current)  # in Python, 1 == True


def _sample(sweep: Sweep, axes: Sequence[Axis], seed: int) -> Iterator[Setting]:
    """Yield points spread over all axes; each value of an axis has the same probability."""
    from scipy.stats import qmc  # slower to load than checking a scenario is

    points = sweep.points or 0
    if not axes:
        return
    if sweep.sample == "sobol":
        whole = qmc.Sobol(len(axes), rng=np.random.default_rng(seed)).random_base2(max(1, math.ceil(math.log2(points))))
        unit = whole[:points]
    else:
        unit = qmc.LatinHypercube(len(axes), rng=np.random.default_rng(seed)).random(points)
    sizes = np.array([len(axis.values) for axis in axes])
    places = np.minimum((unit * sizes).astype(np.int64), sizes - 1)
    for row in places:
        yield {axis.name: axis.values[place] for axis, place in zip(axes, row, strict=True)}


def _design_points(
    experiment: Experiment, axes: Sequence[Axis], counts: Sequence[int], settings: Sequence[Setting], file: str
) -> tuple[DesignPoint, ...]:
    """Check every setting as a separate scenario; a single ScenarioError has all problems."""
    design_points: list[DesignPoint] = []
    lines: dict[str, None] = {}
    for players in [{"players": count} for count in counts] or [{}]:
        for setting in settings:
            try:
                design_points.append(make_design_point(experiment, axes, {**players, **setting}))
            except ScenarioError as fault:
                whole = {**players, **setting}
                lines.update(dict.fromkeys(_why_refused(experiment, axes, whole, file, str(fault))))
    if lines:
        listed = list(lines)[:MOST_LISTED]
        more = [f"{file}: and {len(lines) - MOST_LISTED:,} more problems"] if len(lines) > MOST_LISTED else []
        raise ScenarioError("\n".join([*listed, *more]))
    return tuple(design_points)


def _why_refused(experiment: Experiment, axes: Sequence[Axis], setting: Setting, file: str, fault: str) -> list[str]:
    """Return the problems of a setting: under the key of an axis if its value alone is refused, else as a whole."""
    alone = []
    for axis in axes:
        if axis.name in setting:
            try:
                make_design_point(experiment, axes, {axis.name: setting[axis.name]})
            except ScenarioError as refused:
                alone += [_alone_line(file, axis, setting[axis.name], line) for line in str(refused).splitlines()]
    return alone or [f"{file}: {line.removeprefix(f'{experiment.name}: ')}" for line in fault.splitlines()]


def _alone_line(file: str, axis: Axis, value: Any, line: str) -> str:
    """Return the line for a problem of a single value, under the key of its axis."""
    text = line.split(f"with {axis.name} = {value_words(value)}: ", 1)[-1]
    if text.startswith('key "'):
        key, _, rest = text.removeprefix('key "').partition('": ')
        if not (key.endswith(axis.name) or axis.name.endswith(key)):  # another key that the value does not fit
            return _line(file, Problem(("over", axis.name), f"{value_words(value)}: {key}: {rest}"))
        text = rest
    named = text if value_words(value) in text else f"{value_words(value)}: {text}"
    return _line(file, Problem(("over", axis.name), named + axis.origin))


def _line(file: str, problem: Problem) -> str:
    return f'{file}: key "{problem.under("sweep").name}": {problem.text}'
