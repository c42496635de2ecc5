"""tuned: evaluates actions as the personas do, with weights found by tuning; `tuned.toml` says how they were found."""

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import NAMES as WEIGHT_NAMES

__all__ = ["WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = "tuned.toml"
