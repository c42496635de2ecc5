"""The benchmark: games and decisions per second on one core, start-up time, memory, and the signature."""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rogsim.base.errors import RogsimError
from rogsim.base.process_settings import same_modules
from rogsim.base.progress import say
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.columns import row_dtype
from rogsim.game.registry import get_game
from rogsim.game.spec import GameSpec
from rogsim.simulation.play import play_batch

SEED = 20_260_101
GAMES = 1_000


def signature(spec: GameSpec, games: int = GAMES) -> str:
    """Return a hash of fixed games with all player counts, bots and sample options, 16 hex digits.

    From game to game the player count, the options and the bots in the seats advance by one; slow bots do not play. All
    columns of every row are hashed. A smaller number of games hashes the first games of the same list.
    """
    names = [info.name for info in spec.bots if info.quick_games is None]
    bots = [compile_bot(spec, find_bot(spec, name, Path())) for name in names]
    digest = hashlib.sha256()
    for number in range(games):
        players = spec.players[number % len(spec.players)]
        options = spec.samples[number // len(spec.players) % len(spec.samples)]
        setup = spec.set_up(spec.options.model_validate(dict(options)), players)
        digest.update(_rows(spec, setup, _batch(players, number, bots)))
    return digest.hexdigest()[:16]


def _batch(players: int, number: int, bots: list[Bot]) -> Batch:
    line_up = tuple(bots[(number + seat) % len(bots)] for seat in range(players))
    seating = np.arange(players, dtype=np.int8).reshape(1, players)
    return Batch(SEED, players, np.array([number]), seating, line_up)


def _rows(spec: GameSpec, setup: object, batch: Batch) -> bytes:
    columns = [rows[name] for rows in play_batch(spec, setup, batch) for name in rows.dtype.names or ()]
    return b"".join(column.tobytes() for column in columns)


ROUNDS = 11  # the fastest one counts as the speed: other work on the machine can only slow down a round
ROUND_SECONDS = 0.4
FEW_GAMES = 200  # before a round

Played = tuple[float, int]  # CPU seconds, and decisions


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


def measure(
    spec: GameSpec,
    bots: Sequence[str] | None = None,
    players: Sequence[int] | None = None,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Return all results, as plain numbers and text.

    Parameters
    ----------
    bots, players
        Whose speed is measured, and with how many players; by default the game's bots for this, and all its numbers.
    seconds
        Of play with each of them; by default ROUND_SECONDS for each round.
    """
    kinds = [(bot, count) for bot in bots or spec.bench_bots for count in players or spec.players]
    warm: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        say("Compiling from scratch in a new process…")
        cold = start_time(spec, kinds, folder)
        say(f"Playing {ROUNDS} rounds…")
        each = ROUND_SECONDS if seconds is None else seconds / ROUNDS
        speeds = speeds_of(spec, kinds, folder, lambda: warm.append(start_time(spec, kinds, folder)), each)
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


def speeds_of(
    spec: GameSpec,
    asked: Sequence[tuple[str, int]],
    cache: str,
    before_each: Callable[[], None] = lambda: None,
    seconds: float = ROUND_SECONDS,
) -> list[Speed]:
    """Return the speed with the same bot in every seat, for each of these bots with its number of players.

    Each round is played in a process of its own, because where the system puts machine code in memory changes the speed
    and lasts as long as a process. In a round each of them plays once, so that a slow stretch of the machine does not
    fall on one of them alone.

    Parameters
    ----------
    asked
        The bots, each with a number of players.
    cache
        The folder for machine code.
    before_each
        Called before each round, to measure what else is measured.
    seconds
        Of play in a round with each of them, about.

    Raises
    ------
    RogsimError
        If one of the processes fails.
    """
    kinds = [_choose_games(spec, name, players, seconds) for name, players in asked]
    rounds = []
    for _ in range(ROUNDS):
        before_each()
        rounds.append(_round_in_a_process(spec, kinds, cache))
    return [_speed(kind, list(played)) for kind, played in zip(kinds, zip(*rounds, strict=True), strict=True)]


@dataclass(frozen=True)
class _Kind:
    """Games with the same bot in every seat: the same ones in each round."""

    bot: str
    players: int
    games: int


def _choose_games(spec: GameSpec, name: str, players: int, seconds: float) -> _Kind:
    """Compile what is needed, and choose as many games as take about so many seconds."""
    bot, setup, games = load(spec, name), spec.set_up(spec.options(), players), 1
    play(spec, setup, bot, players, games)
    while (taken := play(spec, setup, bot, players, games)[0]) < seconds / 8:  # clocks may be coarse
        games *= 2
    return _Kind(name, players, max(1, int(games * seconds / taken)))


def _round_in_a_process(spec: GameSpec, kinds: Sequence[_Kind], cache: str) -> list[Played]:
    """Play each kind once in a new process."""
    asked = json.dumps([astuple(kind) for kind in kinds])
    code = f"from rogsim.simulation.benchmark import play_round; play_round({spec.id!r}, {asked!r})"
    environment = same_modules() | {"NUMBA_CACHE_DIR": cache}
    found = subprocess.run(_in_python(code), stdout=subprocess.PIPE, text=True, env=environment)
    if found.returncode:
        raise RogsimError(f"a process that plays for the benchmark failed with exit code {found.returncode}")
    return [(float(seconds), int(decisions)) for seconds, decisions in json.loads(found.stdout)]


def play_round(game: str, asked: str) -> None:
    """Play each kind of games once, and print the CPU seconds and decisions of each as JSON."""
    spec, found = get_game(game), []
    for name, players, games in json.loads(asked):
        bot, setup = load(spec, name), spec.set_up(spec.options(), players)
        play(spec, setup, bot, players, min(games, FEW_GAMES))  # not counted: it touches the memory first
        found.append(play(spec, setup, bot, players, games))
    print(json.dumps(found))


def _speed(kind: _Kind, rounds: Sequence[Played]) -> Speed:
    """Return the speed of the fastest round."""
    seconds = tuple(taken / decisions for taken, decisions in rounds)
    each, fastest = rounds[0][1] / kind.games, 1 / min(seconds)
    return Speed(kind.bot, kind.players, fastest / each, fastest, each, seconds)


def play(spec: GameSpec, setup: Any, bot: Bot, players: int, games: int) -> Played:
    """Play games on this core, and return the CPU seconds that they took, and the number of decisions."""
    seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
    batch = Batch(1, players, np.arange(games), seating, (bot,) * players)
    begin = time.process_time()
    _, rows = play_batch(spec, setup, batch)
    return max(time.process_time() - begin, 1e-9), int(rows["decisions"].sum())


def load(spec: GameSpec, name: str) -> Bot:
    """Return one of the game's bots, compiled."""
    return compile_bot(spec, find_bot(spec, name, Path()))


def start(game: str, asked: str) -> None:
    """Prepare the bots of the benchmark and play one game with each; asked: as JSON, each with a number of players."""
    spec = get_game(game)
    for name, players in dict(json.loads(asked)).items():
        play(spec, spec.set_up(spec.options(), players), load(spec, name), players, 1)


def start_time(spec: GameSpec, asked: Sequence[tuple[str, int]], cache: str) -> float:
    """Return the CPU seconds until a new process has played its first games, with what a folder has of machine code."""
    code = f"from rogsim.simulation.benchmark import start; start({spec.id!r}, {json.dumps(asked)!r})"
    return cpu_seconds(_in_python(code), same_modules() | {"NUMBA_CACHE_DIR": cache})


def _in_python(code: str) -> list[str]:
    """Return the command of a new Python, which prints no traceback when the benchmark is interrupted."""
    return [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); {code}"]


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
