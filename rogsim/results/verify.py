"""Checks of a results folder: what it holds, and whether its games give the same rows when they are played again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PanicException, PolarsError

from rogsim.base.child_process import check_not_forked
from rogsim.base.errors import ResultsError
from rogsim.base.progress import progress_bar, say
from rogsim.base.text import safe
from rogsim.base.validation import not_allowed
from rogsim.bots.names import read_bot_name
from rogsim.game.bot import Bot
from rogsim.results.inventory import foreign_names, rows_of_manifest, take_stock, without_impossible
from rogsim.results.manifest import MANIFEST, Manifest, read_manifest
from rogsim.results.results import Results, missing_games
from rogsim.results.store import is_locked
from rogsim.scenario.fingerprint import differences, identity_of
from rogsim.scenario.model import Experiment, load
from rogsim.simulation.batch import make_ready, plans, replay
from rogsim.simulation.chunks import TABLES
from rogsim.simulation.rows import game_frame, seat_frame


@dataclass(frozen=True)
class StoredRun:
    """The run of a results folder, ready to be played again; sources: how they differ from those that wrote it."""

    folder: Path
    results: Results
    manifest: Manifest
    experiment: Experiment
    bots: Mapping[str, Bot]
    sources: tuple[str, ...]

    def differing(self, players: int, places: NDArray[np.int64]) -> list[int]:
        """Play games again, given their numbers, int64[n], and return which of them have other rows than stored."""
        try:
            return self._differing(players, places)
        except (PolarsError, PanicException) as fault:
            raise ResultsError(f"{self.folder}: its rows cannot be read ({type(fault).__name__})") from fault

    def _differing(self, players: int, places: NDArray[np.int64]) -> list[int]:
        plan = plans(self.experiment)[players]
        games = plan.pick(places)
        seat_rows, game_rows = replay(self.experiment, self.bots, plan, games)
        anew = {
            "seats": seat_frame(self.experiment.spec, plan, games, seat_rows, list(self.bots)),
            "games": game_frame(self.experiment.spec, plan, games, game_rows),
        }
        found: set[int] = set()
        for table in TABLES:
            wanted = (pl.col("players") == players) & pl.col("game").is_in(places.tolist())
            stored: pl.DataFrame = getattr(self.results, table)().filter(wanted).collect()
            if stored.schema != anew[table].schema or len(stored) != len(anew[table]):
                return list(places.tolist())
            same = pl.Series([row == other for row, other in zip(stored.rows(), anew[table].rows(), strict=True)])
            found |= set(stored["game"].filter(~same).to_list())
        return sorted(found)


def stored_run(folder: Path, bots_from: Path | None = None) -> StoredRun:
    """Open a complete results folder to play its games again.

    Parameters
    ----------
    bots_from
        Folder to which the paths of bots are relative; without it, no program that the results name is run.

    Raises
    ------
    ResultsError
        If the folder is not complete, or its scenario or bots are not available.
    """
    results = Results.open(folder)
    manifest, experiment = read_manifest(folder), experiment_of(folder, bots_from)
    bots = make_ready(experiment, say)
    sources = tuple(differences(manifest.identity, identity_of(experiment)))
    return StoredRun(folder, results, manifest, experiment, bots, sources)


def experiment_of(folder: Path, bots_from: Path | None = None) -> Experiment:
    """Return what a results folder, complete or not, was played from; `bots_from` and errors as in `stored_run`."""
    if bots_from is not None and not bots_from.is_dir():
        raise ResultsError(f"--bots-from: the folder {bots_from} does not exist")
    manifest = read_manifest(folder)
    # A folder is data, and reading it must not run programs that it names.
    programs = [name for name in manifest.scenario["bots"] if read_bot_name(name).is_program]
    if programs and bots_from is None:
        what = f'bot "{programs[0]}" is a program: inspect it, and name the folder where its path starts'
        raise ResultsError(f"{folder}: {what} with --bots-from (it was {manifest.scenario_folder})")
    place = bots_from or Path(manifest.scenario_folder or ".")
    made = load(manifest.scenario, folder=place, run_programs=bots_from is not None)
    return dataclasses.replace(made, name=manifest.name, question=manifest.question)


AT_ONCE = 200  # games replayed between two steps of the progress bar
MOST_SAMPLES = 2**32  # seeds of the generator that draws samples
SHOWN = 5  # differing games; of the rest only the number is given


@dataclass(frozen=True)
class Count:
    """Games of one player count: requested, intact, and missing because their files are broken."""

    players: int
    wanted: int
    done: int
    broken: int

    @property
    def missing(self) -> int:
        """Return how many games are missing, including broken ones."""
        return self.wanted - self.done


@dataclass(frozen=True)
class Status:
    """The content of a results folder.

    Attributes
    ----------
    stored
        Number of intact games, including those beyond the last request.
    is_locked
        Whether a run is writing to it.
    faults
        For each intact file with rows that no game can have, what is wrong with it; its games count as broken.
    unlisted
        Number of requested games that are intact, but that the manifest does not list.
    foreign
        Names of everything in the folder that rogsim did not write: it is left alone, but no run continues beside it.
    """

    folder: Path
    manifest: Manifest
    counts: tuple[Count, ...]
    stored: int
    is_locked: bool
    faults: tuple[str, ...] = ()
    unlisted: int = 0
    foreign: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Return whether all requested games are there and listed, and the last run was finished."""
        missing = any(count.missing for count in self.counts)
        return self.manifest.state == "complete" and not missing and not self.unlisted


@dataclass(frozen=True)
class Verified:
    """The outcome of a replay.

    Attributes
    ----------
    games
        Number of games compared.
    differing
        Players and number of each game whose rows differ.
    sources
        How the sources differ from those that wrote the folder.
    """

    games: int
    differing: tuple[tuple[int, int], ...]
    sources: tuple[str, ...]


def status_of(folder: Path) -> Status:
    """Read every file in a results folder and return its status; ResultsError if it holds no results."""
    check_not_forked()
    if not folder.is_dir():
        what = "is a file; name a results folder" if folder.exists() else "there is no such folder"
        raise ResultsError(f"{folder}: {what}")
    manifest = read_manifest(folder)
    locked = is_locked(folder)
    stock, faults = without_impossible(
        take_stock(folder, manifest.key, manifest.chunks), folder, rows_of_manifest(manifest)
    )
    counts = tuple(
        Count(players, games, games - sum(map(len, stock.missing(players, games))), stock.broken_games(players, games))
        for players, games in manifest.wanted.items()
    )
    listed = [chunk for chunk in stock.whole if chunk in manifest.chunks]
    unlisted = missing_games(manifest, listed) - missing_games(manifest, stock.whole)
    stored = sum(chunk.chunk.games for chunk in stock.whole)
    return Status(folder, manifest, counts, stored, locked, tuple(faults), unlisted, tuple(foreign_names(folder)))


def status_lines(status: Status) -> list[str]:
    """Return a status in a few lines: what was played, how much of it is there, and how to continue."""
    manifest = status.manifest
    lines = [manifest.question or manifest.name, f"{manifest.title}, bots {', '.join(manifest.scenario['bots'])}", ""]
    for count in status.counts:
        line = f"{count.players} players: {count.done:,} of {count.wanted:,} games"
        line += f", {count.missing:,} missing" if count.missing else ""
        lines.append(line + (f" ({count.broken:,} of them broken)" if count.broken else ""))
    requested = sum(count.done for count in status.counts)
    if status.stored > requested:
        lines.append(f"{status.stored - requested:,} more games are kept for a longer run.")
    if status.faults:
        more = f" (and {len(status.faults) - 1:,} more)" if len(status.faults) > 1 else ""
        lines.append(f"{status.faults[0]}{more}.")
    lines.append(_what_now(status))
    if status.foreign:
        several = len(status.foreign) > 1
        more, what = (f" and {len(status.foreign) - 1:,} more", "them") if several else ("", "it")
        names = f'"{safe(status.foreign[0])}"{more}'
        lines.append(f"Not written by rogsim: {names}. Move {what} elsewhere before a run continues here.")
    return lines


def status_as_data(status: Status) -> dict[str, Any]:
    """Return a status as plain data, for scripts."""
    counts = [
        {name: getattr(count, name) for name in ("players", "wanted", "done", "missing", "broken")}
        for count in status.counts
    ]
    return {
        "folder": str(status.folder),
        "name": status.manifest.name,
        "state": status.manifest.state,
        "complete": status.is_complete,
        "writing": status.is_locked,
        "key": status.manifest.key,
        "stored": status.stored,
        "games": counts,
        "faults": list(status.faults),
        "unlisted": status.unlisted,
        "foreign": list(status.foreign),
        "sessions": [session.model_dump(mode="json") for session in status.manifest.sessions],
    }


def verify(folder: Path, games: int, seed: int, bots_from: Path | None = None) -> Verified:
    """Replay a random sample of the stored games and compare all of their rows.

    Parameters
    ----------
    games
        Sample size for each player count; all games if there are fewer.
    seed
        Seed of the sample.
    bots_from
        Folder to which the paths of bots are relative; without it, no program that the results name is run.

    Raises
    ------
    ResultsError
        If the folder is not complete, or its scenario or bots are not available.
    """
    if games < 1:
        raise ResultsError(f"--games: {not_allowed(games, 'must be 1 or more')}")
    if not 0 <= seed < MOST_SAMPLES:
        raise ResultsError(f"--seed: {not_allowed(seed, f'must be from 0 to {MOST_SAMPLES - 1:,}')}")
    run = stored_run(folder, bots_from)
    samples = {players: sample(wanted, games, seed) for players, wanted in run.manifest.wanted.items()}
    differing: list[tuple[int, int]] = []
    with progress_bar(sum(map(len, samples.values()))) as advance:
        for players, places in samples.items():
            for start in range(0, len(places), AT_ONCE):
                some = places[start : start + AT_ONCE]
                differing += [(players, game) for game in run.differing(players, some)]
                advance(len(some))
    return Verified(sum(map(len, samples.values())), tuple(differing), run.sources)


def verify_lines(folder: Path, verified: Verified) -> list[str]:
    """Return the outcome of a replay in a few lines."""
    lines = [f"Other code wrote the folder: {line}" for line in verified.sources]
    if not verified.differing:
        count = "1 game" if verified.games == 1 else f"{verified.games:,} games"
        was = "was" if verified.games == 1 else "were"
        return [*lines, f"{count} of {folder} {was} played again: every row is the same."]
    shown = ", ".join(f"game {game} with {players} players" for players, game in verified.differing[:SHOWN])
    more = " and others" if len(verified.differing) > SHOWN else ""
    return [*lines, f"{len(verified.differing):,} of {verified.games:,} games come out differently: {shown}{more}."]


def sample(wanted: int, games: int, seed: int) -> NDArray[np.int64]:
    """Return a random sample of games out of `wanted`: their distinct indices in ascending order, int64[n]."""
    # RandomState and not default_rng: its numbers stay the same in every version of numpy.
    drawn = np.random.RandomState(seed).randint(wanted, size=3 * games) if games < wanted / 2 else np.arange(wanted)
    kept = list(dict.fromkeys(drawn.tolist()))
    if len(kept) > games:
        kept = [kept[place] for place in np.linspace(0, len(kept) - 1, games).round().astype(int)]
    return np.array(sorted(kept), dtype=np.int64)


def _what_now(status: Status) -> str:
    last = status.manifest.sessions[-1] if status.manifest.sessions else None
    if status.is_locked:
        return "A run is writing here now."
    if status.is_complete:
        return "Complete."
    if status.manifest.state == "complete":
        if any(count.missing for count in status.counts):
            return "Files are missing or broken. The same rogsim run command plays their games again."
        return f"{MANIFEST} lacks {status.unlisted:,} of these games. The same rogsim run command adds them to it."
    why = f"stopped: {last.stopped_by}" if last and last.stopped_by else "cut off"
    return f"The last run was {why}. The same rogsim run command continues it."
