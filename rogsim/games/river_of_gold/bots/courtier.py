"""courtier: seeks influence: good places in the regions, and the rewards of the tracks."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.weights import weights_with

PLAN = "seeks influence: good places in the regions, and the rewards of the tracks"
WEIGHTS = weights_with(
    patrons=("bayushi-kashiko", "shosuro-hyobu"),
    step=1.1,
    place=1.0,
)


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return the place on the menu of the choice that the weights favour."""
    return choose_by_weights(tables, view, menu, weights)
