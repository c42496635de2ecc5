"""Filling the record of parameters that the rules read from the components of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rogsim.game.kit.parameters.models import Part


def numbers_of(model: type[Part]) -> list[tuple[str, str]]:
    """Return a field for each whole number of a table of components, under its name, as `fill_named` fills it."""
    return [(name, "i2") for name, field in model.model_fields.items() if field.annotation is int]


def fill_named(record: Any, values: Mapping[str, Any]) -> None:
    """Set every field of a record that holds one number and whose name is among the values; None counts as 0.

    Raises
    ------
    TypeError
        If a value is no number.
    """
    for name in record.dtype.names:
        if name in values and record.dtype[name].kind in "biuf":
            value = values[name] or 0
            if not isinstance(value, (int, float, np.number)):
                raise TypeError(f'the field "{name}" of the tables holds a number, and its value is {value!r}')
            record[name] = value


def padded(values: Sequence[int], size: int) -> list[int]:
    """Return values followed by zeros, `size` in all."""
    return [*values, *([0] * (size - len(values)))]


def by_players(table: Mapping[Any, Any], players: int) -> Any:
    """Return the entry of a player count, whose key is a number or, as in TOML, a text."""
    return table[players] if players in table else table[str(players)]


def row_for(rows: Sequence[Mapping[str, Any]], players: int, table: str = "") -> Mapping[str, Any]:
    """Return the row of a player count in a list of rows that go by `players`.

    Parameters
    ----------
    rows
        The rows.
    players
        The player count.
    table
        The name of the list, for the error.

    Raises
    ------
    ValueError
        If no row is for that player count.
    """
    found = next((row for row in rows if row["players"] == players), None)
    if found is None:
        has = ", ".join(str(row["players"]) for row in rows) or "none"
        raise ValueError(f"{table or 'a list'} has no row for {players} players, only for: {has}")
    return found
