"""builder: builds early and often, on spaces that many ships will visit."""

from __future__ import annotations

from typing import Any

from rogsim.games.river_of_gold.bots.policy import choose_by_weights
from rogsim.games.river_of_gold.bots.weights import weights_with

PLAN = "builds early and often, on spaces that many ships will visit"
WEIGHTS = weights_with(
    patrons=("kaiu-shihobu", "yasuki-taka"),
    build=2.0,
    owner=1.2,
    koku=0.4,
    pace=0.5,
)


def choose(tables: Any, view: Any, menu: Any, stream: Any, weights: Any) -> int:
    """Return the place on the menu of the choice that the weights favour."""
    return choose_by_weights(tables, view, menu, weights)
