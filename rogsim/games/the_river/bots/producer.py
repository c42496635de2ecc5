"""producer: gathers resources, and the symbols and warehouses that bring more."""

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(claim=-0.5, symbol=2.5, warehouse=1.8, food=0.9, reserve=-1.0)
