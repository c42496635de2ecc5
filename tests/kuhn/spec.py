"""Kuhn poker as the harness sees it."""

from tests.kuhn import rules
from tests.solved_game import solved_game

GAME = solved_game("kuhn", rules.KUHN, rules, ("honest", "random", "learned"))
