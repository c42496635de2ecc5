"""Pig as the harness sees it."""

from tests.pig import rules
from tests.solved_game import solved_game

GAME = solved_game("pig", rules.PIG, rules, ("hold20", "optimum", "random", "learned"))
