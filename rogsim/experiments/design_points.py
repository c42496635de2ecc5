"""Design points: many runs on the same deals, each stored in a folder named by a hash of its inputs.

Comparisons, sweeps and searches therefore share their games, and continue if they were interrupted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rogsim.base.progress import Advance, part_of, progress_bar
from rogsim.base.signals_and_streams import GO_ON, keeping
from rogsim.experiments.run import play
from rogsim.game.bot import in_a_line
from rogsim.results.results import Results
from rogsim.results.store import open_store
from rogsim.scenario.axes import MOST_GAMES, Axis, setting_words, with_setting
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import Experiment, ScenarioError, load
from rogsim.simulation.backends import Backend, open_pool
from rogsim.simulation.batch import backend_for, make_ready, plans, play_chunks

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


def play_on(
    design_points: Sequence[DesignPoint],
    resources: Resources,
    looks: Callable[[int], Iterable[int]],
    is_stopped: Callable[[], bool],
) -> Generator[list[Results], None, None]:
    """Play design points on the same deals, more games each time, and yield their results at each look, in order.

    Games that are stored are not played again. The folders record only the last look, so what is shown must hold at all
    looks at once (`rogsim.stats.sequential`).

    Parameters
    ----------
    looks
        Given how many games all design points have stored, yields the numbers of games at which to look, ascending.
    is_stopped
        Asked after each chunk. What was played until then is kept.
    """
    with ExitStack() as held:
        runs = [_Run(point, resources, held) for point in design_points]
        why = "stopped"
        try:
            for games in looks(min(run.stored for run in runs)):
                if not all(run.play_to(games, is_stopped) for run in runs):
                    break
                yield [run.store.results(run.games) for run in runs]
                if is_stopped():
                    break
        except Exception as fault:
            why = in_a_line(fault)
            raise
        finally:
            for run in runs:
                run.end(why)


class _Run:
    """A design point that is being played: its bots, its workers and its stored games.

    games: those of the last look, by player count.
    """

    def __init__(self, point: DesignPoint, resources: Resources, held: ExitStack) -> None:
        self.point, self.chunk, self.games = point, resources.chunk, dict[int, int]()
        self.bots = make_ready(point.experiment, lambda line: None)
        backend = backend_for(self.bots, resources.backend)
        folder = resources.folder / point.key
        self.store = held.enter_context(open_store(folder, point.experiment, False, lambda line: None))
        self.pool = held.enter_context(open_pool(backend, resources.jobs))
        self.store.log.backend, self.store.log.workers = backend.name, self.pool.count

    @property
    def stored(self) -> int:
        """Return how many games each player count has, from the first on."""
        return min(self.store.missing(players, MOST_GAMES)[0].start for players in self.point.experiment.setups)

    def play_to(self, games: int, is_stopped: Callable[[], bool]) -> bool:
        """Play the missing ones of the first games; False if it is stopped before."""
        wanted = {players: plan.games for players, plan in plans(self.point.with_games(games).experiment).items()}
        if self.store.count_missing(wanted):
            self.store.begin(wanted)
            todo = {players: self.store.missing(players, count) for players, count in wanted.items()}
            parts = play_chunks(self.point.experiment, self.bots, todo, self.pool, self.chunk, self.store.file_key)
            with closing(parts):
                for part in parts:
                    self.store.add(part)
                    if is_stopped():
                        break
        if self.store.count_missing(wanted):
            return False
        self.games = wanted
        return True

    def end(self, why: str) -> None:
        """Write the manifest: of the last look, or why there was none."""
        if self.games:
            self.store.finish(self.games)
        else:
            self.store.stop(dict.fromkeys(self.point.experiment.setups, 1), why)


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
