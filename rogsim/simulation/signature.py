"""The signature of a game's behaviour: a hash of fixed games, which changes only if the way they are played does."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
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
