"""What the planning bots weigh: one number each, in points unless said otherwise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
    # the patrons, in a draft
    "kaiu-shihobu": 1.0,
    "yasuki-taka": 1.0,
    "yoritomo": 1.0,
    "kudaka": 1.0,
    "daidoji-uji": 1.0,
    "kakita-ryoku": 1.0,
    "shosuro-hyobu": 1.0,
    "bayushi-kashiko": 1.0,
}
NAMES = tuple(WEIGHTS)
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
) = range(16)
FIRST_PATRON = 16


def weights_with(patrons: tuple[str, ...] = (), **changed: float) -> NDArray[np.float64]:
    """Return the weights with some of them changed by name, and the patrons liked best, the first most.

    Raises KeyError on a name that is none.
    """
    values = dict(WEIGHTS)
    changed.update({patron: 2.0 + len(patrons) - place for place, patron in enumerate(patrons)})
    for name, value in changed.items():
        if name not in values:
            raise KeyError(f"no weight {name!r}: choose from {', '.join(NAMES)}")
        values[name] = value
    return np.array([values[name] for name in NAMES])
