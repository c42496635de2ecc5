"""What is asked of a search for fair values: goals, axes and limits, from a scenario and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.base.validation import Problem, not_allowed, show
from rogsim.experiments.design_points import make_cell
from rogsim.scenario.allowed_values import in_play, value_problems, within_range
from rogsim.scenario.axes import LEAST_SEARCH, MOST_GAMES, Axis, read_axes, setting_words
from rogsim.scenario.goals import Goal, read_goals
from rogsim.scenario.model import Experiment, Scenario, ScenarioError, check_options, load
from rogsim.scenario.no_effect import absent_levels
from rogsim.stats.paired.response_surface import Space

NEEDED = "needs a [balance] with `goal` and `over`, or --goal and --over"


@dataclass(frozen=True)
class SearchRequest:
    """A checked search: the scenario, what is to become true, and the values to choose from.

    games: the most to play in the search for each player count; None: what the goals need. confirm: games of the
    check on fresh luck.
    """

    experiment: Experiment
    goals: tuple[Goal, ...]
    space: Space
    games: int | None
    confirm: int | None

    @property
    def players(self) -> tuple[int, ...]:
        """Return the player counts, all of which must be fair with the same values."""
        return self.experiment.scenario.players


def request_fairest(
    source: str | Path | Mapping[str, Any] | Scenario,
    *,
    goal: Sequence[str] = (),
    over: Mapping[str, Any] | None = None,
    change: Mapping[str, Any] | None = None,
    games: int | None = None,
    confirm: int | None = None,
    seed: int | None = None,
    players: Sequence[int] | None = None,
    bots: Sequence[str] | None = None,
    option_prefix: str = "",
    folder: Path | None = None,
) -> SearchRequest:
    """Read and check what to search; ScenarioError tells each problem in a line.

    goal, over, games replace what the scenario's [balance] says, seed, players and bots its own; change is added.
    """
    replaced = {"seed": seed, "change": change, "players": players, "bots": bots}
    experiment = load(source, replaced, option_prefix, folder)
    own = experiment.scenario.balance
    file = str(source) if isinstance(source, str | Path) else "scenario"
    texts = tuple(goal) or (own.goal if own else ())
    values = dict(over or {}) or (own.over if own else {})
    if not texts or not values:
        raise ScenarioError(f"{file}: {NEEDED}")
    where = _Where(file, option_prefix, {"goal": bool(goal), "over": bool(over)})
    goals, axes, problems = read_search(experiment, texts, values)
    lines = [*map(where.line, problems), *_limits(games, confirm, option_prefix)]
    if lines:
        raise ScenarioError("\n".join(lines))
    return SearchRequest(experiment, goals, Space(axes), games or (own.games if own else None), confirm)


def read_search(
    experiment: Experiment, texts: Sequence[str], values: Mapping[str, Any]
) -> tuple[tuple[Goal, ...], tuple[Axis, ...], list[Problem]]:
    """Return goals and axes of a search, and what is wrong; keys of problems start with `goal` or `over`."""
    goals, wrong = read_goals(texts, experiment.spec, experiment.scenario.players)
    axes, problems = read_axes(values, experiment.spec, experiment.scenario.model_dump(mode="json"))
    searched, _ = within_range(experiment, axes)
    if axes and not searched:
        problems.append(Problem((), "has no value left that the game allows"))
    problems += [
        Problem((axis.name,), "cannot be searched: choose options and figures of the game")
        for axis in axes
        if axis.kind in ("players", "bots")
    ]
    problems += value_problems(experiment, searched)
    if not problems:
        searched, _, idle = in_play(experiment, searched)
        problems += idle or ([] if searched else [Problem((), "has no value that changes anything in this scenario")])
    wrong += [text for goal in goals for text in _absent(experiment, goal, axes)]
    if len(searched) == 1 and not problems:
        problems += _alone(experiment, searched[0])
    found = [Problem(("goal",), text) for text in wrong]
    return goals, searched, [*found, *(Problem(("over", *one.key), one.text) for one in problems)]


def _absent(experiment: Experiment, goal: Goal, axes: Sequence[Axis]) -> Iterator[str]:
    """Yield why the levels of a goal cannot come up, with the scenario's own options or others that are searched."""
    spec, scenario = experiment.spec, experiment.scenario
    labels = next((column.labels for column in spec.seat_columns if column.name == goal.factor), None)
    given: list[dict[str, Any]] = [
        {},
        *({one.name: value} for one in axes if one.kind == "option" for value in one.values),
    ]
    for setting in given if labels else ():
        options, problems = check_options(spec, {**scenario.options, **setting})
        absent = {} if problems else absent_levels(spec, options, scenario.players, goal.factor)
        asked = {goal.level} if goal.level else set(labels or ())
        if asked <= set(absent):
            where = f"with {setting_words(setting)}, " if setting else ""
            why = " and ".join(dict.fromkeys(absent[level] for level in sorted(asked)))
            yield f"{show(goal.text)} is not allowed: {where}{why}"
            return


def _alone(experiment: Experiment, axis: Axis) -> Iterator[Problem]:
    """Yield why a value of the only axis cannot be played; with several axes a search finds out what goes together."""
    for value in axis.values:
        try:
            make_cell(experiment, [axis], {axis.name: value})
        except ScenarioError as fault:
            yield Problem((axis.name,), " ".join(str(fault).removeprefix(f"{experiment.name}: ").splitlines()))
            return


@dataclass(frozen=True)
class _Where:
    """Names the place of a problem: a key of the file, or an option of the command line, if it was given."""

    file: str
    prefix: str
    given: Mapping[str, bool]

    def line(self, problem: Problem) -> str:
        option, *inside = problem.key
        if self.given[option]:
            name = ".".join(inside)
            return f"{self.prefix}{option}: {name + ': ' if name else ''}{problem.text}"
        return f'{self.file}: key "{".".join(("balance", *problem.key))}": {problem.text}'


def _limits(games: int | None, confirm: int | None, prefix: str) -> list[str]:
    given = {"games": (games, LEAST_SEARCH), "confirm": (confirm, 1)}
    return [
        f"{prefix}{name}: {not_allowed(value, f'must be from {least:,} to {MOST_GAMES:,}')}"
        for name, (value, least) in given.items()
        if value is not None and not least <= value <= MOST_GAMES
    ]
