"""search: plays its best actions on in many possible worlds, and takes the one that does best."""

from rogsim.games.the_river.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.the_river.bots.plan import choose_by_rollouts as choose

__all__ = ["SETTINGS", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
SETTINGS = {"choices": 12, "worlds": 0, "rollouts": 200, "turns": 20, "liking": 1, "judging": 0}
