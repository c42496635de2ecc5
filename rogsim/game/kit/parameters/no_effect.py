"""Which parameters cannot matter, parameter by parameter: for `GameSpec.without_effect`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from rogsim.game.parameters import Change

Why = Callable[[Any, int, Change, Sequence[str]], str]


def by_name(why: Why) -> Callable[[Any, int, Change, Sequence[str]], Mapping[str, str]]:
    """Return what `GameSpec.without_effect` is, given why a single parameter cannot matter.

    Parameters
    ----------
    why
        Takes the options of a scenario, a player count, other changes, and the name of a parameter or of an entry of a
        list, split at its dots. Returns the reason; empty if the parameter can matter.
    """

    @wraps(why)
    def without_effect(options: Any, players: int, change: Change, names: Sequence[str]) -> dict[str, str]:
        found = {name: why(options, players, change, name.split(".")) for name in names}
        return {name: reason for name, reason in found.items() if reason}

    return without_effect


def unless_players(count: str, players: int) -> str:
    """Return why a parameter for a number of players cannot matter with another one."""
    return f"it only counts with {count} players" if count != str(players) else ""
