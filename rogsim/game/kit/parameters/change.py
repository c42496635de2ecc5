"""Changing parameters by name: "setup.hand", "card.red-1.order.wood", "space.4.cost".

A name follows the layout of the TOML files, with rows named by their ids. Entries of a list have the names of
`Parameter.places`: "setup.coins_by_turn_order.4".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rogsim.base.validation import Problem, not_allowed, show, unlisted
from rogsim.game.kit.parameters.naming import locate
from rogsim.game.parameters import Parameter

MOST_OTHERS = 3  # values that were not changed and no longer fit: one change of a limit can break dozens alike


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


def conflicts(wrong: Sequence[tuple[tuple[str, ...], object, str]], changed: Collection[str]) -> list[Problem]:
    """Return one problem for each value that was changed, and for the first few others that no longer fit.

    Parameters
    ----------
    wrong
        The name, the value and what is allowed of each wrong value.
    changed
        The names of the changes.
    """
    asked: list[Problem] = []
    others: list[Problem] = []
    for name, found, allowed in wrong:
        text = not_allowed(found, f"must be {allowed}")
        if _is_among(".".join(name), changed):
            asked.append(Problem(name, text))
        else:
            others.append(Problem(name, f"{text}, with these changes"))
    return asked + others[:MOST_OTHERS] + unlisted(others, MOST_OTHERS)


def _is_among(name: str, changed: Collection[str]) -> bool:
    """Return whether a parameter, a part of it, or what it is part of was changed."""
    return any(name == key or name.startswith(f"{key}.") or key.startswith(f"{name}.") for key in changed)
