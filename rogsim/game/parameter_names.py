"""Finding the parameters of a game by name, and describing changes in words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from rogsim.base.errors import RogsimError
from rogsim.base.validation import show
from rogsim.game.parameters import Parameter, places_of, sections

if TYPE_CHECKING:
    from rogsim.game.spec import GameSpec

MOST_NEAR = 3  # names to suggest
CLOSE = 0.7  # how similar a part must be, from 0 to 1
SIGNS = "*?["  # characters that make a name a pattern


class ParameterError(RogsimError):
    """A name that no parameter has."""


def find_parameters(spec: GameSpec, name: str) -> list[Parameter]:
    """Return the parameters that a name stands for: that parameter, all below it, or all that match it as a pattern.

    An entry of a list, such as "setup.hand.2", is returned as a separate parameter.

    Raises
    ------
    ParameterError
        If there are none; it suggests similar names.
    """
    facts = spec.facts()
    found = [fact for fact in facts if _fits(fact.name, name)]
    found = found or [place for fact in facts for place in places_of(fact) if _fits(place.name, name)]
    if found:
        return found
    near = near_names(facts, name)
    if any(sign in name for sign in SIGNS):
        known = ", ".join(group.name for group in sections(facts)) or "none; there are no parameters"
        raise ParameterError(
            f"{name} in {spec.title}: matches no parameter{f', {_meant(near)}' if near else f': choose from {known}'}"
        )
    _, problems = spec.check_change({name: None})
    text = problems[0].text if problems else "unknown"
    if near and "did you mean" not in text:
        text = f"unknown, {_meant(near)}"
    raise ParameterError(f"{name} in {spec.title}: {text}")


def near_names(facts: Sequence[Parameter], name: str) -> list[str]:
    """Return names or patterns similar to one that matches no parameter, with its wrong parts corrected.

    A single word may be any part of a name.
    """
    names = [place.name for fact in facts for place in (fact, *places_of(fact))]
    heads = dict.fromkeys(".".join(known.split(".")[:end]) for known in names for end in range(1, known.count(".") + 2))
    if "." not in name:
        lasts: dict[str, list[str]] = {}
        for head in heads:
            lasts.setdefault(head.rpartition(".")[2], []).append(head)
        found = difflib.get_close_matches(name, lasts, n=MOST_NEAR, cutoff=CLOSE)
        return [head for last in found for head in lasts[last]][:MOST_NEAR]
    meant: list[str] = []
    for part in name.split("."):
        above = ".".join([*meant, ""])
        known = [head for head in heads if fnmatchcase(head, f"{above}*") and head.count(".") == len(meant)]
        if not any(fnmatchcase(head, above + part) for head in known):
            close = difflib.get_close_matches(part, {head.rpartition(".")[2] for head in known}, n=1, cutoff=CLOSE)
            if not close:
                return []
            part = close[0]
        meant.append(part)
    return [".".join(meant)]


def _meant(names: Sequence[str]) -> str:
    return "did you mean " + " or ".join(f'"{name}"' for name in names) + "?"


def changes_of(spec: GameSpec, change: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return checked changes, each with its name, old value, new value, and meaning."""
    known = {fact.name: fact for fact in spec.facts()}
    return [
        {"name": name, "was": known[name].value, "is": value, "meaning": known[name].meaning}
        for name, value in change.items()
        if name in known
    ]


def change_lines(spec: GameSpec, change: Mapping[str, Any]) -> list[str]:
    """Return checked changes in words, one line each: "setup.hand: 2 → 3 (cards at the start)"."""
    return [
        f"{row['name']}: {show(row['was'])} → {show(row['is'])}" + (f" ({row['meaning']})" if row["meaning"] else "")
        for row in changes_of(spec, change)
    ]


def _fits(name: str, wanted: str) -> bool:
    below = f"{wanted}.*"
    return name == wanted or name.startswith(f"{wanted}.") or fnmatchcase(name, wanted) or fnmatchcase(name, below)
