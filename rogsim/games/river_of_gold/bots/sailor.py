"""sailor: sails for visitor rewards and completed journeys, and delivers what the ships bring."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.weights import weights_with

PLAN = "sails for visitor rewards and completed journeys, and delivers what the ships bring"
WEIGHTS = weights_with(
    patrons=("daidoji-uji", "kakita-ryoku"),
    sail=1.5,
    journey=2.0,
)


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return the place on the menu of the choice that the weights favour."""
    return choose_by_weights(tables, view, menu, weights)
