"""Design points: many runs on the same deals, each stored in a folder named by a hash of its inputs.

Comparisons, sweeps and searches therefore share their games, and continue if they were interrupted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rogsim.base.interrupts import GO_ON, keeping
from rogsim.base.progress import Advance, part_of, progress_bar
from rogsim.experiments.run import play
from rogsim.results.results import Results
from rogsim.scenario.axes import Axis, setting_words, with_setting
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import Experiment, ScenarioError, load
from rogsim.simulation.batch import plans
from rogsim.simulation.executors.backends import Backend

LOWEST = 2**52


def fresh_seed(seed: int) -> int:
    """Return the seed of the new deals that confirm what was found on those of another seed."""
    digest = hashlib.sha256(f"confirmation of {seed}".encode()).digest()
    return LOWEST + int.from_bytes(digest[:8], "big") % LOWEST


@dataclass(frozen=True)
class DesignPoint:
    """One of several runs: its label, how it differs from the scenario, and everything needed to play it."""

    label: str
    setting: Mapping[str, Any]
    experiment: Experiment

    @cached_property
    def key(self) -> str:
        """Return the name of its folder: design points with the same key have the same rows."""
        return key_of(identity_of(self.experiment))

    def with_games(self, games: int) -> DesignPoint:
        """Return the same design point with another number of games per player count, and no rule to stop early."""
        scenario = self.experiment.scenario.model_copy(update={"games": games, "until": ()})
        return replace(self, experiment=replace(self.experiment, scenario=scenario, targets=()))

    def with_seed(self, seed: int) -> DesignPoint:
        """Return the same design point on other deals."""
        scenario = self.experiment.scenario.model_copy(update={"seed": seed})
        return replace(self, experiment=replace(self.experiment, scenario=scenario))

    def with_players(self, players: int) -> DesignPoint:
        """Return the same design point with only one of its player counts."""
        scenario = self.experiment.scenario.model_copy(update={"players": (players,)})
        setups = {players: self.experiment.setups[players]}
        return replace(self, experiment=replace(self.experiment, scenario=scenario, setups=setups))


@dataclass(frozen=True)
class Resources:
    """The folder in which games of design points are stored, and the workers that play them."""

    folder: Path
    jobs: int | None = None
    chunk: int | None = None
    backend: Backend | None = None


def make_design_point(
    experiment: Experiment, axes: Sequence[Axis], setting: Mapping[str, Any], label: str = ""
) -> DesignPoint:
    """Return the design point of a setting.

    Parameters
    ----------
    experiment
        The scenario that the setting changes.
    axes
        The axes that the setting names.
    setting
        Values by the name of their axis.
    label
        By default the setting in words.

    Raises
    ------
    ScenarioError
        If the game does not allow the setting.
    """
    scenario = experiment.scenario.model_dump(mode="json")
    label = label or setting_words(setting)
    try:
        made = load(with_setting(scenario, axes, setting), None, "", experiment.folder, experiment.runs_programs)
    except ScenarioError as fault:
        where = f"{experiment.name}: with {label}"
        raise ScenarioError(
            "\n".join(f"{where}: {line.removeprefix('scenario: ')}" for line in str(fault).splitlines())
        ) from fault
    return DesignPoint(label, dict(setting), replace(made, name=label, question=experiment.question))


def play_design_points(design_points: Sequence[DesignPoint], resources: Resources, show: bool = True) -> list[Results]:
    """Play the missing games of design points, one after the other, and return their results in order.

    show: whether to show one progress bar for all of them.
    """
    total = sum(games_of(design_point) for design_point in design_points)
    bar = progress_bar(total) if show else nullcontext(lambda count: None)
    with keeping(resources.folder, partial(_kept_in, resources.folder)), bar as advance:
        return [_play(design_point, resources, advance) for design_point in design_points]


def games_of(design_point: DesignPoint) -> int:
    """Return how many games a design point has, in whole cycles."""
    return sum(plan.games for plan in plans(design_point.experiment).values())


def _kept_in(folder: Path) -> str:
    """Say where finished games are kept; not how many: other commands store theirs there, too."""
    return f"Finished games are kept in {folder}. {GO_ON}" if any(folder.glob("*/games/*.parquet")) else ""


def _play(design_point: DesignPoint, resources: Resources, advance: Advance) -> Results:
    run = play(
        design_point.experiment,
        jobs=resources.jobs,
        chunk=resources.chunk,
        backend=resources.backend,
        out=resources.folder / design_point.key,
        bar=partial(part_of, advance),
        notify=lambda line: None,
    )
    if run.log.found == games_of(design_point):  # then nothing was played, and no part of the bar was shown
        advance(run.log.found)
    return run.results
