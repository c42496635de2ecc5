"""Playing environments by chance, the same way in every process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rogsim.environments import GameEnv, env
from rogsim.game.registry import register
from tests.dice_game import GAME as DICE_RACE

GOLD = "river-of-gold"


def choices(environment: Any, seed: int) -> Iterator[dict[str, Any]]:
    """What the agent that must choose observes, before each choice by chance of one game."""
    chance = np.random.default_rng(seed)
    while not environment.terminations[environment.agent_selection]:
        observed = environment.observe(environment.agent_selection)
        yield observed
        environment.step(chance.choice(np.flatnonzero(observed["action_mask"])))


def history_of(game: str, players: int, options: Mapping[str, Any], seed: int, games: int) -> str:
    """A hash of all observations, masks, actors, rewards and words of some games of random choices."""
    if game == DICE_RACE.id:
        register(DICE_RACE)
    environment: GameEnv = env(game, players, options=options)
    digest = hashlib.sha256(repr(environment.vector_names).encode())
    for number in range(games):
        environment.reset(seed=seed if number == 0 else None)
        for observed in choices(environment, seed + number):
            digest.update(environment.agent_selection.encode())
            digest.update(observed["observation"].tobytes() + observed["action_mask"].tobytes())
        digest.update(repr([environment.describe(agent) for agent in environment.agents]).encode())
        digest.update(repr(environment.rewards).encode())
    return digest.hexdigest()
