"""Play games for scripts/bench_against.py: a line `BOT PLAYERS GAMES` gives a line with CPU seconds and decisions.

A line before these says that it is ready. It runs with the rogsim of any checkout, so it uses only what all have.
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
    try:
        spec = get_game(sys.argv[1])
    except Exception as fault:  # whatever it was: the checkout may be of another time
        sys.exit(str(fault))
    print("ready", flush=True)
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
