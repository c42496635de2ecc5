"""The parameters of a game that keeps its components in TOML files: listed, checked and changed."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from rogsim.base.validation import MOST_PROBLEMS, Problem, unlisted
from rogsim.game.kit.parameters.files import C, Files, read_components
from rogsim.game.kit.parameters.models import ON_OR_OFF, Favours, Listed, Part, Whole, problems_of, types_of
from rogsim.game.kit.parameters.names import (
    Marks,
    conflicts,
    every_name,
    find,
    name_of,
    put,
    reason_of,
    row_names,
    value_of,
    why_unknown,
)
from rogsim.game.parameters import Change, Parameter, leaves


@dataclass(frozen=True)
class _Range:
    """What is allowed for a single value or for each entry of a list."""

    allowed: str
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """Lists the parameters of components, in the order of the models.

    Attributes
    ----------
    fixed
        Keys whose values cannot be changed, wherever they are.
    keys
        By name of a table with any keys: those that its parameters may have. Words of a `Literal` need not be listed.
    meanings
        The meanings of parameters by patterns of names; the first match counts. Without one, it is the text in the
        annotation of the parameter, or of the innermost table or list around it that has one. A text that ends with a
        colon stands before the texts inside. Whom a parameter favours is found in the same way.
    """

    fixed: Collection[str]
    keys: Mapping[str, Sequence[str]]
    meanings: Mapping[str, str]

    def of_table(
        self, model: type[Part], table: Mapping[str, Any], name: str = "", meaning: str = "", favours: int = 0
    ) -> Iterator[Parameter]:
        """Yield the parameters of a table.

        Parameters
        ----------
        model
            The model of the table.
        table
            Its values, in the layout of the TOML files.
        name
            The name of the table, empty for all components.
        meaning
            What its parameters mean, unless their annotations say it.
        favours
            Whom more of them favours, unless their annotations say it.
        """
        for key, info in model.model_fields.items():
            key = info.alias or key
            if key not in self.fixed and model.can_have(table, key):
                value = table[key] if key in table else _default(info)
                inner = f"{name}.{key}" if name else key
                yield from self._of(Annotated[info.annotation, *info.metadata, None], value, inner, meaning, favours)

    def _of(self, annotation: Any, value: Any, name: str, meaning: str, favours: int) -> Iterator[Parameter]:
        """Yield the parameters within a value."""
        bare, rules = _parted(annotation)
        if own := next((rule for rule in rules if isinstance(rule, str)), ""):
            meaning = f"{meaning} {own}" if meaning.endswith(":") else own
        favours = next((rule.direction for rule in rules if isinstance(rule, Favours)), favours)
        if _is_table(bare):
            yield from self.of_table(bare, value, name, meaning, favours)
        elif get_origin(bare) is tuple:
            yield from self._of_list(get_args(bare)[0], rules, value, name, meaning, favours)
        elif isinstance(value, Mapping):
            keys, inner = get_args(bare)
            absent: Any = {} if _is_table(inner) else _first_word(inner)
            for key in self.keys.get(name, get_args(keys) if get_origin(keys) is Literal else tuple(value)):
                yield from self._of(inner, value.get(key, absent), f"{name}.{key}", meaning, favours)
        else:
            limits = _range(bare, rules, name)
            if limits.low is None or limits.low != limits.high:
                meaning = _first_match(self.meanings, name) or meaning
                yield Parameter(
                    name, value, limits.allowed, meaning, limits.low, limits.high, limits.words, favours=favours
                )

    def _of_list(
        self, entry: Any, rules: Sequence[Any], value: Sequence[Any], name: str, meaning: str, favours: int
    ) -> Iterator[Parameter]:
        """Yield the parameters of each row or inner list, or a list of values as one parameter."""
        bare, entry_rules = _parted(entry)
        if _is_table(bare) or get_origin(bare) in (Union, types.UnionType):
            for row in value:
                if not (names := row_names(row)):
                    raise TypeError(f"{name}: the rows of a list need an id, which names their parameters")
                yield from self.of_table(_model_of(bare, row), row, f"{name}.{names[0]}", meaning, favours)
        elif get_origin(bare) is tuple:
            for place, inner in enumerate(value, 1):
                yield from self._of(entry, inner, f"{name}.{place}", meaning, favours)
        else:
            length = next((rule for rule in rules if isinstance(rule, Listed)), None)
            if length is None:
                raise TypeError(f"{name}: a list needs its length: annotate it with `listed`")
            each = _range(bare, entry_rules, name)
            allowed = f"{length.allowed}, each {each.allowed}"
            meaning = _first_match(self.meanings, name) or meaning
            label = length.label.format(name.rpartition(".")[2])
            yield Parameter(
                name, value, allowed, meaning, each.low, each.high, each.words, length.places, label, favours=favours
            )


def _first_match(texts: Mapping[str, str], name: str) -> str:
    return next((text for pattern, text in texts.items() if fnmatchcase(name, pattern)), "")


def _range(bare: Any, rules: Sequence[Any], name: str) -> _Range:
    """Return what is allowed for a value of a type with rules."""
    whole = next((rule for rule in rules if isinstance(rule, Whole)), None)
    if whole is not None:
        return _Range(whole.allowed, whole.low, whole.high)
    if bare is bool:
        return _Range(ON_OR_OFF)
    if get_origin(bare) is Literal:
        words = get_args(bare)
        return _Range(" or ".join(f'"{word}"' for word in words), words=words)
    raise TypeError(f"{name}: nothing says which values are allowed: annotate it with `whole`, or list it as fixed")


def _default(field: FieldInfo) -> Any:
    """Return what stands for a key that a table leaves out."""
    if _is_table(field.annotation):
        return {}
    value = 0 if field.is_required() else field.get_default(call_default_factory=True)
    return list(value) if isinstance(value, tuple) else value


def _first_word(annotation: Any) -> Any:
    """Return what stands for a key that a table with any keys leaves out: the first of several words, else 0."""
    bare, _ = _parted(annotation)
    return get_args(bare)[0] if get_origin(bare) is Literal else 0


def _parted(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split an annotation into the type and its rules."""
    if get_origin(annotation) is Annotated:
        bare, *rules = get_args(annotation)
        return bare, tuple(rules)
    return annotation, ()


def _is_table(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Part)


def _model_of(bare: Any, row: Mapping[str, Any]) -> type[Part]:
    """Return the model of a row; if there are several, the one of its type."""
    kinds: Sequence[type[Part]] = [bare] if _is_table(bare) else get_args(bare)
    if len(kinds) == 1:
        return kinds[0]
    return next(kind for kind in kinds if row["type"] in types_of(kind))


Keys = Callable[[Mapping[str, Any]], Sequence[str]]


@dataclass(frozen=True)
class ParameterBook(Generic[C]):
    """All parameters of a game: what a scenario can change.

    Attributes
    ----------
    model
        The model of all components. Its annotations say which values are allowed, and as a text what they mean.
    folder
        The folder of the component files.
    files
        Every component file with the top-level keys that it holds.
    fixed
        Keys that cannot be changed, because the rules depend on them; ids never can.
    meanings
        The meanings of parameters in a few words, by patterns of names, where the model does not give them; the first
        match counts.
    keys
        By name of a table with any keys: which keys its parameters may have, given the printed components; by default
        the words of a `Literal`, or those that it has in the files.
    """

    model: type[C]
    folder: Path
    files: Files
    fixed: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Keys] = field(default_factory=dict)

    def load(self, folder: Path | None = None) -> C:
        """Read and check the component files of a folder, by default the printed components.

        Raises
        ------
        ComponentsError
            With one line for each problem; if a file cannot be read, problems of the others are not listed.
        """
        return read_components(self.model, self.files, self.folder if folder is None else folder)[0]

    def printed(self) -> dict[str, Any]:
        """Return the printed components in the layout of the TOML files: a shared dict that must not be changed."""
        return self._printed

    def parameters(self) -> Mapping[str, Parameter]:
        """Return all parameters by name, with their values in the files, in the order of the models."""
        return self._parameters

    def facts(self) -> tuple[Parameter, ...]:
        """Return all parameters, for `GameSpec.facts`."""
        return tuple(self._parameters.values())

    def value(self, name: str, change: Change) -> Any:
        """Return the value of a parameter after checked changes."""
        return change.get(name, self._parameters[name].value)

    def has_reconstructed(self) -> bool:
        """Return whether any value in the files is reconstructed, for `GameSpec.has_reconstructed`."""
        return any(self._read[1].values())

    def fixed_names(self) -> frozenset[str]:
        """Return the names of values in the files that cannot be changed, such as ids."""
        return self._fixed_names

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
        known = self._parameters
        paths = [path for path, _ in leaves(change)]
        data, problems = self._changed(leaves(change))
        if problems:
            return {}, problems
        names = {".".join(path) for path in paths}
        try:
            self.model.model_validate(data)
        except ValidationError as fault:
            wrong = problems_of(fault, self.model)
            return {}, conflicts([(name_of(path, data, known), value, rule) for path, value, rule in wrong], names)
        touched = names | {".".join(path[:-1]) for path in paths}
        found = {name: value_of(data, known[name]) for name in known if name in touched}
        return {name: value for name, value in found.items() if value != known[name].value}, []

    def with_change(self, change: Change) -> dict[str, Any]:
        """Return the components, in the layout of the TOML files, with checked changes applied."""
        if not change:
            return self._printed
        return self._changed((tuple(name.split(".")), value) for name, value in change.items())[0]

    def _changed(self, values: Iterable[tuple[tuple[str, ...], Any]]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the components with values put in by name, and the problems of those that could not be."""
        values = list(values)
        changing = {path[0] for path, _ in values}
        data = {name: copy.deepcopy(part) if name in changing else part for name, part in self._printed.items()}
        problems: list[Problem] = []
        for path, value in values:
            parameter, index = find(path, self._parameters)
            if parameter is None:
                # Looking for similar names takes long.
                listed = len(problems) < MOST_PROBLEMS
                why = why_unknown(path, self._parameters, self._fixed_names) if listed else "unknown"
                problems.append(Problem(tuple(path), why))
            elif wrong := put(data, parameter, index, value):
                problems.append(Problem(path, wrong))
        return data, problems[:MOST_PROBLEMS] + unlisted(problems)

    @cached_property
    def _read(self) -> tuple[C, Marks]:
        return read_components(self.model, self.files, self.folder)

    @cached_property
    def _printed(self) -> dict[str, Any]:
        return self._read[0].to_dict()

    @cached_property
    def _parameters(self) -> Mapping[str, Parameter]:
        keys = {name: keys_of(self._printed) for name, keys_of in self.keys.items()}
        listing = Listing({"id", *self.fixed}, keys, self.meanings)
        found = [
            replace(parameter, reconstructed=reason_of(parameter.name, self._read[1]))
            for parameter in listing.of_table(self.model, self._printed)
        ]
        return types.MappingProxyType({parameter.name: parameter for parameter in found})

    @cached_property
    def _fixed_names(self) -> frozenset[str]:
        return frozenset(every_name(self._printed)) - frozenset(self._parameters)
