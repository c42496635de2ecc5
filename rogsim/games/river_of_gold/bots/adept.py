"""adept: pursues the masteries in play."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("kaiu-shihobu", "kudaka"),
    mastery=2.2,
    build=1.2,
)
