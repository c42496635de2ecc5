"""Tournaments: every line-up of some bots, seats rotated on the same deals, and how strong each bot is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from rogsim.base.errors import RogsimError
from rogsim.base.validation import not_allowed
from rogsim.experiments.requests import check_distinct, check_rivals, described, named_game
from rogsim.experiments.run import play as play_run
from rogsim.experiments.standings import KEPT, Standings, build_standings, finish_rows
from rogsim.game.spec import GameSpec
from rogsim.results.results import Results, look_of
from rogsim.scenario.arguments import given_words, read_options, read_players
from rogsim.scenario.fingerprint import identity_of, key_of
from rogsim.scenario.model import Experiment
from rogsim.simulation.batch import check_positive, check_workers


@dataclass(frozen=True)
class Tournament:
    """A checked tournament: the scenario of each player count.

    given: the options of the command line that name the game and its options, for commands on a page.
    """

    bots: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    given: tuple[str, ...] = ()

    @property
    def spec(self) -> GameSpec:
        """Return the game."""
        return self.experiments[0].spec


def arrange(
    bots: str,
    *,
    games: int,
    players: str | None = None,
    seed: int = 1,
    game: str | None = None,
    words: Mapping[str, str] | None = None,
) -> Tournament:
    """Check a tournament as given on the command line.

    Parameters
    ----------
    bots
        Names such as "a,b,c".
    players
        Player counts such as "2,3,4"; by default the largest that the game allows.
    words
        The game's own options, as typed.

    Raises
    ------
    RogsimError
        If the tournament cannot be played.
    """
    names = tuple(name.strip() for name in bots.split(","))
    check_distinct("--bots", names)
    if len(names) < 2:
        raise RogsimError(f"--bots: {not_allowed(bots, 'name at least two: a,b,c')}")
    spec = named_game(game)
    counts = read_players(spec, players)
    check_rivals(spec, counts, "tournament", bots=True)
    options = read_options(spec, words or {})
    experiments = tuple(
        replace(described(spec, [count], seats_of(names, count), games, seed, options), mirrored=True)
        for count in counts
    )
    return Tournament(names, experiments, tuple(given_words(game, words)))


def seats_of(bots: Sequence[str], players: int) -> list[str]:
    """Return the bots from which line-ups are drawn: each once, or more often if there are fewer bots than seats.

    With two bots at a table of four, each appears three times: the line-ups are abbb, aabb and aaab.
    """
    return [bot for bot in bots for _ in range(max(1, players - len(bots) + 1))]


@dataclass(frozen=True)
class TournamentOutcome:
    """The outcome of a tournament.

    Attributes
    ----------
    games, folders
        For each player count, the number of games and where they are stored; None if they are not.
    """

    standings: Standings
    games: Mapping[int, int]
    folders: Mapping[int, Path | None]


def play(
    tournament: Tournament, jobs: int | None = None, chunk: int | None = None, store: Path | None = None
) -> TournamentOutcome:
    """Play a tournament.

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
    rows, played, looks, folders = [], {}, {}, {}
    for experiment in tournament.experiments:
        (players,) = experiment.scenario.players
        out = folders[players] = None if store is None else store / key_of(identity_of(experiment))
        results = play_run(experiment, jobs=jobs, chunk=chunk, out=out).results
        rows.append(rank_rows(results))
        played[players] = int(results.manifest["games"][str(players)])
        looks[players] = look_of(results.manifest, players)
    return TournamentOutcome(build_standings(pl.concat(rows), looks), played, folders)


def rank_rows(results: Results) -> pl.DataFrame:
    """Return the ranks of all games, with only the columns that standings need."""
    seats = results.seats()
    kept = [name for name in KEPT if name in seats.collect_schema().names()]
    return finish_rows(seats.select(kept).collect())
