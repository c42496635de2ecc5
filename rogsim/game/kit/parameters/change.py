"""Changing parameters by name: "setup.hand", "card.red-1.order.wood", "space.4.cost".

A name follows the layout of the TOML files, with rows named by their ids. Entries of a list have the names of
`Parameter.places`: "setup.coins_by_turn_order.4".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rogsim.base.validation import Problem, not_allowed, show
from rogsim.game.kit.parameters.naming import locate
from rogsim.game.parameters import Parameter


def find(path: tuple[str, ...], known: Mapping[str, Parameter]) -> tuple[Parameter | None, int | None]:
    """Return the parameter of a name that is split at the dots, and the index if it names an entry of a list."""
    name, whole = ".".join(path), known.get(".".join(path[:-1]))
    if name in known:
        return known[name], None
    if whole is not None and path[-1] in whole.places:
        return whole, whole.places.index(path[-1])
    return None, None


def put(data: dict[str, Any], parameter: Parameter, index: int | None, value: Any) -> str:
    """Set a parameter, or an entry of it, in components; return what is wrong if the list has no such entry now."""
    holder, key = locate(data, parameter.name)
    if index is None:
        holder[key] = list(value) if isinstance(value, list | tuple) else value  # a copy: its entries may change next
        return ""
    if isinstance(holder, dict):
        holder.setdefault(key, list(parameter.value))
    if not isinstance(holder[key], list) or index >= len(holder[key]):
        return f"is not in the list, which is now {show(holder[key])}"
    holder[key][index] = value
    return ""


def conflict(name: tuple[str, ...], found: object, allowed: str, changed: Collection[str]) -> Problem:
    """Return what a parameter must be, which need not be among those that were changed."""
    text = ".".join(name)
    is_changed = any(text == key or text.startswith(f"{key}.") or key.startswith(f"{text}.") for key in changed)
    return Problem(name, not_allowed(found, f"must be {allowed}") + ("" if is_changed else ", with these changes"))
