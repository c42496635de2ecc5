"""planner: plays its best actions on in a few possible worlds, and takes the one with the best positions."""

from rogsim.games.the_river.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.the_river.bots.plan import choose_by_plan as choose

__all__ = ["SETTINGS", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
SETTINGS = {"worlds": 6, "turns": 0, "rounds": 4, "liking": 0.1}
