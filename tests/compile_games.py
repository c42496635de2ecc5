"""`python -m tests.compile_games` compiles all games with their bots into the cache, for the tests to load."""

from __future__ import annotations

from pathlib import Path

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.game.registry import game_names, get_game


def main() -> None:
    """Compile every game that comes with rogsim."""
    for game in map(get_game, game_names()):
        game.warm()
        for bot in game.bots:
            compile_bot(game, find_bot(game, bot.name, Path()))


if __name__ == "__main__":
    main()
