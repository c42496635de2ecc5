"""Play games for scripts/bench_against.py: a line `BOT PLAYERS GAMES` gives a line with CPU seconds and decisions.

It runs with the rogsim of any checkout, so it uses only what all of them have.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.registry import get_game
from rogsim.simulation.play import play_batch


def main() -> None:
    """Answer the lines of standard input."""
    spec = get_game(sys.argv[1])
    bots = {}
    for line in sys.stdin:
        name, players, games = line.split()[0], *map(int, line.split()[1:])
        bots[name] = bots.get(name) or compile_bot(spec, find_bot(spec, name, Path()))
        seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
        batch = Batch(1, players, np.arange(games), seating, (bots[name],) * players)
        setup = spec.prepare(spec.options(), players)
        begin = time.process_time()
        _, rows = play_batch(spec, setup, batch)
        print(time.process_time() - begin, int(rows["decisions"].sum()), flush=True)


if __name__ == "__main__":
    main()
