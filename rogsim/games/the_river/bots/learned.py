"""learned: takes the action that leads to the best position, by an evaluation learned from play; plans ahead."""

from rogsim.games.the_river.bots.evaluation import EVALUATION
from rogsim.games.the_river.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.the_river.bots.plan import SEARCH
from rogsim.games.the_river.bots.plan import choose_by_plan as choose

__all__ = ["EVALUATION", "SEARCH", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
