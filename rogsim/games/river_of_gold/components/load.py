"""The components of River of Gold: read from the TOML files in `data`, listed as parameters, and changed by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rogsim.game.kit.parameters import ParameterBook
from rogsim.games.river_of_gold.components.checks import CHECKS
from rogsim.games.river_of_gold.components.models import Sections

DATA_FOLDER = Path(__file__).parent / "data"

# Every component file with the top-level keys that it holds.
FILES = {
    "setup.toml": ("limits", "setup", "exchange", "track", "scoring", "mastery_points", "rulings", "region_tiles"),
    "board.toml": ("shore", "regions", "river"),
    "tiles.toml": ("tile",),
    "customers.toml": ("delivery", "customer"),
    "masteries.toml": ("mastery",),
    "patrons.toml": ("patron",),
}

# What the rules depend on: names, and places on the board.
FIXED = (
    *("regions", "river", "region", "set", "type", "kind", "clan", "title", "effect", "journey", "royal_ship"),
    *("end_point_per", "needs", "starting_tiles"),
)
GOOD_SPACE = 2  # of a track; its good is in track.good_at_2


class Facts(Sections):
    """All components, each value within its range and in agreement with the others."""

    checks = CHECKS


def _spaces_with_rewards(facts: Mapping[str, Any]) -> Sequence[str]:
    """Return the spaces of a track that can have a reward."""
    return [str(space) for space in range(1, facts["limits"]["influence"] + 1) if space != GOOD_SPACE]


BOOK = ParameterBook(
    model=Facts,
    folder=DATA_FOLDER,
    files=FILES,
    fixed=FIXED,
    keys={"track.rewards": _spaces_with_rewards},
)
load_facts = BOOK.load
printed_facts = BOOK.printed
printed_book = BOOK.parameters
fixed_names = BOOK.fixed_names
check_change = BOOK.check_change
with_change = BOOK.with_change
