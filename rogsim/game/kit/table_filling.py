"""Filling the record of parameters that the rules read from the components of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def fill_named(record: Any, values: Mapping[str, Any]) -> None:
    """Set every field of a record that holds one number and whose name is among the values; None counts as 0."""
    for name in record.dtype.names:
        if name in values and record.dtype[name].kind in "biuf":
            record[name] = values[name] or 0


def padded(values: Sequence[int], size: int) -> list[int]:
    """Return values followed by zeros, `size` in all."""
    return [*values, *([0] * (size - len(values)))]


def by_players(table: Mapping[Any, Any], players: int) -> Any:
    """Return the entry of a player count, whose key is a number or, as in TOML, a text."""
    return table[players] if players in table else table[str(players)]
