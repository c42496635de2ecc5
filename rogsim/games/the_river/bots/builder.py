"""builder: reserves and constructs buildings, even small ones."""

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(build=6.0, reserve=3.0, symbol=2.6, pawn=0.4, hold=0.0, swap=0.4)
