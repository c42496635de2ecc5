"""The component files of a game: read, checked, changed by name, and corrected by an owner of the game in a file.

A name follows the layout of the TOML files: "setup.hand", "card.red-1.order.wood", "space.4.cost". Rows go by their
ids, or by the number of players that they are for; entries of lists go by their places, or by the names that
`Parameter.places` gives them.

Marks in the files say whether values have a source. A table or row whose values are not from a source has `sourced =
false` and `reconstructed`, the reason. This also holds for the tables inside, unless they have marks of their own. If
only some values of a table are reconstructed, `reconstructed` is a table with a reason for each of these:
`reconstructed = { coins = "..." }`.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from rogsim.base.errors import RogsimError
from rogsim.base.files import is_by_system
from rogsim.base.validation import Problem, not_allowed, read_toml, show
from rogsim.game.kit.changes import MARKS, RECONSTRUCTED, SOURCED, check, conflicts, why_unknown
from rogsim.game.kit.kinds import CHECKED, ROW_KEYS, At, Components, Found, part
from rogsim.game.parameters import Change, Parameter, leaves

A_REASON = f"a text, why the values are reconstructed, or a table with one for each such key; not with {SOURCED} = true"

C = TypeVar("C", bound=Components)
Keys = tuple[str, ...]
Checks = Sequence[Callable[[Any], Iterable[Problem]]]


class ComponentsError(RogsimError, ValueError):
    """Components that cannot be used; `problems` has one line for each problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def wrong(name: str, found: object, allowed: str) -> Problem:
    """Return the problem of a value that conflicts with others; `allowed` is in words."""
    return Problem(tuple(name.split(".")), not_allowed(found, f"must be {allowed}"))


def at_most(name: str, found: int, most: int, why: str) -> Iterator[Problem]:
    """A number is not above another one, which `why` names."""
    if found > most:
        yield wrong(name, found, f"at most {most} ({why})")


# ------------------------------------------------------------------------------------------------ names and marks


def row_names(row: object) -> list[str]:
    """Return the name of a row of a list: several if it is for several numbers of players, none for other values."""
    found = [row[key] for key in ROW_KEYS if key in row] if isinstance(row, Mapping) else []
    names = found[0] if found and isinstance(found[0], list) else found[:1]
    return [str(name) for name in names]


def parts_in(value: Any, path: Keys = (), whole: Mapping[str, Any] = types.MappingProxyType({})) -> Iterator[Any]:
    """Yield every table and every other value with its name, split at the dots; those in `whole` are not divided."""
    divided = ".".join(path) not in whole
    if divided and isinstance(value, Mapping):
        yield path, value
        for key, inner in value.items():
            if key not in MARKS:
                yield from parts_in(inner, (*path, str(key)), whole)
    elif divided and isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value):
        for place, inner in enumerate(value, 1):
            for name in row_names(inner) or [str(place)]:
                yield from parts_in(inner, (*path, name), whole)
    else:
        yield path, value


def values_in(data: Any, whole: Mapping[str, Any]) -> Iterator[tuple[Keys, Any]]:
    """Yield all values that are no tables."""
    return ((path, value) for path, value in parts_in(data, (), whole) if path and not isinstance(value, Mapping))


def without_marks(value: Any) -> Any:
    """Return a copy without the marks, in which a row for several numbers of players is one for each of them."""
    if isinstance(value, Mapping):
        return {key: without_marks(inner) for key, inner in value.items() if key not in MARKS}
    if not isinstance(value, list):
        return value
    rows = []
    for row in map(without_marks, value):
        several = row.get("players") if isinstance(row, dict) else None
        rows += [{**row, "players": count} for count in several] if isinstance(several, list) else [row]
    return rows


def marks_in(data: Any) -> dict[str, str]:
    """Return why values are reconstructed, by the names of tables, rows and values; empty if they have a source."""
    marks: dict[str, str] = {}
    for path, table in parts_in(data):
        if isinstance(table, Mapping) and not table.keys().isdisjoint(MARKS):
            why = table.get(RECONSTRUCTED, "")
            inner = leaves(why) if isinstance(why, Mapping) else ()
            marks[".".join(path)] = "" if isinstance(why, Mapping) else why
            marks |= {".".join((*path, *key)): reason for key, reason in inner}
    return marks


def wrong_marks(data: Any) -> Iterator[Problem]:
    """Yield what is wrong with the marks in tables."""
    for path, table in parts_in(data):
        if isinstance(table, Mapping):
            for mark, found, allowed in _wrong_in(table):
                yield wrong(".".join((*path, mark)), found, allowed)


def _wrong_in(table: Mapping[str, Any]) -> Iterator[tuple[str, object, str]]:
    """Yield what is wrong with the marks of one table."""
    sourced, why = table.get(SOURCED), table.get(RECONSTRUCTED)
    if SOURCED in table and type(sourced) is not bool:
        yield SOURCED, sourced, "true or false"
    elif sourced is False and RECONSTRUCTED not in table:
        yield SOURCED, sourced, f"true, or false together with {RECONSTRUCTED}, the reason"
    if RECONSTRUCTED in table and (sourced is True or not why or not isinstance(why, str | Mapping)):
        yield RECONSTRUCTED, why, A_REASON
    for path, reason in leaves(why) if isinstance(why, Mapping) else ():
        if not _has(table, path) or not isinstance(reason, str) or not reason:
            yield RECONSTRUCTED, {".".join(path): reason}, "the keys of this table, each with a text: the reason"


def _has(value: Any, path: Keys) -> bool:
    """Return whether tables have a value at a path."""
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return False
        value = value[key]
    return True


def nearest_mark(name: str, marks: Mapping[str, str]) -> str | None:
    """Return the innermost mark around the value of a parameter; None if there is none."""
    while name and name not in marks:
        name = name.rpartition(".")[0]
    return marks.get(name)


def locate(data: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    """Return the table or list that holds a parameter, and its key or index there; missing tables are made."""
    *steps, last = name.split(".")
    inside: Any = data
    for step in steps:
        if not isinstance(inside, list):
            inside = inside.setdefault(step, {})
        else:
            named = [row for row in inside if step in row_names(row)]
            inside = named[0] if named else inside[int(step) - 1]
    return (inside, int(last) - 1) if isinstance(inside, list) else (inside, last)


# --------------------------------------------------------------------------------------------------- the book


class Loaded(NamedTuple):
    """What component files say."""

    data: dict[str, Any]  # in their layout, without marks
    made: Any  # as objects
    parameters: Mapping[str, Parameter]
    fixed: frozenset[str]  # the names of values that cannot be changed
    has_reconstructed: bool


@dataclass(frozen=True)
class Book(Generic[C]):
    """All components of a game, in TOML files, and its parameters: what a scenario can change.

    Attributes
    ----------
    components
        The class that declares all components.
    folder
        The folder of the component files: every table is in any one of its TOML files.
    checks
        Functions of the components that yield what is wrong with values that are allowed by themselves.
    meanings
        What parameters mean, by name, where their declaration cannot say it.
    """

    components: type[C]
    folder: Path
    checks: Checks = ()
    meanings: Mapping[str, str] = field(default_factory=dict)

    def read(self, data: Mapping[str, Any], found: Found) -> C:
        """Return components as objects, and note their parameters and what is wrong with them."""
        made: C = part(self.components).read(data, At(found))
        if not found.problems:
            found.problems += [problem for agree in self.checks for problem in agree(made)]
        return made

    def problems_of(self, data: Mapping[str, Any]) -> list[Problem]:
        """Return what is wrong with components."""
        self.read(data, found := Found())
        return found.problems

    def load(self, folder: Path) -> Loaded:
        """Read and check the component files of a folder.

        Raises
        ------
        ComponentsError
            With one line for each problem; if a file cannot be read, problems of the others are not listed.
        """
        tables, lines = dict[str, dict[str, Any]](), list[str]()
        for path in sorted(path for path in folder.glob("*.toml") if not is_by_system(path)):
            try:
                tables[path.name] = read_toml(path.read_bytes().decode("utf-8"))
            except OSError as fault:
                lines.append(f"{path.name}: cannot be read: {fault.strerror}")
            except UnicodeDecodeError:
                lines.append(f"{path.name}: not UTF-8 text")
            except ValueError as fault:
                lines.append(f"{path.name}: not valid TOML: {fault}")
        if lines:
            raise ComponentsError(lines)
        file_of = {key: name for name, table in tables.items() for key in table}
        order = [one.key for one in part(self.components).fields]
        keys = [*(key for key in order if key in file_of), *(key for key in file_of if key not in order)]
        files = {key: tables[file_of[key]][key] for key in keys}
        data, found = without_marks(files), Found(problems=list(wrong_marks(files)))
        made = self.read(data, found)
        for problem in found.problems:
            lines.append(f"{file_of.get(problem.key[0], folder.name)}: {problem.name}: {problem.text}")
        if lines:
            raise ComponentsError(lines)
        marks = marks_in(files)
        for name, fact in found.parameters.items():
            meaning, why = self.meanings.get(name, fact.meaning), nearest_mark(name, marks) or ""
            if why or meaning != fact.meaning:
                found.parameters[name] = replace(fact, meaning=meaning, reconstructed=why)
        known = types.MappingProxyType(found.parameters)
        fixed = {".".join(path) for path, _ in values_in(data, known)} - known.keys()
        return Loaded(data, made, known, frozenset(fixed), any(marks.values()))

    @cached_property
    def _loaded(self) -> Loaded:
        return self.load(self.folder)

    def printed(self) -> dict[str, Any]:
        """Return the printed components in the layout of the TOML files: a shared dict that must not be changed."""
        return self._loaded.data

    def parameters(self) -> Mapping[str, Parameter]:
        """Return all parameters by name, with their values in the files, in the order of their declarations."""
        return self._loaded.parameters

    def facts(self) -> tuple[Parameter, ...]:
        """Return all parameters, for `GameSpec.facts`."""
        return tuple(self._loaded.parameters.values())

    def value(self, name: str, change: Change) -> Any:
        """Return the value of a parameter after checked changes."""
        return change.get(name, self._loaded.parameters[name].value)

    def has_reconstructed(self) -> bool:
        """Return whether any value in the files is reconstructed, for `GameSpec.has_reconstructed`."""
        return self._loaded.has_reconstructed

    def fixed_names(self) -> frozenset[str]:
        """Return the names of values in the files that cannot be changed, such as ids."""
        return self._loaded.fixed

    def check_change(self, change: Change) -> tuple[dict[str, Any], list[Problem]]:
        """Check changes by name, nested as in TOML.

        Returns
        -------
        changed
            The parameters that differ from their printed values: name and new value, in the order of `parameters`.
        problems
            What is wrong; if anything is, `changed` is empty.
        """
        if not change:
            return {}, []
        changed, problems = check(self._loaded.parameters, self._loaded.fixed, change)
        if problems or not changed:
            return {}, problems
        made = self.with_values(changed)
        problems = [problem for agree in self.checks for problem in agree(made)]
        asked = {".".join(path) for path, _ in leaves(change)}
        return ({}, conflicts(problems, asked)) if problems else (changed, [])

    def with_change(self, change: Change) -> dict[str, Any]:
        """Return the components, in the layout of the TOML files, with checked changes applied."""
        changing = {name.partition(".")[0] for name in change}
        data = {key: copy.deepcopy(one) if key in changing else one for key, one in self._loaded.data.items()}
        for name, value in change.items():
            holder, key = locate(data, name)
            holder[key] = value
        return data

    def with_values(self, change: Change) -> C:
        """Return the components as objects, with checked changes applied."""
        made, data = copy.copy(self._loaded.made), self.with_change(change)
        for one in part(self.components).fields:
            if data.get(one.key) is not self._loaded.data.get(one.key):
                setattr(made, one.name, one.kind.read(data[one.key], CHECKED))
        return made


# -------------------------------------------------------------------------------------------- the owner's file


@dataclass(frozen=True)
class OwnValues:
    """What a file says in which an owner of the game corrects its components.

    Attributes
    ----------
    values
        Values by name, not yet checked.
    sourced
        The parameters that have a source in it: all whose values it gives, unless marked otherwise, and all in tables
        and rows that it marks.
    problems
        What is wrong with names, marks and values that cannot be changed.
    """

    values: Mapping[str, Any]
    sourced: tuple[str, ...]
    problems: tuple[Problem, ...]


def own_values(data: Mapping[str, Any], parameters: Sequence[Parameter], printed: Mapping[str, Any]) -> OwnValues:
    """Read the tables of such a file.

    Parameters
    ----------
    data
        The tables.
    parameters
        All parameters of the game.
    printed
        The game's components, in the same layout.
    """
    known = {parameter.name: parameter for parameter in parameters}
    fixed = {".".join(path): value for path, value in values_in(printed, known) if ".".join(path) not in known}
    given: dict[str, Any] = {}
    problems = [*wrong_marks(data)]
    for path, value in values_in(without_marks(data), known):
        name = ".".join(path)
        if name in given:
            problems.append(Problem(path, "is given twice"))
        if name in fixed and value != fixed[name]:
            problems.append(Problem(path, not_allowed(value, f"must be {show(fixed[name])}: the rules depend on it")))
        elif name not in fixed and path[-1] not in ROW_KEYS:
            given[name] = value
    if problems:
        return OwnValues(given, (), tuple(problems))
    marks, everything = marks_in(data), [*known, *fixed, *given]
    for name in filter(None, marks):
        if not any(other == name or other.startswith(f"{name}.") for other in everything):
            path = tuple(name.split("."))
            problems.append(Problem(path, why_unknown(path, known, fixed)))
    return OwnValues(given, tuple(_sourced(given, known, marks)), tuple(problems))


def _sourced(given: Mapping[str, Any], known: Iterable[str], marks: Mapping[str, str]) -> Iterator[str]:
    """Yield the parameters that have a source in the file."""
    inner = {name: why for name, why in marks.items() if name}  # a mark of the file as a whole is about what it gives
    for name in known:
        why = (nearest_mark(name, marks) or "") if name in given else nearest_mark(name, inner)
        if why == "":
            yield name
