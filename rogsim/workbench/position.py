"""A position as pages show it: its drawing, and its choices in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rogsim.base.text import capital
from rogsim.game.kit.drawing import Picture
from rogsim.game.spec import GameSpec


def drawn(spec: GameSpec, setup: Any, state: Any) -> Picture | None:
    """Return the drawing of a position, or of the view of a seat, if the game draws itself."""
    return spec.draw(setup, state) if spec.draw is not None else None


def phrase(words: Mapping[str, Any]) -> str:
    """Return an action in words as a phrase: "sail ship 1 spaces 4"."""
    rest = [
        f"{name.replace('_', ' ')} {_named(value)}" if isinstance(value, int) else _named(value)
        for name, value in words.items()
        if name != "do"
    ]
    return capital(" ".join([str(words.get("do", "")).replace("_", " "), *rest]))


def _named(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
