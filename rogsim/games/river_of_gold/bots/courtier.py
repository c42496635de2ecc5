"""courtier: seeks influence, for good places in the regions and for the rewards of the tracks."""

from __future__ import annotations

from rogsim.games.river_of_gold.bots.policy import choose_by_weights as choose
from rogsim.games.river_of_gold.bots.weights import weights_with

__all__ = ["WEIGHTS", "choose"]

WEIGHTS = weights_with(
    patrons=("bayushi-kashiko", "shosuro-hyobu"),
    step=1.1,
    place=1.0,
)
