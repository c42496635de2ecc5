"""Playing all games of an experiment in parallel, in chunks. Rows do not depend on chunks, workers or backend.

Bots that come with a game play in threads, all others in processes, which they may crash.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rogsim.base.errors import RogsimError
from rogsim.base.numbers import as_whole
from rogsim.base.validation import not_allowed
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.kit.faults import impossible_rows
from rogsim.scenario.model import Experiment
from rogsim.simulation.backends import Backend, open_pool
from rogsim.simulation.chunks import Chunk, ChunkSize, PlayedChunk, encode, fault_of_results
from rogsim.simulation.play import play_batch
from rogsim.simulation.pool import Pool
from rogsim.simulation.preparation import Recipe, announce_compiler, compile_bots, made_from, recipe_of
from rogsim.simulation.rows import Games, Plan, game_columns, game_frame, plan, seat_columns, seat_frame

Advance = Callable[[int], None]

MOST_WORKERS = 1_024
# Seconds per game by player count, for each game and set of bots played so far: a search plays many short runs.
_SPEEDS: dict[tuple[str, ...], dict[int, float]] = {}


def plans(experiment: Experiment) -> dict[int, Plan]:
    """Return the plan of games for each player count."""
    scenario = experiment.scenario
    bots, games, mirrored = scenario.bots, scenario.games, experiment.mirrored
    return {players: plan(bots, players, games, mirrored) for players in scenario.players}


def make_ready(experiment: Experiment, say: Callable[[str], None]) -> dict[str, Bot]:
    """Compile what the experiment needs, before any thread does, and return its bots by name.

    Parameters
    ----------
    say
        Receives a line if this takes long.
    """
    announce_compiler(experiment.spec, experiment.sources.values(), say)
    return compile_bots(experiment)


def backend_for(bots: Mapping[str, Bot], chosen: Backend | None = None) -> Backend:
    """Return where games are played: where the user chose to, but games with foreign bots never in this process."""
    default = Backend("processes" if any(bot.foreign or bot.agent for bot in bots.values()) else "threads")
    return default if chosen in (None, Backend("threads")) else chosen


def check_workers(name: str, value: int | None) -> int | None:
    """Refuse a number of workers that is no whole number of at least 1, or too large; None: rogsim chooses it."""
    if (count := check_positive(name, value)) is not None and count > MOST_WORKERS:
        raise RogsimError(f"{name}: {not_allowed(value, f'must be at most {MOST_WORKERS:,}')}")
    return count


def check_positive(name: str, value: int | None) -> int | None:
    """Refuse a number of workers or a chunk size that is no whole number of at least 1; None: rogsim chooses it."""
    if value is None:
        return None
    count = as_whole(value)
    if count is None:
        raise RogsimError(f"{name}: {not_allowed(value, 'must be a whole number')}")
    if count < 1:
        raise RogsimError(f"{name}: {not_allowed(value, 'must be 1 or more')}")
    return count


def play_chunks(
    experiment: Experiment,
    bots: Mapping[str, Bot],
    todo: Mapping[int, Sequence[range]],
    pool: Pool,
    chunk: int | None = None,
    key: str | None = None,
) -> Generator[PlayedChunk, None, None]:
    """Play planned games and yield each chunk as soon as it is finished.

    Parameters
    ----------
    todo
        Ranges of games to play, by player count.
    chunk
        Games that a worker plays at a time, by default as many as take about two seconds.
    key
        Key of the run; with it, rows are returned as Parquet files in memory, ready to be written, without it as
        frames.
    """
    by_players = plans(experiment)
    speeds = _SPEEDS.setdefault((experiment.spec.id, *sorted(bots)), {})
    size = ChunkSize(pool.count, chunk, speeds)
    calls = ((by_players[piece.players], piece, key) for piece in size.cut(todo))

    def play_here(*call: Any) -> PlayedChunk:
        part = _play_chunk(experiment, bots, *call)
        size.learn(part.chunk, part.seconds)  # before the next chunk is cut, in whatever thread
        return part

    if pool.in_process:
        workers = replace(pool, count=1) if size.is_quick(todo) else pool
        with closing(workers.run_all(play_here, calls)) as parts:
            yield from parts
        return
    recipe = recipe_of(experiment)
    with closing(pool.run_all(_play_elsewhere, ((*recipe, *call) for call in calls))) as parts:
        for part in parts:
            size.learn(part.chunk, part.seconds)
            yield part


def run_batch(
    experiment: Experiment,
    bots: Mapping[str, Bot],
    jobs: int | None = None,
    chunk: int | None = None,
    advance: Advance = lambda games: None,
    games: range | None = None,
    finished: list[PlayedChunk] | None = None,
    backend: Backend | None = None,
) -> list[PlayedChunk]:
    """Play all planned games, and return their chunks in the order of the plans, with rows as frames.

    Parameters
    ----------
    jobs
        Number of workers, by default one for each core.
    chunk
        Games that a worker plays at a time, by default as many as take about two seconds.
    advance
        Called with the number of games just finished.
    games
        Which games of each plan to play, by default all.
    finished
        Receives each chunk as soon as it is finished, so that none is lost if a bot fails.

    Raises
    ------
    RogsimError
        If `jobs` or `chunk` is less than 1, if a bot fails, or if workers are lost.
    """
    check_workers("jobs", jobs)
    check_positive("chunk", chunk)
    todo = {
        players: [range(plan.games) if games is None else range(games.start, min(games.stop, plan.games))]
        for players, plan in plans(experiment).items()
    }
    parts: list[PlayedChunk] = [] if finished is None else finished
    with open_pool(backend_for(bots, backend), jobs) as pool:
        for part in play_chunks(experiment, bots, todo, pool, chunk):
            parts.append(part)
            advance(part.chunk.games)
    place = {players: number for number, players in enumerate(todo)}
    return sorted(parts, key=lambda part: (place[part.chunk.players], part.chunk.start))


def replay(
    experiment: Experiment, bots: Mapping[str, Bot], plan: Plan, games: Games
) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Play planned games, line-up by line-up, and return their seat and game rows.

    Returns
    -------
    tuple of structured arrays
        A row for each seat of each game, and a row for each game, both in the order of `games`.
    """
    spec, players, count = experiment.spec, plan.players, len(games.game)
    seat_rows, game_rows = spec.empty_rows(count, players)
    for line_up in np.unique(games.line_up):
        at = np.flatnonzero(games.line_up == line_up)
        names = plan.line_ups[line_up]
        batch = Batch(
            seed=experiment.scenario.seed,
            players=players,
            deals=games.deals[at],
            seating=np.ascontiguousarray(games.seating[at]),
            line_up=tuple(bots[name] for name in names),
        )
        seats, rows = play_batch(spec, experiment.setups[players], batch)
        _as_bytes(seat_rows).reshape(count, players)[at] = _as_bytes(seats).reshape(len(at), players)
        _as_bytes(game_rows)[at] = _as_bytes(rows)
    return seat_rows, game_rows


def _as_bytes(rows: NDArray[Any]) -> NDArray[Any]:
    """Return a view of rows that numpy copies as blocks, not column by column, which takes longer."""
    return rows.view((np.void, rows.dtype.itemsize))


def _play_elsewhere(recipe: Recipe, game: bytes | None, plan: Plan, chunk: Chunk, key: str | None) -> PlayedChunk:
    """Play a chunk in another process, which may first have to load the game and the bots."""
    return _play_chunk(*made_from(recipe, game), plan, chunk, key)


def _play_chunk(
    experiment: Experiment, bots: Mapping[str, Bot], plan: Plan, chunk: Chunk, key: str | None
) -> PlayedChunk:
    started = time.perf_counter()
    spec, games = experiment.spec, plan.slice(chunk.start, chunk.stop)
    seat_rows, game_rows = replay(experiment, bots, plan, games)
    seats = seat_frame(spec, plan, games, seat_rows, list(bots))
    if fault := fault_of_results(seats, spec.sides(chunk.players)):
        raise impossible_rows(spec.rules, fault, chunk.players)
    rows = game_frame(spec, plan, games, game_rows)
    if key is None:
        return PlayedChunk(chunk, seats, rows, time.perf_counter() - started)
    files = (
        encode(seats, "seats", chunk, key, seat_columns(spec)),
        encode(rows, "games", chunk, key, game_columns(spec)),
    )
    return PlayedChunk(chunk, *files, time.perf_counter() - started)
