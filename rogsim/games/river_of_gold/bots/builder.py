"""builder: builds early and often, on spaces that many ships will visit."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("kaiu-shihobu", "yasuki-taka"),
    build=2.0,
    owner=1.2,
    koku=0.4,
    pace=0.5,
)
