"""Measure how many steps per second the learning environments make on one core, with random choices."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rogsim.environments import BatchedGames, env

GAME, PLAYERS, STEPS = "river-of-gold", 4, 4_000
BATCHES = (64, 1_024, 8_192)
BATCH_STEPS = 400_000
PASSES = 3  # the fastest counts: other work on the machine makes a pass slower, never faster


def fastest(play: Callable[[int], Any], steps: int, threads: int = 1) -> float:
    """Return the steps per second: of processor time, or in several threads of time on the clock."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    play(steps // 100)  # until all is compiled
    best = 0.0
    for _ in range(PASSES):
        begin = clock()
        play(steps)
        best = max(best, steps / (clock() - begin))
    return best


def one_game() -> Callable[[int], None]:
    """Return a function that steps the environment of one game: observe, choose, step."""
    environment = env(GAME, PLAYERS)
    chance = np.random.default_rng(1)
    environment.reset()

    def play(steps: int) -> None:
        for _ in range(steps):
            observed, _, over, _, _ = environment.last()
            if over:
                environment.reset()
                observed = environment.last()[0]
            legal = np.flatnonzero(observed["action_mask"])
            environment.step(legal[int(chance.random() * len(legal))])

    return play


def batch(count: int, threads: int = 1) -> Callable[[int], None]:
    """Return a function that steps a batch until so many steps were made, all games together."""
    games = BatchedGames(GAME, count, PLAYERS, threads=threads)
    chance = np.random.default_rng(1)

    def play(steps: int) -> None:
        for _ in range(max(steps // count, 1)):
            games.step(games.sample(chance))

    return play


def main() -> None:
    """Print a line for each way to play, and how many times faster than the environment of one game it is."""
    single = fastest(one_game(), STEPS)
    print(f"{'env':32}{single:12,.0f}", flush=True)
    cores = os.cpu_count() or 1
    for count, threads in [*((count, 1) for count in BATCHES), (BATCHES[1], cores)]:
        per_second = fastest(batch(count, threads), BATCH_STEPS, threads)
        name = f"{count:,} games, {threads} thread{'s' if threads > 1 else ''}"
        print(f"{name:32}{per_second:12,.0f}{per_second / single:8.1f} times", flush=True)


if __name__ == "__main__":
    main()
