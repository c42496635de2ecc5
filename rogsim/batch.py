"""Play all games of an experiment in parallel, in chunks; rows do not depend on chunks or workers.

Compiled bots play in threads. Agents would wait for each other there, so with them workers are processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np
import polars as pl
from joblib.externals.loky.process_executor import TerminatedWorkerError
from numpy.typing import NDArray

from rogsim.bots import BotSource, compile_bot, must_compile
from rogsim.errors import RogsimError
from rogsim.frames import game_frame, seat_frame
from rogsim.game import Batch, Bot, GameSpec, row_dtype
from rogsim.problems import not_allowed
from rogsim.scenario import Experiment
from rogsim.schedule import Games, Plan, plan
from rogsim.workers import Recipe, made_from, recipe_of

CHUNKS = 16  # at least so many chunks for each player count, so that all workers stay busy
SMALLEST_CHUNK, LARGEST_CHUNK = 250, 5_000  # games; the largest is about a second of play
SMALLEST_WITH_AGENTS, LARGEST_WITH_AGENTS = 10, 250
COMPILING = "Compiling the rules (once after each change, about a minute)…"

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Chunk:
    """The games start..stop-1 for one player count."""

    players: int
    start: int
    stop: int

    @property
    def file(self) -> str:
        """Return the name of the chunk's files."""
        return f"p{self.players}-{self.start:09d}.parquet"


@dataclass(frozen=True)
class Part:
    """A played chunk: its rows, in memory or as Parquet files."""

    chunk: Chunk
    seats: Path | pl.DataFrame
    games: Path | pl.DataFrame


def plans(experiment: Experiment) -> dict[int, Plan]:
    """Return the plan of games for each player count."""
    scenario = experiment.scenario
    bots, games, mirrored = scenario.bots, scenario.games, experiment.mirrored
    return {players: plan(bots, players, games, mirrored) for players in scenario.players}


def make_ready(experiment: Experiment, say: Callable[[str], None]) -> dict[str, Bot]:
    """Compile what the experiment needs, before any thread does; `say` gets a line if that takes long."""
    announce_compiler(experiment.spec, experiment.sources.values(), say)
    bots = {name: compile_bot(experiment.spec, source) for name, source in experiment.sources.items()}
    experiment.spec.warm()
    return bots


def announce_compiler(spec: GameSpec, sources: Iterable[BotSource], say: Callable[[str], None]) -> None:
    """Tell if making the game and these bots ready must wait for the compiler."""
    waiting = [source.name for source in sources if must_compile(source)]
    if spec.is_cold():
        say(COMPILING)
    elif waiting:
        say(f"Compiling {', '.join(waiting)} (once after each change, up to two minutes)…")


def has_agents(bots: Mapping[str, Bot]) -> bool:
    """Say whether any of the bots is a Python object."""
    return any(bot.agent is not None for bot in bots.values())


def check_positive(name: str, value: int | None) -> None:
    """Refuse a number of workers or a chunk size below 1; None stands for a fitting one."""
    if value is not None and value < 1:
        raise RogsimError(f"{name}: {not_allowed(value, 'must be 1 or more')}")


def chunks_of(plan: Plan, size: int | None, games: range | None = None, agents: bool = False) -> list[Chunk]:
    """Cut a plan, or these games of it, into chunks of `size` (the last may be smaller) or of a size that suits."""
    games = range(plan.games) if games is None else games
    stop = min(games.stop, plan.games)
    if size is None:
        least, most = (SMALLEST_WITH_AGENTS, LARGEST_WITH_AGENTS) if agents else (SMALLEST_CHUNK, LARGEST_CHUNK)
        size = min(max(-(-(stop - games.start) // CHUNKS), least), most)
    return [Chunk(plan.players, start, min(start + size, stop)) for start in range(games.start, stop, size)]


def run_batch(
    experiment: Experiment,
    bots: Mapping[str, Bot],
    folder: Path | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    advance: Advance = lambda games: None,
    games: range | None = None,
    finished: list[Part] | None = None,
) -> list[Part]:
    """Play every planned game, or only those of `games` in each plan: the parts in the order of the plan.

    With a folder, each worker writes its rows to `seats/` and `games/` in it, and memory stays flat.
    `advance` is called with the number of games that were just finished. `finished` takes the parts as they come, so
    that they are not lost when a bot goes wrong.
    """
    check_positive("jobs", jobs)
    check_positive("chunk", chunk)
    by_players = plans(experiment)
    agents = has_agents(bots)
    chunks = [piece for plan in by_players.values() for piece in chunks_of(plan, chunk, games, agents)]
    if folder is not None:
        for table in ("seats", "games"):
            (folder / table).mkdir()
    count = jobs or joblib.cpu_count()
    apart = agents and count > 1
    workers = joblib.Parallel(
        n_jobs=count, backend="loky" if apart else "threading", batch_size=1, return_as="generator_unordered"
    )
    work = joblib.delayed(_play_apart if apart else _play_chunk)
    needed = recipe_of(experiment) if apart else (experiment, bots)
    parts: list[Part] = [] if finished is None else finished
    try:
        for part in workers(work(*needed, by_players[piece.players], piece, folder) for piece in chunks):
            parts.append(part)
            advance(part.chunk.stop - part.chunk.start)
    except TerminatedWorkerError:
        raise RogsimError("a worker process died: out of memory, or a bot ended it") from None
    place = {piece: number for number, piece in enumerate(chunks)}
    return sorted(parts, key=lambda part: place[part.chunk])


def _play_apart(recipe: Recipe, game: GameSpec | None, plan: Plan, chunk: Chunk, folder: Path | None) -> Part:
    """Play a chunk in a process that may have to find game and bots first."""
    return _play_chunk(*made_from(recipe, game), plan, chunk, folder)


def _play_chunk(experiment: Experiment, bots: Mapping[str, Bot], plan: Plan, chunk: Chunk, folder: Path | None) -> Part:
    games = plan.slice(chunk.start, chunk.stop)
    seat_rows, game_rows = _play(experiment, bots, plan, games)
    seats = seat_frame(experiment.spec, plan, games, seat_rows, list(bots))
    rows = game_frame(experiment.spec, plan, games, game_rows)
    if folder is None:
        return Part(chunk, seats, rows)
    return Part(
        chunk,
        _write(seats, folder / "seats" / chunk.file),
        _write(rows, folder / "games" / chunk.file),
    )


def _play(
    experiment: Experiment, bots: Mapping[str, Bot], plan: Plan, games: Games
) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Play planned games, field by field, and return their rows in the order of the plan."""
    spec, players, count = experiment.spec, plan.players, len(games.game)
    seat_rows = np.zeros((count, players), row_dtype(spec.seat_columns))
    game_rows = np.zeros(count, row_dtype(spec.game_columns))
    for field in np.unique(games.field):
        at = np.flatnonzero(games.field == field)
        names = plan.fields[field]
        batch = Batch(
            seed=experiment.scenario.seed,
            players=players,
            luck=games.luck[at],
            seating=np.ascontiguousarray(games.seating[at]),
            field=tuple(bots[name] for name in names),
        )
        seats = np.zeros(len(at) * players, seat_rows.dtype)
        rows = np.zeros(len(at), game_rows.dtype)
        spec.play(experiment.setups[players], batch, seats, rows)
        seat_rows[at] = seats.reshape(len(at), players)
        game_rows[at] = rows
    return seat_rows.reshape(-1), game_rows


def _write(frame: pl.DataFrame, path: Path) -> Path:
    """Write a Parquet file that is either there in full or not at all."""
    draft = path.with_suffix(".tmp")
    with draft.open("wb") as file:
        frame.write_parquet(file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return path
