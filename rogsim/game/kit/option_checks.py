"""Checks of the options of a scenario, for the validators of a game's options."""

from __future__ import annotations

from collections.abc import Sequence


def one_of(value: str, allowed: Sequence[str], more: str = "") -> str:
    """Return a value that is allowed; ValueError otherwise, which lists what is allowed, and `more` after it."""
    if value not in allowed:
        choices = ", ".join(f'"{name}"' for name in allowed)
        raise ValueError(f'"{value}" is not allowed: choose from {choices}{" " + more if more else ""}')
    return value


def all_different(names: Sequence[str]) -> None:
    """Raise ValueError if a name is listed twice."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f'"{name}" is listed twice')
