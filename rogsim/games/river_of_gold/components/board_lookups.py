"""What bots look up about the board instead of computing it again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from rogsim.games.river_of_gold.components.limits import MAX_KOKU
from rogsim.games.river_of_gold.components.names import FACES, REGIONS, RIVER_SPACES


def note_spaces(tables: Any) -> None:
    """Note which shore spaces some koku pay for, and which are in a mask of regions."""
    costs, regions = tables.shore_cost.tolist(), tables.shore_region.tolist()
    for koku in range(MAX_KOKU + 1):
        tables.payable_spaces[koku] = sum(1 << space for space, cost in enumerate(costs) if cost <= koku)
    for mask in range(1 << REGIONS):
        tables.spaces_of[mask] = sum(1 << space for space, region in enumerate(regions) if mask >> region & 1)


def note_reached_shores(tables: Any) -> None:
    """Note which shore spaces a ship can touch, given where it is and which faces the die can show."""
    touched = [sum(1 << space for space in spaces) for spaces in tables.river_shore.tolist()]
    for here, reached in enumerate(tables.reached):
        for face in range(1, FACES + 1):  # the masks whose highest face this is
            masks = np.arange(1 << face - 1, 1 << face)
            reached[masks] = reached[masks - (1 << face - 1)] | touched[(here + face) % RIVER_SPACES]
