"""Rolls or walks as its mood takes it."""

from __future__ import annotations

from typing import Any

from rogsim.game.rng import draw
from tests.dice_game.rules import ROLL, WALK

WEIGHTS = [0.5]  # how likely it is to roll


def choose(setup: Any, race: Any, menu: Any, memory: Any) -> int:
    return ROLL if draw(memory.stream, 1000) < 1000 * memory.weights[0] else WALK
