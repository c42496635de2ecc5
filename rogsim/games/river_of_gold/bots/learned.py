"""learned: takes the turn that leads to the best position by an evaluation learned from play; plans in the endgame."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.evaluation import EVALUATION
from rogsim.games.river_of_gold.bots.evaluation import NAMES as WEIGHT_NAMES
from rogsim.games.river_of_gold.bots.plan import SEARCH
from rogsim.games.river_of_gold.bots.plan import choose_by_plan as choose

__all__ = ["EVALUATION", "SEARCH", "WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "learned.toml"
