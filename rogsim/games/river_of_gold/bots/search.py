"""search: plays its best turns on in many possible worlds, and takes the one that does best."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.river_of_gold.bots.plan import choose_by_rollouts as choose

__all__ = ["SETTINGS", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
SETTINGS = {"choices": 10, "worlds": 0, "rollouts": 1000, "turns": 12, "endgame": 1}
