"""random: chooses uniformly among all legal actions."""

from rogsim.game.kit.bots import choose_at_random as choose

__all__ = ["choose"]
