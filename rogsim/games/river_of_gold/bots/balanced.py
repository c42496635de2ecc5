"""balanced: takes whatever is worth most now: buildings, visits, customers and influence alike."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.weights import weights_with

PLAN = "takes whatever is worth most now: buildings, visits, customers and influence alike"
WEIGHTS = weights_with(
    patrons=("kakita-ryoku", "kaiu-shihobu", "daidoji-uji"),
)


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return the place on the menu of the choice that the weights favour."""
    return choose_by_weights(tables, view, menu, weights)
