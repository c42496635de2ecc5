"""The weights of the policy, in points unless noted otherwise.

For each of 2, 3 and 4 players, a bot's array holds a set for the beginning and one for the end of the game; in between
they are mixed by the time left. After the sets comes the worth of each patron in a draft.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rogsim.game.kit import bots
from rogsim.game.kit.bots import in_order_of, names_of
from rogsim.games.river_of_gold.components.names import PATRONS, PLAYER_COUNTS
from rogsim.games.river_of_gold.components.tables import NUMBERED_REWARDS

WEIGHTS = {
    "koku": 0.30,  # one koku
    "good": 0.75,  # one good
    "need": 1.00,  # a good that the hand still lacks, in addition
    "favor": 0.90,  # one divine favor
    "step": 0.45,  # one influence, in addition to the places in the region
    "place": 0.60,  # share of a better place's points that counts early, rising to all of them at the end
    "owner": 0.80,  # factor on the expected owner rewards
    "mastery": 0.80,  # share of a mastery's points
    "customer": 1.50,  # a customer delivered to, in addition to the points
    "ability": 1.00,  # factor on what a customer's ability is worth
    "rival": 0.25,  # share of what opponents gain that counts against an action
    "journey": 1.00,  # a completed journey, in addition to its reward
    "pace": 0.00,  # a tile taken from the row: a positive weight hurries the end, a negative one delays it
    "build": 1.00,  # factor on the worth of building
    "sail": 1.00,  # factor on the worth of sailing
    "deliver": 1.00,  # factor on the worth of delivering
    "spend": 0.60,  # share of a good's worth that counts against delivering it
    "advance": 0.00,  # one river space that a ship moves toward its next journey
    "card": 0.00,  # a customer to draw, one of the hand being discarded
    "plenty": 0.00,  # share of its worth that a koku loses at the limit of koku
    "near": 0.00,  # expected visits by a ship of the seat, for each face that brings it to the space
    "outlook": 0.00,  # share of the average worth of a ship's next sail from where it stops
    "buy": 0.00,  # above one half: buys favor with koku for a better face
    "curve": 0.00,  # how long the beginning lasts (early set only): positive is shorter, negative longer
    "final": 0.00,  # how far the last turn is valued by final scoring, from 0 to 1 (late set)
    # a customer delivered to, by type, in addition to the worth of its ability
    "artisan": 0.00,
    "elder": 0.00,
    "merchant": 0.00,
    "monk": 0.00,
    "noble": 0.00,
}
WEIGHT_COUNT = len(WEIGHTS)
KOKU, GOOD, NEED, FAVOR, STEP, PLACE, OWNER, MASTERY, CUSTOMER, ABILITY, RIVAL, JOURNEY, PACE = range(13)
BUILD, SAIL, DELIVER, SPEND, ADVANCE, CARD, PLENTY, NEAR, OUTLOOK, BUY, CURVE, FINAL, FIRST_TYPE = range(13, 26)
# Notes on the moment, after the weights: the time left, visits expected at a space for each river space that touches
# it, the share of its worth that a koku loses for each one the player has, the moment itself (0 for none), and whether
# all weights are the same at the beginning and at the end.
LEFT, VISITS, FADING, MOMENT, CONSTANT = range(WEIGHT_COUNT, WEIGHT_COUNT + 5)
ROUGH = WEIGHT_COUNT + 5  # + number of a reward in `tables.reward_parts`: its rough worth
MOMENT_COUNT = ROUGH + NUMBERED_REWARDS
PHASES = ("early", "late")
FIRST_PATRON = WEIGHT_COUNT * len(PHASES) * len(PLAYER_COUNTS)
# The names of all weights, such as "4-early-koku" and "kudaka", in their order.
NAMES = (*names_of(PLAYER_COUNTS, PHASES, WEIGHTS), *PATRONS)


def first_weight(players: int, phase: int) -> int:
    """Return where the set of a player count and phase (0 = early, 1 = late) begins in the array."""
    return ((players - PLAYER_COUNTS[0]) * len(PHASES) + phase) * WEIGHT_COUNT


def weights_with(
    patrons: tuple[str, ...] = (), late: Mapping[str, float] | None = None, **changed: float
) -> NDArray[np.float64]:
    """Return the default weights with some changes.

    Parameters
    ----------
    patrons
        The patrons to prefer in a draft, the best one first.
    late
        Changes of the late sets only, by name.
    **changed
        Changes of all sets, by name.

    Returns
    -------
    float64[len(NAMES)]
        The weights, in the order of `NAMES`.

    Raises
    ------
    KeyError
        If there is no weight or patron of a name.
    """
    early = bots.changed(WEIGHTS, changed)
    end = bots.changed(early, late or {})
    sets = [*early.values(), *end.values()] * len(PLAYER_COUNTS)
    return np.array([*sets, *in_order_of(patrons, PATRONS).values()])
