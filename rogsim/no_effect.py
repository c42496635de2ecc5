"""Changes that cannot matter where they are made, as the game says: cards not in play, seats that nobody takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rogsim.game import Change, GameSpec
from rogsim.scenario import Experiment


def idle_changes(experiment: Experiment) -> dict[str, str]:
    """Return the changes of a scenario that cannot matter with any of its player counts, each with the reason.

    A list that is changed as a whole is told by its places that differ, and only if none of them matters.
    """
    scenario, found = experiment.scenario, dict[str, str]()
    for name, value in scenario.change.items():
        places = list(changed_places(experiment.spec, {}, {name: value}))
        idle = idle_figures(experiment.spec, experiment.options, scenario.players, scenario.change, places)
        if set(idle) == set(places):
            found |= idle
    return found


def idle_figures(
    spec: GameSpec, options: Any, players: Iterable[int], change: Change, names: Sequence[str]
) -> dict[str, str]:
    """Return those of some figures, or places of lists, that cannot matter with any player count, with the reason.

    change: checked changes that hold besides.
    """
    answers = [spec.without_effect(options, count, change, names) for count in players]
    idle = [name for name in names if all(name in answer for answer in answers)]
    return {name: " and ".join(dict.fromkeys(answer[name] for answer in answers)) for name in idle}


def changed_places(spec: GameSpec, before: Change, after: Change) -> Iterator[str]:
    """Yield what differs between two sets of checked changes: figures, and of those that are lists each place."""
    for fact in spec.facts():
        first, second = (change.get(fact.name, fact.value) for change in (before, after))
        if first == second:
            continue
        if not fact.places:
            yield fact.name
            continue
        for number, place in enumerate(fact.places):
            if first[number : number + 1] != second[number : number + 1]:
                yield f"{fact.name}.{place}"


def absent_levels(spec: GameSpec, options: Any, players: Iterable[int], column: str) -> Mapping[str, str]:
    """Return the levels of a seat column that cannot come up with some player count, each with the reason."""
    found: dict[str, str] = {}
    for count in players:
        found |= spec.absent_levels(options, count, column)
    return found
