"""The components of The River: read from `data`, listed as parameters, and changed by name."""

from __future__ import annotations

from pathlib import Path

from rogsim.game.kit.parameters import ParameterBook
from rogsim.games.the_river.components.checks import CHECKS
from rogsim.games.the_river.components.models import Sections

# Unlike those of the other places, these spots are those of each player.
CLAIMS = "as turn.claims_per_round, with this number of players: the lower counts; -1: any number"


class Components(Sections):
    """All components, each value within its range and in agreement with the others."""

    checks = CHECKS


BOOK = ParameterBook(
    model=Components,
    folder=Path(__file__).parent / "data",
    files={"the-river.toml": tuple(Sections.model_fields)},
    fixed=("players", "class", "row", "column"),  # what the rules depend on
    meanings={"place.claim.spots.*": CLAIMS},
)
