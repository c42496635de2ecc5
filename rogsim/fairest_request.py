"""What is asked of a search for fair values: goals, axes and limits, from a scenario and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rogsim.axes import read_axes
from rogsim.goals import Goal, read_goals
from rogsim.problems import Problem
from rogsim.scenario import Experiment, Scenario, ScenarioError, load
from rogsim.stats.surface import Space

NEEDED = "needs a [balance] with `goal` and `over`, or --goal and --over"


@dataclass(frozen=True)
class Request:
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
) -> Request:
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
    where = _Where(file, option_prefix)
    goals, wrong = read_goals(texts, experiment.spec)
    lines = [where.line("goal" if goal else "", Problem(("balance", "goal"), text)) for text in wrong]
    axes, problems = read_axes(values, experiment.spec, experiment.scenario.model_dump(mode="json"))
    problems += [
        Problem((axis.name,), "cannot be searched: choose options and figures of the game")
        for axis in axes
        if axis.kind in ("players", "bots")
    ]
    lines += [where.line("over" if over else "", Problem(("balance", "over", *one.key), one.text)) for one in problems]
    lines += _limits(games, confirm, option_prefix)
    if lines:
        raise ScenarioError("\n".join(lines))
    return Request(experiment, goals, Space(axes), games or (own.games if own else None), confirm)


@dataclass(frozen=True)
class _Where:
    """Names the place of a problem: a key of the file, or an option of the command line."""

    file: str
    prefix: str

    def line(self, option: str, problem: Problem) -> str:
        if option:
            name = ".".join(problem.key[2:])
            return f"{self.prefix}{option}: {name + ': ' if name else ''}{problem.text}"
        return f'{self.file}: key "{".".join(problem.key)}": {problem.text}'


def _limits(games: int | None, confirm: int | None, prefix: str) -> list[str]:
    given = {"games": games, "confirm": confirm}
    return [
        f"{prefix}{name}: {value} is not allowed: must be 1 or more"
        for name, value in given.items()
        if value is not None and value < 1
    ]
