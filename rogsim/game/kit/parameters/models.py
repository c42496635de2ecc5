"""The base classes of a game's components: pydantic models in the layout of its TOML files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import InitErrorDetails

from rogsim.game.kit.parameters.problems import ComponentsError, Source, explain, problem
from rogsim.game.kit.parameters.value_types import Rows

T = TypeVar("T")
Check = Callable[[Any], Iterable[InitErrorDetails]]


class Part(BaseModel):
    """A table of component values: no unknown keys, never changed in place.

    A list of tables is a list of rows: each has an `id`, or the number of `players` that it is for, which names its
    parameters. Rows of several kinds are a union of models, told apart by their key `type`.
    """

    # deferred: nested tables are built once, as parts of the model of all components
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Return whether a table of this kind has a parameter: a card may have only those of its effect."""
        return True


class PrintedPart(Part):
    """A table that has only the parameters that it has in the files, such as a card with those of its effect."""

    @classmethod
    def can_have(cls, row: Mapping[str, Any], key: str) -> bool:
        """Return whether the table has the parameter in the files."""
        return key in row


class ByPlayers(Part, Generic[T]):
    """A value for each number of players, read with `value[players]`.

    A class for a game has a field for each number that it allows, as `TwoToFour` does.
    """

    def __getitem__(self, players: int) -> T:
        """Return the value for a number of players; KeyError for a number that the game does not allow."""
        names = {field.alias: name for name, field in type(self).model_fields.items()}
        value: T = getattr(self, names[str(players)])
        return value


class TwoToFour(ByPlayers[T], Generic[T]):
    """A value for each number of players in a game for two to four."""

    two: T = Field(alias="2")
    three: T = Field(alias="3")
    four: T = Field(alias="4")


class ComponentSet(Part):
    """All components of a game, each value within its range and in agreement with the others.

    Attributes
    ----------
    checks
        Functions of the components that yield what is wrong with values that are allowed by themselves;
        `rogsim.game.kit.parameters.checks` helps to write them. They are called if all `Rows` are there.
    """

    checks: ClassVar[Sequence[Check]] = ()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        problems = self._wrong_rows() or [found for check in self.checks for found in check(self)]
        if problems:
            raise ValidationError.from_exception_data(type(self).__name__, problems)
        return self

    def _wrong_rows(self) -> list[InitErrorDetails]:
        """Return what is wrong with lists that are annotated with `Rows`, first with those that go by ids."""
        fields = type(self).model_fields.items()
        rules = [(section, rule) for section, field in fields for rule in field.metadata if isinstance(rule, Rows)]
        found: list[InitErrorDetails] = []
        for section, rule in sorted(rules, key=lambda pair: pair[1].key == "players"):
            names = [getattr(row, rule.key) for row in getattr(self, section)]
            found += (
                rows_by_players(section, names, rule) if rule.key == "players" else rows_in_order(section, names, rule)
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the components as plain tables, lists, numbers and texts, in the layout of the TOML files."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: Source = "components") -> Self:
        """Build the components from a dict in the layout of the TOML files.

        Parameters
        ----------
        data
            The dict.
        source
            The name that error messages begin with, or one for each top-level key.

        Raises
        ------
        ComponentsError
            With one line for each problem.
        """
        try:
            return cls.model_validate(dict(data))
        except ValidationError as error:
            raise ComponentsError(explain(error, cls, data, source)) from None


def rows_in_order(section: str, names: Sequence[object], rule: Rows) -> Iterator[InitErrorDetails]:
    """The rows of a section are all the known ones, in their order."""
    known = rule.known
    if len(names) != len(known):
        yield problem((section,), len(names), f"{len(known)} rows, {known[0]} to {known[-1]}")
    elif names != list(known):
        place, needed = next((place, name) for place, name in enumerate(known) if names[place] != name)
        yield problem((section, place, rule.key), names[place], f"{needed}, because the rows are in order")


def rows_by_players(section: str, counts: Sequence[int], rule: Rows) -> Iterator[InitErrorDetails]:
    """A section has one row for each number of players."""
    if sorted(counts) != list(rule.known):
        *others, last = map(str, rule.known)
        yield problem((section,), sorted(counts), f"one row for each of {', '.join(others)} and {last} players")
