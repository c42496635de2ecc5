"""tuned: judges as the personas do, by weights that were found by tuning; `tuned.toml` tells how."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import NAMES as WEIGHT_NAMES

__all__ = ["PLAN", "WEIGHTS", "WEIGHT_NAMES", "choose"]

PLAN = "judges as the personas do, by weights that were found by tuning"
WEIGHTS = "tuned.toml"
