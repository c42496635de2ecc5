"""The personas: bots with one way to evaluate actions, each with weights of its own; `spec.py` says what they do."""

from __future__ import annotations

from rogsim.games.the_river.bots.policy import choose_by_weights as choose
from rogsim.games.the_river.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = {
    "balanced": weights_with(),
    "builder": weights_with(build=6.0, reserve=3.0, symbol=2.6, pawn=0.4, hold=0.0, swap=0.4),
    "producer": weights_with(claim=-0.5, symbol=2.5, warehouse=1.8, food=0.9, reserve=-1.0),
    "explorer": weights_with(claim=1.5, pair=2.0, triple=1.5, kin=0.25, settler=2.0),
}
