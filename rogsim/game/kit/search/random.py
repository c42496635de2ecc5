"""Choosing at random, in any game."""

from __future__ import annotations

from typing import Any

from rogsim.game.rng import draw


def choose_at_random(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return a uniformly random place on the menu."""
    return draw(memory.stream, menu.count)
