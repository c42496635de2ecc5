"""courier: collects goods for its customers and delivers as often as it can."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.weights import weights_with

PLAN = "collects goods for its customers and delivers as often as it can"
WEIGHTS = weights_with(
    patrons=("kudaka", "yoritomo"),
    deliver=1.5,
    customer=3.0,
    need=1.8,
    ability=1.3,
)


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return the place on the menu of the choice that the weights favour."""
    return choose_by_weights(tables, view, menu, weights)
