"""Rolls or holds at random."""

from rogsim.game.kit.bots import choose_at_random as choose

__all__ = ["choose"]
