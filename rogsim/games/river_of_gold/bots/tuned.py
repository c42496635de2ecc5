"""tuned: evaluates actions as the personas do, with weights found by tuning; `tuned.toml` says how they were found."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import NAMES as WEIGHT_NAMES

__all__ = ["WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "tuned.toml"
