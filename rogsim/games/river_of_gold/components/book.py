"""All parameters of the components by name, with value, range and meaning: what a scenario can change."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from rogsim.game.parameters import Parameter
from rogsim.games.river_of_gold.components.load import Facts, printed_facts
from rogsim.games.river_of_gold.components.meanings import LABELS, MEANINGS
from rogsim.games.river_of_gold.components.models import Noble, Patron, Tile
from rogsim.games.river_of_gold.components.value_types import Listed, Whole

ROWS = ("tile", "customer", "mastery", "patron", "shore")  # lists of rows, each with an id
# What the rules depend on: names, and places on the board.
FIXED_SECTIONS = ("regions", "river")
FIXED_KEYS = (
    *("id", "region", "set", "type", "kind", "clan", "title", "effect", "journey", "royal_ship"),
    *("end_point_per", "needs", "starting_tiles"),
)
PARTIAL_CARDS = (Patron, Noble)  # cards that have only the parameters of their effect
GOOD_SPACE = "2"  # of a track; its good is in track.good_at_2
FROM_ZERO = ("scoring.customers_delivered",)  # lists whose entries count from 0

Named = Iterator[Parameter]


@cache
def printed_book() -> Mapping[str, Parameter]:
    """Return all parameters by name, with their printed values, in the order of the files."""
    facts = _of_model(Facts, printed_facts(), "")
    return types.MappingProxyType({fact.name: fact for fact in facts})


def locate(data: Mapping[str, Any], name: str, make: bool = True) -> tuple[Any, Any]:
    """Return the table or list that holds a parameter, and its key or index there.

    Parameters
    ----------
    data
        The components, in the layout of the TOML files.
    name
        The name of a parameter.
    make
        Whether to create missing tables, such as the reward of a space that has none.
    """
    *steps, last = name.split(".")
    part: Any = data
    for step in steps:
        if isinstance(part, list):
            part = _row(part, step)
        elif step in part:
            part = part[step]
        elif make:
            part = part.setdefault(step, {})
        else:
            return {}, last
    return (part, int(last) - 1) if isinstance(part, list) else (part, last)


def _row(rows: list[Any], step: str) -> Any:
    """Return a row by its id, or an inner list by its place."""
    if rows and isinstance(rows[0], Mapping):
        return next(row for row in rows if str(row["id"]) == step)
    return rows[int(step) - 1]


def _of_model(model: type[BaseModel], value: Mapping[str, Any], name: str) -> Named:
    for key, field in model.model_fields.items():
        key = field.alias or key
        if (not name and key in FIXED_SECTIONS) or key in FIXED_KEYS:
            continue
        if key not in value and model in PARTIAL_CARDS:
            continue
        if model is Tile and not _can_have(value["set"], key):
            continue
        inner = value.get(key, {} if _is_table(field.annotation) else 0)
        yield from _of(Annotated[field.annotation, *field.metadata, None], inner, f"{name}.{key}".lstrip("."))


def _can_have(tile_set: str, key: str) -> bool:
    """Return whether tiles of a set can have a key: era tiles have a bonus and an owner, the others have copies."""
    of_era = tile_set in ("era1", "era2")
    return key == "visitor" or of_era == (key in ("build", "owner"))


def _is_table(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _of(annotation: Any, value: Any, name: str) -> Named:
    """Yield the parameters within a value."""
    bare, rules = _parted(annotation)
    if _is_table(bare):
        yield from _of_model(bare, value, name)
    elif get_origin(bare) is tuple:
        yield from _of_list(get_args(bare)[0], rules, value, name)
    elif isinstance(value, Mapping):  # rewards by space of the track
        for space in range(1, printed_facts()["limits"]["influence"] + 1):
            if str(space) != GOOD_SPACE:
                yield from _of(get_args(bare)[1], value.get(str(space), {}), f"{name}.{space}")
    else:
        yield from _of_value(bare, rules, value, name)


def _of_list(entry: Any, rules: tuple[Any, ...], value: list[Any], name: str) -> Named:
    if name in ROWS:
        for row in value:
            yield from _of_model(_model_of(entry, row), row, f"{name}.{row['id']}")
        return
    bare, entry_rules = _parted(entry)
    if get_origin(bare) is tuple:
        for place, inner in enumerate(value, 1):
            yield from _of(entry, inner, f"{name}.{place}")
        return
    length = next(rule for rule in rules if isinstance(rule, Listed))
    first = 0 if name in FROM_ZERO else 1
    places = tuple(str(place) for place in range(first, first + length.most))
    whole = next((rule for rule in entry_rules if isinstance(rule, Whole)), None)
    words = get_args(bare) if get_origin(bare) is Literal else ()
    each = whole.allowed if whole else " or ".join(f'"{word}"' for word in words)
    low, high = (whole.low, whole.high) if whole else (None, None)
    allowed = f"{length.allowed}, each {each}"
    yield Parameter(name, value, allowed, _meaning(name), low, high, words, places, _label(name))


def _of_value(bare: Any, rules: tuple[Any, ...], value: Any, name: str) -> Named:
    whole = next((rule for rule in rules if isinstance(rule, Whole)), None)
    if whole is not None and whole.low < whole.high:
        yield Parameter(name, value, whole.allowed, _meaning(name), whole.low, whole.high)
    elif bare is bool:
        yield Parameter(name, value, "true or false", _meaning(name))
    elif get_origin(bare) is Literal:
        words = get_args(bare)
        yield Parameter(name, value, " or ".join(f'"{word}"' for word in words), _meaning(name), words=words)


def _parted(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Split an annotation into the type and its rules."""
    if get_origin(annotation) is Annotated:
        bare, *rules = get_args(annotation)
        inner, more = _parted(bare)
        return inner, (*more, *rules)
    return annotation, ()


def _model_of(entry: Any, row: Mapping[str, Any]) -> type[BaseModel]:
    """Return the model of a row; if there are several, the one of its type."""
    bare, _ = _parted(entry)
    if get_origin(bare) in (Union, types.UnionType):
        return next(kind for kind in get_args(bare) if row["type"] in get_args(kind.model_fields["type"].annotation))
    found: type[BaseModel] = bare
    return found


def _meaning(name: str) -> str:
    return next((text for pattern, text in MEANINGS.items() if fnmatchcase(name, pattern)), "")


def _label(name: str) -> str:
    text = next((text for pattern, text in LABELS.items() if fnmatchcase(name, pattern)), "")
    return text.format(name.rpartition(".")[2])
