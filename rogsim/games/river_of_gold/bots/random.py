"""random: any legal choice, each as likely as the next."""

from __future__ import annotations

from typing import Any

from rogsim.game.rng import draw

PLAN = "takes any legal choice, each as likely as the next"


def choose(tables: Any, view: Any, menu: Any, memory: Any) -> int:
    """Return a uniform place on the menu."""
    return draw(memory.stream, menu.count)
