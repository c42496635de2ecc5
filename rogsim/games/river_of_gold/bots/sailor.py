"""sailor: sails for visitor rewards and completed journeys, and delivers what the ships bring."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("daidoji-uji", "kakita-ryoku"),
    sail=1.5,
    journey=2.0,
)
