"""racer: takes tiles out of the row as fast as it can, to end the game early."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("kaiu-shihobu", "kakita-ryoku"),
    late={"pace": 6.0},
    pace=3.0,
    journey=2.0,
)
