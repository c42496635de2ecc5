"""A game's components: pydantic models in the layout of its TOML files, the types of their values, and their problems.

Each problem is one line, with file, key, value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

from rogsim.base.errors import RogsimError
from rogsim.base.validation import show, unknown_key

Keys = tuple[str | int, ...]  # keys and list places that lead to a value: ("tile", 3, "order", "wood")

Source = str | Mapping[str, str]  # the file of all components, or of each top-level key

NOT_ALLOWED = "not_allowed"  # the type of problems found here: their context has `allowed`, and perhaps `found`

EXPECTED_KINDS = {
    "model_type": "a table",
    "model_attributes_type": "a table",
    "dict_type": "a table",
    "mapping_type": "a table",
    "tuple_type": "a list",
    "string_type": "a text",
    "string_too_short": "a text that is not empty",
    "invalid_key": "keys that are texts",
}


class ComponentsError(RogsimError, ValueError):
    """Components that cannot be used; `problems` has one line for each problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def not_allowed(allowed: str) -> PydanticCustomError:
    """Return the error that a validator raises for a value that is not allowed."""
    return PydanticCustomError(NOT_ALLOWED, "allowed: {allowed}", {"allowed": allowed})


def problem(path: Keys, found: object, allowed: str) -> InitErrorDetails:
    """Return a problem at a path, for a value that conflicts with others."""
    error = PydanticCustomError(NOT_ALLOWED, "allowed: {allowed}", {"found": found, "allowed": allowed})
    return InitErrorDetails(type=error, loc=path, input=found)


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[Keys, object, str]]:
    """Return the path of each wrong value, the value, and what is allowed."""
    return [
        (_locate(model, details["loc"])[0], details.get("ctx", {}).get("found", details["input"]), _allowed(details))
        for details in error.errors(include_url=False)
    ]


def explain(error: ValidationError, model: type[BaseModel], data: object, source: Source) -> list[str]:
    """Turn a validation error into lines like `setup.toml: setup.hand: found 4, allowed: at most 3`."""
    return [_line(details, model, data, source) for details in error.errors(include_url=False)]


def _line(details: ErrorDetails, model: type[BaseModel], data: object, source: Source) -> str:
    path, parent = _locate(model, details["loc"])
    kind, context = details["type"], details.get("ctx", {})
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        path = (*path, "type")
    file = source if isinstance(source, str) else source.get(str(path[0]) if path else "", "components")
    where = f"{file}: {describe_path(path, data)}" if path else file
    if kind in ("missing", "union_tag_not_found"):
        return f"{where}: missing, but required"
    if kind == "extra_forbidden":
        return f"{where}: {unknown_key(str(path[-1]), keys_of(parent))}"
    found = context.get("found", context.get("tag", details["input"]))
    return f"{where}: found {show(found)}, allowed: {_allowed(details)}"


def _allowed(details: ErrorDetails) -> str:
    """Return what is allowed, from the details of an error."""
    context = details.get("ctx", {})
    if details["type"] == NOT_ALLOWED:
        return str(context["allowed"])
    if details["type"] in ("literal_error", "union_tag_invalid"):
        return str(context.get("expected", context.get("expected_tags"))).replace("'", '"')
    return EXPECTED_KINDS.get(details["type"], details["msg"])


def describe_path(path: Keys, data: object) -> str:
    """Return a path in words, with the id of its row: `tile[5] "red-3": order.wood`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            key = part if part.replace("-", "_").isidentifier() or part.isdigit() else show(part)
            text += key if not text or text.endswith(": ") else f".{key}"
        data = _inside_data(data, part)
        if isinstance(part, int) and isinstance(data, Mapping) and isinstance(data.get("id"), str | int):
            text += f" {show(data['id'])}: "
    return text.removesuffix(": ")


def keys_of(model: type[BaseModel] | None) -> list[str]:
    """Return the keys that a model reads."""
    return [field.alias or name for name, field in model.model_fields.items()] if model else []


def _inside_data(data: object, part: str | int) -> object:
    try:
        return data[part]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return None


def _locate(model: type[BaseModel], loc: Keys) -> tuple[Keys, type[BaseModel] | None]:
    """Follow pydantic's location through the models to the path in the data and the model of its last key.

    Pydantic adds the chosen kind of a union ("red") and "[key]" for a wrong key; neither is in the data.
    """
    path: list[str | int] = []
    annotation: Any = model
    parent: type[BaseModel] | None = None
    for part in loc:
        annotation = _bare(annotation)
        if part == "[key]":
            continue
        if get_origin(annotation) in (Union, UnionType):
            annotation = next((kind for kind in get_args(annotation) if part in types_of(kind)), None)
            if annotation is not None:
                continue
        path.append(part)
        parent = annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
        annotation = _inside_type(annotation, part)
    return tuple(path), parent


def _bare(annotation: Any) -> Any:
    """Return the type inside an `Annotated`."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def types_of(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the values of a model's `type` key."""
    return get_args(model.model_fields["type"].annotation)


def _inside_type(annotation: Any, part: str | int) -> Any:
    """Return the annotation of a key of a model or a mapping, or of an entry of a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {field.alias or name: field.annotation for name, field in annotation.model_fields.items()}
        return fields.get(str(part))
    arguments = get_args(annotation)
    if len(arguments) == 2:  # tuple[row, ...] or Mapping[key, value]
        return arguments[0] if arguments[1] is Ellipsis else arguments[1]
    return None


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
        `rogsim.game.kit.parameters.models` helps to write them. They are called if all `Rows` are there.
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


Problems = Iterator[InitErrorDetails]


def at_most(path: Keys, found: int, most: int, why: str) -> Problems:
    """A number is not above another one, which `why` names."""
    if found > most:
        yield problem(path, found, f"at most {most} ({why})")


def as_printed(path: Keys, found: str, printed: str) -> Problems:
    """A text is the one on the printed component."""
    if found != printed:
        yield problem(path, found, f'"{printed}", as printed')


def unique_ids(section: str, ids: Sequence[str]) -> Problems:
    """No two rows of a section have the same id."""
    first: dict[str, int] = {}
    for place, name in enumerate(ids):
        if name in first:
            yield problem((section, place, "id"), name, f"a unique id; {section}[{first[name]}] has this one")
        first.setdefault(name, place)


def complete_ids(section: str, ids: Sequence[str], known: Sequence[str]) -> Problems:
    """Each known id is in the section exactly once."""
    yield from unique_ids(section, ids)
    for name in known:
        if name not in ids:
            yield problem((section,), list(ids), f'all of {len(known)}; "{name}" is missing')


def exact_keys(row: Keys, card: Part, every: Sequence[str], needed: Sequence[str]) -> Problems:
    """A row has, of all the keys that such rows may have, exactly those that it needs."""
    for name in every:
        given = name in card.model_fields_set
        if given and name not in needed:
            allowed = f"only {', '.join(needed)} here" if needed else "no such key here"
            yield problem((*row, name), getattr(card, name), allowed)
        elif not given and name in needed:
            yield InitErrorDetails(type="missing", loc=(*row, name), input=None)
