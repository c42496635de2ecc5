"""The benchmark: games and decisions per second on one core, start-up time, memory, and the signature."""

from __future__ import annotations

import json as json_format
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.base.progress import say
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.columns import row_dtype
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.simulation.play import play_batch
from rogsim.simulation.signature import GAMES, signature

ROUNDS = 5  # the fastest one counts: other work on the machine can only slow down a round
ROUND_SECONDS = 0.4


@dataclass(frozen=True)
class Speed:
    """The speed of one core with the same bot in every seat."""

    bot: str
    players: int
    games_per_second: float
    decisions_per_second: float
    decisions_per_game: float


def bench(game: str | None = None, json: bool = False) -> None:
    """Measure the speed of a game, and print a table or one JSON object."""
    spec = get_game(game)
    results = measure(spec)
    print(json_format.dumps(results, indent=2) if json else as_text(results))


def measure(spec: GameSpec) -> dict[str, Any]:
    """Return all results, as plain numbers and text."""
    say("Compiling from scratch in a new process…")
    cold, warm = start_times(spec)
    say("Playing…")
    speeds = [speed for name in spec.bench_bots for speed in speeds_of(spec, name)]
    say(f"Hashing {GAMES:,} fixed games…")
    return {
        "game": spec.id,
        "rules_version": spec.version,
        "cold_start_seconds": round(cold, 2),
        "warm_start_seconds": round(warm, 2),
        "bytes_per_game_in_memory": spec.state_bytes,
        "bytes_per_game_in_rows": row_bytes(spec),
        "signature": signature(spec),
        "speeds": [asdict(speed) for speed in speeds],
    }


def speeds_of(spec: GameSpec, name: str) -> Iterator[Speed]:
    """Yield the speed of games with the same bot in every seat, for each player count."""
    bot = load(spec, name)
    for players in spec.players:
        setup = spec.prepare(spec.options(), players)
        _, seconds, _ = play(spec, setup, bot, players, 200)
        games = max(200, int(200 * ROUND_SECONDS / seconds))
        rounds = [play(spec, setup, bot, players, games) for _ in range(ROUNDS)]
        _, seconds, decisions = min(rounds, key=lambda played: played[1])
        yield Speed(name, players, games / seconds, decisions / seconds, decisions / games)


def play(spec: GameSpec, setup: Any, bot: Bot, players: int, games: int) -> tuple[int, float, int]:
    """Play games on this core, and return their number, the seconds that they took, and the number of decisions."""
    seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
    batch = Batch(1, players, np.arange(games), seating, (bot,) * players)
    begin = time.perf_counter()
    _, rows = play_batch(spec, setup, batch)
    return games, time.perf_counter() - begin, int(rows["decisions"].sum())


def load(spec: GameSpec, name: str) -> Bot:
    """Return one of the game's bots, compiled."""
    return compile_bot(spec, find_bot(spec, name, Path()))


def start(game: str | None = None) -> None:
    """Prepare the bots of the benchmark and play one game with each."""
    spec = get_game(game)
    for name in spec.bench_bots:
        players = spec.players[-1]
        play(spec, spec.prepare(spec.options(), players), load(spec, name), players, 1)


def start_times(spec: GameSpec) -> tuple[float, float]:
    """Return the seconds until a new process has played its first games, without and with cached machine code."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        seconds = []
        for _ in range(2):
            begin = time.perf_counter()
            code = f"from rogsim.simulation.benchmark import start; start({spec.id!r})"
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)
            seconds.append(time.perf_counter() - begin)
    return seconds[0], seconds[1]


def row_bytes(spec: GameSpec) -> dict[str, int]:
    """Return the bytes that the rows of one game take in memory, by player count."""
    seat, game = row_dtype(spec.seat_columns).itemsize, row_dtype(spec.game_columns).itemsize
    return {str(players): players * seat + game for players in spec.players}


def as_text(results: dict[str, Any]) -> str:
    """Return the results as lines of text."""
    lines = [f"{results['game']}, rules version {results['rules_version']}, one core", ""]
    lines.append(f"{'bot in every seat':<20}{'players':>8}{'games/s':>12}{'decisions/s':>14}{'decisions/game':>16}")
    lines += [
        f"{speed['bot']:<20}{speed['players']:>8}{speed['games_per_second']:>12,.0f}"
        f"{speed['decisions_per_second']:>14,.0f}{speed['decisions_per_game']:>16.1f}"
        for speed in results["speeds"]
    ]
    rows = ", ".join(f"{size} ({players} players)" for players, size in results["bytes_per_game_in_rows"].items())
    return "\n".join(
        [
            *lines,
            "",
            f"start, nothing compiled       {results['cold_start_seconds']:.1f} s",
            f"start, already compiled       {results['warm_start_seconds']:.1f} s",
            f"one game in memory            {results['bytes_per_game_in_memory']} bytes",
            f"its rows in memory            {rows}",
            f"signature of {GAMES:,} games     {results['signature']}",
        ]
    )
