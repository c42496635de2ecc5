"""search: plays its best turns on in many possible worlds, and takes the one that does best."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.river_of_gold.bots.plan import choose_by_rollouts as choose

__all__ = ["PLAN", "WEIGHTS", "WEIGHT_NAMES", "choose"]

PLAN = "plays its best turns on in many possible worlds, and takes the one that does best"
WEIGHTS = "search.toml"
