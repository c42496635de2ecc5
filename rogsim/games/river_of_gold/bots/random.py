"""random: chooses uniformly among all legal actions."""

from __future__ import annotations

from rogsim.game.kit.bots import choose_at_random as choose

__all__ = ["choose"]
