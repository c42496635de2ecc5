"""How one run differs from another, as a person would write it: "Starting cards 5 / 7 / 9 / 12"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rogsim.game.parameters import Parameter
from rogsim.scenario.axes import AS_IT_IS, value_words
from rogsim.scenario.model import Experiment, Scenario
from rogsim.scenario.no_effect import changed_places, idle_parameters
from rogsim.scenario.own_components import OwnComponents, sourced_in


def changed_label(
    base: Experiment, other: Experiment, was: bool = False, short: Mapping[str, str] | None = None
) -> str:
    """Return how a run differs from the base; "as it is" if it does not.

    All values of a changed list are shown together under its label, without those that cannot matter.

    Parameters
    ----------
    was
        Whether to show the values of the base, too.
    short
        Shorter names of parameters and options.
    """
    return ", ".join(changed_parts(base, other, was, short or {})) or AS_IT_IS


def changed_parts(base: Experiment, other: Experiment, was: bool, short: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of `changed_label`."""
    first, second = base.scenario, other.scenario
    if first.bots != second.bots:
        yield _value_change("bots = ", list(first.bots), list(second.bots), was)
    for name, value in second.options.items():
        if first.options.get(name) != value:
            yield _value_change(f"{short.get(name, name)} = ", first.options.get(name), value, was)
    given = _given_in_files(first, second)
    yield from given
    without = {*sourced_in(first.components), *sourced_in(second.components)} if given else set()
    for parameter in other.spec.facts():
        if parameter.name in without:
            continue
        before, value = (change.get(parameter.name, parameter.value) for change in (first.change, second.change))
        if before != value and parameter.places:
            kept = _kept(parameter, base, other)
            name = parameter.label or short.get(parameter.name, parameter.name)
            yield _value_change(f"{name} ", _picked(before, kept), _picked(value, kept), was, " / ")
        elif before != value:
            yield _value_change(f"{short.get(parameter.name, parameter.name)} = ", before, value, was)


def _given_in_files(first: Scenario, second: Scenario) -> list[str]:
    """Return how the files of components differ, in words; empty if both scenarios have the same or none."""
    was, now = (own.file if isinstance(own, OwnComponents) else "" for own in (first.components, second.components))
    if was == now:
        return []
    return [f"components of {now}" if now else f"without the components of {was}"]


def _kept(parameter: Parameter, base: Experiment, other: Experiment) -> list[int]:
    """Return the entries of a list to show: those that can matter, or all entries if none that differs can."""
    names = [f"{parameter.name}.{place}" for place in parameter.places]
    scenario = other.scenario
    idle = idle_parameters(other.spec, other.options, scenario.players, scenario.change, names)
    differ = set(changed_places(other.spec, base.scenario.change, scenario.change)) & set(names)
    if differ <= set(idle):
        return list(range(len(names)))
    return [place for place, name in enumerate(names) if name not in idle]


def _picked(values: Any, kept: list[int]) -> list[Any]:
    return [values[place] for place in kept if place < len(values)]


def _value_change(name: str, before: Any, value: Any, was: bool, between: str = ", ") -> str:
    after, before = (
        between.join(map(value_words, values)) if isinstance(values, list) else value_words(values)
        for values in (value, before)
    )
    return f"{name}{after}" + (f" (was {before})" if was else "")
