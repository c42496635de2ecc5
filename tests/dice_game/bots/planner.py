"""Looks a round ahead in a few races that may come."""

from __future__ import annotations

from rogsim.game.kit.search import choose_by_planning as choose
from rogsim.game.kit.search.lines import SETTINGS as WEIGHT_NAMES

__all__ = ["WEIGHTS", "WEIGHT_NAMES", "choose"]

WEIGHTS = [2, 12, 0, 4, 1, 0.5, 0, 0]
