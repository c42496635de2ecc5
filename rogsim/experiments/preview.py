"""Checks scenario files, with their axes and goals, and says in words what a run would play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rogsim.base.errors import RogsimError
from rogsim.base.text import counted
from rogsim.base.validation import Problem
from rogsim.bots.names import read_bot_name
from rogsim.experiments.optimize_request import read_search
from rogsim.experiments.sweep_design import count_design_points, design_axes, make_design
from rogsim.game.parameters import change_lines, changes_of
from rogsim.scenario.axes import Axis, value_words
from rogsim.scenario.changes import change_notes
from rogsim.scenario.model import Experiment, Scenario, load
from rogsim.scenario.own_components import OwnComponents, asked_changes
from rogsim.scenario.reconstructed import reconstructed_of
from rogsim.simulation.batch import plans
from rogsim.simulation.rows import Plan

MOST_TRIED = 200  # settings; in a larger grid, axes are tried one at a time
MOST_LINE_UPS = 3  # line-ups listed; if there are more, only their number is shown
MOST_VALUES = 12  # values listed of an axis; if there are more, only some at both ends
SHOWN_ENDS = 3


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
    asked = getattr(experiment.scenario, part)
    if asked is None:
        return (), []
    if part == "sweep":
        axes, _, problems = design_axes(experiment, asked)
    else:
        _, axes, problems = read_search(experiment, asked.goal, asked.over)
    return axes, [problem.under(part) for problem in problems]


def problems_of(path: Path, experiment: Experiment) -> list[str]:
    """Return the problems with the axes and goals of a scenario that can be played itself, one line each.

    If there are none, ScenarioError says which settings of its sweep the game refuses; of a large sweep only the ends
    of each axis are tried.
    """
    problems = [problem for part in ("sweep", "balance") for problem in axes_of(experiment, part)[1]]
    sweep = experiment.scenario.sweep
    if not problems and sweep is not None:
        axes, _ = axes_of(experiment, "sweep")
        if count_design_points(experiment, sweep, axes) > MOST_TRIED:
            ends = {axis.name: list(dict.fromkeys([axis.values[0], axis.values[-1]])) for axis in axes}
            sweep = sweep.model_copy(update={"over": ends, "sample": "alone", "points": None})
        scenario = experiment.scenario.model_copy(update={"sweep": sweep})
        make_design(replace(experiment, scenario=scenario), str(path))
    return [f'{path}: key "{problem.name}": {problem.text}' for problem in problems]


def explain_data(experiment: Experiment) -> dict[str, Any]:
    """Return what a scenario would play, as an object for scripts; RogsimError if its axes are wrong."""
    scenario, spec = experiment.scenario, experiment.spec
    return {
        "name": experiment.name,
        "question": experiment.question,
        "game": {"id": spec.id, "title": spec.title, "rules": spec.version},
        "seed": scenario.seed,
        "bots": list(scenario.bots),
        "not_loaded": unloaded_bots(experiment),
        "players": {str(players): _plan_data(plan) for players, plan in plans(experiment).items()},
        "until": list(scenario.until),
        "tables": list(scenario.tables),
        "margin": scenario.margin,
        "options": dict(scenario.options),
        "change": changes_of(spec, scenario.change),
        **({"reconstructed": found} if (found := reconstructed_of(experiment).data()) else {}),
        "sweep": _varied(experiment, "sweep"),
        "balance": _varied(experiment, "balance"),
    }


def explain_lines(experiment: Experiment) -> list[str]:
    """Return what a scenario would play, in words."""
    data = explain_data(experiment)
    scenario = experiment.scenario
    lines = [data["question"] or f"{experiment.name} asks no question.", ""]
    lines += [f"Game: {data['game']['title']}, rules version {data['game']['rules']}"]
    lines += [f"Options: {', '.join(f'{name} = {value_words(value)}' for name, value in data['options'].items())}"]
    changed = change_lines(experiment.spec, asked_changes(scenario.model_dump(mode="json")))
    lines += _own_lines(scenario)
    besides = " besides" * isinstance(scenario.components, OwnComponents)
    lines += [f"Changed{besides}:", *(f"  {line}" for line in changed)] if changed else [f"Changed{besides}: nothing"]
    if (found := data.get("reconstructed")) and found["values"]:
        verb = "is" if found["values"] == 1 else "are"
        lines += [f"Reconstructed: {found['values']:,} of {found['of']:,} component values {verb} not from a source"]
    lines += [f"Bots: {_bot_words(scenario.bots)}"]
    lines += [f"Not loaded: {name}, a program in a file" for name in data["not_loaded"]]
    lines += [line for plan in plans(experiment).values() for line in _plan_lines(plan)]
    lines += [f"Seed: {scenario.seed}; the same seed gives the same games again"]
    if scenario.until:
        lines += [f"Ends early: at {' and '.join(scenario.until)}; the games above are then the maximum"]
    lines += [f"Tables: by {', '.join(dict.fromkeys(['seat', *scenario.tables]))}"]
    lines += [f"Fair: within {scenario.margin:g} pp of the fair share"]
    return [*lines, *_sweep_lines(data["sweep"]), *_balance_lines(data["balance"])]


def _own_lines(scenario: Scenario) -> Iterator[str]:
    """Yield how many values a file of components gives, and how many of them differ from the game's own."""
    own = scenario.components
    if isinstance(own, OwnComponents):
        differ = len(set(own.sourced) & set(scenario.change))
        verb = "differs" if differ == 1 else "differ"
        yield f"Components: {len(own.sourced):,} values of {own.file}, of which {differ:,} {verb} from the game's own"


def _plan_data(plan: Plan) -> dict[str, Any]:
    cycles = plan.games // plan.cycle
    return {
        "games": plan.games,
        "cycles": cycles,
        "games_in_a_cycle": plan.cycle,
        "blocks": cycles * len(plan.line_ups),
        "line_ups": [list(line_up) for line_up in plan.line_ups],
    }


def _bot_words(bots: tuple[str, ...]) -> str:
    return f"{bots[0]} in every seat" if len(bots) == 1 else ", ".join(bots)


def _plan_lines(plan: Plan) -> Iterator[str]:
    data = _plan_data(plan)
    if plan.cycle == 1:
        yield f"{counted(plan.players, 'player')}: {plan.games:,} games, each on different deals"
        return
    yield (
        f"{counted(plan.players, 'player')}: {plan.games:,} games, "
        f"in {data['cycles']:,} whole cycles of {plan.cycle:,}: "
        f"{data['blocks']:,} blocks, in each of which the bots rotate over the seats on the same deal"
    )
    line_ups = list(dict.fromkeys(plan.line_ups))
    if len(line_ups) > MOST_LINE_UPS:
        yield f"  {len(line_ups):,} line-ups, such as {' + '.join(line_ups[0])}"
    else:
        yield from (f"  line-up: {' + '.join(line_up)}" for line_up in line_ups)


def _varied(experiment: Experiment, part: str) -> dict[str, Any] | None:
    """Return the request and axes of a scenario's "sweep" or "balance"; None if it has none."""
    asked = getattr(experiment.scenario, part)
    if asked is None:
        return None
    axes, problems = axes_of(experiment, part)
    if problems:
        raise RogsimError("\n".join(f'{experiment.name}: key "{problem.name}": {problem.text}' for problem in problems))
    data = asked.model_dump(mode="json", exclude={"over"})
    size = {"cells": count_design_points(experiment, asked, axes)} if part == "sweep" else {}
    return {**data, **size, "axes": [_axis_data(axis) for axis in axes]}


def _axis_data(axis: Axis) -> dict[str, Any]:
    kind = "figure" if axis.kind == "parameter" else axis.kind  # scripts know parameters by this name
    return {"name": axis.name, "kind": kind, "own": axis.current, "values": list(axis.values)}


def _sweep_lines(sweep: Mapping[str, Any] | None) -> Iterator[str]:
    if sweep is None:
        return
    how = {
        "grid": "every combination, and the scenario as it is",
        "alone": "one axis at a time, and the scenario as it is",
        "latin-hypercube": "a Latin hypercube, and the scenario as it is",
        "sobol": "a Sobol' sequence, and the scenario as it is",
    }[sweep["sample"]]
    yield f"Sweep: {sweep['cells']:,} settings, {how}"
    yield from map(_axis_line, sweep["axes"])


def _balance_lines(balance: Mapping[str, Any] | None) -> Iterator[str]:
    if balance is None:
        return
    yield f"Balance: searches for values that reach: {'; '.join(balance['goal'])}"
    if balance["games"] is not None:
        yield f"  with at most {balance['games']:,} games per player count"
    yield from map(_axis_line, balance["axes"])


def _axis_line(axis: Mapping[str, Any]) -> str:
    values = [f"[{value_words(value)}]" if isinstance(value, list) else value_words(value) for value in axis["values"]]
    if len(values) > MOST_VALUES:
        values = [*values[:SHOWN_ENDS], f"… ({len(values)} in all)", *values[-SHOWN_ENDS:]]
    current = "" if axis["own"] is None else f" (now {value_words(axis['own'])})"
    return f"  {axis['name']}: {', '.join(values)}{current}"
