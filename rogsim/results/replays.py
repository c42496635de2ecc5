"""Stored games played again: the run that a results folder holds, made ready, and the games whose rows differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PanicException, PolarsError

from rogsim.base.errors import ResultsError
from rogsim.base.progress import say
from rogsim.bots.bot_names import read_bot_name
from rogsim.game.bot import Bot
from rogsim.results.manifest import Manifest, read_manifest
from rogsim.results.results import Results
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
    if bots_from is not None and not bots_from.is_dir():
        raise ResultsError(f"--bots-from: the folder {bots_from} does not exist")
    results = Results.open(folder)
    manifest = read_manifest(folder)
    if bots_from is None:
        _refuse_programs(folder, manifest)
    place = bots_from or Path(manifest.scenario_folder or ".")
    experiment = load(manifest.scenario, folder=place, run_programs=bots_from is not None)
    bots = make_ready(experiment, say)
    sources = tuple(differences(manifest.identity, identity_of(experiment)))
    return StoredRun(folder, results, manifest, experiment, bots, sources)


def _refuse_programs(folder: Path, manifest: Manifest) -> None:
    """Refuse a folder whose bots are files: a folder is data, and reading it must not run programs that it names."""
    for name in manifest.scenario["bots"]:
        if read_bot_name(name).is_program:
            what = f'bot "{name}" is a program: inspect it, and name the folder where its path starts'
            raise ResultsError(f"{folder}: {what} with --bots-from (it was {manifest.scenario_folder})")
