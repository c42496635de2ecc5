"""balanced: takes the action that is worth most now, whether for buildings, visits, customers or influence."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("kakita-ryoku", "kaiu-shihobu", "daidoji-uji"),
)
