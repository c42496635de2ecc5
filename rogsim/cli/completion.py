"""What the shell completes: scenarios, bots, parameters and games, from files that come with rogsim.

The schemas of scenarios list the bots and parameters of a game, so that no game has to be imported. Nothing else is
imported before something is completed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")  # where shells put the line that is to be completed


def scenarios(incomplete: str) -> list[str]:
    """Complete the name of a scenario."""
    from rogsim.scenario.scenario_files import known_names

    return _beginning(known_names(), incomplete)


def games(incomplete: str) -> list[str]:
    """Complete the id of a game."""
    from rogsim.game.registry import game_names

    return _beginning(game_names(), incomplete)


def bot(incomplete: str) -> list[str]:
    """Complete the name of a bot."""
    return _beginning(_bots(), incomplete)


def bots(incomplete: str) -> list[str]:
    """Complete the last name of a list of bots."""
    return _last_of(_bots(), incomplete)


def best(incomplete: str) -> list[str]:
    """Complete the last of a list of kinds of games to show."""
    from rogsim.results.best_games import KINDS

    return _last_of(list(KINDS), incomplete)


def parameter(incomplete: str) -> list[str]:
    """Complete the name of a parameter."""
    return _beginning(_parameters(), incomplete)


def _beginning(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _last_of(names: list[str], incomplete: str) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    named = before.split(",")
    return [f"{before}{comma}{name}" for name in _beginning(names, last) if name not in named]


def _bots() -> list[str]:
    names: list[str] = _schema().get("properties", {}).get("bots", {}).get("items", {}).get("examples", [])
    return names


def _parameters() -> list[str]:
    schema = _schema()
    return list(_names(schema.get("properties", {}).get("change", {}), schema.get("$defs", {})))


def _names(part: Mapping[str, Any], shared: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """Yield the names of all parameters in a part of a schema; shared: what parts refer to."""
    whole = shared.get(str(part.get("$ref", "")).removeprefix("#/$defs/"), part)
    inside = whole.get("properties")
    if inside is None or "items" in whole:  # a list can be changed as a whole, or by its places
        yield before
    for name, smaller in (inside or {}).items():
        yield from _names(smaller, shared, f"{before}.{name}" if before else name)


def _schema() -> Mapping[str, Any]:
    """Return the schema of the game that a command line is about; nothing if it has none."""
    from rogsim.game.registry import default_games
    from rogsim.scenario.scenario_files import shipped_folder

    game = _game()
    path = shipped_folder() / f"{'scenario' if game in default_games() else game}.schema.json"
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _game() -> str:
    """Return the game that is named, or that a scenario in the line is about, or the default one.

    The words are those of the shell: while the value of an option is missing, typer does not read the line.
    """
    from rogsim.game.registry import default_games
    from rogsim.scenario.scenario_files import shipped_scenarios

    words = next((os.environ[name] for name in LINES if name in os.environ), "").replace("=", " ").split()
    if "--game" in words[:-1]:
        return words[words.index("--game") + 1]
    about = {scenario.name: scenario.game for scenario in shipped_scenarios()}
    return next((about[word] for word in words if word in about), next(iter(default_games()), ""))
