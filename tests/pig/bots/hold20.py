"""Holds at 20."""

from __future__ import annotations

from typing import Any

from tests.pig.rules import HOLD, ROLL


def choose(setup: Any, view: Any, menu: Any, memory: Any) -> int:
    return ROLL if view.total < 20 else HOLD
