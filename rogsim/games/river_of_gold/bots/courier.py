"""courier: collects goods for its customers and delivers as often as it can."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("kudaka", "yoritomo"),
    deliver=1.5,
    customer=3.0,
    need=1.8,
    ability=1.3,
)
