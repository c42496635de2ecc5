"""The types of values in components: whole numbers in a range, lists of a given length, switches, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from rogsim.game.kit.parameters.problems import not_allowed

ON_OR_OFF = "true or false"


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high`; 1.0 and true are not whole numbers."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """Return what is allowed, in words."""
        return f"a whole number from {self.low} to {self.high}" if self.low < self.high else f"{self.low}"

    def check(self, value: object) -> object:
        """Return the value if it is allowed, and refuse any other."""
        if type(value) is not int or not self.low <= value <= self.high:
            raise not_allowed(self.allowed)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Have pydantic call `check` first."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))


whole = Whole


@dataclass(frozen=True)
class Favours:
    """Whom more of a value favours, as `Parameter.favours` says it: of a table or a list, everything inside."""

    direction: int


HELPS = Favours(1)  # more of it helps its holder: who has it, sits there or gets it
COSTS = Favours(-1)  # more of it is a cost to its holder


@dataclass(frozen=True)
class Listed:
    """A list of `fewest` to `most` entries, whose names count from `first`.

    The label names the list where its values are shown in a row; `{}` in it is the last part of the list's name.
    """

    fewest: int
    most: int
    first: int = 1
    label: str = ""

    @property
    def allowed(self) -> str:
        """Return what is allowed, in words."""
        return f"a list of {self.fewest}" + (f" to {self.most}" if self.most > self.fewest else "")

    @property
    def places(self) -> tuple[str, ...]:
        """Return the names of the entries."""
        return tuple(str(place) for place in range(self.first, self.first + self.most))

    def check(self, value: object) -> object:
        """Return the value if it is allowed, and refuse any other."""
        if not isinstance(value, list | tuple) or not self.fewest <= len(value) <= self.most:
            raise not_allowed(self.allowed)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Have pydantic call `check` first."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))


def listed(fewest: int, most: int | None = None, first: int = 1, label: str = "") -> Listed:
    """Allow lists of `fewest` to `most` entries only; of exactly `fewest` if no `most` is given."""
    return Listed(fewest, fewest if most is None else most, first, label)


def _switch(value: object) -> object:
    """Allow true and false only."""
    if type(value) is not bool:
        raise not_allowed(ON_OR_OFF)
    return value


def _one_row_each(rows: object) -> object:
    """Split each row for several numbers of players into one for each of them."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        return rows
    return [
        {**row, **one}
        for row in rows
        for one in ([{"players": count} for count in row["players"]] if isinstance(row.get("players"), list) else [{}])
    ]


@dataclass(frozen=True)
class Rows:
    """A list has exactly the known rows, in their order: `ComponentSet` checks it before it checks anything else."""

    known: Sequence[object]
    key: str = "id"  # what they are known by


# For a list of rows that go by the number of players: `players = [3, 4]` stands for two equal rows.
ROWS_BY_PLAYERS = BeforeValidator(_one_row_each)
Switch = Annotated[bool, BeforeValidator(_switch)]
Text = Annotated[str, Field(min_length=1)]
