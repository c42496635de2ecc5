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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path

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

Timer = Callable[[], float]


class Checkout:
    """A checkout of rogsim and a process that plays with it."""

    def __init__(self, root: Path, game: str, out: Path, stack: ExitStack) -> None:
        self.environment: Mapping[str, str] = os.environ | {"PYTHONPATH": str(root)}
        self._out = out
        self._worker = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-P", str(WORKER), game],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        self._answer(f"{root} cannot play {game}")  # a line that says that it is ready

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

    def command(self, words: Sequence[str]) -> float:
        """Return the CPU seconds of a command of rogsim. A results folder is new each time, so that it plays."""
        shutil.rmtree(self._out, ignore_errors=True)
        filled = [str(self._out) if word == OUT else word for word in words]
        return cpu_seconds([sys.executable, "-P", "-m", "rogsim", *filled], self.environment)


def timers(game: str, checkouts: Sequence[Checkout]) -> Iterator[tuple[str, list[Timer]]]:
    """Yield what is timed: its name, and for each checkout a function that times it once."""
    commands = {"rogsim --help": ["--help"], "rogsim scenario check": ["scenario", "check", str(SCENARIO)]}
    if game in default_games():
        run = ["run", str(SCENARIO), "--games", "2000", "--jobs", "1", "--replace", "--out", OUT]
        commands["rogsim run, 2,000 games"] = run
    for name, words in commands.items():
        yield name, [partial(one.command, words) for one in checkouts]
    spec = get_game(game)
    for bot, players in product(spec.bench_bots, spec.players):
        for one in checkouts:
            one.play(bot, players, 1)  # compiles the bot
        each = max(one.cpu_seconds(bot, players, FEWEST_GAMES)[0] for one in checkouts) / FEWEST_GAMES
        games = max(FEWEST_GAMES, int(ROUND_SECONDS / each))
        yield f"{bot}, {players} players", [partial(one.play, bot, players, games) for one in checkouts]


def compare(name: str, before: Timer, after: Timer, pairs: int) -> TimedTwice:
    """Time something in pairs, each a measurement of both; which one comes first alternates."""
    before(), after()  # not counted: these may compile
    times: dict[Timer, list[float]] = {before: [], after: []}
    for number in range(pairs):
        for timer in (before, after) if number % 2 else (after, before):
            times[timer].append(timer())
    medians = [statistics.median(found) for found in times.values()]
    return TimedTwice(name, *medians, paired_ratio(times[before], times[after]))


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
        roots = {"before": asked.checkout.resolve(), "after": HERE}
        checkouts = [Checkout(root, asked.game, out / name, stack) for name, root in roots.items()]
        found = []
        for name, (before, after) in timers(asked.game, checkouts):
            print(f"{name}…", file=sys.stderr)
            found.append(compare(name, before, after, asked.pairs))
    print_compared(found)


if __name__ == "__main__":
    main()
