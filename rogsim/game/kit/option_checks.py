"""The options of a scenario: the base class of a game's options, and checks for their validators."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict


class StrictOptions(BaseModel):
    """Options of which none is unknown, of another type, or changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


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


def mode_or_names(value: str | list[str], modes: Sequence[str], names: Sequence[str], more: str) -> str | list[str]:
    """Return a mode, or a list of different names, if it is allowed; ValueError otherwise, as from `one_of`."""
    if isinstance(value, str):
        return one_of(value, modes, more)
    for name in value:
        one_of(name, names)
    all_different(value)
    return value


def one_for_each_seat(option: str, names: Sequence[str], players: int) -> None:
    """Raise ValueError if an option does not name one thing for each seat."""
    if len(names) != players:
        raise ValueError(f'option "{option}" names {len(names)} for {players} players: give one for each seat')
