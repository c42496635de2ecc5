"""Many runs on the same deals, such as the cells of a sweep, each stored in a folder named by a hash of its inputs.

So every comparison, sweep and search reuses games that any other one has played, and an interrupted one continues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rogsim.base.progress import part_of, progress_bar
from rogsim.experiments.run import play
from rogsim.results.results import Results
from rogsim.scenario.axes import Axis, setting_words, with_setting
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import Experiment, ScenarioError, load
from rogsim.simulation.batch import plans
from rogsim.simulation.executors.backends import Backend


@dataclass(frozen=True)
class Cell:
    """One run of several: its label, how it differs from the scenario, and everything needed to play it."""

    label: str
    setting: Mapping[str, Any]
    experiment: Experiment

    @cached_property
    def key(self) -> str:
        """Return the name of the cell's folder: cells with the same key have the same rows."""
        return key_of(identity_of(self.experiment))

    def with_games(self, games: int) -> Cell:
        """Return the same cell with another number of games per player count, and no rule to stop early."""
        scenario = self.experiment.scenario.model_copy(update={"games": games, "until": ()})
        return replace(self, experiment=replace(self.experiment, scenario=scenario, targets=()))

    def with_seed(self, seed: int) -> Cell:
        """Return the same cell on other deals."""
        scenario = self.experiment.scenario.model_copy(update={"seed": seed})
        return replace(self, experiment=replace(self.experiment, scenario=scenario))

    def with_players(self, players: int) -> Cell:
        """Return the same cell with only one of its player counts."""
        scenario = self.experiment.scenario.model_copy(update={"players": (players,)})
        setups = {players: self.experiment.setups[players]}
        return replace(self, experiment=replace(self.experiment, scenario=scenario, setups=setups))


@dataclass(frozen=True)
class Workshop:
    """Where cells are stored, and which workers play them."""

    folder: Path
    jobs: int | None = None
    chunk: int | None = None
    backend: Backend | None = None


def make_cell(experiment: Experiment, axes: Sequence[Axis], setting: Mapping[str, Any], label: str = "") -> Cell:
    """Return the cell of a setting; ScenarioError says what in the setting is not allowed."""
    scenario = experiment.scenario.model_dump(mode="json")
    label = label or setting_words(setting)
    try:
        made = load(with_setting(scenario, axes, setting), None, "", experiment.folder, experiment.runs_programs)
    except ScenarioError as fault:
        where = f"{experiment.name}: with {label}"
        raise ScenarioError(
            "\n".join(f"{where}: {line.removeprefix('scenario: ')}" for line in str(fault).splitlines())
        ) from fault
    return Cell(label, dict(setting), replace(made, name=label, question=experiment.question))


def play_cells(cells: Sequence[Cell], workshop: Workshop, show: bool = True) -> list[Results]:
    """Play the missing games of some cells, one cell after the other, and return their results in order.

    show: whether to show one progress bar for all of them on a terminal.
    """
    total = sum(games_of(cell) for cell in cells)
    done: list[Results] = []
    if not show:
        return [_play(cell, workshop, lambda count: None) for cell in cells]
    with progress_bar(total) as advance:
        for cell in cells:
            counted = _Counted(advance)
            done.append(_play(cell, workshop, counted))
            advance(games_of(cell) - counted.games)  # games that were stored before
    return done


def games_of(cell: Cell) -> int:
    """Return how many games a cell has, in whole cycles."""
    return sum(plan.games for plan in plans(cell.experiment).values())


class _Counted:
    def __init__(self, advance: Any) -> None:
        self.games, self._advance = 0, advance

    def __call__(self, games: int) -> None:
        self.games += games
        self._advance(games)


def _play(cell: Cell, workshop: Workshop, advance: Any) -> Results:
    return play(
        cell.experiment,
        jobs=workshop.jobs,
        chunk=workshop.chunk,
        backend=workshop.backend,
        out=workshop.folder / cell.key,
        bar=partial(part_of, advance),
        tell=lambda line: None,
    ).results
