"""explorer: claims terrain wherever it can, and matches it in columns."""

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(claim=1.5, pair=2.0, triple=1.5, kin=0.25, settler=2.0)
