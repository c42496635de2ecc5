"""The axes that a scenario's [sweep] varies and its [balance] searches: each has a name and its values.

An axis is `players`, `bots`, an option of the game, or a parameter that [change] can name.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from rogsim.base.validation import Problem, not_allowed, show, unknown_key
from rogsim.game.parameters import Parameter
from rogsim.scenario.own_components import without_changed

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec

MOST_DESIGN_POINTS = 100_000
MOST_VALUES = 1_000  # of one axis
MOST_GAMES = 10**9  # for each player count
LEAST_SEARCH = 1_000  # games: a search with fewer shows nothing
RANGE_KEYS = {"from", "to", "step", "by"}
RANGE_RULE = (
    "write a list of values, a range such as { from = 5, to = 12 }, optionally with a step,"
    " or steps from the current value, { by = [-1, 1] }"
)
RANGE_TEXT = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")  # a range as it is typed: 5..12
ONE_VALUE = "needs one value; a range, or steps such as { by = [-1, 1] }, belong in [sweep.over] or [balance.over]"
AXES_MEANING = "A list of values or a range for each axis: `players`, `bots`, an option or a parameter."
AS_IT_IS = "as it is"  # a scenario without any change


def as_list(given: Any) -> Any:
    """Return a single text as a list of one, and anything else unchanged."""
    return [given] if isinstance(given, str) else given


class Sweep(BaseModel):
    """What to vary: `over` has a list of values, or a range, for each axis.

    sample: "grid" plays every combination, "latin-hypercube" and "sobol" play `points` combinations spread over all
    of them, and "alone" varies one axis at a time.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    sample: Literal["grid", "latin-hypercube", "sobol", "alone"] = Field(
        "grid", description="Which combinations to play: all, a sample spread over all, or one axis at a time."
    )
    points: Annotated[int, Field(ge=2, le=MOST_DESIGN_POINTS)] | None = Field(
        None, description="Number of combinations in the sample."
    )
    over: dict[str, Any] = Field(description=AXES_MEANING)


class BalanceSearch(BaseModel):
    """What to search for: values of the axes in `over` that make every goal true, changing as little as possible.

    goal: statements such as "seat_share equal ± 2 pp". games: the maximum number of games of the search, for each
    player count.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    goal: Annotated[tuple[str, ...], BeforeValidator(as_list), Field(strict=False, min_length=1)] = Field(
        description='What should be true: statements such as "seat_share equal ± 2 pp".'
    )
    over: dict[str, Any] = Field(description=AXES_MEANING)
    games: Annotated[int, Field(ge=LEAST_SEARCH, le=MOST_GAMES)] | None = Field(
        None, description="Maximum number of games in the search, for each player count."
    )


@dataclass(frozen=True)
class Axis:
    """One thing that is varied, with its values in order.

    Attributes
    ----------
    name
        "players", "bots", an option, or a parameter.
    current
        The scenario's value; None for players.
    pattern
        The pattern that the name matched; empty if the axis was given by its name.
    by_steps
        Whether the values were given as steps from the current value.
    """

    name: str
    kind: Literal["players", "bots", "option", "parameter"]
    values: tuple[Any, ...]
    current: Any = None
    pattern: str = ""
    by_steps: bool = False

    @property
    def is_number(self) -> bool:
        """Return whether all values are whole numbers, so that they have an order and a distance."""
        return self.kind == "parameter" and all(type(value) is int for value in (*self.values, self.current))

    @property
    def origin(self) -> str:
        """Return where its steps start, for messages on its values, which nobody typed; empty if it has no steps."""
        return f"; its steps start from {show(self.current)}" if self.by_steps else ""


def read_axes(
    over: Mapping[str, Any], spec: GameSpec, scenario: Mapping[str, Any]
) -> tuple[tuple[Axis, ...], list[Problem]]:
    """Read what to vary: return the axes, and the problems with keys relative to `over`.

    Parameters
    ----------
    over
        Values by name, as typed. A name may be a pattern such as "setup.*", which stands for all matching parameters
        that are single numbers; a range may be relative to the current value, { by = [-1, 1] }.
    scenario
        A checked scenario, as plain data.
    """
    axes: dict[str, Axis] = {}
    problems: list[Problem] = []
    for path, given in _entries(over):
        name = ".".join(path)
        matches, wrong = _matching(name, spec, scenario)
        if wrong:
            problems.append(Problem(path, wrong))
        for kind, found, current in matches:
            try:
                values, by_steps = _values(given, kind, current), isinstance(given, Mapping) and "by" in given
                axis = Axis(found, kind, values, current, "" if found == name else name, by_steps)
            except ValueError as fault:
                problems.append(Problem(path, str(fault)))
                break
            if found in axes:
                problems.append(Problem(path, f"{found} is listed twice"))
            axes[found] = axis
    if not axes and not problems:
        problems.append(Problem((), "is empty: name at least one axis to vary"))
    problems += _overlaps(list(axes))
    return tuple(axes.values()), problems


def without_ranges(problems: Sequence[Problem], facts: Callable[[], Sequence[Parameter]]) -> list[Problem]:
    """Return problems of changes; where the value of a parameter is a range, the problem says that it must not be."""
    if not any(problem.key[-1:] and problem.key[-1] in RANGE_KEYS for problem in problems):
        return list(problems)
    known = {name for parameter in facts() for name in (parameter.name, *_entry_names(parameter))}
    return [
        Problem(problem.key[:-1], ONE_VALUE)
        if problem.key[-1:] and problem.key[-1] in RANGE_KEYS and ".".join(problem.key[:-1]) in known
        else problem
        for problem in problems
    ]


def with_setting(scenario: Mapping[str, Any], axes: Sequence[Axis], setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scenario, as plain data, with the values of a setting and without its sweep and its search."""
    kinds = {axis.name: axis.kind for axis in axes}
    made = {key: value for key, value in scenario.items() if key not in ("sweep", "balance")}
    made["options"], made["change"] = dict(scenario["options"]), dict(scenario["change"])
    if own := scenario.get("components"):
        made["components"] = without_changed(own, [name for name in setting if kinds[name] == "parameter"])
    for name, value in setting.items():
        if kinds[name] == "players":
            made["players"] = [value]
        elif kinds[name] == "bots":
            made["bots"] = as_list(value)
        else:
            made["options" if kinds[name] == "option" else "change"][name] = value
    return made


def value_words(value: Any) -> str:
    """Return a value of an axis as text: lists without brackets."""
    if isinstance(value, list | tuple):
        return ", ".join(map(value_words, value))
    if isinstance(value, bool):
        return "true" if value else "false"  # as it is typed
    return value if isinstance(value, str) and value.isprintable() else show(value)


def setting_words(setting: Mapping[str, Any]) -> str:
    """Return a setting as text: "setup.hand = 3, bots = tuned"; true and false as they are typed."""
    words = {name: show(value) if isinstance(value, bool) else value_words(value) for name, value in setting.items()}
    return ", ".join(f"{name} = {text}" for name, text in words.items()) or AS_IT_IS


def change_words(change: Mapping[str, Any]) -> str:
    """Return changes as they are typed, with values in TOML: "setup.hand = 3, start = [7, 8]"."""
    return ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in change.items())


def _entries(over: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each axis with its given values: a list, or a table with the keys of a range."""
    for key, value in over.items():
        full_path = (*path, *str(key).split("."))
        if isinstance(value, Mapping) and not RANGE_KEYS & set(value):
            yield from _entries(value, full_path)
        else:
            yield full_path, value


def _overlaps(names: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each list that is varied together with one of its entries."""
    for name in names:
        inside = [other for other in names if other.startswith(f"{name}.")]
        if inside:
            yield Problem((name,), f"cannot be varied together with {inside[0]}, which is part of it")


Match = tuple[Literal["players", "bots", "option", "parameter"], str, Any]


def _matching(name: str, spec: GameSpec, scenario: Mapping[str, Any]) -> tuple[list[Match], str]:
    """Return what a name or a pattern stands for, with the scenario's values, and what is wrong if there is nothing."""
    options = list(spec.options.model_fields)
    if name == "players":
        return [("players", name, None)], ""
    if name == "bots":
        bots = list(scenario["bots"])
        return [("bots", name, bots[0] if len(bots) == 1 else bots)], ""
    if name in options:
        return [("option", name, scenario["options"][name])], ""
    parameters = {parameter.name: scenario["change"].get(parameter.name, parameter.value) for parameter in spec.facts()}
    singles = dict(_singles(spec, parameters))
    if any(sign in name for sign in "*?["):
        found = [single for single, value in singles.items() if fnmatchcase(single, name) and type(value) is int]
        matches: list[Match] = [("parameter", single, singles[single]) for single in found]
        return matches, "" if found else "matches no numeric parameter; rogsim parameters lists them"
    if name in parameters or name in singles:
        return [("parameter", name, singles.get(name, parameters.get(name)))], ""
    _, problems = spec.check_change({name: None})
    if problems and not options and not parameters:
        return [], problems[0].text
    near = difflib.get_close_matches(name, ["players", "bots", *options], n=2)
    if near:
        return [], "unknown, did you mean " + " or ".join(f'"{similar}"' for similar in near) + "?"
    return [], problems[0].text if problems else unknown_key(name, list(parameters))


def _singles(spec: GameSpec, parameters: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every single value by its name: parameters, and the entries of parameters that are lists."""
    for parameter in spec.facts():
        if not parameter.places:
            yield parameter.name, parameters[parameter.name]
            continue
        yield from zip(_entry_names(parameter), parameters[parameter.name], strict=False)


def _entry_names(parameter: Parameter) -> list[str]:
    """Return the names of the entries of a parameter that is a list."""
    return [f"{parameter.name}.{place}" for place in parameter.places]


def _values(given: Any, kind: str, current: Any) -> tuple[Any, ...]:
    """Return the values of an axis; ValueError if they are not allowed."""
    if isinstance(given, str) and (ends := RANGE_TEXT.fullmatch(given)):
        given = {"from": int(ends[1]), "to": int(ends[2])}
    if isinstance(given, Mapping):
        values = _range(given, current)
    elif isinstance(given, list | tuple):
        values = tuple(given)
    else:
        raise ValueError(not_allowed(given, RANGE_RULE))
    if not values:
        raise ValueError("has no values")
    if len(values) > MOST_VALUES:
        raise ValueError(f"has {len(values):,} values; at most {MOST_VALUES:,} are allowed")
    repeated = [value for place, value in enumerate(values) if value in values[:place]]
    if repeated:
        raise ValueError(f"{show(repeated[0])} is listed twice")
    return values


def _range(given: Mapping[str, Any], current: Any) -> tuple[int, ...]:
    """Return the values of a range, or of steps from the scenario's value; ValueError if they are not allowed."""
    for key in given:
        if key not in RANGE_KEYS:
            raise ValueError(not_allowed(dict(given), f"{show(key)} is {unknown_key(key, sorted(RANGE_KEYS))}"))
    if "by" in given:
        return _steps_from(given, current)
    if "from" not in given or "to" not in given or not all(type(number) is int for number in given.values()):
        raise ValueError(not_allowed(dict(given), RANGE_RULE))
    low, high, step = given["from"], given["to"], given.get("step", 1)
    if step < 1:
        raise ValueError(not_allowed(dict(given), "`step` must be 1 or more"))
    if high < low:
        raise ValueError(not_allowed(dict(given), "`to` must not be less than `from`"))
    count = (high - low) // step + 1
    if count > MOST_VALUES:
        raise ValueError(not_allowed(dict(given), f"it has {count:,} values, and at most {MOST_VALUES:,} are allowed"))
    return tuple(range(low, high + 1, step))


def _steps_from(given: Mapping[str, Any], current: Any) -> tuple[int, ...]:
    steps = given["by"]
    if len(given) > 1 or not isinstance(steps, list) or not all(type(step) is int for step in steps):
        raise ValueError(not_allowed(dict(given), RANGE_RULE))
    if current is None:  # player counts
        raise ValueError(not_allowed(dict(given), "there is no single value to start from; write a list of values"))
    if type(current) is not int:
        way = "; name one of its entries" if isinstance(current, list | tuple) else ""
        raise ValueError(f"is {show(current)}; steps need a whole number to start from{way}")
    return tuple(current + step for step in steps)
