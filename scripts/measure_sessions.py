"""Measure how many decisions per second a session makes on one core, and a batch with the same bots beside it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import rogsim
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.registry import get_game
from rogsim.game.spec import Batch
from rogsim.simulation.play import play_batch

GAME, PLAYERS, GAMES = "river-of-gold", 4, 50
PASSES = 5  # the fastest counts: other work on the machine makes a pass slower, never faster


def by_hand(look: bool) -> int:
    """Play games with random choices, and return the decisions; `look`: fetch the view of the actor before each."""
    made = 0
    for deal in range(GAMES):
        session, chance = rogsim.Session.new(GAME, PLAYERS, deal=deal), random.Random(deal)
        while not session.is_over:
            if look:
                session.observe(session.actor)
            session.apply(chance.choice(session.legal))
            made += 1
    return made


def in_words() -> int:
    """Play games as `by_hand`, with an observation and all actions in words before each decision."""
    made = 0
    for deal in range(GAMES):
        session, chance = rogsim.Session.new(GAME, PLAYERS, deal=deal), random.Random(deal)
        while not session.is_over:
            session.describe(session.actor)
            session.apply(chance.choice(session.actions))
            made += 1
    return made


def by_bots() -> int:
    """Let the random bot play, and return the decisions."""
    return sum(rogsim.Session.new(GAME, PLAYERS, deal=deal, bots="random").play_bots() for deal in range(GAMES))


def in_a_batch() -> int:
    """Play the same games as a batch, and return the decisions."""
    spec = get_game(GAME)
    bot = compile_bot(spec, find_bot(spec, "random", Path()))
    seating = np.zeros((GAMES, PLAYERS), np.int8)
    batch = Batch(0, PLAYERS, np.arange(GAMES), seating, (bot,) * PLAYERS)
    _, games = play_batch(spec, spec.prepare(spec.options(), PLAYERS), batch)
    return int(games["decisions"].sum())


def copies() -> int:
    """Copy a session with bots, and return how often."""
    session = rogsim.Session.new(GAME, PLAYERS, bots="random")
    session.play_bots(100)
    for _ in range(1000):
        session.copy()
    return 1000


def per_second(job: Callable[[], int]) -> float:
    """Return how much of a job is done per second of processor time."""
    job()  # loads or compiles
    fastest = 0.0
    for _ in range(PASSES):
        begin = time.thread_time()
        done = job()
        fastest = max(fastest, done / (time.thread_time() - begin))
    return fastest


def main() -> None:
    """Print a line for each way to play."""
    jobs: dict[str, Callable[[], int]] = {
        "legal, apply": lambda: by_hand(look=False),
        "observe, legal, apply": lambda: by_hand(look=True),
        "describe, actions, apply": in_words,
        "play_bots": by_bots,
        "copy": copies,
        "a batch": in_a_batch,
    }
    for name, job in jobs.items():
        print(f"{name:26}{per_second(job):12,.0f}")


if __name__ == "__main__":
    main()
