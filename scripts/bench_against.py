"""Compare the speed of this checkout of rogsim with another one; `scripts/bench-against --help` says how.

They are measured alternately, in processes of their own and in CPU time. What slows the machine down meanwhile slows
down both, so the ratio of each pair is meaningful even on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path

from rogsim.base.progress import say
from rogsim.experiments.benchmark_comparison import TimedTwice
from rogsim.game.registry import RegistryError, default_games, get_game
from rogsim.report.console.bench_tables import print_compared
from rogsim.simulation.benchmark import cpu_seconds
from rogsim.stats.time_ratios import FEWEST_PAIRS, paired_ratio

HERE = Path(__file__).resolve().parents[1]
WORKER = HERE / "scripts" / "bench_worker.py"
SCENARIO = HERE / "scenarios" / "seat-order.toml"
ROUND_SECONDS = 0.4
FEWEST_GAMES = 100
OUT = "OUT"  # stands for a results folder of its own

Kind = tuple[str, int, int]  # bot in every seat, players, games
Times = tuple[list[float], list[float]]  # CPU seconds before and after


class Checkout:
    """A checkout of rogsim, whose commands run with the libraries of this one."""

    def __init__(self, root: Path, out: Path) -> None:
        self.root, self._out = root, out
        self.environment: Mapping[str, str] = os.environ | {"PYTHONPATH": str(root)}

    def command(self, words: Sequence[str]) -> float:
        """Return the CPU seconds of a command of rogsim. A results folder is new each time, so that it plays."""
        shutil.rmtree(self._out, ignore_errors=True)
        filled = [str(self._out) if word == OUT else word for word in words]
        return cpu_seconds([sys.executable, "-P", "-m", "rogsim", *filled], self.environment)


class Player:
    """A new process that plays with the rogsim of a checkout."""

    def __init__(self, checkout: Checkout, game: str, stack: ExitStack) -> None:
        self._worker = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-P", str(WORKER), game],
                env=checkout.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        self._answer(f"{checkout.root} cannot play {game}")  # a line that says that it is ready

    def play(self, bot: str, players: int, games: int) -> float:
        """Return the CPU seconds of a decision."""
        seconds, decisions = self.cpu_seconds(bot, players, games)
        return seconds / decisions

    def cpu_seconds(self, bot: str, players: int, games: int) -> tuple[float, int]:
        """Play games with the same bot in every seat; return the CPU seconds and the number of decisions."""
        assert self._worker.stdin is not None
        print(bot, players, games, file=self._worker.stdin, flush=True)
        seconds, decisions = self._answer(f"{bot} fails in one of the checkouts; its error is above")
        return max(float(seconds), 1e-9), int(decisions)

    def _answer(self, failure: str) -> list[str]:
        """Return the words of the next line of the process; end with exit code 2 if there is none."""
        assert self._worker.stdout is not None
        words = self._worker.stdout.readline().split()
        if not words:
            print(f"rogsim: error: {failure}", file=sys.stderr)
            sys.exit(2)
        return words


def compare_commands(game: str, before: Checkout, after: Checkout, pairs: int) -> Iterator[TimedTwice]:
    """Time commands in pairs, each a measurement of both; which one comes first alternates."""
    commands = {"rogsim --help": ["--help"], "rogsim scenario check": ["scenario", "check", str(SCENARIO)]}
    if game in default_games():
        run = ["run", str(SCENARIO), "--games", "2000", "--jobs", "1", "--replace", "--out", OUT]
        commands["rogsim run, 2,000 games"] = run
    for name, words in commands.items():
        say(f"{name}…")
        before.command(words), after.command(words)  # not counted: these may compile
        times: Times = ([], [])
        for number in range(pairs):
            for which in in_turn(number):
                times[which].append((before, after)[which].command(words))
        yield timed_twice(name, times)


def compare_play(game: str, before: Checkout, after: Checkout, pairs: int) -> Iterator[TimedTwice]:
    """Time play in pairs, each with new processes.

    Where the system puts machine code in memory changes the speed and lasts as long as a process.
    """
    kinds = choose_games(game, (before, after))
    times: dict[Kind, Times] = {kind: ([], []) for kind in kinds}
    for number in range(pairs):
        say(f"Playing, pair {number + 1} of {pairs}…")
        with ExitStack() as stack:
            both = [Player(checkout, game, stack) for checkout in (before, after)]
            for bot, players, games in kinds:
                for which in in_turn(number):
                    both[which].play(bot, players, FEWEST_GAMES)  # not counted: it touches the memory first
                    times[bot, players, games][which].append(both[which].play(bot, players, games))
    for (bot, players, _), found in times.items():
        yield timed_twice(f"{bot}, {players} players", found)


def choose_games(game: str, checkouts: Sequence[Checkout]) -> list[Kind]:
    """Compile the bots, and choose as many games of each kind as take about ROUND_SECONDS in the slower checkout."""
    spec, found = get_game(game), []
    with ExitStack() as stack:
        both = [Player(checkout, game, stack) for checkout in checkouts]
        for bot, players in product(spec.bench_bots, spec.players):
            for one in both:
                one.play(bot, players, 1)
            each = max(one.cpu_seconds(bot, players, FEWEST_GAMES)[0] for one in both) / FEWEST_GAMES
            found.append((bot, players, max(FEWEST_GAMES, int(ROUND_SECONDS / each))))
    return found


def in_turn(number: int) -> tuple[int, int]:
    """Return which of the two checkouts is measured first in a pair, and which one second."""
    return (0, 1) if number % 2 else (1, 0)


def timed_twice(name: str, times: Times) -> TimedTwice:
    """Return the medians and the ratio."""
    return TimedTwice(name, *map(statistics.median, times), paired_ratio(*times))


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="scripts/bench-against", description=__doc__)
    parser.add_argument("checkout", type=Path, help="folder of the other checkout, which counts as before")
    parser.add_argument("--game", default=get_game().id, help="id of the game  [default: %(default)s]")
    parser.add_argument("--pairs", type=int, default=11, help="measurements of each  [default: %(default)s]")
    asked = parser.parse_args(words)
    try:
        get_game(asked.game)
    except RegistryError as fault:
        parser.error(f"--game: {fault}")
    if not (asked.checkout / "rogsim" / "__main__.py").exists():
        parser.error(f"{asked.checkout} is not a checkout of rogsim")
    if asked.pairs < FEWEST_PAIRS:
        parser.error(f"--pairs: must be {FEWEST_PAIRS} or more")
    with ExitStack() as stack:
        out = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        both = Checkout(asked.checkout.resolve(), out / "before"), Checkout(HERE, out / "after")
        with ExitStack() as players:  # fails at once if one of them cannot play
            for checkout in both:
                Player(checkout, asked.game, players)
        found = [*compare_commands(asked.game, *both, asked.pairs), *compare_play(asked.game, *both, asked.pairs)]
    print_compared(found)


if __name__ == "__main__":
    main()
