"""The components of The River: read from `data`, listed as parameters, and changed by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic_core import InitErrorDetails

from rogsim.game.kit.parameters.book import ParameterBook
from rogsim.games.the_river.components.checks import all_problems
from rogsim.games.the_river.components.meanings import LABELS, MEANINGS
from rogsim.games.the_river.components.models import Sections

FIXED = ("players", "class", "row", "column", "terrain", "effect")  # what the rules depend on


class Components(Sections):
    """All components, each value within its range and in agreement with the others."""

    def disagreements(self) -> Sequence[InitErrorDetails]:
        """Return the values that conflict with others."""
        return all_problems(self)


BOOK = ParameterBook(
    model=Components,
    folder=Path(__file__).parent / "data",
    files={"the-river.toml": tuple(Sections.model_fields)},
    fixed=FIXED,
    meanings=MEANINGS,
    labels=LABELS,
)
