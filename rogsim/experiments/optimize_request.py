"""The request of a search: its goals, axes and limits, from a scenario and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.base.validation import Problem, show
from rogsim.experiments.design_points import make_design_point
from rogsim.experiments.requests import check_range
from rogsim.game.topics import question_topic
from rogsim.scenario.allowed_values import in_play, value_problems, within_range
from rogsim.scenario.axes import LEAST_SEARCH, MOST_GAMES, Axis, read_axes, setting_words
from rogsim.scenario.goals import Goal, read_goals
from rogsim.scenario.model import Experiment, Scenario, ScenarioError, check_options, load
from rogsim.scenario.no_effect import absent_levels
from rogsim.stats.paired.response_surface import Space

NEEDED = "needs a [balance] with `goal` and `over`, or --over"


@dataclass(frozen=True)
class SearchRequest:
    """A checked search.

    Attributes
    ----------
    space
        The values to choose from.
    games
        The maximum number of games in the search for each player count; None: as many as the goals need.
    confirm
        Games of the check on new deals for each player count; None: as many as the goals need.
    """

    experiment: Experiment
    goals: tuple[Goal, ...]
    space: Space
    games: int | None
    confirm: int | None

    @property
    def players(self) -> tuple[int, ...]:
        """Return the player counts; the same values must reach the goals with all of them."""
        return self.experiment.scenario.players


def request_optimum(
    source: str | Path | Mapping[str, Any] | Scenario,
    *,
    goal: Sequence[str] = (),
    over: Mapping[str, Any] | None = None,
    change: Mapping[str, Any] | None = None,
    components: str | None = None,
    games: int | None = None,
    confirm: int | None = None,
    seed: int | None = None,
    players: Sequence[int] | None = None,
    bots: Sequence[str] | None = None,
    option_prefix: str = "",
    folder: Path | None = None,
) -> SearchRequest:
    """Read and check a search.

    Parameters
    ----------
    source
        A scenario: a path, the same keys as a mapping, or a Scenario.
    goal, over, games
        Replace those of the scenario's [balance]. Without any goal, what the question is about is to be fair.
    change
        Added to the changes of the scenario.
    components
        File of components that replaces the scenario's.
    confirm
        Games of the check on new deals.
    seed, players, bots
        Replace the scenario's keys.
    option_prefix
        Precedes the names of options in messages.
    folder
        Base of the paths of bots, by default that of the scenario.

    Raises
    ------
    ScenarioError
        If the search cannot be played; it has one line for each problem.
    """
    replaced = {"seed": seed, "change": change, "players": players, "bots": bots}
    replaced["components"] = components
    experiment = load(source, replaced, option_prefix, folder)
    balance = experiment.scenario.balance
    file = str(source) if isinstance(source, str | Path) else "scenario"
    texts = tuple(goal) or (balance.goal if balance else (_usual_goal(experiment),))
    values = dict(over or {}) or (balance.over if balance else {})
    if not values:
        raise ScenarioError(f"{file}: {NEEDED}")
    given = {"goal": bool(goal) or not balance, "over": bool(over)}
    goals, axes, problems = read_search(experiment, texts, values)
    if problems:
        options = {part: f"{option_prefix}{part}" for part, is_given in given.items() if is_given}
        raise ScenarioError("\n".join(_line(problem, file, options) for problem in problems))
    check_range(f"{option_prefix}games", games, LEAST_SEARCH, MOST_GAMES)
    check_range(f"{option_prefix}confirm", confirm, 1, MOST_GAMES)
    return SearchRequest(experiment, goals, Space(axes), games or (balance.games if balance else None), confirm)


def _line(problem: Problem, file: str, options: Mapping[str, str]) -> str:
    """Return the line for a problem: under the option that was given, by the part of the search, or the file's key."""
    if option := options.get(problem.key[0]):
        name = problem.inside().name
        return f"{option}: {name + ': ' if name else ''}{problem.text}"
    return f'{file}: key "{problem.under("balance").name}": {problem.text}'


def _usual_goal(experiment: Experiment) -> str:
    """Return the goal of a search that has none: what the question is about is to be fair within the margin."""
    scenario = experiment.scenario.model_dump(mode="json")
    about = question_topic(experiment.spec.topics, {"scenario": scenario})
    levels = (topic for topic in experiment.spec.topics if topic.kind == "level" and topic.name == about)
    column = next((topic.columns[0] for topic in levels), "seat")
    return f"{column}_share equal ± {experiment.scenario.margin:g} pp"


def read_search(
    experiment: Experiment, texts: Sequence[str], values: Mapping[str, Any]
) -> tuple[tuple[Goal, ...], tuple[Axis, ...], list[Problem]]:
    """Return the goals and axes of a search, and its problems, whose keys start with `goal` or `over`.

    Parameters
    ----------
    texts
        Goals as typed.
    values
        Values of the axes by name, as typed.
    """
    goals, wrong = read_goals(texts, experiment.spec, experiment.scenario.players)
    axes, problems = read_axes(values, experiment.spec, experiment.scenario.model_dump(mode="json"))
    searched, _ = within_range(experiment, axes)
    if axes and not searched:
        problems.append(Problem((), "has no value left that the game allows"))
    problems += [
        Problem((axis.name,), "cannot be searched: choose options and parameters of the game")
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
    return goals, searched, [*found, *(problem.under("over") for problem in problems)]


def _absent(experiment: Experiment, goal: Goal, axes: Sequence[Axis]) -> Iterator[str]:
    """Yield why levels of a goal cannot occur, with the scenario's options or with others in the search."""
    spec, scenario = experiment.spec, experiment.scenario
    labels = next((column.labels for column in spec.seat_columns if column.name == goal.factor), None)
    given: list[dict[str, Any]] = [
        {},
        *({axis.name: value} for axis in axes if axis.kind == "option" for value in axis.values),
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
    """Yield why a value of the only axis cannot be played; with several axes the search skips refused combinations."""
    for value in axis.values:
        try:
            make_design_point(experiment, [axis], {axis.name: value})
        except ScenarioError as fault:
            yield Problem((axis.name,), " ".join(str(fault).removeprefix(f"{experiment.name}: ").splitlines()))
            return
