"""Listing every parameter of a game's components, with what is allowed, from the annotations of their models."""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from rogsim.game.kit.parameters.models import Part
from rogsim.game.kit.parameters.naming import row_names
from rogsim.game.kit.parameters.problems import types_of
from rogsim.game.kit.parameters.value_types import ON_OR_OFF, Favours, Listed, Whole
from rogsim.game.parameters import Parameter


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
        for key, field in model.model_fields.items():
            key = field.alias or key
            if key not in self.fixed and model.can_have(table, key):
                value = table[key] if key in table else _default(field)
                inner = f"{name}.{key}" if name else key
                yield from self._of(Annotated[field.annotation, *field.metadata, None], value, inner, meaning, favours)

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
