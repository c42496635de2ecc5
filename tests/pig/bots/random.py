"""Rolls or holds at random."""

from rogsim.game.kit.search.random import choose

__all__ = ["choose"]
