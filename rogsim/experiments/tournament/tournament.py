"""Tournaments: every line-up of some bots, seats rotated on the same deals, and how strong each bot is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rogsim.experiments.adaptive import look_schedule
from rogsim.experiments.run import Stop
from rogsim.experiments.run import play as play_run
from rogsim.experiments.tournament.standings import KEPT, Standings, block_scores, build_standings, finish_rows
from rogsim.experiments.tournament.tournament_request import Tournament
from rogsim.results.interim_looks import look_of
from rogsim.results.results import Results
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.simulation.batch import check_positive, check_workers
from rogsim.simulation.schedule import Plan
from rogsim.stats.sequential import EloLimits, SequentialVerdict, judge_lead

FIRST_LOOK = 100  # games before the first look of a sequential test; each later one is after a quarter more


@dataclass(frozen=True)
class TournamentOutcome:
    """The outcome of a tournament.

    Attributes
    ----------
    games, folders
        For each player count, the number of games and where they are stored; None if they are not.
    verdict
        The result of the sequential test, if there is one.
    """

    standings: Standings
    games: Mapping[int, int]
    verdict: SequentialVerdict | None
    folders: Mapping[int, Path | None]


def play(
    tournament: Tournament, jobs: int | None = None, chunk: int | None = None, store: Path | None = None
) -> TournamentOutcome:
    """Play a tournament: all of its games, or as many as the sequential test needs.

    Parameters
    ----------
    jobs
        Number of workers. No result depends on it.
    chunk
        Games that a worker plays at a time. No result depends on it.
    store
        A folder for the rows, with a subfolder for each player count, named by a hash of its inputs. Games that are
        stored there are not played again. Without it, rows stay in memory.
    """
    check_workers("--jobs", jobs)
    check_positive("--chunk", chunk)
    limits = tournament.limits
    stop = Stop(_looks, lambda results: _judge(rank_rows(results), tournament.bots, limits).decision != "open")
    rows, played, looks, folders = [], {}, {}, {}
    for experiment in tournament.experiments:
        (players,) = experiment.scenario.players
        out = folders[players] = None if store is None else store / key_of(identity_of(experiment))
        results = play_run(experiment, jobs=jobs, chunk=chunk, out=out, stop=stop if limits else None).results
        rows.append(rank_rows(results))
        played[players] = int(results.manifest["games"][str(players)])
        looks[players] = look_of(results.manifest, players)
    found = pl.concat(rows)
    verdict = _judge(found, tournament.bots, limits) if limits else None
    return TournamentOutcome(build_standings(found, looks), played, verdict, folders)


def _looks(plan: Plan) -> list[int]:
    """Return the numbers of games at which to look: whole cycles, so that every look has all seats equally often."""
    return look_schedule(plan.games, plan.cycle, FIRST_LOOK)


def _judge(rows: pl.DataFrame, bots: Sequence[str], limits: EloLimits | None) -> SequentialVerdict:
    assert limits is not None
    a, b = bots
    return judge_lead(block_scores(rows, a, b), limits)


def rank_rows(results: Results) -> pl.DataFrame:
    """Return the ranks of all games, with only the columns that standings need."""
    seats = results.seats()
    kept = [name for name in KEPT if name in seats.collect_schema().names()]
    return finish_rows(seats.select(kept).collect())
