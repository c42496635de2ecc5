"""Bets and calls with a king; calls with a queen every other time."""

from __future__ import annotations

from typing import Any

from rogsim.game.rng import draw
from tests.kuhn.rules import BET, KING, PASS, QUEEN


def choose(setup: Any, view: Any, menu: Any, memory: Any) -> int:
    card = view.cards[view.hand, view.actor]
    calls = card == QUEEN and view.said >= 2 and draw(memory.stream, 2) == 1
    return BET if card == KING or calls else PASS
