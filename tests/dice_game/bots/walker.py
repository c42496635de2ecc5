"""Walks, and never trusts a die."""

from __future__ import annotations

from typing import Any

from tests.dice_game.rules import WALK


def choose(race: Any, weights: Any, stream: Any) -> int:
    return WALK
