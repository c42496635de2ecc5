"""planner: plays its best actions on for some turns in two possible worlds, and takes the one that leads to the best positions."""

from __future__ import annotations

from rogsim.games.the_river.bots.plan import NAMES as WEIGHT_NAMES
from rogsim.games.the_river.bots.plan import choose_by_plan as choose

__all__ = ["PLAN", "WEIGHTS", "WEIGHT_NAMES", "choose"]

PLAN = "plays its best actions on for some turns in two possible worlds, and takes the one that leads to the best positions"
WEIGHTS = "planner.toml"
