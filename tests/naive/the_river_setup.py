"""The components of The River with the changes of a trace, and its set-up: drawn at random, or checked."""

import copy
import random
from typing import Any

from .basics import Facts, Mismatch, check_keys, compare

RESOURCES = ["wood", "stone", "clay", "food"]
BASIC = RESOURCES[:3]  # those that are produced and that cards cost
PLACES = ["claim", *BASIC, "food", "reserve", "construct", "first", "swap"]


def for_players(figures: dict[str, int], players: int) -> int:
    """Read a figure that is given for each number of players."""
    return figures[str(players)]


def ids(facts: Facts, table: str) -> list[Any]:
    return [row["id"] for row in facts[table]]


# ---------------------------------------------------------------------------------------------------- changes


OF_EFFECTS = ("resource", "amount", "points", "terrain_counted")


def with_change(facts: Facts, change: dict[str, Any]) -> Facts:
    """Return the components with changed figures, named as in a trace: table, row where there are rows, field.

    What a tile does not produce yet, where a board shows no symbol yet, and what the effect of a tile did not need so
    far may be named, and an entry of a plain list by its place from 1.
    """
    named = {name.split(".")[0] for name in change}
    changed = {table: copy.deepcopy(rows) if table in named else rows for table, rows in facts.items()}
    for name, value in change.items():
        *path, field = name.split(".")
        row: Any = changed
        for part in path:
            row = _part(row, part)
        key = int(field) - 1 if isinstance(row, list) and field.isdecimal() else field
        new = path[-1:] == ["production"] or (path[:1] == ["tile"] and field in OF_EFFECTS)
        if not path or not (new or _is_figure(_part(row, field))):
            raise Mismatch(f"change: expected the name of a figure, found {name!r}")
        row[key] = value
    return changed


def _part(table: Any, part: str) -> Any:
    """Return a table's field, a row by its id or number of players, a list's entry by its place; None if missing."""
    if isinstance(table, dict):
        return table.get(part)
    if isinstance(table, list) and table and isinstance(table[0], dict):
        return next((row for row in table if part == str(row.get("id")) or part in _player_counts(row)), None)
    if isinstance(table, list) and part.isdecimal() and 0 < int(part) <= len(table):
        return table[int(part) - 1]
    return None


def _is_figure(value: Any) -> bool:
    """Return whether a value is a plain one or a list of such, not a table or a list of rows."""
    rows = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    return value is not None and not isinstance(value, dict) and not rows


def _player_counts(row: dict[str, Any]) -> list[str]:
    counts = row.get("players", [])
    return [str(count) for count in (counts if isinstance(counts, list) else [counts])]


# ----------------------------------------------------------------------------------------------------- set-up


def token_piles(facts: Facts, players: int) -> list[list[int]]:
    """Return the pile of values and the pile of zeros (15)."""
    row = next(row for row in facts["token_set"] if players in row["players"])
    return [list(row["values"]), [0] * row["zeros"]]


def supply(facts: Facts, players: int) -> dict[str, int]:
    """Return the resources on the islands at the start (14)."""
    row = next(row for row in facts["supply"] if row["players"] == players)
    return {resource: row[resource] for resource in RESOURCES}


def random_setup(facts: Facts, players: int, rng: random.Random) -> dict[str, Any]:
    """Draw a set-up in the form of a trace (13-18, J38)."""
    return {
        "first": rng.randrange(players),
        "boards": rng.sample(ids(facts, "board"), players),
        "tiles": rng.sample(ids(facts, "tile"), len(facts["tile"])),
        "cards": rng.sample(ids(facts, "card"), len(facts["card"])),
        "tokens": token_piles(facts, players),
        "supply": supply(facts, players),
    }


def check_setup(facts: Facts, setup: dict[str, Any], players: int) -> None:
    """Raise Mismatch unless the set-up is one that the rules allow."""
    if players not in (2, 3, 4):
        raise Mismatch(f"players: expected 2, 3 or 4, found {players!r}")
    check_keys(setup, {"first", "boards", "tiles", "cards", "tokens", "supply"}, "set-up")
    if type(setup["first"]) is not int or setup["first"] not in range(players):
        raise Mismatch(f"set-up.first: expected a seat, found {setup['first']!r}")
    boards = setup["boards"]
    if len(boards) != players or len(set(boards)) != players or not set(boards) <= set(ids(facts, "board")):
        raise Mismatch(f"set-up.boards: expected {players} different ones, found {boards}")
    for key, table in (("tiles", "tile"), ("cards", "card")):
        compare(sorted(ids(facts, table)), sorted(setup[key]), f"set-up.{key}, sorted")
    compare(token_piles(facts, players), setup["tokens"], "set-up.tokens")
    compare(supply(facts, players), setup["supply"], "set-up.supply")
