"""Measure how many decisions per second a session makes on one core, and a batch with the same bots beside it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import rogsim
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.registry import get_game
from rogsim.simulation.play import play_batch

GAME, PLAYERS, GAMES = "river-of-gold", 4, 10
PASSES = 3  # the fastest counts: other work on the machine makes a pass slower, never faster


def apply_legal(session: rogsim.Session) -> int:
    """Play a game with random choices, and return the decisions, as all these functions do."""
    chance = random.Random(session.deal)
    while not session.is_over:
        session.apply(chance.choice(session.legal))
    return len(session.taken)


def observe_too(session: rogsim.Session) -> int:
    """Play as `apply_legal`, with the view of the actor before each decision."""
    chance = random.Random(session.deal)
    while not session.is_over:
        session.observe(session.actor)
        session.apply(chance.choice(session.legal))
    return len(session.taken)


def in_words(session: rogsim.Session) -> int:
    """Play as `observe_too`, with all in words."""
    chance = random.Random(session.deal)
    while not session.is_over:
        session.describe(session.actor)
        session.apply(chance.choice(session.actions))
    return len(session.taken)


def by_bots(session: rogsim.Session) -> int:
    """Let the bots play."""
    return session.play_bots()


def copies(session: rogsim.Session) -> int:
    """Copy a session a hundred times."""
    for _ in range(100):
        session.copy()
    return 100


def decisions_per_second(play: Callable[[rogsim.Session], int]) -> float:
    """Return the decisions per second of processor time, without beginning the sessions."""
    fastest = 0.0
    for _ in range(PASSES):
        sessions = [rogsim.Session.new(GAME, PLAYERS, deal=deal, bots="random") for deal in range(GAMES)]
        begin = time.thread_time()
        made = sum(play(session) for session in sessions)
        fastest = max(fastest, made / (time.thread_time() - begin))
    return fastest


def batch_per_second() -> float:
    """Return the decisions per second of a batch of the same games."""
    spec, games = get_game(GAME), 100 * GAMES
    bot = compile_bot(spec, find_bot(spec, "random", Path()))
    batch = Batch(0, PLAYERS, np.arange(games), np.zeros((games, PLAYERS), np.int8), (bot,) * PLAYERS)
    setup = spec.prepare(spec.options(), PLAYERS)
    fastest = 0.0
    for _ in range(PASSES):
        begin = time.thread_time()
        made = play_batch(spec, setup, batch)[1]["decisions"].sum()
        fastest = max(fastest, int(made) / (time.thread_time() - begin))
    return fastest


def main() -> None:
    """Print a line for each way to play."""
    jobs = {
        "legal, apply": apply_legal,
        "observe, legal, apply": observe_too,
        "describe, actions, apply": in_words,
        "play_bots": by_bots,
        "copy": copies,
    }
    for name, play in jobs.items():
        print(f"{name:26}{decisions_per_second(play):12,.0f}", flush=True)
    print(f"{'a batch':26}{batch_per_second():12,.0f}")


if __name__ == "__main__":
    main()
