"""What is read back from the data of a page, and the checks of it: such data may come from a stranger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError

from rogsim.base.validation import explain
from rogsim.report.verdict_titles import Badge
from rogsim.scenario.axes import MOST_GAMES

MOST_LOOKS = 10_000

Players = Annotated[int, Field(ge=1, le=100)]
Games = Annotated[int, Field(ge=0, le=MOST_GAMES)]
Effect = Annotated[float, Field(ge=-1000, le=1000)] | None


class _PageRecord(BaseModel):
    # A page has many more keys, which nothing is read from.
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class _FindingRecord(_PageRecord):
    topic: str
    title: str
    players: Players
    folder: str
    bots: list[str]
    games: Games
    verdict: Badge
    margin: Annotated[float, Field(ge=0, le=100)]
    look: Annotated[int, Field(ge=1, le=MOST_LOOKS)]


class _LevelRecord(_PageRecord):
    players: Players
    bots: str
    level: str
    n: Games
    seat: Players = 1
    effect: Effect = None
    effect_low: Effect = None
    effect_high: Effect = None
    beyond: Effect = None
    beyond_low: Effect = None
    beyond_high: Effect = None


class _TableRecord(_PageRecord):
    name: str
    rows: list[dict[str, Any]]


def _kind(finding: Any) -> str:
    return "judged" if isinstance(finding, dict) and "margin" in finding else "other"


_AnyFinding = Annotated[
    Annotated[_FindingRecord, Tag("judged")] | Annotated[dict[str, Any], Tag("other")],
    Discriminator(_kind),
]


class _SectionRecord(_PageRecord):
    name: str
    findings: list[_AnyFinding]
    tables: list[_TableRecord]


class _ScenarioText(_PageRecord):
    name: str
    text: str


class _ReconstructedText(_PageRecord):
    text: str = ""


class _WholePage(_PageRecord):
    sections: list[_SectionRecord]
    provenance: Annotated[list[_TableRecord], Field(min_length=2)]
    scenarios: list[_ScenarioText]
    reconstructed: _ReconstructedText | None = None


class _LevelTable(_PageRecord):
    rows: list[_LevelRecord]


def check_page(data: Mapping[str, Any]) -> None:
    """Check the data of a page, except the rows of its tables; ValueError names the first wrong key."""
    _check(_WholePage, data)


def check_levels(rows: Sequence[Mapping[str, Any]]) -> None:
    """Check the rows of a table with the effects of levels; ValueError names the first wrong key."""
    _check(_LevelTable, {"rows": list(rows)})


def _check(model: type[BaseModel], data: Mapping[str, Any]) -> None:
    try:
        model.model_validate(data)
    except ValidationError as fault:
        problem = explain(fault, data, model)[0]
        raise ValueError(f'key "{problem.name}": {problem.text}') from fault
