"""Alpha spending: error rates that hold over all looks at a folder together.

The first look may use 70% of an error rate, look k > 1 may use 30% / (k (k - 1)). The shares of all looks add up to 1.
So by Bonferroni's inequality the probability of a wrong conclusion at any look is at most the whole rate, however many
looks there are and for whatever reason (Lan and DeMets 1983, "Discrete sequential boundaries for clinical trials",
Biometrika 70).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rogsim.stats.blocks import Floats
from rogsim.stats.estimates import CONFIDENCE
from rogsim.stats.special_functions import ndtri

ALPHA = 1 - CONFIDENCE
FIRST = 0.7  # of the error rate, for the first look, which is the only one for most folders


def weight(look: int) -> float:
    """Return the share of an error rate that a look may use; looks count from 1."""
    return FIRST if look <= 1 else (1 - FIRST) / (look * (look - 1))


def adjusted(p: Sequence[float], looks: Sequence[int]) -> Floats:
    """Return p-values adjusted for the looks, to be compared with the whole error rate; nan stays nan.

    Parameters
    ----------
    looks
        For each p-value the number of its look, from 1.
    """
    values = np.asarray(p, dtype=np.float64) / np.array([weight(look) for look in looks])
    return np.minimum(values, 1.0)


def cost(look: int, power: float) -> float:
    """Return the games that a two-sided test with this power needs at this look, relative to a single look."""
    both = [ndtri(power) - ndtri(ALPHA * share / 2) for share in (weight(look), 1.0)]
    return float((both[0] / both[1]) ** 2)
