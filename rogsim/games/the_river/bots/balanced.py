"""balanced: takes the action that is worth most now, whether for buildings, resources or terrain."""

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with()
