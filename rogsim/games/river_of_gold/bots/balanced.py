"""balanced: takes whatever is worth most now: buildings, visits, customers and influence alike."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["PLAN", "WEIGHTS", "choose"]

PLAN = "takes whatever is worth most now: buildings, visits, customers and influence alike"
WEIGHTS = weights_with(
    patrons=("kakita-ryoku", "kaiu-shihobu", "daidoji-uji"),
)
