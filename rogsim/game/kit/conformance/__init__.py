"""Checks that any game can run on itself: whether its `Rules` and its `GameSpec` keep what the harness relies on.

`scripts/check-game GAME` checks a game, and lists the problems. GAME is an id, or `package.module:NAME`.
"""

from rogsim.game.kit.conformance.both_sides import digest, digest_elsewhere
from rogsim.game.kit.conformance.checking import check_game, game_at, problems_of
from rogsim.game.kit.conformance.command import main

__all__ = ["check_game", "digest", "digest_elsewhere", "game_at", "main", "problems_of"]
