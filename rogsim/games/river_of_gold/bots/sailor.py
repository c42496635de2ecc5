"""sailor"""

from __future__ import annotations

from typing import Any

from rogsim.chance import draw

PLAN = "sailor"


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return a uniform place on the menu."""
    return draw(stream, menu.count)
