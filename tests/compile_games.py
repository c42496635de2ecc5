"""`python -m tests.compile_games` compiles all games with their bots into the cache, for tests and notebooks to load.

The dice race of the tests is among them, so no test depends on whether it is the first that plays it.

In one process this takes much less time than in several, because what kernels call is read only once for all of them.
Called while another call is compiling, it waits for that one.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
from filelock import FileLock

from rogsim.bots.loading import compile_bot, find_bot
from rogsim.environments import BatchedGames
from rogsim.game.batches import Batch
from rogsim.game.bot import Bot
from rogsim.game.compiler import records
from rogsim.game.kit.conformance import check_game
from rogsim.game.kit.learning import Sampling, play_and_compare
from rogsim.game.registry import game_names, get_game, register
from rogsim.game.spec import GameSpec
from tests.dice_game import GAME


def main() -> None:
    """Compile every game that comes with rogsim, and the dice race."""
    gc.disable()  # compiling makes many objects, and this process ends soon
    with FileLock(Path(sys.prefix) / "compile-games.lock"):
        for game in [*map(get_game, game_names()), register(GAME)]:
            game.warm()
            bots = {bot.name: compile_bot(game, find_bot(game, bot.name, Path())) for bot in game.bots}
            compile_learning(game, bots["learned"])
            compile_steps(game)
            compile_rules(game)


def compile_learning(game: GameSpec, bot: Bot) -> None:
    """Compile what `rogsim train` plays, with no games."""
    learned, players = import_module(f"{game.bots_package}.learned"), game.players[0]
    batch = Batch(1, players, np.arange(0), np.zeros((0, players), np.int8), (bot,))
    setup, sampling = game.prepare(game.options(), players), Sampling()
    play_and_compare(game.rules, setup, batch, learned.SEARCH, learned.EVALUATION, bot.weights, sampling, players)


def compile_steps(game: GameSpec) -> None:
    """Compile what sessions, traces, environments and the checks of a game call."""
    check_game(game, game.players[0], game.samples[0], deal=1)
    games = BatchedGames(game.id, 1, game.players[0])
    games.step(games.sample(np.random.default_rng(1)))


def compile_rules(game: GameSpec) -> None:
    """Compile the rules that tests call one by one."""
    rules, tables = game.rules, game.rules.tables_of(game.prepare(game.options(), game.players[0]))
    state, menu, hidden = (records(dtype, 1)[0] for dtype in (rules.state, rules.menu, rules.hidden))
    rules.begin(tables, state, 1, 1)
    rules.legal(tables, state, menu)
    rules.apply(tables, state, int(menu.actions[0]))
    rules.set_aside(state, 0, hidden)
    rules.put_back(state, 0, hidden)
    rules.hide(state, 0)


if __name__ == "__main__":
    main()
