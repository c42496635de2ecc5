"""planner: plays out whole turns on copies of the game, and takes the one that leads to the best position."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.river_of_gold.bots.plan import choose_by_plan as choose

__all__ = ["SETTINGS", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
SETTINGS = {"choices": 10, "worlds": 12, "turns": 0, "rounds": 2, "endgame": 1, "clear": 2}
