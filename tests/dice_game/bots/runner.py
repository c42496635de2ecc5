"""Rolls whenever it can."""

from __future__ import annotations

from typing import Any

from tests.dice_game.rules import ROLL


def choose(race: Any, weights: Any, stream: Any) -> int:
    return ROLL
