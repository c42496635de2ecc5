"""Plays races that may come to their ends."""

from __future__ import annotations

from rogsim.game.kit.search import choose_by_rollouts as choose
from rogsim.game.kit.search.lines import SETTINGS as WEIGHT_NAMES

__all__ = ["WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = [2, 0, 80, 1000, 1, 0.5, 0, 0]
