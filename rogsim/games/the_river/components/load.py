"""The components of The River: read from `data`, listed as parameters, and changed by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic_core import InitErrorDetails

from rogsim.game.kit.parameters.book import ParameterBook
from rogsim.games.the_river.components.checks import all_problems
from rogsim.games.the_river.components.meanings import LABELS, MEANINGS
from rogsim.games.the_river.components.models import Sections
from rogsim.games.the_river.components.names import BOARDS

FIXED = ("players", "class", "row", "column")  # what the rules depend on


class Components(Sections):
    """All components, each value within its range and in agreement with the others."""

    def disagreements(self) -> Sequence[InitErrorDetails]:
        """Return the values that conflict with others."""
        return all_problems(self)


def _spots(facts: Mapping[str, Any]) -> Sequence[str]:
    """Return the spots that a production symbol can be printed on: all."""
    return [str(spot["id"]) for spot in facts["spot"]]


BOOK = ParameterBook(
    model=Components,
    folder=Path(__file__).parent / "data",
    files={"the-river.toml": tuple(Sections.model_fields)},
    fixed=FIXED,
    meanings=MEANINGS,
    labels=LABELS,
    keys={f"board.{board}.production": _spots for board in BOARDS},
)
