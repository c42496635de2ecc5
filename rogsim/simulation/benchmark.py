"""The benchmark: games and decisions per second on one core, start-up time, memory, and the signature."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
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

ROUNDS = 11  # the fastest one counts as the speed: other work on the machine can only slow down a round
STARTS = 7
ROUND_SECONDS = 0.4
FEWEST_GAMES = 200  # of a round


@dataclass(frozen=True)
class Speed:
    """The speed of one core with the same bot in every seat, in CPU time.

    Attributes
    ----------
    seconds_per_decision
        For each round.
    """

    bot: str
    players: int
    games_per_second: float
    decisions_per_second: float
    decisions_per_game: float
    seconds_per_decision: tuple[float, ...]


def measure(spec: GameSpec) -> dict[str, Any]:
    """Return all results, as plain numbers and text."""
    say("Compiling from scratch in a new process…")
    cold, *warm = start_times(spec)
    say("Playing…")
    speeds = speeds_of(spec, spec.bench_bots)
    say(f"Hashing {GAMES:,} fixed games…")
    return {
        "game": spec.id,
        "rules_version": spec.version,
        "cold_start_seconds": round(cold, 2),
        "warm_start_seconds": round(min(warm), 2),
        "warm_starts": warm,
        "bytes_per_game_in_memory": spec.state_bytes,
        "bytes_per_game_in_rows": row_bytes(spec),
        "signature": signature(spec),
        "speeds": [asdict(speed) for speed in speeds],
    }


def speeds_of(spec: GameSpec, names: Sequence[str]) -> list[Speed]:
    """Return the speed with the same bot in every seat, for each of these bots and each player count.

    The rounds are interleaved, so that a slow stretch of the machine does not fall on one of them alone.
    """
    kinds = [_Kind(spec, name, players) for name in names for players in spec.players]
    rounds = [[kind.seconds_per_decision() for kind in kinds] for _ in range(ROUNDS)]
    return [kind.speed(seconds) for kind, seconds in zip(kinds, zip(*rounds, strict=True), strict=True)]


class _Kind:
    """Games with the same bot in every seat: about as many as take ROUND_SECONDS, the same ones in each round."""

    def __init__(self, spec: GameSpec, name: str, players: int) -> None:
        """Compile what is needed and choose the number of games."""
        self._spec, self._name, self._players = spec, name, players
        self._bot, self._setup = load(spec, name), spec.prepare(spec.options(), players)
        self._games = FEWEST_GAMES
        self._play(self._games)
        while (seconds := self._play(self._games)[0]) < ROUND_SECONDS / 8:  # clocks may be coarse
            self._games *= 2
        self._games = max(FEWEST_GAMES, int(self._games * ROUND_SECONDS / seconds))
        self._decisions = 0

    def seconds_per_decision(self) -> float:
        """Play one round."""
        seconds, self._decisions = self._play(self._games)
        return seconds / self._decisions

    def speed(self, rounds: tuple[float, ...]) -> Speed:
        """Return the speed of the fastest round."""
        decisions, each = 1 / min(rounds), self._decisions / self._games
        return Speed(self._name, self._players, decisions / each, decisions, each, rounds)

    def _play(self, games: int) -> tuple[float, int]:
        return play(self._spec, self._setup, self._bot, self._players, games)


def play(spec: GameSpec, setup: Any, bot: Bot, players: int, games: int) -> tuple[float, int]:
    """Play games on this core, and return the CPU seconds that they took, and the number of decisions."""
    seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
    batch = Batch(1, players, np.arange(games), seating, (bot,) * players)
    begin = time.process_time()
    _, rows = play_batch(spec, setup, batch)
    return max(time.process_time() - begin, 1e-9), int(rows["decisions"].sum())


def load(spec: GameSpec, name: str) -> Bot:
    """Return one of the game's bots, compiled."""
    return compile_bot(spec, find_bot(spec, name, Path()))


def start(game: str | None = None) -> None:
    """Prepare the bots of the benchmark and play one game with each."""
    spec = get_game(game)
    for name in spec.bench_bots:
        players = spec.players[-1]
        play(spec, spec.prepare(spec.options(), players), load(spec, name), players, 1)


def start_times(spec: GameSpec) -> list[float]:
    """Return the CPU seconds until a new process has played its first games: first without, then with machine code."""
    with tempfile.TemporaryDirectory() as folder:
        code = f"from rogsim.simulation.benchmark import start; start({spec.id!r})"
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        return [cpu_seconds([sys.executable, "-c", code], environment) for _ in range(1 + STARTS)]


def cpu_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the CPU seconds of a command and of all processes that it started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def row_bytes(spec: GameSpec) -> dict[str, int]:
    """Return the bytes that the rows of one game take in memory, by player count."""
    seat, game = row_dtype(spec.seat_columns).itemsize, row_dtype(spec.game_columns).itemsize
    return {str(players): players * seat + game for players in spec.players}
