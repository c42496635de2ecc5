"""random: chooses uniformly among all legal actions."""

from rogsim.game.kit.search.random import choose

__all__ = ["PLAN", "choose"]

PLAN = "chooses uniformly among all legal actions"
