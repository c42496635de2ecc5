"""The main job in one call: check a scenario, play it, perhaps until intervals are narrow, and return the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from rogsim.base.child_process import check_not_forked
from rogsim.base.errors import RogsimError
from rogsim.base.files import as_path, check_writable
from rogsim.base.progress import Bar, Notify, progress_bar, say
from rogsim.base.signals_and_streams import GO_ON, keeping
from rogsim.base.text import counted
from rogsim.game.bot import Bot, in_a_line
from rogsim.results.results import Results
from rogsim.results.store import Log, MemoryStore, check_free, check_target, open_store
from rogsim.scenario.axes import as_list
from rogsim.scenario.changes import change_notes
from rogsim.scenario.model import Experiment, Scenario, load
from rogsim.scenario.precision import Target
from rogsim.simulation.backends import Backend, choose_backend, open_pool
from rogsim.simulation.batch import (
    backend_for,
    check_positive,
    check_workers,
    make_ready,
    plans,
    play_chunks,
)
from rogsim.simulation.pool import Pool
from rogsim.stats.estimates import Estimate, clusters
from rogsim.stats.sequential import ANYTIME_BLOCKS as FEWEST_BLOCKS
from rogsim.stats.sequential import anytime_mean, anytime_share, blocks_needed

FIRST_LOOK, LOOK_SHARE = 1_000, 4  # games before the first look; each later one is after a quarter more


@dataclass(frozen=True)
class LevelPrecision:
    """How precisely one level of a factor is known: its anytime-valid interval and its number of blocks."""

    target: Target
    level: Any  # None for seats without a level
    estimate: Estimate
    blocks: int

    @property
    def is_narrow(self) -> bool:
        """Return whether there is an interval and it is narrow enough."""
        return self.estimate.half_width <= self.target.half_width  # False for nan

    @property
    def excess(self) -> float:
        """Return the half width of the interval as a multiple of the target; infinity if there is no interval."""
        half_width = self.estimate.half_width
        return math.inf if math.isnan(half_width) else half_width / self.target.half_width

    @property
    def growth(self) -> float:
        """Return by about what factor the number of games must grow until the interval is narrow enough; 1 if it is."""
        if math.isnan(self.estimate.half_width):
            return FEWEST_BLOCKS / self.blocks
        return blocks_needed(self.estimate.half_width, self.blocks, self.target.half_width) / self.blocks


@dataclass(frozen=True)
class Look:
    """An interim look: what is known so far of the games with one player count."""

    players: int
    games: int
    precisions: tuple[LevelPrecision, ...]

    @property
    def is_done(self) -> bool:
        """Return whether every interval is narrow enough."""
        return all(precision.is_narrow for precision in self.precisions)

    @property
    def widest(self) -> LevelPrecision:
        """Return the level that is farthest from its target."""
        return max(self.precisions, key=lambda precision: precision.excess)

    @property
    def more_games(self) -> int:
        """Return about how many more games are needed; 0 if it is done."""
        return math.ceil(self.games * (max(precision.growth for precision in self.precisions) - 1))


def look_schedule(cap: int, cycle: int) -> list[int]:
    """Return the numbers of games at which to look: a quarter more each time, in whole cycles, and `cap` last.

    The looks before the last do not depend on the cap. A larger cap only adds looks, so a run that is interrupted and
    continued ends where an uninterrupted one would.

    Parameters
    ----------
    cap
        Games of the plan: 1 or more, in whole cycles.
    cycle
        Games of a cycle.
    """
    found, games = [], 0
    while games < cap:
        step = max(FIRST_LOOK, games // LOOK_SHARE)
        games = min(games + -(-step // cycle) * cycle, cap)
        found.append(games)
    return found


def look_at(rows: pl.LazyFrame, players: int, targets: Sequence[Target]) -> Look:
    """Return how precisely each target is known from all games so far with one player count.

    Parameters
    ----------
    rows
        Rows of seats: columns players, block, win_share, points and those of the targets. At least one game has this
        player count; rows with other player counts are ignored.
    players
        The player count.
    targets
        How narrow the intervals must be.
    """
    seats = rows.filter(pl.col("players") == players)
    games = seats.select(pl.len()).collect().item() // players
    return Look(players, games, tuple(precision for target in targets for precision in _precisions(seats, target)))


def _precisions(seats: pl.LazyFrame, target: Target) -> list[LevelPrecision]:
    estimate = anytime_share if target.value == "win_share" else anytime_mean
    groups = clusters(seats, [target.value], ["players", target.factor])
    return [
        LevelPrecision(target, level, estimate(values[target.value]), values[target.value].blocks)
        for (_, level), values in groups.items()
    ]


@dataclass(frozen=True)
class Run:
    """A finished run: its results, a log of what was done just now, and the last looks of an adaptive run."""

    results: Results
    log: Log
    looks: Mapping[int, Look]  # by player count; empty if the number of games was fixed
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True)
class Stop:
    """A rule to end a run early.

    Attributes
    ----------
    looks
        Returns the numbers of games at which to look, given the games of a plan and of a cycle; the last is all games.
    is_enough
        Returns whether the results so far with one player count suffice.
    """

    looks: Callable[[int, int], Iterable[int]]
    is_enough: Callable[[Results, int], bool]


def run(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    *,
    games: int | None = None,
    seed: int | None = None,
    players: Sequence[int] | int | None = None,
    bots: Sequence[str] | str | None = None,
    change: Mapping[str, Any] | None = None,
    components: str | None = None,
    until: str | Iterable[str] | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    out: str | Path | None = None,
    replace: bool = False,
    backend: str | None = None,
    scheduler: str | None = None,
    address: str | None = None,
) -> Results:
    """Play a scenario and return the results.

    Parameters
    ----------
    scenario
        The path of a TOML file, the name of a scenario that comes with rogsim, the same keys as a mapping, or a
        `Scenario`.
    games
        Games for each player count; replaces the scenario's key.
    seed
        Determines all chance; replaces the scenario's key.
    players
        Player counts, one or several; replaces the scenario's key.
    bots
        Bots, one or several; replaces the scenario's key.
    change
        Parameters by name; added to the changes of the scenario.
    components
        A TOML file with components that you own; replaces the scenario's key.
    until
        How narrow intervals must be for the run to end, such as "seat_share ± 0.5 pp", one or several; `games` is then
        the most that is played. Replaces the scenario's key.
    jobs
        Number of workers, by default one per processor. No row depends on it.
    chunk
        Games that a worker plays at a time. No row depends on it.
    out
        The results folder. Games of this run that it already contains are not played again. Without a folder, rows stay
        in memory.
    replace
        Delete the rows of another run from that folder.
    backend
        "threads", "processes", "dask" or "ray"; by default it depends on the bots.
    scheduler
        The address of a running Dask cluster, such as `tcp://10.0.0.5:8786`.
    address
        The address of a running Ray cluster, such as `10.0.0.5:6379`.

    Returns
    -------
    Results
        All rows, in memory or in the folder.

    Raises
    ------
    ScenarioError
        If the scenario cannot be played.
    ResultsError
        If the folder cannot be used.
    BotFault
        If a bot fails; games that were finished before stay in the folder.
    """
    asked: dict[str, Any] = {"games": games, "seed": seed, "until": until, "change": change, "components": components}
    asked |= {"players": [players] if isinstance(players, int) else players, "bots": as_list(bots)}
    chosen = choose_backend(backend, scheduler, address)
    experiment = load(scenario, asked)
    return play(experiment, jobs=jobs, chunk=chunk, out=out, replace=replace, backend=chosen).results


def play(
    experiment: Experiment,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    out: str | Path | None = None,
    replace: bool = False,
    backend: Backend | None = None,
    stop: Stop | None = None,
    bar: Bar = progress_bar,
    notify: Notify = say,
) -> Run:
    """Play a checked scenario as `run` does, and return the run.

    Parameters
    ----------
    stop
        A rule to end early, for an experiment without targets.
    bar, notify
        Show progress and notes to the user.
    """
    check_not_forked()
    jobs, chunk = check_workers("jobs", jobs), check_positive("chunk", chunk)
    folder = None if out is None else as_path("out", out)
    if folder is not None:
        check_target(folder, experiment, replace)
        check_writable(folder, inside=True)
        check_free(folder)
    for note in change_notes(experiment):
        notify(note)
    bots = make_ready(experiment, say)
    say_rounding(experiment, notify)
    runner = _Runner(experiment, bots, backend_for(bots, backend), jobs, bar, notify)
    if folder is None:
        return runner.play(MemoryStore(experiment), chunk, stop)
    with open_store(folder, experiment, replace, notify) as store, keeping(folder, partial(_kept_in, store, folder)):
        return runner.play(store, chunk, stop)


@dataclass
class _Runner:
    """Everything needed to play an experiment: its bots, and workers that start when there are games to play."""

    experiment: Experiment
    bots: Mapping[str, Bot]
    backend: Backend
    jobs: int | None
    bar: Bar
    notify: Notify
    resources: ExitStack = field(default_factory=ExitStack)
    pool: Pool | None = None

    def play(self, store: MemoryStore, chunk: int | None, stop: Stop | None = None) -> Run:
        """Play the missing games of a store. If an error stops this, its message says what is kept."""
        games = {players: plan.games for players, plan in plans(self.experiment).items()}
        _say_found(store, games, self.notify)
        store.log.backend = self.backend.name
        last_looks: dict[int, Look] = {}
        try:
            with self.resources:
                if self.experiment.targets:
                    stop = Stop(look_schedule, partial(_look_at, self.experiment.targets, last_looks))
                if stop:
                    games = {players: self._play_until_enough(store, players, chunk, stop) for players in games}
                else:
                    self._play_missing(store, games, chunk)
            results = store.finish(games)
        except (Exception, KeyboardInterrupt) as fault:
            kept = store.stop(games, _why(fault))
            if isinstance(fault, RogsimError) and kept and store.where is not None and store.where.is_dir():
                fault.kept = f"; {kept:,} finished games are kept in {store.where}"
            raise
        return Run(results, store.log, last_looks, self.experiment.targets)

    def _play_until_enough(self, store: MemoryStore, players: int, chunk: int | None, stop: Stop) -> int:
        """Play until the rule is satisfied or all games are played, and return the number of games."""
        plan = plans(self.experiment)[players]
        for games in stop.looks(plan.games, plan.cycle):
            self._play_missing(store, {players: games}, chunk)
            if stop.is_enough(store.results({players: games}), players):
                break
        return games

    def _play_missing(self, store: MemoryStore, games: Mapping[int, int], chunk: int | None) -> None:
        wanted, left = sum(games.values()), store.count_missing(games)
        if not left:
            return
        pool = self._workers(store.log)
        store.begin(games)
        todo = {players: store.missing(players, count) for players, count in games.items()}
        parts = play_chunks(self.experiment, self.bots, todo, pool, chunk, store.file_key)
        with self.bar(wanted, wanted - left, pool.count) as advance, closing(parts):
            for part in parts:
                store.add(part)
                advance(part.chunk.games)

    def _workers(self, log: Log) -> Pool:
        """Return the workers; a cluster is started or contacted when first needed, and released at the end."""
        if self.pool is None:
            self.pool = self.resources.enter_context(open_pool(self.backend, self.jobs))
            log.workers = self.pool.count
        return self.pool


def _look_at(targets: Sequence[Target], looks: dict[int, Look], results: Results, players: int) -> bool:
    """Look at the results so far, keep the look, and return whether all intervals are narrow enough."""
    look = looks[players] = look_at(results.seats(), players, targets)
    return look.is_done


def _say_found(store: MemoryStore, games: Mapping[int, int], notify: Notify) -> None:
    """Say how many of the games an earlier run has stored."""
    total = sum(games.values())
    store.log.found = total - store.count_missing(games)
    if store.log.found:
        part = f"All {total:,}" if store.log.found == total else f"{store.log.found:,} of {total:,}"
        notify(f"{part} games are already stored.")


def _why(fault: BaseException) -> str:
    if isinstance(fault, KeyboardInterrupt):
        return str(fault) or "Ctrl-C"  # or the signal that stopped it
    return " ".join(str(fault).split()) if isinstance(fault, RogsimError) else in_a_line(fault)


def _kept_in(store: MemoryStore, folder: Path) -> str:
    """Say how many finished games are kept."""
    games = sum(chunk.games for chunk in store.chunks())
    if not games or not folder.is_dir():  # somebody may have removed it
        return ""
    return f"{games:,} finished games are kept in {folder}. {GO_ON}"


def say_rounding(experiment: Experiment, notify: Notify = say) -> None:
    """Say where more games are played than requested, so that every bot sits in every seat equally often."""
    asked = experiment.scenario.games
    for players, plan in plans(experiment).items():
        if plan.games != asked:
            games = f"{plan.games:,} games instead of {asked:,}"
            notify(f"{counted(players, 'player')}: {games}, to complete whole cycles of {plan.cycle:,}.")
