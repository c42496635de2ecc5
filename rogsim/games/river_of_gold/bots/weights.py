"""What the planning bots weigh: one number each, in points unless said otherwise.

A bot's array holds a set for the beginning and one for the end of the game, for 2, 3 and 4 players each; in between the
sets are mixed by the time left. Behind them stands how much each patron is liked in a draft.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rogsim.game.compiler import inlined
from rogsim.games.river_of_gold.components.names import PATRONS, REGIONS
from rogsim.games.river_of_gold.components.tables import MAX_INFLUENCE

WEIGHTS = {
    "koku": 0.30,  # one koku
    "good": 0.75,  # one good
    "need": 1.00,  # a good that the hand still lacks, on top
    "favor": 0.90,  # one divine favor
    "step": 0.45,  # one influence, beside what it changes in the region's places
    "place": 0.60,  # share of a better place's points that counts at once, rising to all of them at the end
    "owner": 0.80,  # what an owner reward is expected to bring, per point
    "mastery": 0.80,  # share of a mastery's points
    "customer": 1.50,  # a customer delivered to, beside the points
    "ability": 1.00,  # factor on what a customer's ability is worth
    "rival": 0.25,  # share of what opponents gain that counts against an action
    "journey": 1.00,  # a completed journey, beside its reward
    "pace": 0.00,  # a tile taken from the row: positive hurries the end, negative puts it off
    "build": 1.00,  # factor on the worth of building
    "sail": 1.00,  # factor on the worth of sailing
    "deliver": 1.00,  # factor on the worth of delivering
    "spend": 0.60,  # share of a good's worth that counts against delivering it
    "advance": 0.00,  # a river space that a ship moves on, toward its next journey
    "card": 0.00,  # a customer to draw, one of the hand being discarded
    "plenty": 0.00,  # share of a koku's worth that is gone when the purse is full
    "near": 0.00,  # visits expected of an own ship, for each face that brings it to the space
    "outlook": 0.00,  # share of what a ship's next sails bring from where it comes to lie
    "buy": 0.00,  # above one half: buys favor with koku for a better face
    "curve": 0.00,  # how long the beginning lasts (only that of the early set): positive shorter, negative longer
    "final": 0.00,  # share in which the last turn is judged by what final scoring counts (that of the late set)
    # a customer delivered to, by type, on top of what its ability is thought to bring
    "artisan": 0.00,
    "elder": 0.00,
    "merchant": 0.00,
    "monk": 0.00,
    "noble": 0.00,
}
WEIGHT_COUNT = len(WEIGHTS)
(
    KOKU,
    GOOD,
    NEED,
    FAVOR,
    STEP,
    PLACE,
    OWNER,
    MASTERY,
    CUSTOMER,
    ABILITY,
    RIVAL,
    JOURNEY,
    PACE,
    BUILD,
    SAIL,
    DELIVER,
    SPEND,
    ADVANCE,
    CARD,
    PLENTY,
    NEAR,
    OUTLOOK,
    BUY,
    CURVE,
    FINAL,
    FIRST_TYPE,
    *_,
) = range(WEIGHT_COUNT)
# What is noted of the moment behind the weights: the time left, visits expected at a space for each river space that
# touches it, what is lost of a koku's worth with each one in the purse, and which moment it was (0 for none).
LEFT, VISITS, FADING, MOMENT = range(WEIGHT_COUNT, WEIGHT_COUNT + 4)
TRACK = WEIGHT_COUNT + 4  # + number of a reward of the tracks: its rough worth, or nan
MOMENT_COUNT = TRACK + MAX_INFLUENCE + 1 + REGIONS
PHASES = ("early", "late")
PLAYER_COUNTS = (2, 3, 4)
FIRST_PATRON = WEIGHT_COUNT * len(PHASES) * len(PLAYER_COUNTS)
# The names of all numbers, such as "4-early-koku" and "kudaka", in their order.
NAMES = (
    *(f"{players}-{phase}-{name}" for players in PLAYER_COUNTS for phase in PHASES for name in WEIGHTS),
    *PATRONS,
)


@inlined
def first_weight(players: int, phase: int) -> int:
    """Return where the set of a player count and phase (0 = early, 1 = late) begins."""
    return ((int(players) - PLAYER_COUNTS[0]) * len(PHASES) + phase) * WEIGHT_COUNT


def weights_with(
    patrons: tuple[str, ...] = (), late: Mapping[str, float] | None = None, **changed: float
) -> NDArray[np.float64]:
    """Return the weights with some changed by name, some more at the end of the game, and the patrons liked best.

    The first patron is liked most. Raises KeyError on a name that is none.
    """
    early = _changed(WEIGHTS, changed)
    end = _changed(early, late or {})
    liked = dict.fromkeys(PATRONS, 1.0)
    liked = _changed(liked, {patron: 2.0 + len(patrons) - place for place, patron in enumerate(patrons)})
    sets = [*early.values(), *end.values()] * len(PLAYER_COUNTS)
    return np.array([*sets, *liked.values()])


def _changed(values: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    for name in changes:
        if name not in values:
            raise KeyError(f"no weight {name!r}: choose from {', '.join(values)}")
    return {**values, **changes}
