"""Checks that any game can run on itself: whether its `Rules` and its `GameSpec` keep what the harness relies on.

`rogsim game check GAME` checks a game, and lists the problems.
"""

from rogsim.game.kit.conformance.both_sides import digest, digest_elsewhere
from rogsim.game.kit.conformance.checking import as_module, check_game, game_at, problems_of
from rogsim.game.kit.conformance.faults import in_one_line
from rogsim.game.kit.conformance.played_games import speed_of, told

__all__ = [
    "as_module",
    "check_game",
    "digest",
    "digest_elsewhere",
    "game_at",
    "in_one_line",
    "problems_of",
    "speed_of",
    "told",
]
