"""Plays at random."""

from rogsim.game.kit.search.random import choose_at_random as choose

__all__ = ["choose"]
