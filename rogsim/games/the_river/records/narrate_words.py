"""Tiles, cards and resources in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rogsim.game.kit.narration import counted, listing
from rogsim.games.the_river.components.names import PRODUCED, RESOURCES

# What a meadow does, with its own values put in.
EFFECTS = {
    "production": "points for {resource} symbols",
    "gift": "gives {amount} {resource} at once",
    "collection": "points for {terrain_counted} tiles",
    "swap": "swaps tiles at once",
    "boat": "points for pioneers on the boat",
    "token": "points for bonus tokens",
    "cleanup": "gives {amount} {resource} in each cleanup",
}


def amounts(numbers: Iterable[int]) -> str:
    """Return amounts of resources, in their usual order, in words."""
    words = [f"{number} {name}" for number, name in zip(numbers, RESOURCES, strict=False) if number]
    return listing(words) if words else "nothing"


def tile_words(tile: Mapping[str, Any]) -> str:
    """Return a terrain tile with what it shows, given its row in the components."""
    shown = ["+".join(tile["terrain"])]
    symbols = [tile["production"].get(resource, 0) for resource in PRODUCED]
    shown += [f"produces {amounts(symbols)}"] if any(symbols) else []
    shown += [counted(tile["store"], "warehouse")] if tile["store"] else []
    shown += [_effect(tile)] if tile.get("effect", "none") != "none" else []
    return f"{tile['id']} ({', '.join(shown)})"


def meadow_words(tile: Mapping[str, Any]) -> str:
    """Return a meadow tile with what it does, given its row in the components."""
    return f"{tile['id']} ({_effect(tile)})"


def _effect(tile: Mapping[str, Any]) -> str:
    words = EFFECTS[tile["effect"]].format_map({"amount": 0, **tile})
    return f"{words}, {counted(tile['points'], 'point')} at the end" if tile.get("points") else words


def card_words(card: Mapping[str, Any]) -> str:
    """Return a building card with its cost and points, given its row in the components."""
    return f"{card['id']} ({amounts(card[resource] for resource in PRODUCED)}: {counted(card['points'], 'point')})"
