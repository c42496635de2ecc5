"""`python -m tests.compile_games` compiles all games with their bots into the cache, for tests and notebooks to load.

Called while another call is compiling, it waits for that one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from filelock import FileLock

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.registry import game_names, get_game


def main() -> None:
    """Compile every game that comes with rogsim."""
    with FileLock(Path(sys.prefix) / "compile-games.lock"):
        for game in map(get_game, game_names()):
            game.warm()
            for bot in game.bots:
                compile_bot(game, find_bot(game, bot.name, Path()))


if __name__ == "__main__":
    main()
